//! What happens in sessions, as spans and metrics.

use aqueduct_bridge::keeper::AgentEnd;
use aqueduct_bridge::log::{Time, TokenCounts, TurnUsage};
use aqueduct_bridge::message::bridge::{ActorKind, PermissionDecision};
use aqueduct_bridge::telemetry::{DecidedRequest, SessionEvent, SessionObserver};
use aqueduct_otlp::names::{ATTRIBUTES, METRICS, SPANS};
use aqueduct_otlp::protocol::{Metric, Span};
use aqueduct_wire::FromAgent;
use serde_json::{Value, json};

use super::collector::{Collector, PATIENCE, points, value};
use super::delivery::{Export, settings};
use super::tree::{operation, tree};

/// What a collector got.
struct Telemetry {
    spans: Vec<Span>,
    metrics: Vec<Metric>,
}

impl Telemetry {
    /// All points of the metrics.
    fn points(&self) -> String {
        let mut shown: Vec<String> = self.metrics.iter().flat_map(points).collect();
        shown.sort();
        shown.join("\n")
    }
}

/// The telemetry of a session in which this happens.
async fn observed(happens: impl FnOnce(&mut Session)) -> Telemetry {
    let collector = Collector::start();
    let export = Export::start(&settings(&collector.url()));
    let mut session = Session(export.session("s-1"));
    happens(&mut session);
    drop(session);
    assert_eq!(export.end(PATIENCE).await, []);
    let received = collector.all();
    let telemetry = Telemetry {
        spans: received.iter().flat_map(|request| request.spans()).collect(),
        metrics: received.iter().map(|request| request.metrics()).rfind(|all| !all.is_empty()).unwrap(),
    };
    assert_documented(&telemetry);
    telemetry
}

/// Everything that is sent is in the tables of the documentation.
fn assert_documented(telemetry: &Telemetry) {
    for span in &telemetry.spans {
        let name = span.name.split(' ').next().unwrap();
        assert!(SPANS.iter().any(|row| row.name.split(' ').next() == Some(name)), "{}", span.name);
        for attribute in &span.attributes {
            assert!(ATTRIBUTES.iter().any(|row| row.name == attribute.key), "{}", attribute.key);
        }
    }
    for metric in &telemetry.metrics {
        let row =
            METRICS.iter().find(|row| row.name == metric.name).unwrap_or_else(|| panic!("{}", metric.name));
        assert_eq!(row.unit, metric.unit, "{}", row.name);
        for point in points(metric) {
            let attributes = point.split(['[', ']']).nth(1).unwrap();
            for attribute in attributes.split(' ').filter_map(|attribute| attribute.split_once('=')) {
                assert!(row.attributes.contains(&attribute.0), "{point}");
            }
        }
    }
}

/// A session that is observed.
struct Session(Box<dyn SessionObserver>);

impl Session {
    fn input(&mut self) {
        self.0.event(SessionEvent::InputSent { accepted: Time::now() });
    }

    /// The agent sends a frame.
    fn frame(&mut self, frame: Value) {
        let line = frame.to_string();
        self.0.event(SessionEvent::Frame(&FromAgent::parse(&line).unwrap()));
    }

    fn init(&mut self) {
        self.frame(json!({
            "type": "system", "subtype": "init", "model": "claude-opus-4-5", "claude_code_version": "2.1.325",
            "session_id": "a", "cwd": "/", "tools": [], "uuid": "u"
        }));
    }

    /// An event of a stream, in the main conversation or in that of a subagent.
    fn event(&mut self, parent: Option<&str>, event: Value) {
        self.frame(json!({
            "type": "stream_event", "event": event, "parent_tool_use_id": parent, "session_id": "a", "uuid": "u"
        }));
    }

    /// A streamed answer with these blocks.
    fn streams(&mut self, parent: Option<&str>, id: &str, blocks: &[Value], stop_reason: &str) {
        let usage = json!({
            "input_tokens": 10, "output_tokens": 1, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 50
        });
        let message = json!({
            "id": id, "type": "message", "role": "assistant", "model": "claude-opus-4-5-20251101", "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": usage
        });
        self.event(parent, json!({"type": "message_start", "message": message}));
        for (index, block) in blocks.iter().enumerate() {
            self.event(
                parent,
                json!({"type": "content_block_start", "index": index, "content_block": block}),
            );
            self.answers(parent, id, block);
            self.event(parent, json!({"type": "content_block_stop", "index": index}));
        }
        self.event(
            parent,
            json!({
                "type": "message_delta", "delta": {"stop_reason": stop_reason, "stop_sequence": null},
                "usage": {"output_tokens": 12}
            }),
        );
        self.event(parent, json!({"type": "message_stop"}));
    }

    /// A whole block of an answer.
    fn answers(&mut self, parent: Option<&str>, id: &str, block: &Value) {
        self.frame(json!({
            "type": "assistant", "parent_tool_use_id": parent, "session_id": "a", "uuid": "u",
            "message": {
                "id": id, "type": "message", "role": "assistant", "model": "claude-opus-4-5-20251101",
                "content": [block], "stop_reason": null, "stop_sequence": null,
                "usage": {"input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 50}
            }
        }));
    }

    /// A tool returns something.
    fn returns(&mut self, parent: Option<&str>, call: &str, is_error: bool) {
        let block =
            json!({"type": "tool_result", "tool_use_id": call, "content": "secret", "is_error": is_error});
        self.frame(json!({
            "type": "user", "message": {"role": "user", "content": [block]}, "parent_tool_use_id": parent,
            "session_id": "a", "uuid": "u"
        }));
    }

    fn decided(&mut self, call: &str, decision: PermissionDecision<'static>) {
        self.0.event(SessionEvent::Decided(DecidedRequest {
            kind: "permission",
            tool: Some("Bash"),
            call: Some(call),
            decision: &decision,
            by: &ActorKind::Device,
            asked: Time::now(),
        }));
    }

    /// The turn ends with this result.
    fn result(&mut self, members: Value, interrupted: bool) {
        let mut frame = json!({
            "type": "result", "subtype": "success", "is_error": false, "duration_ms": 1, "duration_api_ms": 1,
            "num_turns": 1, "session_id": "a", "total_cost_usd": 0.25, "usage": {}, "modelUsage": {},
            "permission_denials": [], "uuid": "u"
        });
        frame.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        let line = frame.to_string();
        let frame = FromAgent::parse(&line).unwrap();
        self.0.event(SessionEvent::Frame(&frame));
        let FromAgent::Result(result) = &frame else { panic!("{frame:?}") };
        let tokens = TokenCounts { input: 20, output: 24, cache_read: 100, cache_write: 200 };
        let usage = TurnUsage {
            day: "2026-01-31".to_owned(),
            model: "claude-opus-4-5".to_owned(),
            turns: 1,
            cost: 0.25,
            tokens,
        };
        self.0.event(SessionEvent::TurnEnded { result, usage: &[usage], interrupted });
    }
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn call(id: &str, tool: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": tool, "input": input})
}

/// A turn with a tool that the user allows.
fn ordinary(session: &mut Session) {
    session.0.event(SessionEvent::AgentRunning);
    session.input();
    session.init();
    let bash = call("toolu_1", "Bash", json!({"command": "secret"}));
    session.streams(None, "msg_1", &[text("secret"), bash], "tool_use");
    session.decided("toolu_1", PermissionDecision::Allowed);
    session.returns(None, "toolu_1", false);
    session.streams(None, "msg_2", &[text("secret")], "end_turn");
    session.result(json!({}), false);
    session.0.event(SessionEvent::AgentEnded { end: Some(AgentEnd::Code(0)), expected: true });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_a_tree_of_calls() {
    let telemetry = observed(ordinary).await;
    insta::assert_snapshot!(tree(&telemetry.spans));
    for span in &telemetry.spans {
        assert_eq!(value(&span.attributes, "gen_ai.conversation.id").as_deref(), Some("s-1"), "{span:?}");
        assert!(span.start_time_unix_nano <= span.end_time_unix_nano);
    }
    let turn = telemetry.spans.iter().find(|span| operation(span) == "invoke_agent").unwrap();
    let process =
        telemetry.spans.iter().find(|span| operation(span).is_empty() && span.name.ends_with("builtin"));
    assert_eq!(turn.links[0].span_id, process.unwrap().span_id);
    assert_ne!(turn.trace_id, process.unwrap().trace_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_the_sums_of_what_happened() {
    let telemetry = observed(|session| {
        ordinary(session);
        ordinary(session);
    });
    insta::assert_snapshot!(telemetry.await.points());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_users_or_agents_wrote_is_sent() {
    let collector = Collector::start();
    let export = Export::start(&settings(&collector.url()));
    let mut session = Session(export.session("s-1"));
    ordinary(&mut session);
    session.input();
    session.result(json!({"is_error": true, "result": "secret", "errors": ["secret"]}), false);
    drop(session);
    export.end(PATIENCE).await;
    for request in collector.all() {
        assert!(!request.body.windows(6).any(|bytes| bytes == b"secret"), "{}", request.path);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subagent_works_below_its_call() {
    let telemetry = observed(|session| {
        session.input();
        session.init();
        let task = call("toolu_1", "Task", json!({"subagent_type": "Explore", "prompt": "secret"}));
        session.streams(None, "msg_1", &[task], "tool_use");
        let read = call("toolu_2", "Read", json!({}));
        session.streams(Some("toolu_1"), "msg_2", &[read], "tool_use");
        session.returns(Some("toolu_1"), "toolu_2", true);
        session.streams(Some("toolu_1"), "msg_3", &[text("found")], "end_turn");
        session.returns(None, "toolu_1", false);
        session.streams(None, "msg_4", &[text("done")], "end_turn");
        session.result(json!({}), false);
        // What runs in the background belongs to the last turn.
        session.streams(Some("toolu_1"), "msg_5", &[text("late")], "end_turn");
        session.0.event(SessionEvent::AgentEnded { end: None, expected: true });
    });
    insta::assert_snapshot!(tree(&telemetry.await.spans));
}

/// Agents without partial messages, and blocks that come after the end of their stream.
#[tokio::test(flavor = "multi_thread")]
async fn calls_are_known_from_whole_blocks_alone() {
    let telemetry = observed(|session| {
        session.input();
        session.init();
        session.answers(None, "msg_1", &text("a"));
        session.answers(None, "msg_1", &call("toolu_1", "Read", json!({})));
        session.returns(None, "toolu_1", false);
        session.answers(None, "msg_2", &text("b"));
        session.result(json!({}), false);
        session.input();
        session.streams(None, "msg_3", &[], "end_turn");
        session.answers(None, "msg_3", &text("late"));
        session.result(json!({}), false);
    });
    let chats: Vec<String> = telemetry
        .await
        .spans
        .iter()
        .filter(|span| operation(span) == "chat")
        .map(|span| {
            let attribute = |name| value(&span.attributes, name).unwrap_or_default();
            format!(
                "{} streamed {} output {:?}",
                attribute("gen_ai.response.id"),
                attribute("gen_ai.request.stream"),
                attribute("gen_ai.usage.output_tokens")
            )
        })
        .collect();
    insta::assert_snapshot!(chats.join("\n"), @r#"
    msg_1 streamed false output ""
    msg_2 streamed false output ""
    msg_3 streamed true output "12"
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_have_types() {
    let telemetry = observed(|session| {
        session.0.event(SessionEvent::AgentNotStarted);
        session.0.event(SessionEvent::AgentRunning);
        session.input();
        session.init();
        session.frame(json!({
            "type": "assistant", "parent_tool_use_id": null, "session_id": "a", "uuid": "u", "error": "rate_limit",
            "message": {
                "id": "m", "type": "message", "role": "assistant", "model": "<synthetic>",
                "content": [text("secret")], "stop_reason": "stop_sequence", "usage": {"output_tokens": 0}
            }
        }));
        let failed = json!({"is_error": true, "terminal_reason": "api_error", "api_error_status": 429});
        session.result(failed, false);
        session.input();
        let [denied, broken, lost] = ["toolu_1", "toolu_2", "toolu_3"].map(|id| call(id, "Bash", json!({})));
        session.streams(None, "msg_1", &[denied, broken, lost], "tool_use");
        session.decided("toolu_1", PermissionDecision::Denied);
        session.returns(None, "toolu_1", true);
        session.returns(None, "toolu_2", true);
        session.result(json!({"subtype": "error_during_execution", "is_error": true}), true);
        session.input();
        session.event(None, json!({"type": "message_start", "message": {"id": "msg_2", "content": []}}));
        session.0.event(SessionEvent::AgentEnded { end: Some(AgentEnd::Signal(9)), expected: false });
    });
    let telemetry = telemetry.await;
    insta::assert_snapshot!(tree(&telemetry.spans));
}

/// Agents continue when their bridge stops.
#[tokio::test(flavor = "multi_thread")]
async fn what_goes_on_when_the_bridge_stops_is_marked() {
    let telemetry = observed(|session| {
        session.0.event(SessionEvent::AgentRunning);
        session.input();
        session.init();
    });
    insta::assert_snapshot!(tree(&telemetry.await.spans));
}

/// What an agent chooses takes bounded memory, and bounded space in a request.
#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_agent_makes_no_endless_telemetry() {
    let long = "x".repeat(100_000);
    let telemetry = observed(|session| {
        session.input();
        session.init();
        for number in 0..1000 {
            let id = format!("toolu_{number}");
            session.answers(None, "msg", &call(&id, &format!("{long}{number}"), json!({})));
            session.answers(Some(&format!("{id}-{long}")), "msg", &text("a"));
            session.answers(Some(&id), &format!("{number}{long}"), &text("a"));
        }
        session.result(json!({}), false);
    });
    let telemetry = telemetry.await;
    assert!(telemetry.spans.len() < 1000, "{}", telemetry.spans.len());
    for span in &telemetry.spans {
        assert!(span.name.len() < 200, "{}", span.name.len());
        for attribute in &span.attributes {
            assert!(value(&span.attributes, &attribute.key).unwrap().len() < 200, "{}", attribute.key);
        }
    }
}
