//! What the model receives before the conversation.

use std::sync::{Arc, Mutex, PoisonError};

use aqueduct_tools::{ToolFacts, ToolNeed};
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;

use super::AgentSession;
use crate::environment::Environment;
use crate::memory::{Memory, MemoryFile};
use crate::output_style::{DEFAULT_STYLE, OutputStyles};
use crate::prompt::{GitContext, Surroundings, SystemPromptParts};
use crate::subagent::RunningSubagent;

/// The instruction about tools that the model knows by name only.
const LOOK_UP: &str = "# More tools\n\nMore tools are available than are shown. Before you call one of \
    these, load it with ToolSearch:";

/// What the machine and the project add to the system prompt. It is read once: a prompt that changes invalidates the
/// model's cache.
#[derive(Debug)]
pub(crate) struct Briefing {
    memory: Memory,
    styles: OutputStyles,
    /// Git runs while the session waits for its first prompt.
    asked: Mutex<Option<JoinHandle<Option<GitContext>>>>,
    git: OnceCell<Option<GitContext>>,
}

impl Briefing {
    /// Starts to ask git, for what was read at the start.
    pub(super) fn begin(environment: &Arc<Environment>, memory: Memory, styles: OutputStyles) -> Self {
        let environment = environment.clone();
        let asked = tokio::spawn(async move { GitContext::read(&environment).await });
        Briefing { memory, styles, asked: Mutex::new(Some(asked)), git: OnceCell::new() }
    }

    /// The memory files, as they were read at the start.
    pub(crate) fn memory_files(&self) -> &[MemoryFile] {
        &self.memory.files
    }

    /// The names of the output styles.
    pub(crate) fn style_names(&self) -> Vec<String> {
        self.styles.names()
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

impl AgentSession {
    /// The name of the output style.
    pub(crate) fn output_style(&self) -> String {
        self.configuration().text("outputStyle").unwrap_or(DEFAULT_STYLE).to_owned()
    }

    /// Adds the output style to the instructions. It does not apply to a system prompt of the user.
    fn styled(&self, system: Option<String>, append: Option<String>) -> (Option<String>, Option<String>) {
        let name = self.output_style();
        match self.briefing.styles.find(&name).filter(|_| system.is_none()) {
            Some(style) if style.keeps_instructions => {
                let reported = format!("# Output style: {name}\n\n{}", style.text);
                (None, Some(append.map_or(reported.clone(), |append| format!("{reported}\n\n{append}"))))
            }
            Some(style) => (Some(style.text.clone()), append),
            None => (system, append),
        }
    }

    /// The system prompt of the agent or of a subagent, in parts.
    pub(crate) async fn system_prompt_for(&self, by: Option<&RunningSubagent>) -> Vec<String> {
        let role = if by.is_none() { self.role() } else { None };
        let (system, append) = match by {
            Some(by) => (Some(by.definition.prompt.clone()), None),
            None => {
                let system = self.host_options.system_prompt();
                let append = self.host_options.append_system_prompt();
                let system = system.or_else(|| self.options.system_prompt.clone());
                let system = system.or_else(|| role.as_ref().map(|role| role.prompt.clone()));
                self.styled(system, append.or_else(|| self.options.append_system_prompt.clone()))
            }
        };
        let model = by.map_or_else(|| self.model(), RunningSubagent::model);
        let surroundings = Surroundings::look(
            &self.tool_context_of(by).environment,
            self.tool_context.workspace.directories(),
            &model,
        );
        let forgotten = Memory::default();
        let definition = by.map(|by| &by.definition).or(role.as_ref());
        let is_without_memory = definition.is_some_and(|definition| definition.is_without_memory);
        let mut parts = SystemPromptParts {
            system: system.as_deref(),
            append: append.as_deref(),
            surroundings: &surroundings,
            git: self.briefing.git().await,
            memory: if is_without_memory { &forgotten } else { &self.briefing.memory },
        }
        .build();
        parts.extend(self.tool_context.mcp.briefing());
        let tools = self.tools_of(by);
        let has = |property: fn(&ToolFacts) -> bool| tools.iter().any(|tool| tool.is(property));
        if has(|facts| facts.needs == ToolNeed::Skills) {
            parts.extend(self.command_catalog.listing());
        }
        if has(|facts| facts.starts_subagents) {
            parts.push(self.subagent_registry.listing());
        }
        let unreported = self.deferred_tool_names(by);
        if !unreported.is_empty() {
            parts.push(format!("{LOOK_UP}\n\n{}", unreported.join("\n")));
        }
        parts
    }
}
