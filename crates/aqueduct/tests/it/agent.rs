//! `aqueduct agent` is the agent, with everything that follows.

use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{aqueduct, run};

/// The agent in a project and a home of its own, with nothing else in the environment.
fn agent(place: &TempDir, program: Command, arguments: &[&str]) -> Command {
    let mut command = program;
    command
        .args(arguments)
        .current_dir(place.path())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", place.path().join("home"));
    command
}

#[test]
fn it_answers_a_prompt() {
    let place = tempfile::tempdir().unwrap();
    let answered = run(&mut agent(&place, aqueduct(&["agent"]), &["-p", "@say hi", "--model", "scripted"]));
    assert_eq!((answered.code, answered.out.as_str(), answered.err.as_str()), (0, "hi\n", ""));
}

#[test]
fn commands_have_their_guard() {
    let place = tempfile::tempdir().unwrap();
    let call = format!("@tool Bash {}", json!({ "command": "cat /proc/$PPID/comm; exit 3" }));
    let arguments =
        ["-p", &call, "--model=scripted", "--allowedTools", "Bash", "--output-format=json", "--verbose"];
    let answered = run(&mut agent(&place, aqueduct(&["agent"]), &arguments));
    let frames: Vec<Value> = serde_json::from_str(&answered.out).expect(&answered.err);
    let result = frames.iter().find(|frame| frame["tool_use_result"].is_string() || frame["type"] == "user");
    let text = result.expect("the answer of the tool")["message"]["content"][0]["content"].to_string();
    assert!(text.contains("Exit code 3") && text.contains("aqueduct-guard"), "{text}");
}

/// An upgrade replaces the program's file while agents run.
#[cfg(target_os = "linux")]
#[test]
fn commands_run_after_the_program_is_gone() {
    let place = tempfile::tempdir().unwrap();
    let copy = place.path().join("aqueduct");
    std::fs::copy(env!("CARGO_BIN_EXE_aqueduct"), &copy).unwrap();
    let script = format!(
        "@tool Bash {}\n@tool Bash {}",
        json!({ "command": format!("rm {}", copy.display()) }),
        json!({ "command": "echo still $((40 + 2))" })
    );
    let arguments = ["agent", "-p", &script, "--model", "scripted", "--dangerously-skip-permissions"];
    let answered = run(&mut agent(&place, Command::new(&copy), &arguments));
    assert_eq!((answered.code, answered.out.as_str()), (0, "after: still 42\n"), "{}", answered.err);
    assert!(!copy.exists());
}

#[test]
fn its_command_line_is_its_own() {
    let place = tempfile::tempdir().unwrap();
    let say = |arguments: &[&str]| run(&mut agent(&place, aqueduct(&["agent"]), arguments));
    let help = say(&["--help"]);
    assert!(help.out.contains("--permission-prompt-tool") && help.code == 0, "{}", help.out);
    assert!(say(&["--version"]).out.ends_with(concat!("(Aqueduct ", env!("CARGO_PKG_VERSION"), ")\n")));
    let unknown = say(&["--from-the-future", "-p", "@say hi", "--model", "scripted"]);
    assert_eq!((unknown.code, unknown.out.as_str()), (0, "hi\n"));
    assert_eq!(unknown.err, "Warning: unknown option --from-the-future: ignored\n");
    assert_eq!(say(&["-p", "--model", "scripted", "--", "@say --version"]).out, "--version\n");
    let wrong = say(&["-p", "x", "--output-format", "xml"]);
    assert_eq!((wrong.code, wrong.out.as_str()), (1, ""));
}

#[test]
fn the_help_of_the_program_names_it() {
    assert!(run(&mut aqueduct(&["--help"])).out.contains("\n  agent "));
    let help = run(&mut aqueduct(&["help", "agent"]));
    assert!(help.out.contains("aqueduct agent --help"), "{}", help.out);
}
