//! Hooks about what people see, and about files that change.

use serde_json::{Value, json};

use crate::hook_commands::{command, reported};
use crate::host::{Place, find};

#[test]
fn a_hook_shows_something_else_in_place_of_an_answer() {
    let place = Place::new();
    let answer =
        json!({ "hookSpecificOutput": { "hookEventName": "MessageDisplay", "displayContent": "shown" } });
    place.hook(&json!({ "MessageDisplay": command(&format!("cat >> reported; echo '{answer}'")) }));
    let mut host = place.start(&[]);
    host.say("@say said\n@say never");
    let frames = host.turn();
    assert_eq!(find(&frames, "assistant")["message"]["content"][0]["text"], "shown");
    let result = find(&frames, "result");
    assert_eq!(result["result"], "shown");
    // The transcript keeps the model's original text.
    let kept = std::fs::read_to_string(place.transcript(result["session_id"].as_str().unwrap())).unwrap();
    assert!(kept.contains("\"said\"") && !kept.contains("shown"), "{kept}");
    let [reported] = &reported(&place, "reported")[..] else { panic!("one answer") };
    assert_eq!(
        (&reported["delta"], &reported["index"], &reported["final"]),
        (&json!("said"), &json!(0), &json!(true))
    );
    assert_eq!(reported["message_id"], find(&frames, "assistant")["uuid"]);
}

/// The kinds of frames, with the messages that hooks show to the user.
fn order(frames: &[Value]) -> Vec<String> {
    let name = |frame: &Value| match frame["subtype"].as_str() {
        Some("informational") => frame["content"].as_str().unwrap().to_owned(),
        Some("init") => "init".to_owned(),
        _ => frame["type"].as_str().unwrap().to_owned(),
    };
    let is_reported = |name: &String| ["init", "user"].contains(&name.as_str()) || name.ends_with(": look");
    frames.iter().map(name).filter(is_reported).collect()
}

#[test]
fn what_people_are_to_read_follows_what_it_is_about() {
    let place = Place::new();
    let note = command(r#"echo '{"systemMessage":"look"}'"#);
    place.hook(&json!({ "UserPromptSubmit": note, "PreToolUse": note, "PostToolUse": note }));
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    host.say("@tool Bash {\"command\":\"true\"}");
    assert_eq!(
        order(&host.turn()),
        [
            "init",
            "UserPromptSubmit says: look",
            "PreToolUse:Bash says: look",
            "user",
            "PostToolUse:Bash says: look"
        ]
    );
}

#[test]
fn a_prompt_that_is_refused_need_not_be_shown_again() {
    let place = Place::new();
    let hidden = r#"{"decision":"block","reason":"no","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","suppressOriginalPrompt":true}}"#;
    let shown = r#"{"decision":"block","reason":"no"}"#;
    place.hook(&json!({ "UserPromptSubmit": command(&format!(
        "case \"$(cat)\" in *secret*) echo '{hidden}';; *open*) echo '{shown}';; esac"
    )) }));
    let mut host = place.start(&[]);
    let mut answer = |prompt: &str| {
        host.say(prompt);
        find(&host.turn(), "result")["result"].as_str().unwrap().to_owned()
    };
    assert_eq!(answer("@say secret"), "UserPromptSubmit operation blocked by hook:\nno");
    assert!(answer("@say open").ends_with("Original prompt: @say open"));
    // A prompt that no hook blocks is not affected.
    assert_eq!(answer("@say alive"), "alive");
}

#[test]
fn changes_of_files_are_reported() {
    let place = Place::new();
    let other = place.project().join("other");
    std::fs::write(&other, "x").unwrap();
    let watch = json!({ "hookSpecificOutput": { "hookEventName": "SessionStart", "watchPaths": [other] } });
    let record = "cat >> reported";
    place.hook(&json!({
        "SessionStart": command(&format!("echo '{watch}'")),
        "FileChanged": [
            { "matcher": ".envrc|late", "hooks": [{ "type": "command", "command": record }] },
            { "matcher": "other", "hooks": [{ "type": "command", "command": record }] },
        ],
    }));
    place.write(".envrc", "a");
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    let wait = |count: usize| {
        format!("until [ \"$(grep -c FileChanged reported)\" = {count} ]; do sleep 0.05; done")
    };
    // All of them are watched since the session started, so the first command may change them.
    let change = format!("echo b >> .envrc; echo c > late; echo d >> other; {}", wait(3));
    let remove = format!("rm other; {}", wait(4));
    let bash = |command: &str| format!("@tool Bash {}", json!({ "command": command }));
    host.say(&format!("{}\n{}\n@say done", bash(&change), bash(&remove)));
    assert_eq!(find(&host.turn(), "result")["result"], "done");
    let mut seen: Vec<(String, String)> = reported(&place, "reported")
        .iter()
        .map(|line| {
            let path = line["file_path"].as_str().unwrap();
            (path.rsplit('/').next().unwrap().to_owned(), line["event"].as_str().unwrap().to_owned())
        })
        .collect();
    assert_eq!(seen.pop(), Some(("other".to_owned(), "unlink".to_owned())));
    seen.sort();
    let pair = |name: &str, event: &str| (name.to_owned(), event.to_owned());
    assert_eq!(seen, [pair(".envrc", "change"), pair("late", "add"), pair("other", "change")]);
}
