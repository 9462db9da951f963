//! What the model has read of which file.

/// What was read of which file, and when.
#[derive(Debug, Default)]
pub(crate) struct FileStates {}
