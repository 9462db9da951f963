//! `TodoWrite`: the model's own list.

/// The list.
#[derive(Debug, Default)]
pub(crate) struct Todos {}
