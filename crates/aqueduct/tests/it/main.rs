//! Every command, run for real.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod agent;
mod bridge;
mod check;
mod completions;
mod console;
mod doctor;
mod gemini;
mod keeper;
mod record;
mod replay;
mod rules;
mod run;
mod run_keys;
mod run_markdown;
mod run_page;
mod run_terminal;
mod scripted_api;
mod sdk;
mod sdk_builders;
mod serve;
mod sessions;
mod sessions_page;
mod systemd_unit;
mod terminal;
mod trust;
mod view;

use std::process::{Command, Stdio};

use assert_cmd::cargo::CommandCargoExt;

/// The program, without anything of the environment that changes what it prints or does.
fn aqueduct(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("aqueduct").expect("the program is built");
    isolated(&mut command).args(arguments).env("COLUMNS", "100").stdin(Stdio::null());
    command
}

/// A command that inherits nothing but the search path: no keys, no proxies, no locale, no home.
fn isolated(command: &mut Command) -> &mut Command {
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.env_clear().env("PATH", path).env("LC_ALL", "C.UTF-8")
}

/// Sends a signal. The shell has `kill` built in; the program of that name is not on every machine.
fn kill(signal: &str, process: u32) {
    let script = format!("kill -s {signal} {process}");
    let sent = Command::new("sh").args(["-c", &script]).status().expect("sh runs");
    assert!(sent.success(), "{script}");
}

/// A run that has ended: exit code, stdout, stderr.
struct Run {
    code: i32,
    out: String,
    err: String,
}

fn run(command: &mut Command) -> Run {
    let output = command.output().expect("the program runs");
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Writes a file into a fresh directory.
fn file(directory: &tempfile::TempDir, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = directory.path().join(name);
    std::fs::write(&path, text).expect("the file can be written");
    path.to_str().expect("the path is text").to_owned()
}

#[test]
fn help_states_what_to_do() {
    for command in [
        &["wire", "check", "--help"][..],
        &["wire", "view", "--help"],
        &["record", "--help"],
        &["replay", "--help"],
        &["scripted-api", "--help"],
        &["sessions", "list", "--help"],
        &["sessions", "show", "--help"],
        &["sessions", "search", "--help"],
        &["sessions", "export", "--help"],
        &["sessions", "rename", "--help"],
        &["sessions", "tag", "--help"],
        &["sessions", "fork", "--help"],
        &["sessions", "rm", "--help"],
        &["run", "--help"],
        &["serve", "--help"],
        &["stop", "--help"],
        &["backup", "--help"],
        &["restore", "--help"],
        &["prune", "--help"],
        &["pair", "--help"],
        &["devices", "--help"],
        &["token", "new", "--help"],
        &["token", "list", "--help"],
        &["token", "revoke", "--help"],
        &["doctor", "--help"],
        &["completions", "--help"],
        &["systemd-unit", "--help"],
    ] {
        let run = run(&mut aqueduct(command));
        assert_eq!(run.code, 0);
        assert!(run.out.contains("Examples:") && run.out.contains("Exit code:"), "{}", run.out);
    }
}

#[test]
fn no_test_file_is_forgotten() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let main = include_str!("main.rs");
    for entry in std::fs::read_dir(here).expect("the directory is there") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        if let Some(module) = name.strip_suffix(".rs").filter(|module| *module != "main") {
            assert!(main.contains(&format!("mod {module};")), "tests/it/{name} is not part of the tests");
        }
    }
}
