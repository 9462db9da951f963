//! The request to the model.

use aqueduct_model::{ModelMessage, ModelTool, Request, RequestRole};
use aqueduct_rules::Mode;
use aqueduct_wire::json::{Json as _, Raw, Str};

use super::Turn;

/// How long an answer may be, where the model's card does not say.
const MAX_OUTPUT_TOKENS: u32 = 32_000;

/// The instructions for plan mode.
const PLANNING: &str = "Plan mode is on. Read and search freely, but do not change anything: no edits, no \
    commands with side effects. When the plan is complete, call ExitPlanMode with it; the user decides \
    whether to proceed.";

impl Turn<'_> {
    /// How long an answer may be.
    pub(super) fn max_output_tokens(&self) -> u32 {
        let wanted = self.session.environment.variable("CLAUDE_CODE_MAX_OUTPUT_TOKENS");
        let wanted = wanted.and_then(|text| text.parse().ok()).filter(|tokens| *tokens > 0);
        let card = || aqueduct_model::price::card(&self.model());
        wanted.unwrap_or_else(|| card().map_or(MAX_OUTPUT_TOKENS, |card| card.max_output_tokens))
    }

    /// The request for the current conversation.
    pub(super) async fn request(&self) -> Request {
        let session = self.session;
        let model = self.model();
        let card = aqueduct_model::price::card(&model);
        let max_tokens = self.max_output_tokens();
        let mut messages = self.dialogue.history.messages();
        if self.mode() == Mode::Plan {
            let own = session.host_options.plan_instructions();
            remind(&mut messages, own.as_deref().unwrap_or(PLANNING));
        }
        Request {
            system: session.system_prompt_for(self.by).await,
            tools: session
                .listed_tools(self.by)
                .iter()
                .map(|tool| ModelTool::Local {
                    name: tool.name().to_owned(),
                    description: tool.describe(self.tool_context()),
                    schema: tool.schema(),
                })
                .collect(),
            thinking: self.thinking(max_tokens, card.as_ref()),
            thinking_display: Some(session.thinking_display().to_owned()),
            effort: self.effort(),
            is_fast: session.is_fast(&model),
            task_budget: session.options.task_budget.filter(|_| self.by.is_none()),
            betas: session.options.betas.clone(),
            user: Some(session.id()),
            messages,
            max_tokens,
            model,
        }
    }
}

/// Adds a reminder to the last message of the user, for this call only: transcripts don't have it.
fn remind(messages: &mut [ModelMessage], text: &str) {
    let mut block = String::from("{\"type\":\"text\",\"text\":");
    Str::from(format!("<system-reminder>\n{text}\n</system-reminder>")).write(&mut block);
    block.push('}');
    let Some(last) = messages.last_mut().filter(|message| message.role == RequestRole::User) else { return };
    let Some(blocks) = last.content.as_str().strip_suffix(']') else { return };
    let separator = if blocks.ends_with('[') { "" } else { "," };
    if let Ok(content) = Raw::parse(&format!("{blocks}{separator}{block}]")) {
        last.content = content.into_owned();
    }
}
