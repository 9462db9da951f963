//! `aqueduct rules`: explanations and listings, with settings files where they really are.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A home and a project with settings in both.
fn world() -> tempfile::TempDir {
    let world = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = world.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write(
        "config/settings.json",
        r#"{ "permissions": { "allow": ["Bash(make:*)"], "deny": ["Bash(git push:*)"] } } // mine"#,
    );
    write(
        "project/.claude/settings.json",
        r#"{ "permissions": { "allow": ["Bash(just:*)"], "ask": ["Bash(make deploy:*)"] } }"#,
    );
    write(
        "project/.claude/settings.local.json",
        r#"{ "permissions": { "allow": ["Bash(npm:*)", "Bash(broken"] } }"#,
    );
    world
}

fn run(world: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_aqueduct"))
        .args(["rules"])
        .args(args)
        .arg("--cwd")
        .arg(world.join("project"))
        .env("CLAUDE_CONFIG_DIR", world.join("config"))
        .env("HOME", world.join("home"))
        .output()
        .expect("the program runs")
}

fn explain(world: &Path, command: &str, more: &[&str]) -> Value {
    let input = serde_json::json!({ "command": command }).to_string();
    let args = [&["explain", "--tool", "Bash", "--input", &input, "--json"], more].concat();
    let output = run(world, &args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON on stdout and nothing else")
}

#[test]
fn settings_are_found_where_they_are() {
    let world = world();
    let decision = |command| explain(world.path(), command, &[])["decision"].clone();
    assert_eq!(decision("make"), "allow");
    assert_eq!(decision("make deploy"), "ask");
    assert_eq!(decision("git push"), "deny");
    assert_eq!(decision("npm test"), "ask", "a repository can bring the local file, too");
    assert_eq!(decision("just"), "ask", "the project is not trusted");
    assert_eq!(explain(world.path(), "npm test", &["--trust"])["decision"], "allow");
    assert_eq!(explain(world.path(), "just", &["--trust"])["decision"], "allow");
    assert_eq!(explain(world.path(), "make", &["--no-found-settings"])["decision"], "ask");
    assert_eq!(explain(world.path(), "tsc", &["--allow", "Bash(tsc)"])["decision"], "allow");
    assert_eq!(explain(world.path(), "touch a", &["--mode", "acceptEdits"])["decision"], "allow");
}

#[test]
fn trust_is_for_one_folder_and_kept_in_one_place() {
    let world = world();
    let project = world.path().join("project").canonicalize().expect("the project");
    let decision = |file: &str, folder: &Path| {
        let records = serde_json::json!({ "projects": { folder.to_string_lossy(): { "hasTrustDialogAccepted": true } } });
        let path = world.path().join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, records.to_string()).expect("a file");
        let decision = explain(world.path(), "just", &[])["decision"].clone();
        fs::remove_file(path).expect("the file is gone");
        decision
    };
    assert_eq!(decision("config/.claude.json", &project), "allow");
    assert_eq!(decision("config/.claude.json", project.parent().expect("a parent")), "ask", "a folder above");
    assert_eq!(decision("home/.claude.json", &project), "ask", "a variable names another folder");
}

#[test]
fn an_explanation_has_reason_trace_and_suggestions() {
    let world = world();
    let found = explain(world.path(), "cargo build", &[]);
    assert_eq!(found["decision"], "ask");
    assert!(found["reason"].is_string() && found["trace"].is_array());
    assert_eq!(found["suggestions"][0]["rules"][0]["ruleContent"], "cargo build *");
}

#[cfg(unix)]
#[test]
fn links_are_resolved() {
    let world = world();
    std::os::unix::fs::symlink("/etc/hostname", world.path().join("project/link")).expect("a link");
    assert_eq!(explain(world.path(), "cat link", &[])["decision"], "ask");
    // What a wildcard may match is resolved as well.
    assert_eq!(explain(world.path(), "cat li*", &[])["decision"], "ask");
    assert_eq!(explain(world.path(), "cat *.md", &[])["decision"], "allow");
}

#[test]
fn rules_are_listed_with_their_sources() {
    let world = world();
    let output = run(world.path(), &["list", "--json"]);
    let listing: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rules = listing["rules"].as_array().expect("rules");
    let of = |rule: &str| rules.iter().find(|entry| entry["rule"] == rule).expect("the rule").clone();
    assert_eq!(of("Bash(make:*)")["source"], "userSettings");
    assert_eq!(of("Bash(just:*)")["notInEffect"], "the project folder is not trusted");
    assert!(of("Bash(broken")["error"].is_string());
    assert!(listing["errors"][0].as_str().expect("an error").contains("permissions.allow[1]"));
}

#[test]
fn errors_are_reported_in_one_line() {
    let world = world();
    for args in [&["explain", "--tool", "Bash", "--input", "{"][..], &["list", "--settings", "missing.json"]]
    {
        let output = run(world.path(), args);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            String::from_utf8_lossy(&output.stderr).lines().filter(|line| !line.contains("warning")).count(),
            1
        );
    }
    let output = run(world.path(), &["list", "--mode", "auto"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("not supported here"));
}
