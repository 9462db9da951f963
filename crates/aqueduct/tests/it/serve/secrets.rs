//! Secrets are neither in a process list nor in output, and agents do not get them.

use std::fs;

use serde_json::json;

use super::served::Served;
use crate::terminal::Place;

const TOKEN: &str = "automation-token-0123456789";

#[test]
fn a_token_is_in_no_process_list_no_log_and_no_agent() {
    let place = Place::new();
    fs::create_dir_all(place.home().join(".claude")).unwrap();
    fs::write(place.home().join(".claude/settings.json"), r#"{"permissions":{"allow":["Bash"]}}"#).unwrap();
    let mut served = Served::with(&place, &[], |command| {
        command.env("AQUEDUCT_TOKEN", TOKEN);
    });
    let device = served.pair("phone");
    let wrong = "aq_somebodys-wrong-token-0123456789";
    assert_eq!(served.http("GET /api/v1/ping", Some(wrong), None).status, 401);
    assert_eq!(served.http(&format!("GET /api/v1/ping?token={TOKEN}"), None, None).status, 401);
    let script =
        format!("@tool Bash {}", json!({ "command": "env | sort; tr '\\0' ' ' < /proc/$PPID/cmdline" }));
    let session = served.session(TOKEN, &place, &script);
    served.wait_for_message(&session, TOKEN, "result");
    let reported = served.wait_for_message(&session, TOKEN, "tool_result").to_string();
    assert!(reported.contains("HOME="), "the agent's variables are there: {reported}");
    assert!(!reported.contains("AQUEDUCT_TOKEN") && !reported.contains(TOKEN), "{reported}");

    let mut processes = 0;
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        processes += usize::from(line.starts_with(env!("CARGO_BIN_EXE_aqueduct")));
        for secret in [TOKEN, &device, wrong] {
            assert!(!line.contains(secret), "{line}");
        }
    }
    assert!(processes > 0, "processes can be seen here");
    let deleted = served.http(&format!("DELETE /api/v1/sessions/{session}"), Some(TOKEN), None);
    assert_eq!(deleted.status, 200);
    let (errors, seen) = (served.errors(), &served.seen);
    for secret in [TOKEN, &device, wrong] {
        assert!(!errors.contains(secret) && !seen.contains(secret), "{errors}{seen}");
    }
    assert!(errors.contains("failure.wrong_token"), "{errors}");
}
