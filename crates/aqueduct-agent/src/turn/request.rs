//! What the model is asked.

use aqueduct_model::price::Thinks;
use aqueduct_model::{Message, Request, Role, Thinking, Tool as ModelTool};
use aqueduct_rules::Mode;
use aqueduct_wire::IntoOwned as _;
use aqueduct_wire::json::{Json as _, Raw, Str};

use super::Turn;
use crate::session::ThinkingLimit;

/// How long an answer may be, where the model's card does not say.
const MAX_OUTPUT_TOKENS: u32 = 32_000;

/// The least that a model may be asked to think.
const MIN_THINKING_TOKENS: u32 = 1024;

/// What is said while planning.
const PLANNING: &str = "Plan mode is on. Read and search as you like, but change nothing: no edits, no \
    commands with effects. When you know what should be done, write it down as a plan and call ExitPlanMode \
    with it; the user decides whether to go ahead.";

impl Turn<'_> {
    /// The request for the conversation as it stands.
    pub(super) async fn request(&self) -> Request {
        let session = self.session;
        let model = self.model();
        let card = aqueduct_model::price::card(&model);
        let max_tokens = card.map_or(MAX_OUTPUT_TOKENS, |card| card.max_output_tokens.min(MAX_OUTPUT_TOKENS));
        let mut messages = self.dialogue.history.messages();
        if self.mode() == Mode::Plan {
            let own = session.state().plan_instructions.clone();
            remind(&mut messages, own.as_deref().unwrap_or(PLANNING));
        }
        Request {
            system: session.system_prompt_for(self.by).await,
            tools: session
                .told_tools(self.by)
                .iter()
                .map(|tool| ModelTool::Local {
                    name: tool.name().to_owned(),
                    description: tool.told(self.workshop()),
                    schema: tool.schema(),
                })
                .collect(),
            thinking: self.thinking(max_tokens, card.as_ref().map(|card| card.thinks)),
            effort: self.effort(),
            betas: session.options.betas.clone(),
            user: Some(session.id()),
            messages,
            max_tokens,
            model,
        }
    }

    fn thinking(&self, max_tokens: u32, thinks: Option<Thinks>) -> Thinking {
        let options = &self.session.options;
        let limit = match self.session.state().thinking {
            ThinkingLimit::Tokens(tokens) => Some(tokens),
            ThinkingLimit::Unset => options.max_thinking_tokens.or_else(|| {
                self.session.environment.variable("MAX_THINKING_TOKENS").and_then(|text| text.parse().ok())
            }),
        };
        match (limit, options.thinking.as_deref()) {
            (Some(0), _) | (None, Some("disabled")) => Thinking::Off,
            (Some(tokens), _) => Thinking::Budget(
                tokens.clamp(MIN_THINKING_TOKENS, max_tokens.saturating_sub(1).max(MIN_THINKING_TOKENS)),
            ),
            (None, Some("adaptive" | "enabled")) => Thinking::Adaptive,
            // Where nobody says, the model's own way.
            (None, _) if thinks == Some(Thinks::Adaptive) => Thinking::Adaptive,
            (None, _) => Thinking::Off,
        }
    }
}

/// Adds a reminder to the last message of the user. It is in no transcript: it holds for this call only.
fn remind(messages: &mut [Message], text: &str) {
    let mut block = String::from("{\"type\":\"text\",\"text\":");
    Str::from(format!("<system-reminder>\n{text}\n</system-reminder>")).write(&mut block);
    block.push('}');
    let Some(last) = messages.last_mut().filter(|message| message.role == Role::User) else { return };
    let Some(blocks) = last.content.as_str().strip_suffix(']') else { return };
    let separator = if blocks.ends_with('[') { "" } else { "," };
    if let Ok(content) = Raw::parse(&format!("{blocks}{separator}{block}]")) {
        last.content = content.into_owned();
    }
}
