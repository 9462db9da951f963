//! What transcripts keep beside what is said: the queue, local commands, turns without an answer.

use aqueduct_testing::wait_until;
use serde_json::{Value, json};

use crate::api::recorded;
use crate::host::{Place, find, lines};

const ID: &str = "7d2f0c11-5a3b-4c7e-8f00-2b9c4d6e1a02";

/// The lines of a session's transcript.
pub(crate) fn kept(place: &Place, id: &str) -> Vec<Value> {
    lines(&place.transcript(id))
}

fn operations(lines: &[Value]) -> Vec<(&str, &Value)> {
    let of_queue = lines.iter().filter(|line| line["type"] == "queue-operation");
    of_queue.map(|line| (line["operation"].as_str().expect("a word"), &line["content"])).collect()
}

#[test]
fn the_queue_is_recorded() {
    let place = Place::new();
    let mut host = place.start(&["--session-id", ID]);
    host.say("@say one");
    host.turn();
    let blocks = json!([{ "type": "text", "text": "@say two" }]);
    host.send(&json!({ "type": "user", "message": { "role": "user", "content": blocks } }));
    host.turn();
    host.end();
    let (lines, none) = (kept(&place, ID), Value::Null);
    assert_eq!(
        operations(&lines),
        [("enqueue", &json!("@say one")), ("dequeue", &none), ("enqueue", &none), ("dequeue", &none)]
    );
    assert!(lines.iter().all(|line| line["sessionId"] == ID), "{lines:#?}");
}

#[test]
fn the_text_of_a_prompt_that_a_hook_blocks_is_not_recorded() {
    let place = Place::new();
    place.hook(&json!({ "UserPromptSubmit": [{ "hooks": [
        { "type": "command", "command": "if grep -q SECRET; then echo no >&2; exit 2; fi" }
    ] }] }));
    let mut host = place.start(&["--session-id", ID]);
    host.say("@say SECRET");
    host.turn();
    host.say("@say fine");
    host.turn();
    host.end();
    let lines = kept(&place, ID);
    assert_eq!(operations(&lines).len(), 4);
    assert!(!lines.iter().any(|line| line.to_string().contains("SECRET")), "{lines:#?}");
}

#[test]
fn commands_that_no_model_answers_are_part_of_the_conversation_also_when_it_is_resumed() {
    let place = Place::new();
    let mut host = place.start(&["--session-id", ID]);
    host.say("@say hi");
    host.turn();
    let prompt = "11111111-1111-4111-8111-111111111111";
    host.send(&json!({ "type": "user", "uuid": prompt, "message": { "role": "user", "content": "/rename A plan" } }));
    let printed = find(&host.turn(), "result")["result"].as_str().expect("text").to_owned();
    host.end();

    let lines = kept(&place, ID);
    let at = lines.iter().position(|line| line["uuid"] == prompt).expect("a line");
    let content = |line: &Value| line["message"]["content"].as_str().unwrap_or_default().to_owned();
    let caveat = lines.iter().find(|line| line["uuid"] == lines[at]["parentUuid"]).expect("a line");
    assert!(content(caveat).starts_with("<local-command-caveat>") && caveat["isMeta"] == true, "{caveat}");
    assert!(content(&lines[at]).starts_with("<command-name>/rename</command-name>"), "{}", lines[at]);
    assert!(content(&lines[at]).contains("<command-args>A plan</command-args>"), "{}", lines[at]);
    let output = lines.iter().find(|line| line["parentUuid"] == prompt).expect("a line");
    assert_eq!((&output["type"], &output["subtype"]), (&json!("system"), &json!("local_command")));
    assert_eq!(output["content"], format!("<local-command-stdout>{printed}</local-command-stdout>"));
    assert_eq!(output["commandRun"], json!({ "command": "rename", "args": "A plan" }));

    let request = recorded(|url| {
        let mut command =
            place.command(&["-p", "What is it called?", "--resume", ID, "--model", "claude-sonnet-4-5"]);
        command.env("ANTHROPIC_BASE_URL", url).env("ANTHROPIC_API_KEY", "none").output().expect("output")
    });
    let seen = request["messages"].to_string();
    assert!(seen.contains("<command-name>/rename</command-name>"), "{seen}");
    assert!(seen.contains("<local-command-stdout>"), "{seen}");
    // A command awaits no answer.
    assert!(!kept(&place, ID).iter().any(|line| line.to_string().contains("No response requested.")));
}

#[test]
fn a_turn_that_never_got_an_answer_is_closed_when_the_session_is_resumed() {
    let place = Place::new();
    let mut host = place.start(&["--session-id", ID, "--permission-mode", "bypassPermissions"]);
    let command = json!({ "command": "touch begun; tail -f /dev/null" });
    host.say(&format!("@tool Bash {command}\n@say never"));
    host.until(|frame| frame["type"] == "assistant");
    wait_until("the command runs", || place.read("begun").is_some());
    host.kill();

    let mut host = place.start(&["--resume", ID]);
    host.say("@say hello");
    assert_eq!(find(&host.turn(), "result")["result"], "hello");
    host.end();
    let lines = kept(&place, ID);
    let chained: Vec<&Value> = lines.iter().filter(|line| line["uuid"].is_string()).collect();
    let place_of = |needle: &str| {
        chained.iter().position(|line| line["message"].to_string().contains(needle)).expect("a line")
    };
    let (closed, next) = (place_of("No response requested."), place_of("@say hello"));
    let result = &chained[closed - 1];
    assert_eq!(result["message"]["content"][0]["type"], "tool_result", "{result}");
    assert_eq!(result["toolDenialKind"], "interrupted");
    assert_eq!(chained[closed]["message"]["model"], "<synthetic>");
    assert_eq!(chained[closed]["parentUuid"], result["uuid"]);
    assert_eq!(chained[next]["parentUuid"], chained[closed]["uuid"]);
}
