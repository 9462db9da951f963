//! A bridge and folders that provide hooks, rules and the like.

use std::fs;
use std::path::Path;

use aqueduct_testing::wait_until;
use serde_json::{Value, json};

use super::served::Served;
use crate::terminal::Place;

/// The project's hook leaves a mark when a prompt comes.
fn provide(place: &Place, command: &str) {
    let hooks = json!({ "UserPromptSubmit": [{ "hooks": [{ "type": "command", "command": command }] }] });
    let settings = json!({ "hooks": hooks, "permissions": { "allow": ["Bash(make:*)"] } });
    fs::create_dir_all(place.project().join(".claude")).unwrap();
    fs::write(place.project().join(".claude/settings.json"), settings.to_string()).unwrap();
}

fn ran(place: &Place) -> bool {
    fs::remove_file(place.project().join("ran")).is_ok()
}

fn trust(served: &Served, token: &str, folder: &Path) -> Value {
    let answer =
        served.http(&format!("GET /api/v1/trust?projectPath={}", folder.display()), Some(token), None);
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

fn turn(served: &Served, token: &str, place: &Place) -> String {
    let session = served.session(token, place, "@say Hello.");
    served.wait_for_message(&session, token, "result");
    session
}

#[test]
fn a_session_leaves_out_what_is_not_trusted() {
    let place = Place::new();
    provide(&place, "touch ran");
    let mut served = Served::start(&place, &[]);
    let token = served.pair("phone");
    let session = turn(&served, &token, &place);
    assert!(!ran(&place), "the hook ran");
    let history = served.http(&format!("GET /api/v1/sessions/{session}/messages"), Some(&token), None);
    assert!(history.body.contains("trust_needed"), "{}", history.body);

    let seen = trust(&served, &token, &place.project());
    assert_eq!(seen["state"], "untrusted");
    let items = seen["items"].as_array().unwrap();
    assert!(
        items
            .iter()
            .any(|item| item["kind"] == "hook" && item["detail"].as_str().unwrap().contains("touch ran"))
    );
    assert!(items.iter().any(|item| item.to_string().contains("Bash(make:*)")), "{seen}");
    let accept = json!({ "projectPath": place.project(), "digest": seen["digest"] });
    let accepted = served.http("PUT /api/v1/trust", Some(&token), Some(&accept));
    assert_eq!(accepted.status, 200, "{accepted:?}");
    turn(&served, &token, &place);
    assert!(ran(&place), "the hook did not run");

    provide(&place, "touch ran; touch more");
    let changed = trust(&served, &token, &place.project());
    assert_eq!(changed["state"], "changed");
    let change = |name: &str| {
        let items = changed["items"].as_array().unwrap().iter();
        items.filter(|item| item["change"] == name).count()
    };
    assert_eq!((change("added"), change("removed")), (1, 1), "{changed}");
    let stale = served.http("PUT /api/v1/trust", Some(&token), Some(&accept));
    assert_eq!((stale.status, &stale.json()["code"]), (409, &json!("trust_changed")));
    turn(&served, &token, &place);
    assert!(!ran(&place), "the changed hook ran");
}

#[test]
fn an_agent_that_cannot_leave_it_out_is_not_started() {
    let place = Place::new();
    provide(&place, "touch ran");
    let agent = place.script("other-agent", "touch \"$PWD/ran\"; cat > /dev/null");
    let mut served = Served::start(&place, &["--agent", agent.to_str().unwrap()]);
    let token = served.pair("phone");
    let start = json!({ "projectPath": place.project(), "text": "Hello" });
    let refused = served.http("POST /api/v1/sessions", Some(&token), Some(&start));
    assert_eq!((refused.status, &refused.json()["code"]), (403, &json!("trust_required")), "{refused:?}");
    assert!(!ran(&place));
}

#[test]
fn the_reference_is_kept_from_project_settings() {
    let place = Place::new();
    provide(&place, "touch ran");
    let agent = place.script("claude", "printf '%s\\n' \"$@\" > written; mv written ran; cat > /dev/null");
    let mut served = Served::start(&place, &["--agent", agent.to_str().unwrap()]);
    let token = served.pair("phone");
    let arguments = |text: &str| {
        let start = json!({ "projectPath": place.project(), "text": text });
        served.http("POST /api/v1/sessions", Some(&token), Some(&start));
        // The script prints nothing; that it was started is seen by what it writes.
        let mark = place.project().join("ran");
        wait_until("the agent has started", || {
            fs::read_to_string(&mark).is_ok_and(|text| text.ends_with('\n'))
        });
        let written = fs::read_to_string(&mark).unwrap();
        fs::remove_file(&mark).unwrap();
        written
    };
    assert!(arguments("Hello").ends_with("--setting-sources\nuser\n"));
    let digest = trust(&served, &token, &place.project())["digest"].clone();
    let accept = json!({ "projectPath": place.project(), "digest": digest });
    assert_eq!(served.http("PUT /api/v1/trust", Some(&token), Some(&accept)).status, 200);
    assert!(!arguments("Hello").contains("--setting-sources"));
}

#[test]
fn everything_is_trusted_where_it_is_set() {
    let place = Place::new();
    provide(&place, "touch ran");
    let mut served = Served::start(&place, &["--trust-workspace"]);
    let token = served.pair("phone");
    turn(&served, &token, &place);
    assert!(ran(&place), "the hook did not run");
    drop(served);
    // A flag overrides the variable, for agents too.
    let mut served = Served::with(&place, &["--trust-workspace=false"], |command| {
        command.env("AQUEDUCT_TRUST_WORKSPACE", "1");
    });
    let token = served.pair("phone");
    turn(&served, &token, &place);
    assert!(!ran(&place), "the hook ran");
}
