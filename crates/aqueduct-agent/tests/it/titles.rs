//! Titles of sessions, generated and chosen.

use serde_json::{Value, json};

use crate::host::{Host, Place, lines};

const ID: &str = "5b1d7c1e-0f64-4a8e-9a35-8f3f0f2d7a10";

fn generate(host: &mut Host, description: &str, persist: bool) -> Value {
    let request =
        json!({ "subtype": "generate_session_title", "description": description, "persist": persist });
    host.ask(&request)["response"]["title"].clone()
}

fn titles(place: &Place) -> Vec<(String, String)> {
    let kept = lines(&place.transcript(ID));
    let named = kept.iter().filter_map(|line| {
        let member =
            ["aiTitle", "customTitle", "agentName"].into_iter().find(|name| line[*name].is_string())?;
        Some((line["type"].as_str()?.to_owned(), line[member].as_str()?.to_owned()))
    });
    named.collect()
}

#[test]
fn a_title_is_generated_once_and_kept() {
    let place = Place::new();
    let mut host = place.start(&["--session-id", ID]);
    assert_eq!(generate(&mut host, "@say {\"title\":\" Draft \"}", false), "Draft");
    assert_eq!(generate(&mut host, "@say {\"title\":\"Login form\"}", true), "Login form");
    assert_eq!(generate(&mut host, "@say {\"title\":\"Another\"}", true), "Login form");
    assert_eq!(generate(&mut host, "@say {\"title\":\"Another\"}", false), "Another");
    host.say("@say hello");
    let frames = host.turn();
    assert!(!frames.iter().any(|frame| frame["subtype"] == "session_title_changed"), "{frames:#?}");
    host.end();
    assert_eq!(titles(&place)[0], ("ai-title".to_owned(), "Login form".to_owned()));
    let mut host = place.start(&["--resume", ID]);
    assert_eq!(generate(&mut host, "@say {\"title\":\"Third\"}", true), "Login form");
    host.end();
}

#[test]
fn without_an_answer_there_is_no_title() {
    let place = Place::new();
    let mut host = place.start(&["--session-id", ID]);
    for description in ["@say plain text", "@say {\"title\":5}", "@fail 400 3 no", "", "  "] {
        assert_eq!(generate(&mut host, description, true), Value::Null, "{description}");
    }
    let refused = host.ask(&json!({ "subtype": "generate_session_title", "persist": true }));
    assert_eq!(refused["error"], "generate_session_title: description must be a string");
    host.end();
    assert!(!place.transcript(ID).exists());
}

#[test]
fn a_host_renames_a_session() {
    let place = Place::new();
    let mut host = place.start(&["--session-id", ID]);
    host.send(&json!({
        "type": "control_request", "request_id": "1",
        "request": { "subtype": "rename_session", "title": " Mine " },
    }));
    let frames = host.until(|frame| frame["type"] == "control_response");
    let changed = frames.iter().find(|frame| frame["subtype"] == "session_title_changed").unwrap();
    assert_eq!(changed["title"], "Mine");
    assert_eq!(frames.last().unwrap()["response"]["subtype"], "success");
    assert_eq!(generate(&mut host, "@say {\"title\":\"Generated\"}", true), "Mine");
    for (request, error) in [
        (json!({ "subtype": "rename_session", "title": " " }), "title must be non-empty"),
        (
            json!({ "subtype": "rename_session", "title": "x", "session_id": "11111111-1111-4111-8111-111111111111" }),
            "session_id is not the current session",
        ),
    ] {
        assert_eq!(host.ask(&request)["error"], error);
    }
    host.end();
    let kept = titles(&place);
    assert!(kept.contains(&("custom-title".to_owned(), "Mine".to_owned())), "{kept:?}");
    assert!(!kept.iter().any(|(kind, _)| kind == "ai-title"), "{kept:?}");
}
