//! The tasks that the model tracks with TaskCreate and TaskUpdate.

use std::sync::{Mutex, MutexGuard, PoisonError};

use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::TrackedTaskStatus;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedTask {
    pub id: String,
    pub subject: String,
    pub description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) active_form: Option<String>,
    pub status: TaskStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    pub blocks: Vec<String>,
    pub(crate) blocked_by: Vec<String>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
}

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    Pending,
    InProgress,
    Completed,
}

impl TaskStatus {
    pub fn name(self) -> &'static str {
        match self {
            TaskStatus::Pending => "pending",
            TaskStatus::InProgress => "in_progress",
            TaskStatus::Completed => "completed",
        }
    }

    pub fn wire(self) -> TrackedTaskStatus<'static> {
        match self {
            TaskStatus::Pending => TrackedTaskStatus::Pending,
            TaskStatus::InProgress => TrackedTaskStatus::InProgress,
            TaskStatus::Completed => TrackedTaskStatus::Completed,
        }
    }
}

/// The tasks.
#[derive(Debug, Default)]
pub struct TaskList(Mutex<Tasks>);

/// The tasks, and the number that the last one got: numbers are not given twice.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tasks {
    pub last: u64,
    pub tasks: Vec<ListedTask>,
}

impl TaskList {
    pub fn lock(&self) -> MutexGuard<'_, Tasks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number that the next task gets.
    pub fn next_id(&self) -> String {
        (self.lock().last + 1).to_string()
    }

    /// What a task is about: its title, and what is to be done.
    pub fn describe(&self, id: &str) -> Option<(String, String)> {
        self.lock().find(id).map(|task| (task.subject.clone(), task.description.clone()))
    }

    /// Forgets all tasks.
    pub fn clear(&self) {
        *self.lock() = Tasks::default();
    }

    /// The tasks as JSON, for a session that is resumed later.
    pub fn snapshot(&self) -> Raw<'static> {
        Raw::from_serialize(&*self.lock()).unwrap_or(Raw::NULL)
    }

    /// Takes the tasks from a [`snapshot`](Self::snapshot). Other JSON changes nothing and returns `false`.
    pub fn restore(&self, snapshot: &Raw<'_>) -> bool {
        let Ok(tasks) = snapshot.to() else { return false };
        *self.lock() = tasks;
        true
    }
}

impl Tasks {
    pub fn find(&mut self, id: &str) -> Option<&mut ListedTask> {
        self.tasks.iter_mut().find(|task| task.id == id)
    }

    /// What a task still waits for.
    pub(crate) fn waits_for<'a>(&'a self, task: &'a ListedTask) -> impl Iterator<Item = &'a str> {
        let is_done =
            |id: &str| self.tasks.iter().any(|task| task.id == id && task.status == TaskStatus::Completed);
        task.blocked_by.iter().map(String::as_str).filter(move |id| !is_done(id))
    }

    /// Makes `second` wait for `first`; returns whether it did not before. Tasks that do not exist, and a task for
    /// itself, are not waited for.
    pub fn chain(&mut self, first: &str, second: &str) -> bool {
        if first == second || self.find(first).is_none() {
            return false;
        }
        let Some(task) = self.find(second) else { return false };
        if task.blocked_by.iter().any(|id| id == first) {
            return false;
        }
        task.blocked_by.push(first.to_owned());
        if let Some(task) = self.find(first) {
            task.blocks.push(second.to_owned());
        }
        true
    }

    pub fn remove(&mut self, id: &str) {
        self.tasks.retain(|task| task.id != id);
        for task in &mut self.tasks {
            task.blocks.retain(|other| other != id);
            task.blocked_by.retain(|other| other != id);
        }
    }
}
