//! Code that a command plants for the next git command outside.

use std::path::Path;
use std::process::Command;

use aqueduct_testing::{Missing, has_git, require, wait_until};
use serde_json::{Value, json};

use super::{By, call, place, result, run, start, start_bold};
use crate::host::Place;

/// Git as the user runs it in a terminal; what it prints.
fn git(place: &Place, folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", place.home().join("missing"))
        .envs([("GIT_AUTHOR_NAME", "Ada"), ("GIT_AUTHOR_EMAIL", "ada@example.com")])
        .envs([("GIT_COMMITTER_NAME", "Ada"), ("GIT_COMMITTER_EMAIL", "ada@example.com")])
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A project with a repository and a submodule, and a program that leaves a trace when it runs outside the sandbox.
fn project(by: By, sandbox: Value) -> Result<Place, Missing> {
    has_git()?;
    let place = place(by, sandbox)?;
    let project = place.project();
    let trap = format!("#!/bin/sh\necho \"$0\" >> {}\n", place.home().join("trace").display());
    place.write("evil", &trap);
    git(&place, &project, &["init", "-q", "-b", "main"]);
    git(&place, &project, &["commit", "-q", "--allow-empty", "-m", "first"]);
    let module = project.join(".git/modules/own");
    std::fs::create_dir_all(&module).unwrap();
    git(&place, &project, &["init", "-q", "own", "--separate-git-dir", &module.display().to_string()]);
    place.write("own/file", "1");
    git(&place, &project.join("own"), &["add", "file"]);
    git(&place, &project.join("own"), &["commit", "-q", "-m", "inner"]);
    git(&place, &project, &["add", "own"]);
    git(&place, &project, &["commit", "-q", "-m", "second"]);
    Ok(place)
}

/// What commands plant. `E` is a program that leaves a trace.
const PLANTS: &[&str] = &[
    "git config --file .git/modules/own/config core.fsmonitor $E",
    "mkdir -p .git/modules/own/hooks; cp $E .git/modules/own/hooks/post-index-change",
    "git init -q sub; git -C sub config core.fsmonitor $E; git -C sub $ID commit -q --allow-empty -m x; git add sub",
    "git init -q a/b/c/sub; echo 1 > a/b/c/sub/file; git -C a/b/c/sub add file; git -C a/b/c/sub $ID commit -q -m x; cp $E a/b/c/sub/.git/hooks/post-index-change; git add a",
    "git init -q --bare sub; git -C sub config core.bare false; git -C sub config core.worktree .; git -C sub config core.fsmonitor $E",
    "mkdir sub; git init -q $TMPDIR/r; git -C $TMPDIR/r config core.fsmonitor $E; echo gitdir: $TMPDIR/r/.git > sub/.git",
    "mkdir sub; git init -q r; git -C r config core.fsmonitor $E; ln -s ../r/.git sub/.git; git add sub",
    "git init -q sub; git -C sub config core.worktree ..; git -C sub config core.fsmonitor $E",
    "mv .git .git2; git init -q; git config core.fsmonitor $E; rm -rf .git2; true",
    "mkdir x; printf '[core]\\nfsmonitor=%s\\n' $E > x/config; mkdir x/objects x/refs; echo ref: refs/heads/x > x/HEAD; mkdir sub; mv x sub/.git; git add sub",
    "git init -q sub; printf '[include]\\npath=../../conf\\n' >> sub/.git/config; printf '[core]\\nfsmonitor=%s\\n' $E > conf",
    "git config extensions.worktreeConfig true; git worktree add -q sub; printf '[core]\\nfsmonitor=%s\\n' $E > .git/worktrees/sub/config.worktree",
    "printf '[core]\\nfsmonitor=%s\\n' $E > .git/config.worktree; git config extensions.worktreeConfig true",
    "git init -q sub; (sleep 0.2; git -C sub config core.fsmonitor $E) & ",
];

/// Runs `git status` and `git diff` in every folder, as the user would.
fn look(place: &Place) {
    let project = place.project();
    for folder in ["", "sub", "own", "a/b/c/sub", "r"] {
        let folder = project.join(folder);
        if folder.is_dir() {
            // Git writes the index again for a file that was touched.
            if let Ok(file) = std::fs::File::options().append(true).open(folder.join("file")) {
                file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
            }
            git(place, &folder, &["status"]);
            git(place, &folder, &["diff"]);
        }
    }
}

fn plant(by: By) {
    for plant in PLANTS {
        let place = require!(project(by, json!({ "enabled": true })));
        let evil = place.project().join("evil");
        let mut host = start_bold(&place);
        let command =
            format!("chmod +x evil; E={}; ID='-c user.name=a -c user.email=a@b'; {plant}", evil.display());
        run(&mut host, &command);
        // What is still running ends with the agent, or before.
        if plant.contains('&') && plant.contains("sleep") {
            host.end();
        } else {
            look(&place);
            assert!(!place.home().join("trace").exists(), "{plant}");
            host.end();
        }
        look(&place);
        assert!(!place.home().join("trace").exists(), "{plant}");
    }
}

#[test]
fn nothing_planted_runs_after_bubblewrap() {
    plant(By::Bubblewrap);
}

#[test]
fn nothing_planted_runs_after_landlock() {
    plant(By::Landlock);
}

#[test]
fn user_and_model_are_notified_and_what_is_harmless_stays() {
    let place = require!(project(By::Bubblewrap, json!({ "enabled": true })));
    let mut host = start_bold(&place);
    let (well, text) =
        run(&mut host, "git init -q plain && git -C plain config user.name Ada && git -C own status");
    assert!(well && !text.contains("<sandbox>"), "{text}");
    assert!(place.read("plain/.git/config").unwrap().contains("Ada"));
    let input = json!({ "command": "git init -q sub; git -C sub config core.fsmonitor ./evil" });
    host.say(&format!("@tool Bash {input}\n@say done"));
    let frames = host.turn();
    let reported = |frame: &&Value| {
        frame["subtype"] == "informational" && frame["content"].to_string().contains("sub/.git")
    };
    assert!(frames.iter().any(|frame| reported(&frame)), "{frames:#?}");
    let text = result(&frames)["content"].to_string();
    assert!(text.contains("core.fsmonitor") && text.contains("quarantine"), "{text}");
    host.end();
    assert!(place.home().join(".claude/sandbox/quarantine/1/note.txt").exists());
    assert!(!place.read("sub/.git/config").unwrap().contains("fsmonitor"));
}

#[test]
fn a_background_command_is_checked_before_one_that_runs_outside() {
    let place = require!(project(By::Bubblewrap, json!({ "enabled": true })));
    let mut host = start(&place, &["--dangerously-skip-permissions"]);
    let plants = "git init -q sub; git -C sub config core.fsmonitor $PWD/evil; touch ready; sleep 1000";
    call(&mut host, &json!({ "command": plants, "run_in_background": true }));
    let outside = "while [ ! -e ready ]; do sleep 0.02; done";
    call(&mut host, &json!({ "command": outside, "dangerouslyDisableSandbox": true }));
    call(&mut host, &json!({ "command": "git -C sub status", "dangerouslyDisableSandbox": true }));
    assert!(!place.home().join("trace").exists());
    host.ask(&json!({ "subtype": "end_session" }));
    host.end();
}

#[test]
fn an_agent_that_is_killed_leaves_the_check_to_the_next() {
    let place = require!(project(By::Bubblewrap, json!({ "enabled": true })));
    let mut host = start_bold(&place);
    let command = "git init -q sub; git -C sub config core.fsmonitor $PWD/evil; touch ready; sleep 1000";
    host.say(&format!("@tool Bash {}", json!({ "command": command })));
    wait_until("the command has planted something", || place.project().join("ready").exists());
    host.kill();
    let output = super::command(&place, &["-p", "/status"]).output().unwrap();
    let reported = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(reported.contains("sub/.git"), "{reported}");
    look(&place);
    assert!(!place.home().join("trace").exists());
}

#[test]
fn many_folders_are_checked() {
    let place = require!(project(By::Bubblewrap, json!({ "enabled": true })));
    let mut host = start_bold(&place);
    let many = "mkdir -p many/{0..99}/{0..99}; git init -q many/99/99/sub; git -C many/99/99/sub config core.pager x";
    let (_, text) = run(&mut host, many);
    assert!(text.contains("core.pager"), "{text}");
    host.end();
}
