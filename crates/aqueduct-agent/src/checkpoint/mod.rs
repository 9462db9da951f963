//! What files were before they were changed, and the way back.

/// The checkpoints of a session.
#[derive(Debug, Default)]
pub(crate) struct Checkpoints {}
