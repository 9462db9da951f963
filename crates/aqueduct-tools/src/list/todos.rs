//! The todo list that the model keeps with TodoWrite.

use std::sync::{Mutex, PoisonError};

use aqueduct_wire::json::{IntoOwned, Raw};
use aqueduct_wire::tool::{Todo, TodoWriteResult};

/// The list.
#[derive(Debug, Default)]
pub(crate) struct Todos(Mutex<Vec<Todo<'static>>>);

impl Todos {
    /// Puts a new list in place of the old one, and returns that.
    pub(crate) fn replace(&self, list: Vec<Todo<'static>>) -> Vec<Todo<'static>> {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), list)
    }

    /// Forgets the list.
    pub(crate) fn clear(&self) {
        self.replace(Vec::new());
    }

    /// The list as JSON, for a session that is resumed later.
    pub(crate) fn snapshot(&self) -> Raw<'static> {
        Raw::written(&*self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes over the list of a past call, from its result.
    pub(crate) fn replay(&self, result: &Raw<'_>) {
        if let Some(result) = result.view::<TodoWriteResult<'_>>() {
            self.replace(result.new_todos.into_owned());
        }
    }

    /// Takes the list from a [`snapshot`](Self::snapshot). Other JSON changes nothing and returns `false`.
    pub(crate) fn restore(&self, snapshot: &Raw<'_>) -> bool {
        let Some(list) = snapshot.view::<Vec<Todo<'_>>>() else { return false };
        self.replace(list.into_owned());
        true
    }
}
