//! The lists that the model keeps.

mod task_list;
mod todos;

pub(crate) use task_list::TaskList;
pub(crate) use task_list::{ListedTask, TaskStatus};
pub(crate) use todos::Todos;
