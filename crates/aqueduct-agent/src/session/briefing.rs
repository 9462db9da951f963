//! What the model is told before the conversation.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;
use tokio::task::JoinHandle;

use super::Session;
use crate::environment::Environment;
use crate::memory::{Memory, MemoryFile};
use crate::prompt::{GitContext, Prompt, Surroundings};

/// What the model is told of tools that it knows by name only.
const LOOK_UP: &str = "# More tools\n\nThere are more tools than are shown. Before you call one of these, look it \
    up with ToolSearch:";

/// What the machine and the project add to the system prompt. It is read once: a prompt that changes would
/// spoil the model's cache.
#[derive(Debug)]
pub(crate) struct Briefing {
    memory: Memory,
    /// Git is asked while the session waits for its first prompt.
    asked: Mutex<Option<JoinHandle<Option<GitContext>>>>,
    git: OnceCell<Option<GitContext>>,
}

impl Briefing {
    /// Reads the memory files, and begins to ask git.
    pub(super) fn begin(environment: &Arc<Environment>, memory: Memory) -> Self {
        let environment = environment.clone();
        let asked = tokio::spawn(async move { GitContext::read(&environment).await });
        Briefing { memory, asked: Mutex::new(Some(asked)), git: OnceCell::new() }
    }

    async fn git(&self) -> Option<&GitContext> {
        let git = self.git.get_or_init(|| async {
            let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner).take();
            match asked {
                Some(asked) => asked.await.ok().flatten(),
                None => None,
            }
        });
        git.await.as_ref()
    }
}

impl Session {
    /// The memory files, as they were read at the start.
    pub(crate) fn memory_files(&self) -> &[MemoryFile] {
        &self.briefing.memory.files
    }

    /// The system prompt, in parts.
    pub(crate) async fn system_prompt(&self) -> Vec<String> {
        let (system, append) = {
            let state = self.state();
            let system = state.system_prompt.as_ref().map(|parts| parts.join("\n\n"));
            (system, state.append_system_prompt.clone())
        };
        let surroundings = Surroundings::look(&self.environment, self.workshop.directories(), &self.model());
        let mut parts = Prompt {
            system: system.as_deref().or(self.options.system_prompt.as_deref()),
            append: append.as_deref().or(self.options.append_system_prompt.as_deref()),
            surroundings: &surroundings,
            git: self.briefing.git().await,
            memory: &self.briefing.memory,
        }
        .build();
        parts.extend(self.workshop.mcp.briefing());
        parts.extend(self.workshop.shelf.listing());
        let untold = self.untold_tools();
        if !untold.is_empty() {
            parts.push(format!("{LOOK_UP}\n\n{}", untold.join("\n")));
        }
        parts
    }
}
