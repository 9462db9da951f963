//! Searches show nothing that a rule keeps from being read.

use serde_json::{Value, json};

use crate::host::Place;

/// The result of one call, as the model gets it.
fn call(place: &Place, arguments: &[&str], tool: &str, input: &Value) -> String {
    let mut host = place.start(arguments);
    host.say(&format!("@tool {tool} {input}"));
    let frames = host.turn();
    let result = frames.iter().find(|frame| frame["message"]["content"][0]["type"] == "tool_result");
    let content = &result.expect("a result")["message"]["content"][0]["content"];
    content.as_str().expect("text").to_owned()
}

fn project() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.project().join("deep")).expect("a folder");
    for (name, text) in
        [(".env", "KEY=secret\n"), ("deep/.env", "KEY=deep secret\n"), ("main.rs", "KEY=public\n")]
    {
        std::fs::write(place.project().join(name), text).expect("a file");
    }
    place
}

#[test]
fn a_search_passes_over_what_may_not_be_read() {
    let place = project();
    let deny = ["--disallowedTools", "Read(.env)"];
    for mode in ["content", "files_with_matches", "count"] {
        let input = json!({ "pattern": "KEY", "output_mode": mode });
        let all = call(&place, &[], "Grep", &input);
        assert!(all.contains("main.rs") && all.contains(".env"), "{mode}: {all}");
        let reported = call(&place, &deny, "Grep", &input);
        assert!(
            reported.contains("main.rs") && !reported.contains(".env") && !reported.contains("secret"),
            "{mode}: {reported}"
        );
    }
    let named =
        call(&place, &deny, "Grep", &json!({ "pattern": "KEY", "path": ".env", "output_mode": "content" }));
    assert!(!named.contains("secret"), "{named}");
    std::os::unix::fs::symlink(".env", place.project().join("innocent")).expect("a link");
    let all = call(&place, &[], "Glob", &json!({ "pattern": "**/*" }));
    assert!(all.contains(".env") && all.contains("innocent"), "{all}");
}

#[test]
fn a_name_that_may_not_be_known_is_not_listed() {
    let place = project();
    std::os::unix::fs::symlink(".env", place.project().join("innocent")).expect("a link");
    let all = json!({ "pattern": "**/*" });
    let reported = call(&place, &["--disallowedTools", "Read(.env)"], "Glob", &all);
    assert!(reported.contains("main.rs"), "{reported}");
    assert!(!reported.contains(".env") && !reported.contains("innocent"), "{reported}");
}
