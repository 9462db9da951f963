//! What the bridge itself asks: whether a session may cost more, and whether to try again what an agent that can't
//! ask was denied.

use aqueduct_wire::block::ToolUseBlock;
use aqueduct_wire::frame::ResultFrame;
use aqueduct_wire::json::{Number, Raw};
use aqueduct_wire::permission::{PermissionUpdate, RuleValue};

use super::absorb::Batch;
use super::actor::SessionActor;
use super::answer::{in_words, narrowest, resolved};
use super::command::ClientDecision;
use super::details::{self, StoredOptions};
use super::pending::{fresh_id, rules};
use super::queue::new_input;
use crate::failure::Failure;
use crate::log::{NewInput, NewPending, SessionChange, StoredInputState, Time};
use crate::message::ErrorCode;
use crate::message::bridge::{
    Actor as Who, Budget, BudgetState, PermissionDecision, PermissionKind, PermissionRequest,
};
use crate::message::client::SendInput;
use crate::outbox::raw_or_null;

/// From this share of a budget on clients are warned.
const NEAR: f64 = 0.8;

impl SessionActor {
    /// Whether the queue waits for a decision about the budget.
    pub(super) fn is_paused(&self) -> bool {
        self.row.budget.is_some_and(|budget| self.row.cost >= budget)
    }

    /// Sends how the cost compares with the budget.
    pub(super) fn show_budget(&self) {
        let Some(budget) = self.row.budget else { return };
        let state = match self.row.cost {
            cost if cost >= budget => BudgetState::Reached,
            cost if cost >= budget * NEAR => BudgetState::Near,
            _ => BudgetState::Ok,
        };
        let Some(spent) = Number::from_f64(self.row.cost) else { return };
        let mut message = Budget::new(spent, state);
        message.budget_usd = Number::from_f64(budget);
        self.publish_live(message.into());
    }

    /// Asks what to do when the budget is spent. The queue waits for it.
    pub(super) fn check_budget(&mut self, batch: &mut Batch) {
        self.show_budget();
        let is_asked =
            self.pending.iter().any(|pending| pending.request.kind == PermissionKind::Budget.as_str());
        let Some(budget) = self.row.budget.filter(|_| self.is_paused() && !is_asked) else { return };
        let input = serde_json::json!({"budgetUsd": budget, "spentUsd": self.row.cost});
        let Ok(input) = Raw::from_serialize(&input) else { return };
        let id = fresh_id();
        let mut message = PermissionRequest::new(id.clone(), "budget", input);
        message.id = Some(id.clone().into());
        message.kind = Some(PermissionKind::Budget);
        message.title = Some("The session's budget is spent".into());
        self.ask_people(&id, None, message, batch);
    }

    /// Whether the agent asks its host.
    fn asks_host(&self) -> bool {
        self.services.settings.agent(&self.row.agent).is_none_or(|agent| agent.asks)
    }

    /// The model of an agent that can't ask has asked the user something.
    pub(super) fn question_seen(&mut self, call: ToolUseBlock<'static>, batch: &mut Batch) {
        if self.asks_host() {
            return;
        }
        let id = fresh_id();
        let mut message = PermissionRequest::new(call.id, call.name, call.input);
        message.id = Some(id.clone().into());
        message.kind = Some(PermissionKind::Question);
        self.ask_people(&id, None, message, batch);
    }

    /// Offers to run again what was denied because no user could be asked.
    pub(super) fn offer_retries(&mut self, frame: &ResultFrame<'static>, batch: &mut Batch) {
        if self.asks_host() {
            return;
        }
        for denial in frame.permission_denials.iter().flatten() {
            if denial.tool_name == "AskUserQuestion" {
                continue;
            }
            let id = fresh_id();
            let call = denial.tool_use_id.clone().unwrap_or_else(|| id.clone().into());
            let input = denial.tool_input.clone().unwrap_or_else(|| raw_or_null("{}"));
            let mut message = PermissionRequest::new(call, denial.tool_name.clone(), input);
            message.id = Some(id.clone().into());
            message.kind = Some(PermissionKind::Retry);
            self.ask_people(&id, None, message, batch);
        }
    }

    /// Decisions about what the bridge itself asked.
    pub(super) async fn decide_own(
        &mut self,
        request: &NewPending,
        kind: PermissionKind<'static>,
        decided: ClientDecision,
        by: Who<'static>,
    ) -> Result<(), Failure> {
        let decision = match (&kind, &decided) {
            (_, ClientDecision::Reject(_)) => PermissionDecision::Denied,
            (PermissionKind::Question, ClientDecision::Answer(_)) => PermissionDecision::Answered,
            (PermissionKind::Question, _) => {
                return Err(
                    Failure::new(ErrorCode::WrongDecision, "a question is answered").clause("send `answer`")
                );
            }
            (_, ClientDecision::Answer(_)) => {
                return Err(Failure::new(ErrorCode::WrongDecision, "this is not a question")
                    .clause("send `approve` or `reject`"));
            }
            (PermissionKind::Retry, ClientDecision::ApproveAlways(_)) => PermissionDecision::AllowedAlways,
            _ => PermissionDecision::Allowed,
        };
        let mut changes: Vec<SessionChange> = self.release().into_iter().collect();
        let (mut new_budget, mut new_options) = (None, None);
        let mut input = None;
        let is_retry = kind == PermissionKind::Retry && decided.approves();
        match (&kind, &decided) {
            (PermissionKind::Resend, decided) => {
                let id = unconfirmed_id(request)?;
                if decided.approves() {
                    input = self.again(&id).await?;
                }
                changes.push(SessionChange::Input { id, to: StoredInputState::Cancelled });
            }
            (_, decided @ ClientDecision::Reject(_)) => {
                input = decided.rejection().map(|why| self.input_of(why, &by));
            }
            (PermissionKind::Budget, decided) => {
                let named = match decided {
                    ClientDecision::Approve(message) => message.budget_usd.as_ref().map(Number::as_f64),
                    _ => None,
                };
                let budget = named.unwrap_or_else(|| self.row.cost + self.row.budget.unwrap_or_default());
                new_budget = Some(budget);
                changes.push(SessionChange::Budget(Some(budget)));
            }
            (PermissionKind::Question, decided) => {
                let words = in_words(&request.input, decided).unwrap_or_default();
                input = Some(self.input_of(&words, &by));
            }
            (_, decided) => {
                let options = self.with_rules(request, decided);
                changes.push(SessionChange::Options(details::write(&options)));
                new_options = Some(options);
                let tool = request.tool_name.as_deref().unwrap_or("the tool");
                input = Some(
                    self.input_of(&format!("I have allowed this use of {tool}. Please try it again."), &by),
                );
            }
        }
        changes.extend(input.clone().map(SessionChange::Enqueue));
        let message = resolved(request, decision, by.clone());
        self.settle_own(request, message, by, changes).await?;
        self.released();
        self.row.budget = new_budget.or(self.row.budget);
        self.options = new_options.unwrap_or_else(|| std::mem::take(&mut self.options));
        if let Some(new) = input {
            self.queued(new, Time::now());
        }
        if let Some(live) = self.live.as_mut().filter(|_| is_retry) {
            // The agent reads rules when it starts.
            live.is_stale = true;
        }
        self.show_row();
        self.pump().await;
        Ok(())
    }

    /// An input that is unconfirmed, to be sent again. It gets another id: an agent that knows the first one would not
    /// run it.
    async fn again(&self, id: &str) -> Result<Option<NewInput>, Failure> {
        let input = self.logged(self.services.log.input(&*self.id, id).await)?;
        let input = input.filter(|input| input.state == StoredInputState::Unconfirmed);
        Ok(input.map(|input| NewInput {
            id: uuid::Uuid::new_v4().to_string(),
            client_id: None,
            sender: input.sender,
            content: input.content,
            position: Some(0),
        }))
    }

    /// What the session is started with when the agent may do what it was denied.
    fn with_rules(&self, request: &NewPending, decided: &ClientDecision) -> StoredOptions {
        let named = match decided {
            ClientDecision::ApproveAlways(message) => match &message.updates {
                Some(updates) => rule_texts(updates),
                None => rule_texts(&narrowest(request)),
            },
            _ => Vec::new(),
        };
        let rules = match named.is_empty() {
            false => named,
            true => vec![exact_rule(request)],
        };
        let mut options = self.options.clone();
        for rule in rules {
            if !options.allowed.contains(&rule) {
                options.allowed.push(rule);
            }
        }
        options
    }

    /// An input to the agent on behalf of a client.
    fn input_of(&self, text: &str, by: &Who<'static>) -> NewInput {
        new_input(&SendInput::new(text.to_owned()), None, by, None)
    }
}

/// The input that a question is about.
fn unconfirmed_id(request: &NewPending) -> Result<String, Failure> {
    let input: serde_json::Value = serde_json::from_str(&request.input).unwrap_or_default();
    let id = input.get("inputId").and_then(|id| id.as_str()).map(str::to_owned);
    id.ok_or_else(|| Failure::new(ErrorCode::Internal, "the question names no input"))
}

/// The rule that allows this call and no other, where the tool has such rules; else the tool.
fn exact_rule(request: &NewPending) -> String {
    let tool = request.tool_name.as_deref().unwrap_or_default();
    let member = match tool {
        "Bash" => "command",
        _ => return tool.to_owned(),
    };
    let input: serde_json::Value = serde_json::from_str(&request.input).unwrap_or_default();
    match input.get(member).and_then(|value| value.as_str()) {
        Some(value) => RuleValue::with_content(tool, value).to_string(),
        None => tool.to_owned(),
    }
}

/// The rules that updates would add, as people write them.
fn rule_texts(updates: &[PermissionUpdate<'static>]) -> Vec<String> {
    rules(updates).into_iter().map(|rule| rule.rule.into_string()).collect()
}
