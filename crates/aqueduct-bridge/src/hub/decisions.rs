//! Decisions of clients, as sessions take them.

use aqueduct_wire::json::Number;
use aqueduct_wire::permission::{Destination, PermissionUpdate, RuleBehavior, RuleValue, RulesUpdate};

use crate::failure::Failure;
use crate::message::client::ApproveAlways;
use crate::message::{ClientMessage, ErrorCode};
use crate::session::Verdict;

/// A client's decision: what it says, and what it names to say what it is about.
pub(super) struct Decision {
    pub(super) session: Option<String>,
    pub(super) id: String,
    pub(super) input_hash: Option<String>,
    pub(super) verdict: Verdict,
}

impl Decision {
    pub(super) fn new(message: ClientMessage<'static>) -> Result<Self, Failure> {
        let (session, id, input_hash, verdict) = match message {
            ClientMessage::Approve(message) => {
                let verdict = Verdict::Allow {
                    input: message.updated_input,
                    mode: message.mode.map(|mode| mode.as_str().to_owned()),
                    budget: message.budget_usd.as_ref().map(Number::as_f64),
                };
                (message.session_id, message.id, message.input_hash, verdict)
            }
            ClientMessage::ApproveAlways(message) => {
                let verdict =
                    Verdict::AllowAlways { updates: updates(&message)?, input: message.updated_input };
                (message.session_id, message.id, message.input_hash, verdict)
            }
            ClientMessage::Reject(message) => {
                let verdict = Verdict::Deny {
                    message: message.message.map(|message| message.into_string()),
                    interrupt: message.interrupt == Some(true),
                };
                (message.session_id, message.id, message.input_hash, verdict)
            }
            ClientMessage::Answer(message) => {
                let verdict = Verdict::Answer {
                    result: message.result.map(|result| result.into_string()),
                    answers: message.answers,
                    annotations: message.annotations,
                    content: message.content,
                };
                (message.session_id, message.tool_use_id, message.input_hash, verdict)
            }
            _ => return Err(Failure::new(ErrorCode::Internal, "this is no decision")),
        };
        Ok(Decision {
            session: session.map(|id| id.into_string()),
            id: id.into_string(),
            input_hash: input_hash.map(|hash| hash.into_string()),
            verdict,
        })
    }

    /// Refuses a decision that does not name both its session and the input that was shown.
    pub(super) fn require_names(&self) -> Result<(), Failure> {
        let missing = match (&self.session, &self.input_hash) {
            (Some(_), Some(_)) => return Ok(()),
            (None, _) => "sessionId",
            (_, None) => "inputHash",
        };
        let message = format!(
            "`{missing}` is missing: this bridge (--strict-decisions) takes decisions only with the request's \
             `sessionId` and `inputHash`"
        );
        Err(Failure::new(ErrorCode::InvalidMessage, message))
    }
}

/// The updates that "always" makes; none where the narrowest suggestion is meant.
fn updates(message: &ApproveAlways<'static>) -> Result<Option<Vec<PermissionUpdate<'static>>>, Failure> {
    if message.updates.is_some() {
        return Ok(message.updates.clone());
    }
    let Some(rules) = message.rules.as_ref().filter(|rules| !rules.is_empty()) else { return Ok(None) };
    let rules: Vec<RuleValue<'static>> = rules.iter().map(|rule| rule_of(rule)).collect::<Result<_, _>>()?;
    let mut update = RulesUpdate::new(rules);
    update.behavior = Some(RuleBehavior::Allow);
    update.destination = Some(message.destination.clone().unwrap_or(Destination::Session));
    Ok(Some(vec![PermissionUpdate::AddRules(update)]))
}

/// A rule as people write it: `Bash(npm test)`.
fn rule_of(text: &str) -> Result<RuleValue<'static>, Failure> {
    let text = text.trim();
    let wrong =
        || Failure::new(ErrorCode::InvalidMessage, format!("`{text}` is no rule: write Tool, or Tool(what)"));
    let (tool, content) = match text.split_once('(') {
        Some((tool, rest)) => (tool, Some(rest.strip_suffix(')').ok_or_else(wrong)?)),
        None => (text, None),
    };
    let is_name = !tool.is_empty() && !tool.contains(|c: char| c.is_whitespace() || c == ')');
    if !is_name || content.is_some_and(str::is_empty) {
        return Err(wrong());
    }
    let mut rule = RuleValue::new(tool.to_owned());
    rule.rule_content = content.map(|content| content.to_owned().into());
    Ok(rule)
}
