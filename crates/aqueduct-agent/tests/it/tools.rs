//! Tools, through the whole agent: odd files, odd commands, odd calls.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::host::{Host, Place, kinds, tool_results};

/// Frames in both directions, and everything allowed.
const STREAMING: &[&str] = &[
    "--input-format=stream-json",
    "--output-format=stream-json",
    "--verbose",
    "--permission-mode=bypassPermissions",
];

fn free(place: &Place) -> Host {
    place.start(&["--permission-mode", "bypassPermissions"])
}

/// Makes the model call a tool, and returns the result's block. The turn then continues and succeeds.
fn call(host: &mut Host, tool: &str, input: &Value) -> Value {
    host.say(&format!("@tool {tool} {input}\n@say done"));
    let frames = host.turn();
    let result = frames.last().expect("a result");
    assert_eq!(
        (&result["subtype"], &result["result"]),
        (&json!("success"), &json!("done")),
        "{tool} {input}"
    );
    assert_eq!(result["is_error"], false, "{tool} {input}");
    let mut results = tool_results(&frames);
    assert_eq!(results.len(), 1, "{tool} {input}: {:?}", kinds(&frames));
    results.remove(0)
}

fn text(result: &Value) -> &str {
    result["content"].as_str().unwrap_or_else(|| panic!("text: {result}"))
}

/// The text of a call that must fail.
fn failure(host: &mut Host, tool: &str, input: &Value) -> String {
    let result = call(host, tool, input);
    assert_eq!(result["is_error"], true, "{tool} {input}: {result}");
    text(&result).to_owned()
}

/// The text of a call that must succeed.
fn success(host: &mut Host, tool: &str, input: &Value) -> String {
    let result = call(host, tool, input);
    assert_ne!(result["is_error"], true, "{tool} {input}: {result}");
    text(&result).to_owned()
}

fn bash(command: &str) -> Value {
    json!({ "command": command, "description": "a test" })
}

/// Whether a process is there, and no zombie.
fn lives(id: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{id}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')))
}

#[test]
fn files_that_are_not_what_they_should_be() {
    let place = Place::new();
    let project = place.project();
    std::fs::write(project.join("plain"), "text\n").unwrap();
    std::os::unix::fs::symlink("loop-b", project.join("loop-a")).unwrap();
    std::os::unix::fs::symlink("loop-a", project.join("loop-b")).unwrap();
    std::fs::File::create(project.join("sparse")).unwrap().set_len(2 << 30).unwrap();
    let mut host = free(&place);
    let at = |name: &str| project.join(name).display().to_string();
    let absent = at("absent");
    for (tool, input) in [
        ("Read", json!({ "file_path": absent })),
        ("Read", json!({ "file_path": project })),
        ("Read", json!({ "file_path": at("loop-a") })),
        ("Read", json!({ "file_path": at("sparse") })),
        ("Read", json!({ "file_path": at("plain/below") })),
        ("Read", json!({ "file_path": "" })),
        ("Read", json!({ "file_path": "/proc/self/mem" })),
        ("Read", json!({ "file_path": "/dev/zero" })),
        ("Read", json!({ "file_path": "a\u{0}b" })),
        ("Edit", json!({ "file_path": absent, "old_string": "a", "new_string": "b" })),
        ("Edit", json!({ "file_path": project, "old_string": "a", "new_string": "b" })),
        ("Edit", json!({ "file_path": at("loop-a"), "old_string": "a", "new_string": "b" })),
        ("Edit", json!({ "file_path": at("plain"), "old_string": "same", "new_string": "same" })),
        ("Write", json!({ "file_path": project, "content": "x" })),
        ("Write", json!({ "file_path": at("loop-a"), "content": "x" })),
        ("Write", json!({ "file_path": at("plain/below"), "content": "x" })),
        ("Write", json!({ "file_path": "/proc/nothing", "content": "x" })),
        (
            "Write",
            json!({ "file_path": format!("{}/{}", project.display(), "n".repeat(300)), "content": "x" }),
        ),
        ("NotebookEdit", json!({ "notebook_path": at("plain"), "new_source": "x" })),
        ("NotebookEdit", json!({ "notebook_path": at("absent.ipynb"), "new_source": "x" })),
        ("Glob", json!({ "pattern": "*", "path": absent })),
        ("Glob", json!({ "pattern": "[" })),
        ("Grep", json!({ "pattern": "(" })),
        ("Grep", json!({ "pattern": "x", "path": absent })),
        ("TaskOutput", json!({ "task_id": "nothing" })),
        ("TaskStop", json!({ "task_id": "nothing" })),
    ] {
        let reported = failure(&mut host, tool, &input);
        assert!(reported.len() > 10, "{tool} {input}: {reported}");
    }
    assert_eq!(std::fs::read_to_string(project.join("plain")).unwrap(), "text\n");
    assert!(host.end().1.success());
}

#[test]
fn binary_files_and_odd_names_are_reported_as_they_are() {
    let place = Place::new();
    let project = place.project();
    std::fs::write(project.join("binary"), b"\x7fELF\x00\x01\xff\xfe\x00").unwrap();
    std::fs::write(project.join("latin"), b"caf\xe9\n").unwrap();
    std::fs::write(project.join(Path::new(std::ffi::OsStr::from_bytes(b"odd-\xff-name"))), "needle\n")
        .unwrap();
    let mut host = free(&place);
    failure(&mut host, "Read", &json!({ "file_path": project.join("binary") }));
    assert!(success(&mut host, "Read", &json!({ "file_path": project.join("latin") })).contains("caf"));
    assert!(success(&mut host, "Glob", &json!({ "pattern": "odd*" })).contains("odd-"));
    assert!(success(&mut host, "Grep", &json!({ "pattern": "needle" })).contains("odd-"));
    assert!(success(&mut host, "Bash", &bash("ls; printf '\\377\\n'")).contains("odd-"));
}

#[test]
fn calls_without_required_input_are_errors() {
    let place = Place::new();
    // The host can answer, but an invalid call sends no permission request.
    let mut host =
        place.start(&["--permission-mode", "bypassPermissions", "--permission-prompt-tool", "stdio"]);
    host.say("@say hello");
    let frames = host.turn();
    let tools: Vec<&str> = frames[0]["tools"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for tool in tools {
        // Tools that ask the user have their own tests; `TaskList` has no required input.
        if ["AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "EnterWorktree", "TaskList"].contains(&tool) {
            continue;
        }
        for input in [json!({}), wrong_types()] {
            let reported = failure(&mut host, tool, &input);
            assert!(reported.contains("<tool_use_error>"), "{tool} {input}: {reported}");
        }
    }
}

/// Every member that a tool may want, and none of them as it should be.
fn wrong_types() -> Value {
    let names = [
        "command",
        "file_path",
        "notebook_path",
        "pattern",
        "content",
        "old_string",
        "new_string",
        "new_source",
        "task_id",
        "taskId",
        "subject",
        "todos",
        "path",
        "timeout",
    ];
    Value::Object(names.into_iter().map(|name| (name.to_owned(), json!([[1]]))).collect())
}

#[test]
fn a_tool_that_does_not_exist() {
    let place = Place::new();
    let mut host = free(&place);
    assert!(failure(&mut host, "Teleport", &json!({})).contains("No such tool available: Teleport"));
    let mut host = place.start(&["--permission-mode", "bypassPermissions", "--tools", "Read"]);
    assert!(failure(&mut host, "Bash", &bash("touch made")).contains("No such tool"));
    assert!(!place.project().join("made").exists());
}

#[test]
fn a_huge_input_is_an_input() {
    let place = Place::new();
    let mut host = free(&place);
    let content = "0123456789abcdef".repeat(128 * 1024);
    let file = place.project().join("huge");
    host.say(&format!("@delta 65536\n@tool Write {}", json!({ "file_path": file, "content": content })));
    assert_ne!(tool_results(&host.turn())[0]["is_error"], true);
    assert_eq!(std::fs::read_to_string(file).unwrap(), content);
}

#[test]
fn several_calls_at_once_have_a_result_each() {
    let place = Place::new();
    let project = place.project();
    std::fs::write(project.join("a"), "alpha\n").unwrap();
    let mut host = free(&place);
    let read = |name: &str| json!(["Read", { "file_path": project.join(name) }]);
    let calls = json!([read("a"), read("absent"), ["Bash", bash("exit 3")], ["Nothing", {}], read("a")]);
    host.say(&format!("@tools {calls}\n@say done"));
    let frames = host.turn();
    let results = tool_results(&frames);
    let mut failed: Vec<bool> = results.iter().map(|result| result["is_error"] == true).collect();
    failed.sort_unstable();
    assert_eq!(failed, [false, false, true, true, true], "{results:#?}");
    assert_eq!(frames.last().unwrap()["result"], "done");
}

#[test]
fn a_command_that_floods_is_cut_and_the_rest_kept() {
    let place = Place::new();
    let mut host = free(&place);
    let reported = success(&mut host, "Bash", &bash("head -c 3000000 /dev/zero | tr '\\0' x"));
    assert!(reported.len() < 100_000, "{}", reported.len());
}

#[test]
fn a_command_that_never_stops_printing_is_ended() {
    let place = Place::new();
    let mut command = place.command(STREAMING);
    command.env("AQUEDUCT_BASH_MAX_OUTPUT_BYTES", "200000");
    let mut host = Host::start(command);
    failure(&mut host, "Bash", &bash("yes"));
}

#[test]
fn stdin_of_a_command_is_empty() {
    let place = Place::new();
    let mut host = free(&place);
    assert_eq!(success(&mut host, "Bash", &bash("cat; read x || echo nothing")), "nothing");
}

#[test]
fn a_command_that_ignores_sigterm_ends_with_its_time() {
    let place = Place::new();
    let mut host = Host::start({
        let mut command = place.command(STREAMING);
        command.env("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1");
        command
    });
    let command = "trap '' TERM; echo $$ > id; while :; do sleep 1000; done";
    let reported = failure(&mut host, "Bash", &json!({ "command": command, "timeout": 300 }));
    assert!(reported.contains("0.3") || reported.contains("300") || reported.contains("time"), "{reported}");
    let id = std::fs::read_to_string(place.project().join("id")).unwrap();
    assert!(!lives(id.trim()));
}

#[test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't find a process that left its process group")]
fn a_daemon_does_not_outlive_the_agent() {
    let place = Place::new();
    let mut host = free(&place);
    success(
        &mut host,
        "Bash",
        &bash("setsid sh -c 'echo $$ > id; exec sleep 1000' >/dev/null 2>&1 & while ! [ -s id ]; do :; done"),
    );
    let id = std::fs::read_to_string(place.project().join("id")).unwrap();
    assert!(host.end().1.success());
    assert!(!lives(id.trim()));
}

/// An agent whose files may have so many blocks, of 512 or 1024 bytes, and no more: like a disk that is full.
fn cramped(place: &Place, blocks: u32, more: &[&str]) -> Host {
    let mut command = std::process::Command::new("sh");
    let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command
        .args(["-c", &limited, env!("CARGO_BIN_EXE_aqueduct-agent")])
        .args(STREAMING)
        .args(more)
        .current_dir(place.project())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", place.home());
    Host::start(command)
}

#[test]
fn no_more_room_for_a_file() {
    let place = Place::new();
    let mut host = cramped(&place, 64, &["--no-session-persistence"]);
    let file = place.project().join("kept");
    std::fs::write(&file, "before\n").unwrap();
    success(&mut host, "Read", &json!({ "file_path": file }));
    failure(&mut host, "Write", &json!({ "file_path": file, "content": "x".repeat(100_000) }));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "before\n");
    let left: Vec<_> =
        std::fs::read_dir(place.project()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["kept"]);
}

#[test]
fn a_transcript_that_cant_be_written_ends_the_turn_and_not_the_agent() {
    let place = Place::new();
    let mut host = cramped(&place, 16, &[]);
    host.say("@say small");
    assert_eq!(host.turn().last().unwrap()["result"], "small");
    host.say(&format!("@say {}", "x".repeat(60_000)));
    let frames = host.turn();
    let result = frames.last().unwrap();
    assert_eq!((&result["subtype"], &result["is_error"]), (&json!("error_during_execution"), &json!(true)));
    assert!(result["errors"][0].as_str().is_some_and(|text| text.len() > 10), "{result}");
}

#[test]
fn a_command_in_the_background_is_followed_and_stopped() {
    let place = Place::new();
    let mut host = free(&place);
    let command = "echo begun; echo $$ > id; exec sleep 1000";
    host.say(&format!("@tool Bash {}\n@say on", json!({ "command": command, "run_in_background": true })));
    let frames = host.turn();
    let started = frames.iter().find(|frame| frame["subtype"] == "task_started").expect("a task");
    let id = started["task_id"].clone();
    assert!(text(&tool_results(&frames)[0]).contains(id.as_str().unwrap()));
    let reported = success(&mut host, "TaskOutput", &json!({ "task_id": id, "timeout": 300 }));
    assert!(reported.contains("<status>running</status>"), "{reported}");
    let reported = success(&mut host, "TaskStop", &json!({ "task_id": id }));
    assert!(reported.contains(id.as_str().unwrap()), "{reported}");
    let reported = success(&mut host, "TaskOutput", &json!({ "task_id": id }));
    assert!(reported.contains("stopped") && reported.contains("begun"), "{reported}");
    assert!(failure(&mut host, "TaskStop", &json!({ "task_id": id })).contains("ended"));
    let process = std::fs::read_to_string(place.project().join("id")).unwrap();
    assert!(!lives(process.trim()));
    let (rest, status) = host.end();
    assert!(rest.is_empty() && status.success(), "{rest:?}");
}

#[test]
fn the_end_of_a_command_in_the_background_is_reported() {
    let place = Place::new();
    let mut host = free(&place);
    let command = "while ! [ -e go ]; do sleep 0.01; done; echo finished";
    host.say(&format!("@tool Bash {}\n@say on", json!({ "command": command, "run_in_background": true })));
    host.turn();
    std::fs::write(place.project().join("go"), "").unwrap();
    let frames = host.until(|frame| frame["subtype"] == "task_notification");
    let reported = frames.last().unwrap();
    assert_eq!(reported["status"], "completed");
    let output = std::fs::read_to_string(reported["output_file"].as_str().unwrap()).unwrap();
    assert_eq!(output, "finished\n");
}

#[test]
fn commands_in_the_background_end_with_the_agent() {
    let place = Place::new();
    let mut host = free(&place);
    let command = "trap '' TERM HUP INT; echo $$ > id; sleep 1000; sleep 1000";
    host.say(&format!(
        "@tool Bash {}\n@tool Bash {}\n@say on",
        json!({ "command": command, "run_in_background": true }),
        bash("while ! [ -s id ]; do :; done")
    ));
    host.turn();
    host.ask(&json!({ "subtype": "end_session" }));
    let (_, status) = host.end();
    assert!(status.success());
    let process = std::fs::read_to_string(place.project().join("id")).unwrap();
    assert!(!lives(process.trim()));
}

#[test]
fn changes_can_be_undone_message_by_message() {
    let place = Place::new();
    let mut host = free(&place);
    let (old, new) = (place.project().join("old"), place.project().join("new"));
    std::fs::write(&old, "before\n").unwrap();
    let uuid = "0b8a6a2e-5d0c-4d5e-9a53-3f0a1c2b4d5e";
    let read = format!("@tool Read {}", json!({ "file_path": old }));
    let edit =
        format!("@tool Edit {}", json!({ "file_path": old, "old_string": "before", "new_string": "after" }));
    let write = format!("@tool Write {}", json!({ "file_path": new, "content": "made\n" }));
    let content = format!("{read}\n{edit}\n{write}");
    host.send(&json!({ "type": "user", "uuid": uuid, "message": { "role": "user", "content": content } }));
    host.turn();
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "after\n");

    let rewind = |dry: bool| json!({ "subtype": "rewind_files", "user_message_id": uuid, "dry_run": dry });
    let planned = host.ask(&rewind(true));
    assert_eq!(planned["response"]["canRewind"], true, "{planned}");
    assert_eq!(planned["response"]["filesChanged"].as_array().map(Vec::len), Some(2), "{planned}");
    assert!(new.exists(), "a dry run touches nothing");
    let done = host.ask(&rewind(false));
    assert_eq!(done["subtype"], "success", "{done}");
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "before\n");
    assert!(!new.exists());
    let unknown =
        json!({ "subtype": "rewind_files", "user_message_id": "9c8a6a2e-5d0c-4d5e-9a53-3f0a1c2b4d5e" });
    assert_eq!(host.ask(&unknown)["subtype"], "error");
}
