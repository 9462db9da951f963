//! The command line, and what goes in and out where no host is there.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::host::{Place, kinds, tool_results};

struct FinishedRun {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

impl FinishedRun {
    fn frames(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).expect("a frame")).collect()
    }
}

/// Runs the agent with this on its stdin.
fn run(place: &Place, arguments: &[&str], stdin: &str) -> FinishedRun {
    finish(place.command(arguments), stdin)
}

fn finish(mut command: Command, stdin: &str) -> FinishedRun {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the agent");
    // An agent that does not want it may be gone already.
    let _ = child.stdin.take().expect("stdin").write_all(stdin.as_bytes());
    let output = child.wait_with_output().expect("output");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    FinishedRun { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code() }
}

const STREAMING: &[&str] = &["--input-format=stream-json", "--output-format=stream-json", "--verbose"];

#[test]
fn help_names_every_flag() {
    let place = Place::new();
    let finished = run(&place, &["--help"], "");
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(finished.stdout);
    assert_eq!(run(&place, &["-h"], "").stdout, finished.stdout);
}

#[test]
fn the_version_is_one_that_hosts_understand() {
    let place = Place::new();
    for flag in ["--version", "-v"] {
        let finished = run(&place, &[flag], "");
        assert_eq!(finished.code, Some(0));
        let number = finished.stdout.split(' ').next().unwrap();
        assert_eq!(
            number.split('.').filter(|part| part.parse::<u32>().is_ok()).count(),
            3,
            "{}",
            finished.stdout
        );
    }
}

#[test]
fn both_forms_and_camel_case() {
    let place = Place::new();
    for arguments in [
        &["-p", "@say x", "--output-format", "json", "--max-turns", "3"][..],
        &["-p", "@say x", "--output-format=json", "--max-turns=3"],
        &["--print", "@say x", "--outputFormat", "json", "--maxTurns=3"],
        &["--output-format=json", "-p", "--", "@say x"],
    ] {
        let finished = run(&place, arguments, "");
        assert_eq!(finished.stderr, "", "{arguments:?}");
        let result: Value = serde_json::from_str(&finished.stdout).expect("a result");
        assert_eq!(result["result"], "x", "{arguments:?}");
    }
}

#[test]
fn unknown_flags_are_ignored() {
    let place = Place::new();
    let finished = run(&place, &["-p", "@say x", "--teleport", "--beam=up"], "");
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(0), "x\n"));
    assert!(
        finished.stderr.contains("--teleport") && finished.stderr.contains("--beam"),
        "{}",
        finished.stderr
    );
    // With frames as input, what follows an unknown flag is its value.
    let more = [&["--teleport", "home"], STREAMING].concat();
    let finished =
        run(&place, &more, "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"@say y\"}}\n");
    assert_eq!(finished.frames().last().unwrap()["result"], "y");
    assert_eq!(finished.stderr.lines().count(), 1, "{}", finished.stderr);
}

#[test]
fn what_makes_no_sense_ends_with_1_and_a_line_on_stderr() {
    let place = Place::new();
    for arguments in [
        &["-p", "x", "--output-format", "stream-json"][..],
        &["-p", "--input-format", "stream-json"],
        &["-p", "x", "--include-partial-messages"],
        &["-p", "x", "--replay-user-messages"],
        &["-p", "x", "--session-id", "no-uuid"],
        &["-p", "x", "--session-id", "aaaaaaaa-0000-4000-8000-000000000001", "--continue"],
        &["-p", "x", "--output-format", "yaml"],
        &["-p", "x", "--permission-mode", "reckless"],
        &["-p", "x", "--max-turns", "many"],
        &["-p", "x", "--agents", "{nope"],
        &["-p", "x", "--agents", r#"{"helper":{"prompt":1}}"#],
        &["-p", "x", "--max-budget-usd", "-1"],
        &["-p", "x", "--setting-sources", "everything"],
        &["-p", "x", "--settings", "{"],
        &["-p", "x", "--settings", "absent.json"],
        &["-p", "x", "--system-prompt-file", "absent"],
        &["-p", "x", "--append-system-prompt-file", "absent"],
        &["-p", "x", "--model"],
        &["-p", "x", "--resume"],
        &["-p", ""],
        &["-p"],
    ] {
        let finished = run(&place, arguments, "");
        assert_eq!((finished.code, finished.stdout.as_str()), (Some(1), ""), "{arguments:?}");
        assert_eq!(finished.stderr.lines().count(), 1, "{arguments:?}: {}", finished.stderr);
        assert!(finished.stderr.len() > 20, "{arguments:?}: {}", finished.stderr);
    }
}

#[test]
fn the_prompt_is_an_argument_or_stdin() {
    let place = Place::new();
    assert_eq!(run(&place, &["-p", "@say argument"], "").stdout, "argument\n");
    assert_eq!(run(&place, &["-p"], "@say stdin\n").stdout, "stdin\n");
    assert_eq!(run(&place, &["@say without -p"], "").stdout, "without -p\n");
}

#[test]
fn an_error_is_an_exit_code_and_text() {
    let place = Place::new();
    let finished = run(&place, &["-p", "@fail 400 1 x"], "");
    assert_eq!(finished.code, Some(1));
    assert!(finished.stdout.starts_with("API Error: 400"), "{}", finished.stdout);
    let finished =
        run(&place, &["-p", "@repeat 3\n@tool Read {\"file_path\":\"x\"}", "--max-turns", "1"], "");
    assert_eq!(finished.code, Some(1));
    assert!(finished.stdout.contains("Reached max turns (1)"), "{}", finished.stdout);
}

#[test]
fn json_with_verbose_is_a_list_of_all_frames() {
    let place = Place::new();
    let finished = run(&place, &["-p", "@say x", "--output-format", "json", "--verbose"], "");
    let frames: Vec<Value> = serde_json::from_str(&finished.stdout).expect("a list");
    assert_eq!(kinds(&frames), ["system/init", "assistant/text", "result/success"]);
}

#[test]
fn stream_json_needs_no_frames_as_input() {
    let place = Place::new();
    let finished = run(&place, &["-p", "@say x", "--output-format", "stream-json", "--verbose"], "");
    assert_eq!(kinds(&finished.frames()), ["system/init", "assistant/text", "result/success"]);
}

#[test]
fn no_permission_is_requested_without_a_host() {
    let place = Place::new();
    let call = "@tool Bash {\"command\":\"touch made\"}\n@say done";
    let finished = run(&place, &["-p", call, "--permission-prompt-tool", "stdio"], "");
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(0), "done\n"));
    assert!(!place.project().join("made").exists());
}

#[test]
fn tools_can_be_left_out() {
    let place = Place::new();
    let tools = |arguments: &[&str]| {
        let mut host = place.start(arguments);
        host.say("@say x");
        host.turn()[0]["tools"].clone()
    };
    assert_eq!(tools(&["--tools", ""]), json!([]));
    assert_eq!(tools(&["--tools="]), json!([]));
    assert_eq!(tools(&["--tools", "Read,Bash"]), json!(["Bash", "Read"]));
    assert!(tools(&["--tools", "default"]).as_array().unwrap().len() > 5);
    let without = tools(&["--disallowedTools", "Bash"]);
    assert!(!without.as_array().unwrap().contains(&json!("Bash")), "{without}");
    let with = tools(&["--disallowed-tools", "Bash(rm:*)"]);
    assert!(with.as_array().unwrap().contains(&json!("Bash")), "{with}");
}

/// Whether a command runs without being asked about.
fn may(place: &Place, arguments: &[&str], command: &str) -> bool {
    let mut host = place.start(arguments);
    host.say(&format!("@tool Bash {}\n@say done", json!({ "command": command })));
    tool_results(&host.turn())[0]["is_error"] != true
}

#[test]
fn rules_on_the_command_line() {
    let place = Place::new();
    for arguments in [
        &["--allowedTools", "Bash(mkdir:*) Edit"][..],
        &["--allowedTools", "Edit,Bash(mkdir:*)"],
        &["--allowed-tools=Bash(mkdir:*)"],
        &["--allowed-tools", "Edit", "Bash(mkdir:*)"],
        &["--settings", "{\"permissions\":{\"allow\":[\"Bash(mkdir:*)\"]}}"],
    ] {
        assert!(may(&place, arguments, "mkdir -p folder"), "{arguments:?}");
        assert!(!may(&place, arguments, "touch file"), "{arguments:?}");
    }
    assert!(!may(
        &place,
        &["--allowedTools", "Bash", "--disallowedTools", "Bash(mkdir:*)"],
        "mkdir -p folder"
    ));
    assert!(!may(&place, &["--allowedTools", ""], "mkdir -p folder"));
}

#[test]
fn settings_files_count_unless_they_are_left_out() {
    let place = Place::new();
    let settings = place.home().join(".claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&settings, "{\"permissions\":{\"allow\":[\"Bash(mkdir:*)\"]}}").unwrap();
    assert!(may(&place, &[], "mkdir -p folder"));
    assert!(may(&place, &["--setting-sources", "user"], "mkdir -p folder"));
    assert!(!may(&place, &["--setting-sources", ""], "mkdir -p folder"));
    assert!(!may(&place, &["--setting-sources=project,local"], "mkdir -p folder"));
}

#[test]
fn a_further_folder_to_work_in() {
    let place = Place::new();
    let further = place.home().join("further");
    std::fs::create_dir(&further).unwrap();
    let write = |arguments: &[&str], name: &str| {
        let file = further.join(name);
        let all = [arguments, &["--permission-mode", "acceptEdits"]].concat();
        let mut host = place.start(&all);
        host.say(&format!("@tool Write {}\n@say done", json!({ "file_path": file, "content": "x" })));
        let frames = host.turn();
        (file.exists(), frames[0]["additional_directories"].clone())
    };
    assert_eq!(write(&[], "one"), (false, json!([])));
    let folder = further.display().to_string();
    assert_eq!(write(&["--add-dir", &folder], "two"), (true, json!([folder])));
}

#[test]
fn the_system_prompt_from_files() {
    let place = Place::new();
    std::fs::write(place.project().join("more.md"), "The password is swordfish.").unwrap();
    std::fs::write(
        place.project().join("script"),
        "when system contains \"swordfish\"\n@say received\n\notherwise\n@say not received\n",
    )
    .unwrap();
    for (arguments, expected) in [
        (&["-p", "x", "--append-system-prompt-file", "more.md"][..], "received\n"),
        (&["-p", "x", "--system-prompt-file=more.md"], "received\n"),
        (&["-p", "x", "--append-system-prompt", "swordfish"], "received\n"),
        (&["-p", "x", "--system-prompt", ""], "not received\n"),
        (&["-p", "x"], "not received\n"),
    ] {
        let mut command = place.command(arguments);
        command.env("AQUEDUCT_SCRIPT", "script");
        assert_eq!(finish(command, "").stdout, expected, "{arguments:?}");
    }
}

#[test]
fn one_agent_reads_the_output_of_another() {
    let place = Place::new();
    let script = "@tool Bash {\"command\":\"echo from-the-tool\"}\n@say the analysis";
    let first = run(
        &place,
        &[
            "-p",
            script,
            "--output-format",
            "stream-json",
            "--verbose",
            "--include-partial-messages",
            "--allowedTools",
            "Bash",
        ],
        "",
    );
    assert_eq!(first.frames().last().unwrap()["result"], "the analysis");
    let second = run(&place, &[&["-p", "@say the summary"], STREAMING].concat(), &first.stdout);
    assert_eq!((second.code, second.stderr.as_str()), (Some(0), ""));
    let frames = second.frames();
    assert_eq!(kinds(&frames), ["system/init", "assistant/text", "result/success"]);
    assert_eq!(frames.last().unwrap()["result"], "the summary");
    let session = frames[0]["session_id"].as_str().unwrap();
    assert_ne!(session, first.frames()[0]["session_id"]);
    let kept = std::fs::read_to_string(place.transcript(session)).unwrap();
    for fragment in ["from-the-tool", "the analysis", "It called Bash"] {
        assert!(kept.contains(fragment), "{fragment} is not in {kept}");
    }
}

#[test]
fn a_prompt_behind_another_agents_stream_comes_after_it() {
    let place = Place::new();
    let first = run(&place, &["-p", "@say the analysis", "--output-format", "stream-json", "--verbose"], "");
    let prompt = json!({ "type": "user", "message": { "role": "user", "content": "@say now" } });
    let finished = run(&place, STREAMING, &format!("{}{prompt}\n", first.stdout));
    let frames = finished.frames();
    assert_eq!(kinds(&frames), ["system/init", "assistant/text", "result/success"]);
    assert_eq!(frames.last().unwrap()["result"], "now");
}

#[test]
fn a_prompt_on_the_command_line_beside_frames_is_not_asked() {
    let place = Place::new();
    let prompt = json!({ "type": "user", "message": { "role": "user", "content": "@say one" } });
    let finished = run(&place, &[&["-p", "@say other"], STREAMING].concat(), &format!("{prompt}\n"));
    assert_eq!(kinds(&finished.frames()), ["system/init", "assistant/text", "result/success"]);
    assert!(finished.stderr.contains("@say other"), "{}", finished.stderr);
}

#[test]
fn initialize_can_be_demanded_first() {
    let place = Place::new();
    let mut host = place.start(&["--await-initialize"]);
    host.say("@say too early");
    let (frames, status) = host.end();
    assert_eq!(frames.len(), 1, "{frames:#?}");
    assert_eq!(frames[0]["startup_failure_reason"], "initialize_not_first");
    assert_eq!(status.code(), Some(1));

    let mut host = place.start(&["--await-initialize"]);
    assert_eq!(host.ask(&json!({ "subtype": "initialize" }))["subtype"], "success");
    host.say("@say in time");
    assert_eq!(host.turn().last().map(|frame| &frame["result"]), Some(&json!("in time")));
}

#[test]
fn the_debug_log_has_events_without_message_contents() {
    let place = Place::new();
    let debug_log = place.home().join("debug_log");
    let name = debug_log.to_string_lossy().into_owned();
    let mut host = place.start(&["--debug-file", &name, "--dangerously-skip-permissions"]);
    host.say("@tool Bash {\"command\":\"echo secret-word\",\"description\":\"e\"}");
    host.turn();
    drop(host);
    let text = std::fs::read_to_string(debug_log).unwrap();
    for part in [
        "call.decided: ",
        " decision=allow ",
        "model.requested: ",
        " model=scripted",
        " in=session/turn/request",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("secret-word"), "{text}");
}
