//! Telemetry of a real bridge with the built-in agent and the scripted model.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use rustix::process::Signal;
use serde_json::json;

use super::collector::{Answer, Collector, points, value};
use super::served::{Served, aqueduct};
use super::tree::{operation, tree};
use crate::terminal::Place;

const TOKEN: &str = "automation-token-0123456789";

/// A bridge that sends its telemetry to this collector.
fn served(place: &Place, collector: &str, arguments: &[&str]) -> Served {
    let arguments = [&["--otlp", collector], arguments].concat();
    Served::with(place, &arguments, |command| {
        command.env("AQUEDUCT_TOKEN", TOKEN).env("AQUEDUCT_OTLP_HEADERS", "x-key=collector-secret");
    })
}

#[test]
fn a_turn_of_a_real_bridge_arrives_at_a_collector() {
    let (place, collector) = (Place::new(), Collector::start());
    let served = served(&place, &collector.url(), &[]);
    let script = format!("@tool Bash {}\n@say private answer", json!({ "command": "env | sort > out" }));
    let session = served.session(TOKEN, &place, &script);
    let asked = served.wait_for_message(&session, TOKEN, "permission_request");
    let id = asked["id"].as_str().unwrap();
    let approve = format!("POST /api/v1/sessions/{session}/permissions/{id}/approve");
    let decided = json!({ "inputHash": asked["inputHash"] });
    assert_eq!(served.http(&approve, Some(TOKEN), Some(&decided)).status, 200);
    served.wait_for_message(&session, TOKEN, "result");
    let deleted = served.http(&format!("DELETE /api/v1/sessions/{session}"), Some(TOKEN), None);
    assert_eq!(deleted.status, 200, "{deleted:?}");
    let errors = served.errors();
    assert_eq!(served.stop(Signal::TERM), 0);

    let received = collector.all();
    for request in &received {
        assert_eq!(request.headers["x-key"], "collector-secret");
        let has = |text: &str| request.body.windows(text.len()).any(|bytes| bytes == text.as_bytes());
        assert!(!has("private answer") && !has("env | sort"), "no content is sent: {}", request.path);
    }
    let environment = fs::read_to_string(place.project().join("out")).unwrap();
    assert!(!environment.contains("collector-secret"), "agents do not get the headers");
    assert!(!errors.contains("collector-secret") && !errors.contains("telemetry_export"), "{errors}");

    let spans: Vec<_> = received.iter().flat_map(|request| request.spans()).collect();
    let shown = tree(&spans);
    let turn = spans.iter().find(|span| operation(span) == "invoke_agent").expect("a turn");
    assert_eq!(value(&turn.attributes, "gen_ai.conversation.id"), Some(session), "{shown}");
    let chats: Vec<_> = spans.iter().filter(|span| operation(span) == "chat").collect();
    assert_eq!(chats.len(), 2, "{shown}");
    for chat in chats {
        assert_eq!(chat.parent_span_id, turn.span_id, "{shown}");
        assert_eq!(value(&chat.attributes, "gen_ai.usage.input_tokens").as_deref(), Some("160"), "{shown}");
        assert_eq!(value(&chat.attributes, "gen_ai.usage.output_tokens").as_deref(), Some("12"), "{shown}");
    }
    let tool = spans.iter().find(|span| span.name == "execute_tool Bash").expect("a call");
    assert_eq!(tool.parent_span_id, turn.span_id, "{shown}");
    let permission = spans.iter().find(|span| span.name == "aqueduct.permission").expect("a question");
    assert_eq!(permission.parent_span_id, tool.span_id, "{shown}");
    let decided = ["aqueduct.permission.decision", "aqueduct.permission.decided_by"]
        .map(|name| value(&permission.attributes, name).unwrap_or_default());
    assert_eq!(decided, ["allowed", "token"], "{shown}");
    let process = spans.iter().find(|span| span.name == "aqueduct.agent_process builtin").expect("a process");
    assert_eq!(turn.links[0].span_id, process.span_id, "{shown}");

    let metrics = received.iter().map(|request| request.metrics()).rfind(|all| !all.is_empty());
    let shown: Vec<String> = metrics.expect("metrics").iter().flat_map(points).collect();
    let tokens = |kind: &str, count: u64| {
        let model = "gen_ai.request.model=scripted";
        format!("aqueduct.usage.tokens [gen_ai.agent.name=builtin {model} gen_ai.token.type={kind}] {count}")
    };
    for point in
        [tokens("input", 20), tokens("output", 24), tokens("cache_read", 100), tokens("cache_write", 200)]
    {
        assert!(shown.contains(&point), "{point} is not in {shown:#?}");
    }
}

#[test]
fn a_collector_that_is_down_is_reported_once_and_delays_nothing() {
    let place = Place::new();
    let collector = Collector::answering(|_, _| Answer::status(503));
    let served = served(&place, &collector.url(), &["--otlp-signals", "metrics"]);
    let session = served.session(TOKEN, &place, "@say hello");
    served.wait_for_message(&session, TOKEN, "result");
    assert_eq!(served.http(&format!("DELETE /api/v1/sessions/{session}"), Some(TOKEN), None).status, 200);
    let errors = place.aside("errors");
    assert_eq!(served.stop(Signal::TERM), 0);
    let errors = fs::read_to_string(errors).unwrap();
    let reason = "metrics: the collector answered 503 Service Unavailable";
    assert_eq!(errors.matches(reason).count(), 1, "{errors}");
    assert!(errors.contains("failure.telemetry_export"), "{errors}");
    assert!(collector.all().iter().all(|request| request.path == "/v1/metrics"));
}

#[test]
fn settings_that_can_t_be_used_are_errors_that_say_what_to_do() {
    let place = Place::new();
    let file = place.aside("headers");
    fs::write(&file, "x-key=secret-of-the-file").unwrap();
    let path = file.to_str().unwrap();
    let open = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    open(0o644);
    let far = ["serve", "--otlp", "http://collector.example", "--otlp-headers-file", path];
    let run = aqueduct(&place, &far);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("--otlp-headers-file: can't read the headers"), "{}", run.err);
    open(0o600);
    let run = aqueduct(&place, &far);
    assert!(run.err.contains("headers that can be secrets, and no TLS; use https://"), "{}", run.err);
    assert!(!run.err.contains("secret-of-the-file"), "{}", run.err);
    let run = aqueduct(&place, &["serve", "--otlp", "collector:4318"]);
    assert!(run.err.contains("give http://HOST:4318"), "{}", run.err);
    let run = aqueduct(&place, &["serve", "--otlp-signals", "logs"]);
    assert!(run.err.contains("--otlp-signals: `logs` is not traces or metrics"), "{}", run.err);
}
