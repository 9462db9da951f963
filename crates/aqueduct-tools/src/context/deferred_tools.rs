//! Built-in tools that the model looks up.

use std::sync::{Mutex, PoisonError};

use aqueduct_mcp::DeferredTool;

/// The built-in tools that the model knows by name and looks up with ToolSearch.
#[derive(Debug, Default)]
pub struct DeferredTools(Mutex<Vec<DeferredTool>>);

impl DeferredTools {
    /// Sets the tools.
    pub fn set(&self, tools: Vec<DeferredTool>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = tools;
    }

    /// The tools.
    pub(crate) fn list(&self) -> Vec<DeferredTool> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
