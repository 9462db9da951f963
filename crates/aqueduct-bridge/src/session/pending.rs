//! Open requests, as clients receive them and as the log stores them.

use std::time::Duration;

use aqueduct_wire::control::{AgentRequest, CanUseToolRequest, ElicitationRequest};
use aqueduct_wire::json::Json;
use aqueduct_wire::permission::{Destination, PermissionMode, PermissionUpdate};
use sha2::{Digest, Sha256};
use tokio::time::{Instant, timeout_at};

use super::absorb::{Batch, Unexplained};
use super::actor::SessionActor;
use super::translate::SessionOutput;
use crate::log::{Hash, NewPending, PendingState, SessionChange, StoredRequest, Time};
use crate::message::bridge::{PermissionKind, PermissionRequest, SuggestedRule};
use crate::outbox::{Stored, to_raw};
use crate::settings::{Explain, ExplainedCall, Explanation};

/// How long a session waits for explanations. Without one people see the call itself, which is what counts.
const PATIENCE: Duration = Duration::from_millis(150);

/// Whether a user has to decide about a request.
pub(super) fn is_asked(request: &AgentRequest<'_>) -> bool {
    matches!(request, AgentRequest::CanUseTool(_) | AgentRequest::Elicitation(_))
}

/// What the ids of questions begin with. It only marks the form: the requester is stored beside the id.
const PREFIX: &str = "q-";

/// A new id for a question: random, so that no agent can guess or choose one.
pub(super) fn fresh_id() -> String {
    format!("{PREFIX}{}", uuid::Uuid::new_v4().simple())
}

/// Whether a text has the form of an id that the bridge makes.
pub(crate) fn is_question_id(id: &str) -> bool {
    let is_hex = |rest: &str| rest.len() == 32 && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
    id.strip_prefix(PREFIX).is_some_and(is_hex)
}

/// The questions that an id means. It is a question's own id, or else the id of the call that it is about: that one
/// the agent has chosen, and several may have it. What has the form of our own ids is never taken for a call's.
pub(crate) fn meant_by<'q, Q>(
    id: &str,
    questions: impl IntoIterator<Item = (&'q str, Option<&'q str>, Q)>,
) -> Vec<Q> {
    let (mut named, mut called) = (Vec::new(), Vec::new());
    for (own, call, question) in questions {
        if own == id {
            named.push(question);
        } else if call == Some(id) && !is_question_id(id) {
            called.push(question);
        }
    }
    if named.is_empty() { called } else { named }
}

/// A request of the agent as clients receive it. Where the agent explains it, it has its parts, if only an empty list.
pub(super) fn message(id: &str, request: AgentRequest<'static>) -> Option<PermissionRequest<'static>> {
    match request {
        AgentRequest::CanUseTool(request) => Some(permission(id, *request)),
        AgentRequest::Elicitation(request) => Some(elicitation(id, &request)),
        _ => None,
    }
}

/// A message that asks, with what the log keeps of it. `agent` is the agent's id of its request; none where the bridge
/// asks.
pub(super) fn keep(
    id: &str,
    agent: Option<&str>,
    message: &mut PermissionRequest<'static>,
) -> (StoredRequest, Stored) {
    let hash: Hash = Sha256::digest(message.input.as_str().as_bytes()).into();
    message.input_hash = Some(hex(&hash).into());
    let stored = Stored::sized(message, message.input.as_str().len());
    let suggestions = message.suggestions.as_ref().map(|updates| {
        let mut text = String::new();
        updates.write(&mut text);
        text
    });
    let request = NewPending {
        request_id: id.to_owned(),
        agent_request_id: agent.map(str::to_owned),
        kind: message.kind.as_ref().map_or("permission", |kind| kind.as_str()).to_owned(),
        tool_use_id: Some(message.tool_use_id.as_str().to_owned()),
        tool_name: Some(message.tool_name.as_str().to_owned()),
        input: message.input.as_str().into(),
        input_hash: hash,
        suggestions,
        details: Some(stored.event().payload),
    };
    let pending = StoredRequest { request, created: Time::now(), state: PendingState::Open, decision: None };
    (pending, stored)
}

fn permission(id: &str, request: CanUseToolRequest<'static>) -> PermissionRequest<'static> {
    let call = request.tool_use_id.unwrap_or_else(|| id.to_owned().into());
    let kind = match request.tool_name.as_str() {
        "AskUserQuestion" => PermissionKind::Question,
        "ExitPlanMode" => PermissionKind::Plan,
        _ => PermissionKind::Permission,
    };
    let mut message = PermissionRequest::new(call, request.tool_name, request.input);
    message.id = Some(id.to_owned().into());
    message.kind = Some(kind);
    message.title = request.title;
    message.description = request.description;
    message.reason = request.decision_reason;
    message.reason_type = request.decision_reason_type;
    message.blocked_path = request.blocked_path;
    message.agent_id = request.agent_id;
    message.rules = request.permission_suggestions.as_ref().map(|updates| rules(updates));
    message.suggestions = request.permission_suggestions;
    message.parts = request.explanation.map(|explanation| explanation.parts.unwrap_or_default());
    message.once_only = request.suppress_always_allow_rule;
    message.default_to_no = request.default_to_no;
    message.mcp_server = request.mcp_server.and_then(|server| server.name);
    if message.kind == Some(PermissionKind::Plan) {
        message.modes = Some(vec![PermissionMode::Default, PermissionMode::AcceptEdits]);
    }
    message
}

/// The rules that suggestions would add, as people write them.
pub(super) fn rules(updates: &[PermissionUpdate<'static>]) -> Vec<SuggestedRule<'static>> {
    let mut rules = Vec::new();
    for update in updates {
        let PermissionUpdate::AddRules(update) = update else { continue };
        for rule in &update.rules {
            let destination = update.destination.clone().unwrap_or(Destination::Session);
            rules.push(SuggestedRule::new(rule.to_string(), destination));
        }
    }
    rules
}

fn elicitation(id: &str, request: &ElicitationRequest<'static>) -> PermissionRequest<'static> {
    let mut message = PermissionRequest::new(id.to_owned(), "elicitation", to_raw(request));
    message.id = Some(id.to_owned().into());
    message.kind = Some(PermissionKind::Elicitation);
    message.title = request.title.clone();
    message.description = Some(request.message.clone());
    message.mcp_server = Some(request.mcp_server_name.clone());
    message
}

pub(super) fn hex(hash: &Hash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl SessionActor {
    /// Adds to the questions of a batch what their calls consist of, and rules that would let them through where the agent
    /// names none. A call that the agent has explained keeps its explanation: it is what the agent decided on. Only this
    /// session waits for it.
    pub(super) async fn explain(&mut self, batch: &mut Batch) {
        let unexplained = std::mem::take(&mut batch.unexplained);
        let Some(explainer) = self.services.settings.explainer.clone() else { return };
        let end = Instant::now() + PATIENCE;
        for Unexplained { outputs, change, message } in unexplained {
            if !matches!(message.kind, Some(PermissionKind::Permission | PermissionKind::Retry)) {
                continue;
            }
            let explanation = match message.parts {
                Some(_) => None,
                None => {
                    let explaining = explainer.explain(&ExplainedCall {
                        tool: message.tool_name.as_str(),
                        input: message.input.as_str(),
                        project: self.row.project.as_ref(),
                        mode: self.row.permission_mode.as_deref(),
                    });
                    Some(timeout_at(end, explaining).await.unwrap_or_default())
                }
            };
            let mut message = with_rules(message, explanation, &*explainer);
            let (Some(SessionOutput::Stored(stored)), Some(SessionChange::Ask(request))) =
                (batch.outputs.get_mut(outputs), batch.changes.get_mut(change))
            else {
                continue;
            };
            let (pending, kept) =
                keep(&request.request_id, request.agent_request_id.as_deref(), &mut message);
            *stored = kept;
            *request = pending.request;
            // One that was withdrawn meanwhile is not there.
            if let Some(known) =
                self.pending.iter_mut().find(|known| known.request.request_id == request.request_id)
            {
                known.request = request.clone();
            }
        }
    }
}

/// A question with its explanation, if the agent has sent none, and with rules in words.
fn with_rules(
    mut message: PermissionRequest<'static>,
    explanation: Option<Explanation>,
    explainer: &dyn Explain,
) -> PermissionRequest<'static> {
    if let Some(Explanation { parts, rules }) = explanation {
        if !parts.is_empty() {
            message.parts = Some(parts);
        }
        if message.rules.as_ref().is_none_or(Vec::is_empty) && message.once_only != Some(true) {
            let rules = rules.into_iter().map(|(rule, destination, description)| {
                let mut rule = SuggestedRule::new(rule, destination);
                rule.description = description.map(Into::into);
                rule
            });
            message.rules = Some(rules.collect());
        }
    }
    for rule in message.rules.iter_mut().flatten().filter(|rule| rule.description.is_none()) {
        rule.description = explainer.describe(rule.rule.as_str()).map(Into::into);
    }
    message
}
