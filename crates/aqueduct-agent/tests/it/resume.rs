//! Resumed conversations: what is restored, and what is refused.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::process::Output;

use serde_json::{Value, json};

use crate::host::{Host, Place, kinds, lines};

const ID: &str = "3f0c9a52-7d1e-4b86-9a54-0c2d8e1f6a01";
const OTHER: &str = "3f0c9a52-7d1e-4b86-9a54-0c2d8e1f6a02";

/// The model's answer to a request for a summary.
const SCRIPT: &str = "when prompt contains \"Summarize it\"\n@say All that was said.\n";

/// Starts the agent with a model that can sum up.
fn start(place: &Place, arguments: &[&str]) -> Host {
    let script = place.home().join("script");
    std::fs::write(&script, SCRIPT).expect("a script");
    let streaming = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    let all: Vec<&str> = streaming.into_iter().chain(arguments.iter().copied()).collect();
    let mut command = place.command(&all);
    command.env("AQUEDUCT_SCRIPT", script);
    Host::start(command)
}

/// Holds a conversation of these prompts to its end.
fn hold(place: &Place, arguments: &[&str], prompts: &[&str]) -> Vec<Value> {
    let mut host = start(place, arguments);
    let frames = prompts.iter().flat_map(|prompt| turn(&mut host, prompt)).collect();
    let (rest, status) = host.end();
    assert!(rest.is_empty() && status.success(), "{status}: {rest:?}");
    frames
}

fn turn(host: &mut Host, prompt: &str) -> Vec<Value> {
    host.say(prompt);
    host.turn()
}

fn last(frames: &[Value]) -> &Value {
    frames.last().expect("a frame")
}

/// The text of the tool result among the frames.
fn reported(frames: &[Value]) -> &str {
    let result = frames.iter().find(|frame| frame["message"]["content"][0]["type"] == "tool_result");
    let result = result.unwrap_or_else(|| panic!("no result: {frames:#?}"));
    result["message"]["content"][0]["content"].as_str().expect("text")
}

/// Starts the agent without prompts, to see how it refuses.
fn refused(place: &Place, arguments: &[&str]) -> (Output, String) {
    let streaming = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    let all: Vec<&str> = streaming.into_iter().chain(arguments.iter().copied()).collect();
    let output = place.command(&all).stdin(std::process::Stdio::null()).output().expect("output");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, stderr)
}

/// A prompt and an answer that are long enough to count.
fn long() -> String {
    format!("@say {}", "word ".repeat(500))
}

/// About how many tokens the agent knows of the conversation.
fn known(host: &mut Host) -> u64 {
    let frames = turn(host, "/context");
    let text = last(&frames)["result"].as_str().expect("text");
    let number = text.split("about ").nth(1).and_then(|rest| rest.split(' ').next());
    number.and_then(|number| number.parse().ok()).expect("a number")
}

/// The same of a conversation that is started with these arguments.
fn known_with(place: &Place, arguments: &[&str]) -> u64 {
    known(&mut start(place, arguments))
}

#[test]
fn a_file_that_was_read_need_not_be_read_again_unless_it_changed() {
    let place = Place::new();
    let file = place.project().join("a.txt");
    std::fs::write(&file, "alpha\n").expect("a file");
    let edit = |old: &str, new: &str| {
        format!("@tool Edit {}", json!({ "file_path": file, "old_string": old, "new_string": new }))
    };
    let allow = ["--permission-mode", "acceptEdits", "--resume", ID];
    let read = format!("@tool Read {}", json!({ "file_path": file }));
    hold(&place, &["--session-id", ID], &[&read]);
    let frames = hold(&place, &allow, &[&edit("alpha", "beta")]);
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "beta\n", "{}", reported(&frames));
    // A file that the agent wrote also counts as read.
    hold(&place, &allow, &[&edit("beta", "gamma")]);
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "gamma\n");

    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    std::fs::write(&file, "delta\n").expect("a file");
    std::fs::File::open(&file).and_then(|file| file.set_modified(later)).expect("a time");
    let frames = hold(&place, &allow, &[&edit("gamma", "epsilon")]);
    assert!(reported(&frames).contains("changed on disk"), "{}", reported(&frames));
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "delta\n");
}

#[test]
fn lists_are_there_again_also_behind_a_compaction() {
    let place = Place::new();
    let create =
        |subject: &str| format!("@tool TaskCreate {}", json!({ "subject": subject, "description": "d" }));
    let todo = json!({ "todos": [{ "content": "Sow", "status": "pending", "activeForm": "Sowing" }] });
    let update = json!({ "taskId": "2", "status": "completed" });
    hold(
        &place,
        &["--session-id", ID],
        &[
            &create("first"),
            &create("second"),
            &format!("@tool TaskUpdate {update}"),
            &format!("@tool TodoWrite {todo}"),
        ],
    );
    let expected = "#1 [pending] first\n#2 [completed] second";
    for (again, then) in [(vec!["@tool TaskList {}"], "/compact"), (vec!["@tool TaskList {}"], "@say end")] {
        let mut host = start(&place, &["--resume", ID]);
        for prompt in again {
            assert_eq!(reported(&turn(&mut host, prompt)), expected);
        }
        turn(&mut host, then);
    }
    let mut host = start(&place, &["--resume", ID]);
    let frames = turn(&mut host, &format!("@tool TodoWrite {}", json!({ "todos": [] })));
    let result = frames.iter().find(|frame| frame["tool_use_result"].is_object()).expect("a result");
    assert_eq!(result["tool_use_result"]["oldTodos"], todo["todos"]);
    assert!(reported(&turn(&mut host, &create("third"))).contains("#3"));
}

#[test]
fn costs_continue_in_resumed_and_forked_sessions() {
    let place = Place::new();
    let count = |result: &Value| result["modelUsage"]["scripted"]["outputTokens"].as_u64().expect("a number");
    let first = count(last(&hold(&place, &["--session-id", ID], &["@say one"])));
    let second = hold(&place, &["--resume", ID], &["@say two"]);
    assert!(count(last(&second)) > first, "{first} {}", last(&second)["modelUsage"]);
    let fork = hold(&place, &["--resume", ID, "--fork-session", "--session-id", OTHER], &["@say three"]);
    assert!(count(last(&fork)) > count(last(&second)), "{}", last(&fork)["modelUsage"]);
    assert_eq!(last(&fork)["session_id"], OTHER);
    let kept = lines(&place.transcript(OTHER));
    assert!(kept.iter().all(|line| line["sessionId"] == OTHER), "{kept:#?}");
    let own = hold(&place, &["--session-id", "3f0c9a52-7d1e-4b86-9a54-0c2d8e1f6a03"], &["@say one"]);
    assert_eq!(count(last(&own)), first);
}

#[test]
fn a_title_is_kept_and_reported_and_goes_with_a_fork() {
    let place = Place::new();
    let title = |frames: &[Value]| {
        let frame = frames.iter().find(|frame| frame["subtype"] == "session_title_changed");
        frame.map(|frame| frame["title"].as_str().expect("a title").to_owned())
    };
    let frames = hold(&place, &["--session-id", ID, "--name", "Winter wheat"], &["@say one"]);
    assert_eq!(title(&frames).as_deref(), Some("Winter wheat"));
    let line = json!({ "type": "custom-title", "customTitle": "Winter wheat", "sessionId": ID });
    assert!(lines(&place.transcript(ID)).contains(&line));
    assert_eq!(title(&hold(&place, &["--resume", ID], &["@say two"])).as_deref(), Some("Winter wheat"));
    hold(&place, &["--resume", ID, "--fork-session", "--session-id", OTHER], &["@say three"]);
    assert_eq!(title(&hold(&place, &["--resume", OTHER], &["@say two"])).as_deref(), Some("Winter wheat"));
}

#[test]
fn the_permission_mode_is_not_resumed() {
    let place = Place::new();
    let mode = |frames: &[Value]| frames[0]["permissionMode"].as_str().expect("a mode").to_owned();
    let frames = hold(&place, &["--session-id", ID, "--permission-mode", "acceptEdits"], &["@say one"]);
    assert_eq!(mode(&frames), "acceptEdits");
    assert_eq!(mode(&hold(&place, &["--resume", ID], &["@say two"])), "default");
}

#[test]
fn a_prompt_of_the_resumed_conversation_is_not_served_again() {
    let place = Place::new();
    let prompt = json!({
        "type": "user",
        "uuid": "6d0b2c1a-3f52-4c88-9a0e-5b7f1c2d3e41",
        "message": { "role": "user", "content": "@say once" },
    });
    let mut host = start(&place, &["--session-id", ID]);
    host.send(&prompt);
    host.until(|frame| frame["state"] == "completed");
    turn(&mut host, "/compact");
    drop(host);
    let mut host = start(&place, &["--resume", ID]);
    host.send(&prompt);
    let frame = host.next().expect("a frame");
    assert_eq!(frame["type"], "command_lifecycle");
    assert_eq!((&frame["command_uuid"], &frame["state"]), (&prompt["uuid"], &json!("completed")));
    let (rest, status) = host.end();
    assert!(rest.is_empty() && status.success(), "{rest:?}");
}

#[test]
fn nothing_to_continue_is_a_beginning() {
    let place = Place::new();
    let first = hold(&place, &["--continue"], &[&long()]);
    assert_eq!(last(&first)["subtype"], "success");
    assert!(known_with(&place, &["--continue"]) > 1000);
    let second = hold(&place, &["--continue"], &["@say two"]);
    assert_eq!(last(&second)["session_id"], last(&first)["session_id"]);
}

#[test]
fn a_conversation_can_be_resumed_from_an_earlier_message() {
    let place = Place::new();
    let frames = hold(&place, &["--session-id", ID], &["@say one", "@say two", "@say three"]);
    let at = frames.iter().find(|frame| frame["type"] == "assistant").expect("an answer")["uuid"].clone();
    let at = at.as_str().expect("an id");
    hold(&place, &["--resume", ID, "--resume-session-at", at], &["@say four"]);
    let kept = lines(&place.transcript(ID));
    let prompt = kept.iter().find(|line| line["message"]["content"] == "@say four").expect("the prompt");
    assert_eq!(prompt["parentUuid"], at);

    let (output, stderr) = refused(&place, &["--resume", ID, "--resume-session-at", OTHER]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.contains(&format!("No message found with message.uuid of: {OTHER}")), "{stderr}");
}

#[test]
fn no_more_goes_than_the_one_turn_that_may() {
    let place = Place::new();
    let frames = hold(&place, &["--session-id", ID], &["@say one", "@say two", "@say three"]);
    let messages: Vec<&str> = frames
        .iter()
        .filter(|frame| frame["type"] == "assistant")
        .map(|frame| frame["uuid"].as_str().unwrap())
        .collect();
    let kept = lines(&place.transcript(ID));
    let prompt = |text: &str| {
        let line = kept.iter().find(|line| line["message"]["content"] == text).expect("the prompt");
        line["uuid"].as_str().unwrap().to_owned()
    };
    let (second, third) = (prompt("@say two"), prompt("@say three"));
    let before = std::fs::read(place.transcript(ID)).unwrap();
    for (at, turn) in [
        (messages[1], OTHER),
        (messages[0], third.as_str()),
        (messages[0], second.as_str()),
        (messages[2], OTHER),
    ] {
        let arguments = ["--resume", ID, "--resume-session-at", at, "--resume-drops-turn", turn];
        let (output, stderr) = refused(&place, &arguments);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr.starts_with("Resume rejected by --resume-drops-turn: "), "{stderr}");
    }
    assert_eq!(std::fs::read(place.transcript(ID)).unwrap(), before);
    let arguments = ["--resume", ID, "--resume-session-at", messages[1], "--resume-drops-turn", &third];
    let frames = hold(&place, &arguments, &["@say four"]);
    assert_eq!(last(&frames)["result"], "four");
}

#[test]
fn what_is_not_to_be_kept_is_not() {
    let place = Place::new();
    hold(&place, &["--no-session-persistence", "--session-id", ID], &["@say one"]);
    assert!(!place.transcript(ID).exists());

    hold(&place, &["--session-id", ID], &[&long()]);
    let before = std::fs::read(place.transcript(ID)).expect("a transcript");
    let unsaved = ["--no-session-persistence", "--resume", ID];
    assert!(known_with(&place, &unsaved) > 1000);
    assert_eq!(last(&hold(&place, &unsaved, &["@say two"]))["session_id"], ID);
    assert_eq!(std::fs::read(place.transcript(ID)).expect("a transcript"), before);
}

#[test]
fn an_id_is_used_for_one_new_session_only() {
    let place = Place::new();
    let mut host = start(&place, &["--session-id", ID]);
    turn(&mut host, "@say one");
    let (output, stderr) = refused(&place, &["--session-id", ID]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty() && stderr.contains("already in use"), "{stderr}");
}

/// The model that a session begins with.
fn model(place: &Place, arguments: &[&str], variable: Option<&str>) -> Value {
    let streaming = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    let mut command = place.command(&[streaming.as_slice(), arguments].concat());
    command.envs(variable.map(|model| ("ANTHROPIC_MODEL", model)));
    let mut host = Host::start(command);
    let frames = turn(&mut host, "@say hi");
    frames.iter().find(|frame| frame["subtype"] == "init").expect("an init")["model"].clone()
}

#[test]
fn the_model_is_resumed() {
    let place = Place::new();
    let named = |name: &str| ["--model", name].map(str::to_owned);
    let new = named("claude-haiku-4-5");
    let first: Vec<&str> = ["--session-id", ID].into_iter().chain(new.iter().map(String::as_str)).collect();
    assert_eq!(model(&place, &first, None), "claude-haiku-4-5");
    // Settings are for new conversations.
    place.write_home(".claude/settings.json", r#"{"model":"claude-opus-4-5"}"#);
    assert_eq!(model(&place, &[], None), "claude-opus-4-5");
    assert_eq!(model(&place, &["--resume", ID], None), "claude-haiku-4-5");
    assert_eq!(model(&place, &["--resume", ID, "--fork-session"], None), "claude-haiku-4-5");
    assert_eq!(model(&place, &["--continue"], None), "claude-haiku-4-5");
    assert_eq!(model(&place, &["--resume", ID, "--model", "default"], None), "claude-opus-4-5");
    // The model that answered last is used.
    assert_eq!(model(&place, &["--resume", ID], Some("claude-sonnet-4-5")), "claude-sonnet-4-5");
    assert_eq!(model(&place, &["--resume", ID], None), "claude-sonnet-4-5");
    let mut host = start(&place, &["--resume", ID]);
    turn(&mut host, "@say hi");
    host.ask(&json!({ "subtype": "set_model" }));
    turn(&mut host, "@say hi");
    drop(host);
    assert_eq!(model(&place, &["--resume", ID], None), "claude-opus-4-5");
}

#[test]
fn the_last_prompt_is_noted() {
    let place = Place::new();
    let long = format!("@say {}\n\tand  so on", "x".repeat(300));
    hold(&place, &["--session-id", ID], &["  @say one\n", "/context", &long]);
    let all = lines(&place.transcript(ID));
    let notes: Vec<&Value> = all.iter().filter(|line| line["type"] == "last-prompt").collect();
    assert_eq!(notes[0]["lastPrompt"], "@say one");
    let cut = format!("@say {}…", "x".repeat(195));
    assert_eq!(notes.last().expect("a note")["lastPrompt"], cut.as_str());
    let newest = all.iter().rfind(|line| line["type"] == "assistant").expect("an answer");
    assert_eq!(notes.last().expect("a note")["leafUuid"], newest["uuid"]);
}

#[test]
fn a_torn_last_line_is_reported_and_made_blank() {
    let place = Place::new();
    hold(&place, &["--session-id", ID], &["@say one"]);
    let mut file = OpenOptions::new().append(true).open(place.transcript(ID)).expect("a transcript");
    file.write_all(b"{\"type\":\"user\",\"mess").expect("a torn line");
    drop(file);
    let (output, stderr) = refused(&place, &["--resume", ID]);
    assert!(output.status.success() && stderr.contains("1 lines of the session's file"), "{stderr}");
    hold(&place, &["--resume", ID], &["@say two"]);
    let text = std::fs::read_to_string(place.transcript(ID)).expect("a transcript");
    assert!(text.contains("\"@say two\"") && !text.contains("\"mess\n"), "{text}");
    let (_, stderr) = refused(&place, &["--resume", ID]);
    assert!(!stderr.contains("lines of the session's file"), "{stderr}");
}

#[test]
fn an_unknown_conversation_is_an_error_that_hosts_can_read() {
    let place = Place::new();
    let (output, stderr) = refused(&place, &["--resume", ID]);
    assert_eq!(output.status.code(), Some(1));
    let reported = format!("No conversation found with session ID: {ID}");
    assert!(stderr.contains(&reported), "{stderr}");
    let result: Value = serde_json::from_slice(&output.stdout).expect("one frame");
    assert_eq!((&result["type"], &result["subtype"]), (&json!("result"), &json!("error_during_execution")));
    assert_eq!((&result["session_id"], &result["is_error"]), (&json!(ID), &json!(true)));
    assert_eq!(result["errors"], json!([reported]));
}

#[test]
fn a_mirror_holds_what_the_file_holds() {
    let place = Place::new();
    let mirrored = |arguments: &[&str], prompts: &[&str]| -> Vec<Value> {
        let frames = hold(&place, &[&["--session-mirror"], arguments].concat(), prompts);
        let mirrors = frames.iter().filter(|frame| frame["type"] == "transcript_mirror");
        mirrors.flat_map(|frame| frame["entries"].as_array().expect("entries").clone()).collect()
    };
    let call = "@tool Glob {\"pattern\":\"*\"}";
    assert_eq!(mirrored(&["--session-id", ID], &["@say one", call]), lines(&place.transcript(ID)));
    let before = lines(&place.transcript(ID)).len();
    assert_eq!(mirrored(&["--resume", ID], &["@say two"]), lines(&place.transcript(ID))[before..]);
    let fork = mirrored(&["--resume", ID, "--fork-session", "--session-id", OTHER], &["@say three"]);
    assert_eq!(fork, lines(&place.transcript(OTHER)));
}

#[test]
fn compaction_leaves_the_summary() {
    let place = Place::new();
    let mut host = start(&place, &["--session-id", ID]);
    turn(&mut host, &long());
    turn(&mut host, "@say two");
    let before = known(&mut host);
    let frames = turn(&mut host, "/compact");
    insta::assert_snapshot!(kinds(&frames).join("\n"), @r"
    system/status
    system/status
    system/init
    system/compact_boundary
    user
    user
    result/success
    ");
    assert_eq!(frames[5]["message"]["content"], "<local-command-stdout>Compacted</local-command-stdout>");
    assert_eq!(frames[5]["isReplay"], true);
    assert_eq!(frames[0]["status"], "compacting");
    assert_eq!((&frames[1]["status"], &frames[1]["compact_result"]), (&Value::Null, &json!("success")));
    assert_eq!(frames[3]["compact_metadata"]["trigger"], "manual");
    assert_eq!(frames[4]["isSynthetic"], true);
    let after = known(&mut host);
    assert!(before > 1000 && after < before / 2, "{before} {after}");
    drop(host);
    // The commands that asked are part of the conversation.
    let resumed = known_with(&place, &["--resume", ID]);
    assert!(resumed >= after && resumed < before / 2, "{before} {after} {resumed}");
    let frames = hold(&place, &["--resume", ID], &["@say three"]);
    assert_eq!(last(&frames)["result"], "three", "{frames:#?}");
}

#[test]
fn a_full_window_is_compacted_and_the_prompt_stays() {
    let place = Place::new();
    let mut host = start(&place, &["--session-id", ID, "--autocompact", "170"]);
    assert!(!kinds(&turn(&mut host, &long())).contains(&"system/compact_boundary".to_owned()));
    let mut frames = turn(&mut host, "@say still here");
    frames.retain(|frame| frame["type"] != "rate_limit_event");
    insta::assert_snapshot!(kinds(&frames).join("\n"), @r"
    system/init
    system/status
    system/status
    system/compact_boundary
    user
    assistant/text
    result/success
    ");
    // The scripted model answers what it was asked: the prompt is still there.
    assert_eq!(last(&frames)["result"], "still here");
    let boundary = &frames[3]["compact_metadata"];
    assert_eq!(
        (&boundary["trigger"], &boundary["preserved_messages"]["anchor_uuid"]),
        (&json!("auto"), &frames[4]["uuid"])
    );
    drop(host);
    let all = lines(&place.transcript(ID));
    let messages: String = all.iter().filter(|line| line["uuid"].is_string()).map(Value::to_string).collect();
    assert_eq!(messages.matches("@say still here").count(), 1);
    let frames = hold(&place, &["--resume", ID], &["@say on"]);
    assert_eq!(last(&frames)["result"], "on");
}

#[test]
fn a_model_without_a_price_is_reported_once() {
    let place = Place::new();
    let frames = hold(&place, &["--model", "somebodys-model"], &["@say one", "@say two"]);
    let notes: Vec<&Value> = frames.iter().filter(|frame| frame["subtype"] == "informational").collect();
    assert_eq!(notes.len(), 1, "{:?}", kinds(&frames));
    assert!(
        notes[0]["content"].as_str().is_some_and(|text| text.contains("somebodys-model")),
        "{}",
        notes[0]
    );
    assert_eq!(last(&frames)["total_cost_usd"], json!(0));
    assert_eq!(last(&frames)["modelUsage"]["somebodys-model"]["costBasis"], "unknown");
    let frames = hold(&place, &[], &["@say one"]);
    assert!(!kinds(&frames).contains(&"system/informational".to_owned()));
}
