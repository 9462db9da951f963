//! Output styles: instructions about how the model writes.

use serde_json::json;

use crate::host::{Place, find};

/// The answer of a model that looks for a word in its instructions.
fn reported(place: &Place, arguments: &[&str], word: &str) -> String {
    let script = format!("when system contains \"{word}\"\n@say received\n\notherwise\n@say not received\n");
    let mut host = place.start_with_script(&script, arguments);
    host.say("hello");
    find(&host.turn(), "result")["result"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn settings_choose_the_style() {
    let place = Place::new();
    place.write(".claude/settings.local.json", r#"{"outputStyle":"pirate"}"#);
    place.write(
        ".claude/output-styles/pirate.md",
        "---\ndescription: d\ncolour: red\n---\nSpeak like a pirate.\n",
    );
    place.write_home(
        ".claude/output-styles/terse.md",
        "---\nkeep-coding-instructions: true\n---\nFew words.\n",
    );
    assert_eq!(reported(&place, &[], "Speak like a pirate."), "received");
    // The agent's own instructions are not sent with it, but memory and surroundings are.
    assert_eq!(reported(&place, &[], "# Output style"), "not received");
    assert_eq!(
        reported(&place, &["--settings", r#"{"outputStyle":"terse"}"#], "# Output style: terse"),
        "received"
    );
    assert_eq!(reported(&place, &["--system-prompt", "Own."], "pirate"), "not received");
    assert_eq!(reported(&place, &["--setting-sources", "user"], "pirate"), "not received");

    let mut host = place.start(&[]);
    let answer = host.ask(&json!({ "subtype": "initialize" }));
    assert_eq!(answer["response"]["output_style"], "pirate");
    let names = json!(["default", "pirate", "terse", "Explanatory", "Learning"]);
    assert_eq!(answer["response"]["available_output_styles"], names);
    host.say("@say hi");
    assert_eq!(host.turn()[0]["output_style"], "pirate");
    let output = place.command(&["-p", "@say hi"]).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.trim_end().ends_with("output-styles/pirate.md:3: colour is not known here and is ignored"),
        "{stderr}"
    );
}
