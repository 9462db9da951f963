//! Decisions: the first one counts, and reaches the agent whatever happens.

use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{Content, ContentBlock};
use aqueduct_wire::json::{Json, Str};
use serde::{Deserialize, Serialize};

use super::absorb::Batch;
use super::actor::SessionActor;
use super::answer::{answer, resolved};
use super::command::ClientDecision;
use super::observed;
use super::pending::{self, hex};
use super::translate::SessionOutput;
use crate::failure::Failure;
use crate::fault::{FaultPoint, pass};
use crate::keeper::InputId;
use crate::log::{
    Append, DecisionOutcome, Grant, NewPending, PendingState, RecordedDecision, SessionChange, StoredRequest,
    Time,
};
use crate::message::bridge::{
    Actor as Who, ActorKind, PermissionDecision, PermissionKind, PermissionResolved,
};
use crate::message::{ErrorCode, Scope, of_decision};
use crate::outbox::Stored;

/// What is kept of a decision: enough to send it to the agent again after a crash, under the same name.
#[derive(Debug, Serialize, Deserialize)]
struct DecisionRecord {
    /// Under which name the line goes to the agent.
    input: String,
    /// The line; none where nothing is sent to the agent.
    line: Option<String>,
}

impl SessionActor {
    /// The id of the question that the agent calls by an id of its own, if it is not over.
    pub(super) fn pending_of_agent(&self, agent_id: &str) -> Option<String> {
        let mut requests = self.pending.iter().map(|pending| &pending.request);
        let asked = requests.find(|request| request.agent_request_id.as_deref() == Some(agent_id));
        asked.map(|request| request.request_id.clone())
    }

    /// A question is taken back, by the agent that asked it or because it has become moot.
    pub(super) fn withdraw(&mut self, id: &str) -> (Option<SessionOutput>, SessionChange) {
        let place = self.pending.iter().position(|pending| pending.request.request_id == id);
        let withdrawn = place.map(|place| self.pending.remove(place));
        let outputs = withdrawn.filter(|pending| pending.state == PendingState::Open).map(|pending| {
            observed::decided(
                &mut self.observer,
                &pending,
                &PermissionDecision::Cancelled,
                &ActorKind::Agent,
            );
            let by = Who::new(ActorKind::Agent);
            let message = resolved(&pending.request, PermissionDecision::Cancelled, by);
            SessionOutput::Stored(Stored::new(&message))
        });
        (outputs, SessionChange::Withdrawn(id.to_owned()))
    }

    /// A call has its result: a question about it that is still open was decided before the log was set back.
    pub(super) fn withdraw_answered(&mut self, calls: &[String], batch: &mut Batch) {
        for call in calls {
            let asked = self.pending.iter().find(|pending| {
                pending.state == PendingState::Open
                    && pending.request.agent_request_id.is_some()
                    && pending.request.tool_use_id.as_deref() == Some(call)
            });
            if let Some(id) = asked.map(|pending| pending.request.request_id.clone()) {
                let (outputs, change) = self.withdraw(&id);
                batch.outputs.extend(outputs);
                batch.changes.push(change);
            }
        }
    }

    /// A client decides. The first decision counts.
    pub(super) async fn decide(
        &mut self,
        decision: ClientDecision,
        scope: Scope,
        by: Who<'static>,
    ) -> Result<(), Failure> {
        let id = decision.id();
        let questions = self.pending.iter().map(|pending| {
            let request = &pending.request;
            (&*request.request_id, request.tool_use_id.as_deref(), pending)
        });
        let pending = match pending::meant_by(id, questions)[..] {
            [pending] => pending,
            [] => return Err(self.not_pending(id).await),
            _ => return Err(ambiguous(id)),
        };
        if pending.state != PendingState::Open {
            return Err(late());
        }
        let request = pending.request.clone();
        if decision.input_hash().is_some_and(|wanted| !wanted.eq_ignore_ascii_case(&hex(&request.input_hash)))
        {
            return Err(Failure::new(ErrorCode::InputChanged, "what is to run is not what was shown")
                .sentence("Look at the request again, then decide"));
        }
        let kind = PermissionKind::from(Str::from(request.kind.clone()));
        let is_input = request.agent_request_id.is_none() && decision.rejection().is_some();
        Grant::of(scope).require(of_decision(&kind, decision.approves(), is_input))?;
        let Some(agent_id) = &request.agent_request_id else {
            return self.decide_own(&request, kind, decision, by).await;
        };
        let (line, message) = answer(&request, agent_id, &kind, decision, by.clone())?;
        let kept = DecisionRecord { input: InputId::fresh().as_str().to_owned(), line: Some(line) };
        pass(FaultPoint::DecisionReceived);
        self.settle(&request, &kept, message, by, Vec::new()).await?;
        pass(FaultPoint::DecisionStored);
        self.deliver(&kept).await;
        pass(FaultPoint::DecisionGiven);
        Ok(())
    }

    /// Writes a decision down that is not sent to the agent, together with all that follows from it.
    pub(super) async fn settle_own(
        &mut self,
        request: &NewPending,
        message: PermissionResolved<'static>,
        by: Who<'static>,
        mut changes: Vec<SessionChange>,
    ) -> Result<(), Failure> {
        let kept = DecisionRecord { input: InputId::fresh().as_str().to_owned(), line: None };
        changes.push(SessionChange::Settled(request.request_id.clone()));
        self.settle(request, &kept, message, by, changes).await?;
        self.pending.retain(|pending| pending.request.request_id != request.request_id);
        Ok(())
    }

    /// Writes a decision down, together with the message that reports it.
    async fn settle(
        &mut self,
        request: &NewPending,
        kept: &DecisionRecord,
        message: PermissionResolved<'static>,
        by: Who<'static>,
        changes: Vec<SessionChange>,
    ) -> Result<(), Failure> {
        let stored = Stored::new(&message);
        let now = Time::now();
        let mut who = String::new();
        by.write(&mut who);
        let text = serde_json::to_string(kept)
            .map_err(|error| Failure::new(ErrorCode::Internal, error.to_string()))?;
        let decision = RecordedDecision { by: who, decision: text, time: now };
        let mut append = Append::new(now).event(stored.event());
        append.changes = changes;
        let id = request.request_id.clone();
        let hash = Some(request.input_hash);
        let decided = self.services.log.decide(&*self.id, id.as_str(), hash, decision.clone(), append).await;
        match self.logged(decided)? {
            DecisionOutcome::First(appended) => {
                self.row.last_seq = appended.last_seq;
                if let Some(pending) =
                    self.pending.iter_mut().find(|pending| pending.request.request_id == id)
                {
                    pending.state = PendingState::Decided;
                    pending.decision = Some(decision);
                    observed::decided(&mut self.observer, pending, &message.decision, &by.kind);
                    let asked = pending.created;
                    self.count_wait(asked, now);
                }
                self.publish(vec![SessionOutput::Stored(stored)], appended.last_seq, now);
                // One less is to be decided.
                self.show_row();
                Ok(())
            }
            _ => Err(late()),
        }
    }

    /// Sends a decision to the agent. Sent again under the same id, it takes effect once.
    async fn deliver(&mut self, kept: &DecisionRecord) {
        let (Some(live), Some(line)) = (&self.live, &kept.line) else { return };
        if let Ok(id) = InputId::new(&kept.input) {
            // A lost keeper is reported by its events.
            let _ = live.write(id, line.clone()).await;
        }
    }

    /// Sends the agent all decisions that it may not have.
    pub(super) async fn deliver_again(&mut self) {
        let decided: Vec<DecisionRecord> = self.pending.iter().filter_map(kept).collect();
        for kept in decided {
            self.deliver(&kept).await;
        }
    }

    /// The agent has got what was written under this name, if it was a decision.
    pub(super) fn decision_delivered(&mut self, input: &str) -> Option<SessionChange> {
        let place =
            self.pending.iter().position(|pending| kept(pending).is_some_and(|kept| kept.input == input))?;
        let pending = self.pending.remove(place);
        Some(SessionChange::Settled(pending.request.request_id))
    }

    /// The agent that asked has ended: nothing waits for a decision.
    pub(super) fn withdraw_all(&mut self) -> (Vec<SessionOutput>, Vec<SessionChange>) {
        let asked: Vec<(String, PendingState)> = self
            .pending
            .iter()
            .filter(|pending| pending.request.agent_request_id.is_some())
            .map(|pending| (pending.request.request_id.clone(), pending.state))
            .collect();
        let (mut all_sent, mut changes) = (Vec::new(), Vec::new());
        for (id, state) in asked {
            let (outputs, change) = self.withdraw(&id);
            all_sent.extend(outputs);
            changes.push(match state {
                PendingState::Decided => SessionChange::Settled(id),
                _ => change,
            });
        }
        (all_sent, changes)
    }

    /// Why there is nothing to decide under this id.
    async fn not_pending(&self, id: &str) -> Failure {
        let decision = RecordedDecision { by: String::new(), decision: String::new(), time: Time::now() };
        let nothing = Append::new(Time::now());
        match self.services.log.decide(&*self.id, id, Some([0; 32]), decision, nothing).await {
            Ok(DecisionOutcome::Unknown) => Failure::new(
                ErrorCode::PermissionNotFound,
                format!("nothing with the id {id} is to be decided in session {}", self.id),
            ),
            Ok(_) => late(),
            Err(error) => error.into(),
        }
    }
}

/// The calls whose results a frame has.
pub(super) fn answered_calls(frame: &FromAgent<'_>) -> Vec<String> {
    let FromAgent::User(frame) = frame else { return Vec::new() };
    let Content::Blocks(blocks) = &frame.message.content else { return Vec::new() };
    let call = |block: &ContentBlock<'_>| match block {
        ContentBlock::ToolResult(result) => Some(result.tool_use_id.as_str().to_owned()),
        _ => None,
    };
    blocks.iter().filter_map(call).collect()
}

/// What was kept of a decision that the agent has not got for sure.
fn kept(pending: &StoredRequest) -> Option<DecisionRecord> {
    let decision = pending.decision.as_ref().filter(|_| pending.state == PendingState::Decided)?;
    serde_json::from_str(&decision.decision).ok()
}

/// Agents choose the ids of calls, so that several questions may have the same.
pub(crate) fn ambiguous(id: &str) -> Failure {
    Failure::new(ErrorCode::AmbiguousRequest, format!("several questions are about a call {id}"))
        .clause("name the question by its own `id`, or its session by `sessionId`")
}

fn late() -> Failure {
    Failure::new(ErrorCode::AlreadyResolved, "this is decided already, or the agent has taken it back")
}
