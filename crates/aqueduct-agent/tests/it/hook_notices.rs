//! Hooks about what people see, and about files that change.

use serde_json::json;

use crate::hook_commands::{command, told};
use crate::host::{Place, find};

#[test]
fn a_hook_shows_something_else_in_place_of_an_answer() {
    let place = Place::new();
    let answer =
        json!({ "hookSpecificOutput": { "hookEventName": "MessageDisplay", "displayContent": "shown" } });
    place.hook(&json!({ "MessageDisplay": command(&format!("cat >> told; echo '{answer}'")) }));
    let mut host = place.start(&[]);
    host.say("@say said\n@say never");
    let frames = host.turn();
    assert_eq!(find(&frames, "assistant")["message"]["content"][0]["text"], "shown");
    let result = find(&frames, "result");
    assert_eq!(result["result"], "shown");
    // What was said is what is kept.
    let kept = std::fs::read_to_string(place.transcript(result["session_id"].as_str().unwrap())).unwrap();
    assert!(kept.contains("\"said\"") && !kept.contains("shown"), "{kept}");
    let [told] = &told(&place, "told")[..] else { panic!("one answer") };
    assert_eq!((&told["delta"], &told["index"], &told["final"]), (&json!("said"), &json!(0), &json!(true)));
    assert_eq!(told["message_id"], find(&frames, "assistant")["uuid"]);
}

#[test]
fn changes_of_files_are_told() {
    let place = Place::new();
    let other = place.project().join("other");
    std::fs::write(&other, "x").unwrap();
    let watch = json!({ "hookSpecificOutput": { "hookEventName": "SessionStart", "watchPaths": [other] } });
    let record = "cat >> told";
    place.hook(&json!({
        "SessionStart": command(&format!("echo '{watch}'")),
        "FileChanged": [
            { "matcher": ".envrc|late", "hooks": [{ "type": "command", "command": record }] },
            { "matcher": "other", "hooks": [{ "type": "command", "command": record }] },
        ],
    }));
    place.write(".envrc", "a");
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    let wait =
        |count: usize| format!("until [ \"$(grep -c FileChanged told)\" = {count} ]; do sleep 0.05; done");
    let change = format!("echo b >> .envrc; echo c > late; echo d >> other; {}", wait(3));
    let remove = format!("rm other; {}", wait(4));
    let bash = |command: &str| format!("@tool Bash {}", json!({ "command": command }));
    host.say(&format!("{}\n{}\n@say done", bash(&change), bash(&remove)));
    assert_eq!(find(&host.turn(), "result")["result"], "done");
    let mut seen: Vec<(String, String)> = told(&place, "told")
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
