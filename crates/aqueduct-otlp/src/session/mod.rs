//! What happens in one session, as spans and metrics.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | [`SessionTracer`]: the events of the bridge; the agent's process and its turns |
//! | `frame.rs` | the agent's frames: calls of the model and of tools, and subagents |
//! | `lane.rs`, `model_call.rs`, `tool_call.rs` | a conversation with a model; a call of the model; a call of a tool |
//!
//! What an agent chooses (ids, names, how much runs at once) takes bounded memory. Times are those at which the bridge
//! reads the agent's output.

mod frame;
mod lane;
mod model_call;
mod tool_call;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aqueduct_bridge::keeper::AgentEnd;
use aqueduct_bridge::log::{Time, TurnUsage};
use aqueduct_bridge::telemetry::{DecidedRequest, ObservedSession, SessionEvent, SessionObserver};
use aqueduct_wire::frame::ResultFrame;
use aqueduct_wire::json::Number;
use opentelemetry::KeyValue;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;

use self::lane::Lane;
use self::model_call::CallScope;
use self::tool_call::ToolCallSpan;
use crate::instruments::record_time;
use crate::names;
use crate::provider::provider_of;
use crate::span::{OpenSpan, SpanPlace, bounded};
use crate::telemetry::TelemetrySink;

/// Why calls and turns that an agent did not end have failed.
const AGENT_ENDED: &str = "agent_ended";

/// Makes spans and metrics of one session.
#[derive(Debug)]
pub(crate) struct SessionTracer {
    sink: Arc<TelemetrySink>,
    session: String,
    agent: String,
    /// The model that the session uses, as the agent reports it.
    model: Option<String>,
    version: Option<String>,
    process: Option<OpenSpan>,
    turn: Option<OpenSpan>,
    /// The last turn: what runs after its end belongs to it.
    last_turn: Option<SpanPlace>,
    /// Conversations by the call of their subagent; the main one has none.
    lanes: HashMap<Option<String>, Lane>,
    /// Calls of tools by their id.
    tools: HashMap<String, ToolCallSpan>,
}

impl SessionTracer {
    pub(crate) fn new(sink: Arc<TelemetrySink>, session: &ObservedSession<'_>) -> Self {
        SessionTracer {
            sink,
            session: session.id.to_owned(),
            agent: bounded(session.agent),
            model: None,
            version: None,
            process: None,
            turn: None,
            last_turn: None,
            lanes: HashMap::new(),
            tools: HashMap::new(),
        }
    }

    fn agent_running(&mut self, now: SystemTime) {
        if self.process.is_some() {
            return;
        }
        let name = format!("aqueduct.agent_process {}", self.agent);
        let mut span = OpenSpan::new(None, name, SpanKind::Internal, now);
        span.set_text(names::CONVERSATION, &self.session);
        span.set_text(names::AGENT, &self.agent);
        self.process = Some(span);
        self.sink.record(|metrics| metrics.started.add(1, &[self.agent_attribute()]));
    }

    fn agent_ended(&mut self, end: Option<AgentEnd>, expected: bool, now: SystemTime) {
        self.end_work(AGENT_ENDED, now);
        let (exit, number) = match end {
            _ if expected => ("requested", None),
            Some(AgentEnd::Code(code)) => ("exit_code", Some(code)),
            Some(AgentEnd::Signal(signal)) => ("signal", Some(signal)),
            None => ("killed", None),
        };
        if let Some(mut turn) = self.turn.take() {
            match expected {
                true => turn.set(names::TURN_INTERRUPTED, true),
                false => turn.fail(AGENT_ENDED),
            }
            self.end_turn(turn, now);
        }
        if let Some(mut process) = self.process.take() {
            process.set(names::EXIT, exit);
            if let Some(number) = number {
                process.set(names::EXIT_CODE, i64::from(number));
            }
            if !expected {
                process.fail(exit);
            }
            self.end_process(process, now);
        }
        self.count_end(exit);
    }

    fn count_end(&self, exit: &'static str) {
        let attributes = [self.agent_attribute(), KeyValue::new(names::EXIT, exit)];
        self.sink.record(|metrics| metrics.ended.add(1, &attributes));
    }

    fn end_process(&self, mut process: OpenSpan, now: SystemTime) {
        process.set_some(names::AGENT_VERSION, self.version.as_deref());
        self.sink.span(process.end(now));
    }

    fn agent_attribute(&self) -> KeyValue {
        KeyValue::new(names::AGENT, self.agent.clone())
    }

    /// A turn begins, unless one is open. Returns its place.
    fn begin_turn(&mut self, now: SystemTime) -> SpanPlace {
        if let Some(turn) = &self.turn {
            return turn.place;
        }
        let name = format!("invoke_agent {}", self.agent);
        let mut turn = OpenSpan::new(None, name, SpanKind::Internal, now);
        turn.set(names::OPERATION, "invoke_agent");
        turn.set_text(names::CONVERSATION, &self.session);
        turn.set_text(names::AGENT, &self.agent);
        if let Some(process) = &self.process {
            turn.link(process.place);
        }
        if let Some(lane) = self.lanes.get_mut(&None) {
            lane.is_ready(now);
        }
        let place = turn.place;
        self.turn = Some(turn);
        self.last_turn = Some(place);
        place
    }

    fn turn_ended(
        &mut self,
        result: &ResultFrame<'_>,
        usage: &[TurnUsage],
        interrupted: bool,
        now: SystemTime,
    ) {
        self.end_work("incomplete", now);
        self.record_usage(usage);
        self.begin_turn(now);
        let Some(mut turn) = self.turn.take() else { return };
        let cost: f64 = usage.iter().map(|usage| usage.cost).sum();
        turn.set(names::TURN_COST, cost);
        let sum = |count: fn(&TurnUsage) -> u64| usage.iter().map(count).fold(0, u64::saturating_add);
        let (read, written) = (sum(|usage| usage.tokens.cache_read), sum(|usage| usage.tokens.cache_write));
        let input = sum(|usage| usage.tokens.input).saturating_add(read).saturating_add(written);
        for (name, tokens) in [
            (names::INPUT_TOKENS, input),
            (names::OUTPUT_TOKENS, sum(|usage| usage.tokens.output)),
            (names::CACHE_READ_TOKENS, read),
            (names::CACHE_WRITE_TOKENS, written),
        ] {
            turn.set(name, i64::try_from(tokens).unwrap_or(i64::MAX));
        }
        if interrupted {
            turn.set(names::TURN_INTERRUPTED, true);
        } else if result.is_error == Some(true) {
            turn.fail(&failure_of(result));
        }
        self.end_turn(turn, now);
    }

    fn end_turn(&mut self, mut turn: OpenSpan, now: SystemTime) {
        turn.set_some(names::AGENT_VERSION, self.version.as_deref());
        turn.set_some(names::REQUEST_MODEL, self.model.as_deref());
        turn.set(names::PROVIDER, provider_of(self.model.as_deref().unwrap_or_default()));
        self.sink.record(|metrics| {
            let mut attributes = vec![self.agent_attribute()];
            attributes.extend(self.model.clone().map(|model| KeyValue::new(names::REQUEST_MODEL, model)));
            attributes.extend(turn.error().map(|error| KeyValue::new(names::ERROR_TYPE, error.to_owned())));
            record_time(&metrics.agent_duration, turn.duration(now), &attributes);
        });
        self.sink.span(turn.end(now));
    }

    fn record_usage(&self, usage: &[TurnUsage]) {
        self.sink.record(|metrics| {
            for used in usage {
                let model = KeyValue::new(names::REQUEST_MODEL, bounded(&used.model));
                let mut attributes = vec![self.agent_attribute(), model];
                metrics.cost.add(used.cost, &attributes);
                for (kind, tokens) in [
                    ("input", used.tokens.input),
                    ("output", used.tokens.output),
                    ("cache_read", used.tokens.cache_read),
                    ("cache_write", used.tokens.cache_write),
                ] {
                    attributes.push(KeyValue::new(names::TOKEN_TYPE, kind));
                    metrics.tokens.add(tokens, &attributes);
                    attributes.pop();
                }
            }
        });
    }

    /// Ends what is open in a turn: calls of the model, calls of tools that get no result any more, and subagents.
    fn end_work(&mut self, reason: &str, now: SystemTime) {
        let requested = self.model.clone();
        for (_, mut lane) in std::mem::take(&mut self.lanes) {
            lane.finish(requested.as_deref(), now, &self.sink);
            if let Some(work) = lane.work.take() {
                self.sink.span(work.end(now));
            }
        }
        for (_, call) in std::mem::take(&mut self.tools) {
            call.end(Some(reason), now, &self.sink);
        }
    }

    fn decided(&mut self, decided: DecidedRequest<'_>, now: SystemTime) {
        let asked = time(decided.asked);
        let (decision, by) = (bounded(decided.decision.as_str()), bounded(decided.by.as_str()));
        let mut tool = None;
        if let Some(call) = decided.call.and_then(|call| self.tools.get_mut(call)) {
            call.is_denied = decision == "denied";
            tool = Some(call.place());
        }
        let parent = tool.or(self.turn.as_ref().map(|turn| turn.place)).or(self.last_turn);
        let mut span = OpenSpan::new(parent, "aqueduct.permission", SpanKind::Internal, asked);
        span.set_text(names::CONVERSATION, &self.session);
        span.set_text(names::AGENT, &self.agent);
        span.set_some(names::TOOL, decided.tool);
        span.set_some(names::TOOL_CALL, decided.call);
        span.set_text(names::PERMISSION_KIND, decided.kind);
        span.set(names::PERMISSION_DECISION, decision.clone());
        span.set(names::PERMISSION_BY, by.clone());
        self.sink.record(|metrics| {
            let mut attributes = vec![
                KeyValue::new(names::PERMISSION_KIND, bounded(decided.kind)),
                KeyValue::new(names::PERMISSION_DECISION, decision),
                KeyValue::new(names::PERMISSION_BY, by),
            ];
            attributes.extend(decided.tool.map(|tool| KeyValue::new(names::TOOL, bounded(tool))));
            record_time(&metrics.permission_wait, span.duration(now), &attributes);
        });
        self.sink.span(span.end(now));
    }

    fn input_sent(&mut self, accepted: Time, now: SystemTime) {
        let waited = now.duration_since(time(accepted)).unwrap_or_default();
        let agent = self.agent_attribute();
        self.sink.record(|metrics| record_time(&metrics.input_wait, waited, &[agent]));
        self.begin_turn(now);
    }

    /// What calls in a conversation belong to.
    fn scope<'a>(&'a self, parent: Option<SpanPlace>, agent: &'a str) -> CallScope<'a> {
        CallScope { parent, conversation: &self.session, agent, requested: self.model.as_deref() }
    }
}

impl SessionObserver for SessionTracer {
    fn event(&mut self, event: SessionEvent<'_>) {
        let now = (self.sink.clock)();
        match event {
            SessionEvent::AgentRunning => self.agent_running(now),
            SessionEvent::AgentEnded { end, expected } => self.agent_ended(end, expected, now),
            SessionEvent::AgentNotStarted => self.count_end("not_started"),
            SessionEvent::InputSent { accepted } => self.input_sent(accepted, now),
            SessionEvent::Frame(frame) => self.frame(frame, now),
            SessionEvent::TurnEnded { result, usage, interrupted } => {
                self.turn_ended(result, usage, interrupted, now);
            }
            SessionEvent::Decided(decided) => self.decided(decided, now),
            _ => {}
        }
    }
}

/// The bridge no longer holds the session: its agent continues without it.
impl Drop for SessionTracer {
    fn drop(&mut self) {
        let now = (self.sink.clock)();
        if let Some(mut turn) = self.turn.take() {
            turn.set(names::DETACHED, true);
            self.sink.span(turn.end(now));
        }
        if let Some(mut process) = self.process.take() {
            process.set(names::DETACHED, true);
            self.end_process(process, now);
        }
    }
}

/// Why a turn has failed, by the most precise name that there is.
fn failure_of(result: &ResultFrame<'_>) -> String {
    let status = result.api_error_status.as_ref().and_then(Number::as_u64).map(|status| status.to_string());
    let error = result.api_error_type.as_ref().map(|error| error.as_str().to_owned());
    let reason = result.terminal_reason.as_ref().map(|reason| reason.as_str().to_owned());
    let reason = reason.filter(|reason| reason != "completed");
    let subtype = Some(result.subtype.as_str().to_owned()).filter(|subtype| subtype != "success");
    error.or(status).or(reason).or(subtype).unwrap_or_else(|| "error".to_owned())
}

fn time(time: Time) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(u64::try_from(time.0).unwrap_or_default())
}
