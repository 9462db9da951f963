//! Options that the host sets with `initialize`.

use std::sync::{Arc, Mutex};

use aqueduct_os::mutex::lock;
use aqueduct_wire::control::{InitializeRequest, SystemPrompt};

use super::AgentSession;
use aqueduct_tools::AnswerForm;

/// Options that the host sets with `initialize`, beside those of the command line.
///
/// One lock covers all of them: a request changes them together.
#[derive(Debug)]
pub(crate) struct HostOptions {
    state: Mutex<HostOptionsState>,
}

#[derive(Debug, Default)]
struct HostOptionsState {
    /// A system prompt in place of the built-in one.
    system_prompt: Option<Vec<String>>,
    /// Text for the end of the system prompt.
    append_system_prompt: Option<String>,
    /// Instructions for plan mode in place of the built-in ones.
    plan_instructions: Option<String>,
    /// The form that answers must have.
    form: Option<Arc<AnswerForm>>,
    /// Whether the host wants suggestions for the next prompt.
    suggests: bool,
    /// Whether the host wants the text of subagents.
    forwards_text: bool,
}

impl HostOptions {
    /// The options before `initialize`. The command line may set a form.
    pub(super) fn new(form: Option<Arc<AnswerForm>>) -> Self {
        HostOptions { state: Mutex::new(HostOptionsState { form, ..HostOptionsState::default() }) }
    }

    /// Applies the members of a request that are present, but for its form.
    pub(crate) fn apply(&self, request: &InitializeRequest<'_>) {
        let mut state = lock(&self.state);
        if let Some(prompt) = &request.system_prompt {
            state.system_prompt = Some(match prompt {
                SystemPrompt::Text(text) => vec![text.to_string()],
                SystemPrompt::Parts(parts) => parts.iter().map(|part| part.to_string()).collect(),
                _ => Vec::new(),
            });
        }
        if let Some(text) = &request.append_system_prompt {
            state.append_system_prompt = Some(text.to_string());
        }
        if let Some(text) = &request.plan_mode_instructions {
            state.plan_instructions = Some(text.to_string());
        }
        if let Some(wants) = request.prompt_suggestions {
            state.suggests = wants;
        }
        if let Some(wants) = request.forward_subagent_text {
            state.forwards_text = wants;
        }
    }

    /// Sets the form that answers must have.
    pub(crate) fn set_form(&self, form: AnswerForm) {
        lock(&self.state).form = Some(Arc::new(form));
    }

    /// The form that answers must have.
    pub(crate) fn form(&self) -> Option<Arc<AnswerForm>> {
        lock(&self.state).form.clone()
    }

    /// The system prompt in place of the built-in one.
    pub(super) fn system_prompt(&self) -> Option<String> {
        lock(&self.state).system_prompt.as_ref().map(|parts| parts.join("\n\n"))
    }

    /// Text for the end of the system prompt.
    pub(super) fn append_system_prompt(&self) -> Option<String> {
        lock(&self.state).append_system_prompt.clone()
    }

    /// Instructions for plan mode in place of the built-in ones.
    pub(crate) fn plan_instructions(&self) -> Option<String> {
        lock(&self.state).plan_instructions.clone()
    }

    /// Whether the host wants suggestions for the next prompt.
    pub(crate) fn suggests(&self) -> bool {
        lock(&self.state).suggests
    }
}

impl AgentSession {
    /// Whether the host wants the text of subagents, and not only their calls.
    pub(crate) fn forwards_text(&self) -> bool {
        self.options.forward_subagent_text || lock(&self.host_options.state).forwards_text
    }
}
