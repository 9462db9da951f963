//! `TaskCreate`, `TaskUpdate`, `TaskGet`, `TaskList`: the tasks that the model tracks.

/// The tasks.
#[derive(Debug, Default)]
pub(crate) struct TaskList {}
