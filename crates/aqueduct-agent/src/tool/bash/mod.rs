//! `Bash`: commands of the model.
use std::sync::Arc;

/// Commands that run in the background.
#[derive(Debug, Default)]
pub(crate) struct Background {}
pub(crate) struct Task;
impl Task { pub(crate) async fn stop(&self) {} }
impl Background {
    pub(crate) fn find(&self, _: &str) -> Option<Arc<Task>> { None }
    pub(crate) async fn end(&self) {}
}
