//! `Bash`: commands of the model.

/// Commands that run in the background.
#[derive(Debug, Default)]
pub(crate) struct Background {}
