//! `aqueduct run` without a terminal: files, pipes, exit codes.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::terminal::{Place, is_alive, steady};

#[test]
fn stdout_has_only_the_answer() {
    let place = Place::new();
    let call = json!({ "command": "echo made > made.txt; cat made.txt" });
    let prompt = format!("@saytool I'll make it.|Bash {call}\n@say It **is** made.\\nReally.");
    let left = place.run(&["--allowed-tools", "Bash", &prompt]).end();
    assert_eq!((left.code, left.out.as_str()), (0, "I'll make it.\n\nIt **is** made.\\nReally.\n"));
    let notes = steady(&left.err.replace(place.project().to_str().unwrap(), "/proj"));
    insta::assert_snapshot!(notes, @r#"
    ! no key and no address of an API is set: the scripted demo model answers
      Set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL for a real one
    · built-in agent 2.1.325 · scripted · mode default · /proj
    ✓ Bash  echo made > made.txt; cat made.txt  made
    ─ 2 model turns · TIME · 320 tokens in (100 cached), 24 out · session ID
    "#);
    assert_eq!(fs::read_to_string(place.project().join("made.txt")).unwrap(), "made\n");
}

#[test]
fn a_quiet_run_has_only_its_last_words() {
    let place = Place::new();
    let left = place
        .run(&[
            "-q",
            "--allowed-tools",
            "Bash",
            "@saytool First this|Bash {\"command\":\"true\"}\n@say Done.",
        ])
        .end();
    assert_eq!((left.code, left.out.as_str(), left.err.as_str()), (0, "Done.\n", ""));
}

/// Agents that ask their host all the same: some always do.
#[test]
fn a_permission_request_without_a_terminal_is_denied_with_how_to_allow_it() {
    for prompt in [
        "@tool Bash {\"command\":\"touch x\"}\n@say So be it.",
        "@tool AskUserQuestion {\"questions\":[{\"question\":\"Which?\",\"header\":\"Pick\",\"multiSelect\":false,\
         \"options\":[{\"label\":\"A\",\"description\":\"a\"},{\"label\":\"B\",\"description\":\"b\"}]}]}\n@say So be it.",
    ] {
        let place = Place::new();
        let asks = "--agent-arg=--permission-prompt-tool=stdio";
        let left = place.run(&["-o", "stream-json", asks, prompt]).end();
        assert_eq!(left.code, 0, "{}", left.err);
        let asked = left.out.lines().any(|line| line.contains(r#""subtype":"can_use_tool""#));
        assert!(asked, "the agent did not ask: {}", left.out);
        let results: Vec<&str> = left.out.lines().filter(|line| line.contains("tool_result")).collect();
        assert!(
            results.iter().any(|line| line.contains("--allowed-tools or --permission-mode")),
            "{results:?}"
        );
        assert!(!place.project().join("x").exists());
    }
}

#[test]
fn an_option_that_a_profile_lacks_is_refused() {
    let place = Place::new();
    let left = place.run(&["--profile", "qwen", "--max-budget-usd", "1", "@say x"]).end();
    assert_eq!(left.out, "");
    assert!(
        left.err.contains("Qwen Code has no --max-budget-usd. Limit the turns with --max-turns"),
        "{}",
        left.err
    );
    let left = place.run(&["--profile", "nothing", "@say x"]).end();
    assert!(left.err.contains("the profiles are reference, qwen"), "{}", left.err);
}

#[test]
fn what_needs_a_permission_is_denied_with_a_note() {
    let place = Place::new();
    let left = place.run(&["@tool Bash {\"command\":\"touch x\"}\n@say So be it."]).end();
    assert_eq!((left.code, left.out.as_str()), (0, "So be it.\n"));
    assert!(
        left.err.contains("! no user could be asked: --allowed-tools 'Bash(touch x)' would allow it"),
        "{}",
        left.err
    );
    assert!(!place.project().join("x").exists());
    let again = place
        .run(&["--allowed-tools", "Bash(touch x)", "@tool Bash {\"command\":\"touch x\"}\n@say ok"])
        .end();
    assert!(again.code == 0 && place.project().join("x").exists(), "{}", again.err);
}

#[test]
fn the_prompt_is_arguments_and_stdin() {
    let place = Place::new();
    assert_eq!(place.run(&["-q"]).stdin("@say from stdin\n").end().out, "from stdin\n");
    assert_eq!(place.run(&["-q", "@say", "from", "words"]).end().out, "from words\n");
    let both = place.run(&["-q", "see", "this:"]).stdin("@say both\n").end();
    assert_eq!(both.out, "both\n");
    let none = place.run(&[]).end();
    assert_eq!((none.code, none.out.as_str()), (2, ""));
    assert!(none.err.starts_with("aqueduct: no prompt"), "{}", none.err);
}

#[test]
fn json_is_the_result_as_it_came() {
    let place = Place::new();
    let left = place.run(&["-o", "json", "@say hi"]).end();
    let result: Value = serde_json::from_str(&left.out).expect("one object and nothing else");
    assert_eq!((left.code, &result["type"], &result["result"]), (0, &json!("result"), &json!("hi")));
    assert!(left.out.ends_with("}\n") && left.out.lines().count() == 1);
}

#[test]
fn stream_json_is_every_frame_as_it_came() {
    let place = Place::new();
    let kinds = |arguments: &[&str]| -> Vec<String> {
        let left = place.run(arguments).end();
        assert_eq!((left.code, left.err.as_str()), (0, ""));
        let frames = left.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("a frame"));
        frames
            .map(|frame| match frame["subtype"].as_str() {
                Some(subtype) => format!("{}/{subtype}", frame["type"].as_str().unwrap()),
                None => frame["type"].as_str().unwrap().to_owned(),
            })
            .collect()
    };
    let whole = kinds(&["-o", "stream-json", "@say hi"]);
    assert_eq!(
        whole,
        [
            "control_response",
            "command_lifecycle",
            "command_lifecycle",
            "system/init",
            "assistant",
            "result/success",
            "command_lifecycle"
        ]
    );
    let partial = kinds(&["-o", "stream-json", "--include-partial-messages", "@say hi"]);
    assert!(partial.contains(&"stream_event".to_owned()));
}

#[test]
fn text_comes_as_it_is_written() {
    let place = Place::new();
    let mut child = crate::isolated(&mut Command::new(env!("CARGO_BIN_EXE_aqueduct")))
        .args(["run", "--agent", "builtin", "--no-ask", "@slow 1000 1"])
        .current_dir(place.project())
        .env("HOME", place.home())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut first = [0; 2];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"w0", "the run has hardly begun");
    // The reader has closed the pipe, and the run ends with its next output.
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_goes_wrong_has_an_exit_code() {
    let place = Place::new();
    let api = place.run(&["@fail 400 99 no"]).end();
    assert_eq!((api.code, api.out.as_str()), (1, ""));
    assert!(api.err.contains("aqueduct: the model's API failed: "), "{}", api.err);

    let limit = place
        .run(&["--max-turns", "1", "--allowed-tools", "Bash", "@tool Bash {\"command\":\"true\"}\n@say x"])
        .end();
    assert_eq!(limit.code, 1);
    assert!(limit.err.contains("aqueduct: a limit was reached: "), "{}", limit.err);

    // A model that refuses is asked once more.
    let refused = place.run(&["@stop refusal\n@say No.\n@stop refusal\n@say Still no."]).end();
    assert_eq!(refused.code, 1);

    let agent = place.run(&["--agent", "/no/such/agent", "hi"]).end();
    assert_eq!(agent.code, 2);
    assert_eq!(
        agent.err,
        "aqueduct: can't start /no/such/agent: No such file or directory (os error 2). \
         See whether the file is there\n"
    );

    let folder = place.run(&["--cwd", "/no/such/folder", "hi"]).end();
    assert_eq!(folder.code, 2);
    assert_eq!(
        folder.err,
        "aqueduct: can't work in /no/such/folder: No such file or directory (os error 2)\n"
    );
    let mode = place.run(&["--permission-mode", "yolo", "hi"]).end();
    assert!(mode.code == 2 && mode.err.contains("the modes are default, acceptEdits"), "{}", mode.err);
}

#[test]
fn an_agent_that_dies_is_reported_with_its_last_words() {
    let place = Place::new();
    let answer =
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"ID","response":{}}}"#;
    let script = format!(
        r#"read -r line; id=${{line#*\"request_id\":\"}}; id=${{id%%\"*}}; answer='{answer}'; echo "${{answer/ID/$id}}"
        read -r prompt; printf 'out of \033[31mmemory\n' >&2; exit 7"#
    );
    let agent = place.script("agent", &script);
    let left = place.run(&["--agent", agent.to_str().unwrap(), "hi"]).end();
    assert_eq!((left.code, left.out.as_str()), (1, ""));
    assert!(
        left.err.ends_with("aqueduct: the agent ended with exit code 7: out of \\x1b[31mmemory\n"),
        "{}",
        left.err
    );
}

#[test]
fn a_conversation_is_resumed() {
    let place = Place::new();
    let session = |left: &str| serde_json::from_str::<Value>(left).unwrap()["session_id"].clone();
    let first = place.run(&["-o", "json", "@say one"]).end();
    let next = place.run(&["-o", "json", "--continue", "@say two"]).end();
    assert_eq!(session(&first.out), session(&next.out));
    let id = session(&first.out);
    let resumed = place.run(&["-o", "json", "--resume", id.as_str().unwrap(), "@say three"]).end();
    assert_eq!(session(&resumed.out), id);
    let forked =
        place.run(&["-o", "json", "--resume", id.as_str().unwrap(), "--fork-session", "@say four"]).end();
    assert_ne!(session(&forked.out), id);
    let unknown = place.run(&["--resume", "11111111-1111-4111-8111-111111111111", "hi"]).end();
    assert!(unknown.code != 0 && unknown.out.is_empty(), "{unknown:?}");
}

#[test]
fn auto_is_the_reference_where_it_is_on_the_path() {
    let place = Place::new();
    let own = env!("CARGO_BIN_EXE_aqueduct");
    place.script("bin/claude", &format!("exec {own} agent \"$@\""));
    let path = format!("{}:/usr/bin:/bin", place.aside("bin").display());
    let left = place.run(&["--agent", "auto", "@say hi"]).env("PATH", &path).end();
    assert_eq!((left.code, left.out.as_str()), (0, "hi\n"));
    assert!(left.err.starts_with("· claude 2.1.325 · scripted · mode default · "), "{}", left.err);

    let left = place.run(&["--agent", "auto", "@say hi"]).env("PATH", "/usr/bin:/bin").end();
    assert!(left.err.contains("· built-in agent 2.1.325 · "), "{}", left.err);
    assert!(
        left.err.starts_with("! no key and no address of an API is set: the scripted demo model answers\n")
    );
    let left =
        place.run(&["@say hi"]).env("ANTHROPIC_API_KEY", "none").env("ANTHROPIC_MODEL", "scripted").end();
    assert!(left.err.starts_with("· built-in agent"), "{}", left.err);
}

#[test]
fn sigterm_ends_the_run_and_the_agent() {
    let place = Place::new();
    let pid_file = place.aside("pid");
    let own = env!("CARGO_BIN_EXE_aqueduct");
    let agent = place.script("agent", &format!("echo $$ > {}\nexec {own} agent \"$@\"", pid_file.display()));
    let mut child = crate::isolated(&mut Command::new(own))
        .args(["run", "--no-ask", "--agent", agent.to_str().unwrap(), "@slow 1000 1"])
        .current_dir(place.project())
        .env("HOME", place.home())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.fill_buf().unwrap();
    let agent: u32 = fs::read_to_string(&pid_file).unwrap().trim().parse().unwrap();
    assert!(is_alive(agent));
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert!(!is_alive(agent));
}
