//! Disks without room and folders that can't be written: what the user reads, and what stays behind.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::{Value, json};

use crate::host::{Host, Place, STREAM, tool_results};

const ID: &str = "3f0c9a52-7d1e-4b86-9a54-0c2d8e1f6b01";

/// An agent whose files can be limited while it runs: the signal that comes with the limit is ignored.
fn start(place: &Place, arguments: &[&str]) -> Host {
    start_as(place, &place.command(&[STREAM, arguments].concat()))
}

fn start_as(place: &Place, agent: &Command) -> Host {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(agent.get_program()).args(agent.get_args());
    command.current_dir(place.project()).env_clear();
    command.envs(agent.get_envs().filter_map(|(name, value)| Some((name, value?))));
    Host::start(command)
}

/// Lets the agent's files have so many bytes and no more: like a disk that is full. `None` is a disk with room.
fn limit(host: &Host, bytes: Option<u64>) {
    let pid = Pid::from_raw(i32::try_from(host.id()).unwrap());
    prlimit(pid, Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
}

fn turn(host: &mut Host, prompt: &str) -> Value {
    host.say(prompt);
    host.turn().pop().unwrap()
}

/// Checks that a result reports that its turn was not saved, and the path. Returns the reason.
fn unsaved(result: &Value, path: &Path) -> String {
    assert_eq!((&result["subtype"], &result["is_error"]), (&json!("error_during_execution"), &json!(true)));
    let reason = result["errors"][0].as_str().unwrap_or_else(|| panic!("no reason: {result}")).to_owned();
    assert!(reason.contains(&path.display().to_string()), "{reason}");
    assert!(reason.contains("send the prompt again"), "{reason}");
    reason
}

/// The conversation as the model sees it.
fn conversation(host: &mut Host) -> String {
    turn(host, "/export")["result"].as_str().unwrap().to_owned()
}

/// What is in a transcript, of which each line must be JSON.
fn stored(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .for_each(|line| drop(serde_json::from_str::<Value>(line).unwrap_or_else(|_| panic!("{line}"))));
    text
}

/// Checks that a turn is part of the conversation, in memory, on the disk and after a restart, and that the words
/// `lost` are not.
fn continues(place: &Place, mut host: Host, kept: &[&str], lost: &str) {
    let result = turn(&mut host, "@say onward");
    assert_eq!(result["result"], "onward", "{result}");
    let known = conversation(&mut host);
    let on_disk = stored(&place.transcript(ID));
    assert!(host.end().1.success());
    let resumed = conversation(&mut place.start(&["--resume", ID]));
    for text in [known, on_disk, resumed] {
        assert!(text.contains("onward") && kept.iter().all(|word| text.contains(word)), "{text}");
        assert!(!text.contains(lost), "{text}");
    }
}

#[test]
fn a_first_prompt_without_room_leaves_nothing_behind() {
    let place = Place::new();
    let mut host = start(&place, &["--session-id", ID]);
    limit(&host, Some(10));
    let reason = unsaved(&turn(&mut host, "@say lost"), &place.transcript(ID));
    assert!(reason.contains("ulimit"), "{reason}");
    assert!(!place.transcript(ID).exists());
    // Another process may begin the session.
    let mut other = place.start(&["--session-id", ID]);
    other.ask(&json!({ "subtype": "initialize" }));
    drop(other);
    limit(&host, None);
    continues(&place, host, &[], "lost");
}

#[test]
fn a_later_prompt_without_room_leaves_nothing_behind() {
    let place = Place::new();
    let mut host = start(&place, &["--session-id", ID]);
    assert_eq!(turn(&mut host, "@say before")["result"], "before");
    let length = fs::metadata(place.transcript(ID)).unwrap().len();
    // Nothing fits, or a part of a line.
    for more in [0, 1, 100] {
        limit(&host, Some(length + more));
        unsaved(&turn(&mut host, "@say lost"), &place.transcript(ID));
        assert_eq!(fs::metadata(place.transcript(ID)).unwrap().len(), length);
    }
    limit(&host, None);
    continues(&place, host, &["before"], "lost");
}

#[test]
fn an_answer_without_room_takes_its_prompt_along() {
    let place = Place::new();
    let mut host = start(&place, &["--session-id", ID]);
    assert_eq!(turn(&mut host, "@say before")["result"], "before");
    limit(&host, Some(fs::metadata(place.transcript(ID)).unwrap().len() + 60_000));
    // The prompt fits, the answer does not.
    unsaved(&turn(&mut host, "@flood 90000 1000\n@say lost"), &place.transcript(ID));
    assert!(!stored(&place.transcript(ID)).contains("lost"));
    limit(&host, None);
    continues(&place, host, &["before"], "lost");
}

#[test]
fn a_tool_result_without_room_takes_its_turn_along() {
    let place = Place::new();
    place.write("large", &"text\n".repeat(12_000));
    let mut host = start(&place, &["--session-id", ID]);
    assert_eq!(turn(&mut host, "@say before")["result"], "before");
    limit(&host, Some(fs::metadata(place.transcript(ID)).unwrap().len() + 15_000));
    let read = json!({ "file_path": place.project().join("large"), "limit": 2000 });
    let result = turn(
        &mut host,
        &format!("@tool Bash {}\n@tool Read {read}\n@say lost", json!({ "command": "echo" })),
    );
    unsaved(&result, &place.transcript(ID));
    assert!(result["errors"][1].as_str().is_some_and(|text| text.contains("remain")), "{result}");
    limit(&host, None);
    continues(&place, host, &["before"], "lost");
}

#[test]
fn a_compaction_without_room_leaves_the_conversation_as_it_was() {
    let place = Place::new();
    place.write("script", "when prompt contains \"Summarize it\"\n@flood 90000 1000\n");
    let mut command = place.command(&[STREAM, &["--session-id", ID]].concat());
    command.env("AQUEDUCT_SCRIPT", "script");
    let mut host = start_as(&place, &command);
    assert_eq!(turn(&mut host, "@say before")["result"], "before");
    limit(&host, Some(fs::metadata(place.transcript(ID)).unwrap().len() + 40_000));
    host.say("/compact");
    let frames = host.turn();
    let reported = frames.last().unwrap()["result"].as_str().unwrap();
    assert!(reported.contains(&place.transcript(ID).display().to_string()), "{reported}");
    let failed = frames.iter().find(|frame| frame["compact_result"].is_string()).unwrap();
    assert_eq!(failed["compact_result"], "failed");
    limit(&host, None);
    continues(&place, host, &["before"], "compact_boundary");
}

#[test]
fn context_of_start_hooks_is_sent_again_after_a_turn_that_was_not_saved() {
    let place = Place::new();
    place.hook(
        &json!({ "SessionStart": [{ "hooks": [{ "type": "command", "command": "echo greetings" }] }] }),
    );
    let mut host = start(&place, &["--session-id", ID]);
    host.ask(&json!({ "subtype": "initialize" }));
    limit(&host, Some(2_000));
    unsaved(&turn(&mut host, "@flood 90000 1000\n@say lost"), &place.transcript(ID));
    limit(&host, None);
    continues(&place, host, &["greetings"], "lost");
}

#[test]
fn a_prompt_that_was_not_stored_may_be_sent_again_under_its_id() {
    let place = Place::new();
    let mut host = start(&place, &["--session-id", ID]);
    let frame =
        json!({ "type": "user", "uuid": ID, "message": { "role": "user", "content": "@say onward" } });
    limit(&host, Some(10));
    host.send(&frame);
    unsaved(host.turn().last().unwrap(), &place.transcript(ID));
    limit(&host, None);
    host.send(&frame);
    assert_eq!(host.turn().pop().unwrap()["result"], "onward");
}

/// The device on which there is never room.
#[test]
fn a_full_disk_is_named_with_what_to_do() {
    let place = Place::new();
    let mut host = start(&place, &["--session-id", ID]);
    host.ask(&json!({ "subtype": "initialize" }));
    let path = place.transcript(ID);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    symlink("/dev/full", &path).unwrap();
    let reason = unsaved(&turn(&mut host, "@say lost"), &path);
    let reason = reason.replace(&path.display().to_string(), "PATH");
    insta::assert_snapshot!(reason, @"The turn was not saved: can't write to the transcript PATH: No space left on device (os error 28). Free space on that disk, then send the prompt again.");
    fs::remove_file(&path).unwrap();
    continues(&place, host, &[], "lost");
}

#[test]
fn a_folder_that_cant_be_made_is_named() {
    let place = Place::new();
    let mut host = start(&place, &["--session-id", ID]);
    host.ask(&json!({ "subtype": "initialize" }));
    let projects = place.home().join(".claude/projects");
    fs::create_dir_all(projects.parent().unwrap()).unwrap();
    fs::write(&projects, "").unwrap();
    unsaved(&turn(&mut host, "@say lost"), &place.transcript(ID));
    fs::remove_file(&projects).unwrap();
    continues(&place, host, &[], "lost");
}

#[test]
fn the_text_output_reports_the_reason_too() {
    let place = Place::new();
    place.write_home(".claude/projects", "");
    let output = place.command(&["-p", "@say lost", "--session-id", ID]).output().unwrap();
    let reported = String::from_utf8_lossy(&output.stdout);
    assert!(reported.contains(&place.transcript(ID).display().to_string()), "{reported}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_edit_without_room_reports_the_reason_and_leaves_the_file_unchanged() {
    let place = Place::new();
    let file = place.project().join("kept");
    let before = "before\n".repeat(9_000);
    fs::write(&file, &before).unwrap();
    let mut host = start(&place, &["--no-session-persistence", "--dangerously-skip-permissions"]);
    host.say(&format!("@tool Read {}", json!({ "file_path": file, "limit": 3 })));
    host.turn();
    limit(&host, Some(20_000));
    let edit =
        json!({ "file_path": file, "old_string": "before", "new_string": "after", "replace_all": true });
    host.say(&format!("@tool Edit {edit}"));
    let frames = host.turn();
    let reported = tool_results(&frames).pop().unwrap();
    assert!(
        reported["is_error"] == true && reported["content"].as_str().unwrap().contains("The disk is full"),
        "{reported}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    assert_eq!(fs::read_dir(place.project()).unwrap().count(), 1);
}

#[test]
fn output_of_a_command_without_room_is_shown_with_the_reason() {
    let place = Place::new();
    let mut host = start(&place, &["--no-session-persistence", "--dangerously-skip-permissions"]);
    host.ask(&json!({ "subtype": "initialize" }));
    limit(&host, Some(1_000));
    let command = json!({ "command": "yes word | head -c 200000; echo end", "description": "d" });
    host.say(&format!("@tool Bash {command}\n@say done"));
    let frames = host.turn();
    assert_eq!(frames.last().unwrap()["result"], "done");
    let reported = tool_results(&frames).pop().unwrap();
    let text = reported["content"].as_str().unwrap();
    assert!(text.contains("word\nword") && text.contains("os error 27"), "{}", &text[text.len() - 400..]);
}

#[test]
fn a_permission_that_cant_be_saved_holds_for_the_session_and_the_user_is_notified() {
    let place = Place::new();
    let mut host = start(&place, &["--no-session-persistence", "--permission-prompt-tool", "stdio"]);
    host.ask(&json!({ "subtype": "initialize" }));
    limit(&host, Some(10));
    let touch = |name: &str| {
        format!("@tool Bash {}", json!({ "command": format!("mkdir {name}"), "description": "d" }))
    };
    host.say(&touch("one"));
    let request = host.request();
    let rule = json!({
        "type": "addRules", "rules": [{ "toolName": "Bash", "ruleContent": "mkdir:*" }],
        "behavior": "allow", "destination": "localSettings",
    });
    let input = request["request"]["input"].clone();
    host.answer(
        &request,
        &json!({ "behavior": "allow", "updatedInput": input, "updatedPermissions": [rule] }),
    );
    let frames = host.turn();
    let note =
        frames.iter().find(|frame| frame["subtype"] == "informational").unwrap()["content"].as_str().unwrap();
    assert!(note.contains("settings.local.json") && note.contains("for this session only"), "{note}");
    host.say(&touch("two"));
    host.turn();
    assert!(place.project().join("two").is_dir());
    assert!(!place.project().join(".claude/settings.local.json").exists());
}
