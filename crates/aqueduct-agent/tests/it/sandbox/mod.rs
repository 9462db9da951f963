//! The sandbox for commands, with bubblewrap and with Landlock.
//!
//! Where a machine has only one of them, the tests of the other are skipped.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use aqueduct_testing::{Missing, Requirement, wait_until};
use serde_json::{Value, json};

use crate::host::{Host, Place};

mod end;
mod escape;
mod files;
mod kept;
mod network;
mod permission;
mod planted;
mod session;

/// The sandbox that confines commands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Bubblewrap,
    Landlock,
}

/// A place with a sandbox.
///
/// # Errors
///
/// If this machine has no such sandbox.
fn place(by: By, sandbox: Value) -> Result<Place, Missing> {
    let place = Place::new();
    if by == By::Landlock {
        // A `bwrap` that always fails comes first in `PATH`.
        place.write_home("bin/bwrap", "#!/bin/sh\necho nothing works here >&2\nexit 1\n");
        let program = place.home().join("bin/bwrap");
        std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    place.write_home(".claude/settings.json", &json!({ "sandbox": sandbox }).to_string());
    let output = command(&place, &["-p", "/status"]).output().unwrap();
    let status = String::from_utf8_lossy(&output.stdout).into_owned();
    let (requirement, line) = match by {
        By::Bubblewrap => (Requirement::Bubblewrap, "Sandbox: on, by /"),
        By::Landlock => (Requirement::Landlock, "Sandbox: on, by Landlock"),
    };
    if status.contains(line) {
        return Ok(place);
    }
    let reason = status.lines().find(|line| line.starts_with("Sandbox"));
    let reason = reason.unwrap_or_else(|| panic!("/status has no line about the sandbox: {output:?}"));
    Err(Missing::new(requirement, reason))
}

/// The agent's command line; in a place for Landlock, with the bubblewrap that does not work.
fn command(place: &Place, arguments: &[&str]) -> std::process::Command {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = place.command(arguments);
    command.env("PATH", format!("{}:{path}", place.home().join("bin").display()));
    command
}

/// Starts the agent with frames.
fn start(place: &Place, arguments: &[&str]) -> Host {
    let streaming = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    let all: Vec<&str> = streaming.into_iter().chain(arguments.iter().copied()).collect();
    Host::start(command(place, &all))
}

/// The same where nothing is asked.
fn start_bold(place: &Place) -> Host {
    start(place, &["--dangerously-skip-permissions"])
}

/// Runs a command: whether it succeeded, and the result for the model.
fn run(host: &mut Host, command: &str) -> (bool, String) {
    let (result, text) = call(host, &json!({ "command": command }));
    (result["is_error"] != true, text)
}

/// Makes a call that sends no permission request; returns the result's block and its text.
fn call(host: &mut Host, input: &Value) -> (Value, String) {
    host.say(&format!("@tool Bash {input}\n@say done"));
    let frames = host.turn();
    assert!(
        frames.iter().all(|frame| frame["type"] != "control_request"),
        "{input} is asked about: {frames:#?}"
    );
    let result = result(&frames);
    let text = result["content"].as_str().unwrap_or_else(|| panic!("text: {result}")).to_owned();
    (result, text)
}

fn result(frames: &[Value]) -> Value {
    let blocks = frames.iter().filter(|frame| frame["type"] == "user");
    let mut blocks = blocks.flat_map(|frame| frame["message"]["content"].as_array().into_iter().flatten());
    blocks
        .find(|block| block["type"] == "tool_result")
        .unwrap_or_else(|| panic!("a result: {frames:#?}"))
        .clone()
}

/// Whether a process with this in its command line is there.
fn is_running(word: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.into_iter().any(|line| line.split(|byte| *byte == 0).any(|own| own == word.as_bytes()))
}

/// A sleep duration that identifies a command among all processes: no other process uses it.
fn long(number: u32) -> String {
    format!("9876{number}.{}", std::process::id())
}

/// Waits for such a command to begin.
fn begins(word: &str) {
    wait_until("the command runs", || is_running(word));
}

/// All paths in a folder.
fn everything(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        found.push(entry.path().display().to_string());
        if entry.file_type().unwrap().is_dir() {
            found.extend(everything(&entry.path()));
        }
    }
    found.sort();
    found
}
