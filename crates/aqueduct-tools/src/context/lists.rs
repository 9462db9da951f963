//! The lists of a conversation.

use std::sync::Arc;

use aqueduct_wire::json::{IntoOwned, Map, Raw};

use crate::list::{TaskList, Todos};

/// The lists that the model keeps.
#[derive(Debug, Default)]
pub struct Lists {
    /// The todo list.
    pub(crate) todos: Todos,
    /// The tasks that the model tracks. Subagents share them.
    pub tasks: Arc<TaskList>,
}

impl Lists {
    /// The same for a subagent, which has a todo list of its own.
    pub(super) fn for_subagent(&self) -> Self {
        Lists { todos: Todos::default(), tasks: self.tasks.clone() }
    }

    /// The lists as JSON, for a transcript.
    pub fn snapshot(&self) -> Raw<'static> {
        let text = format!(r#"{{"todos":{},"tasks":{}}}"#, self.todos.snapshot(), self.tasks.snapshot());
        Raw::parse(&text).map_or(Raw::NULL, IntoOwned::into_owned)
    }

    /// Takes the lists from a [`snapshot`](Self::snapshot). Other JSON changes nothing.
    pub fn restore(&self, lists: &Raw<'_>) {
        let Some(lists) = lists.view::<Map<'_, Raw<'_>>>() else { return };
        if let Some(todos) = lists.get("todos") {
            self.todos.restore(todos);
        }
        if let Some(tasks) = lists.get("tasks") {
            self.tasks.restore(tasks);
        }
    }

    /// Empties the lists.
    pub(super) fn clear(&self) {
        self.todos.clear();
        self.tasks.clear();
    }
}
