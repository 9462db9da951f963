//! Worktrees of sessions and subagents.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use aqueduct_testing::{Missing, has_git, require};
use serde_json::{Value, json};

use crate::hook_commands::command;
use crate::host::{Place, STREAM, find, lines, tool_results};

const PWD: &str = "@tool Bash {\"command\":\"pwd\"}\n@say done";

/// Runs git without the machine's configuration, and returns what it prints.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .expect("git");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A project that is a repository with one commit.
fn repository() -> Result<Place, Missing> {
    has_git()?;
    let place = Place::new();
    place.write("a.txt", "x\n");
    place.write("sub/b.txt", "y\n");
    place.write(".gitignore", ".env\nnode_modules\n");
    git(&place.project(), &["init", "-q"]);
    git(&place.project(), &["add", "."]);
    git(&place.project(), &["commit", "-qm", "first"]);
    Ok(place)
}

fn worktree(place: &Place, name: &str) -> PathBuf {
    place.project().join(".claude/worktrees").join(name)
}

/// One prompt in a session with these arguments; its frames.
fn run(place: &Place, prompt: &str, arguments: &[&str]) -> Vec<Value> {
    let mut host = place.start(&[&["--allowed-tools", "Bash"], arguments].concat());
    host.say(prompt);
    let frames = host.turn();
    host.end();
    frames
}

fn printed(frames: &[Value]) -> String {
    tool_results(frames)[0]["content"].as_str().unwrap_or_default().to_owned()
}

/// The error output of a start that fails.
fn refused(place: &Place, arguments: &[&str]) -> String {
    let output = place.command(&[STREAM, arguments].concat()).output().expect("the agent");
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn agent(prompt: &str, more: &Value) -> String {
    let mut input = json!({ "description": "d", "prompt": prompt, "run_in_background": false });
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    format!("@tool Agent {input}\n@say done")
}

#[test]
fn a_session_works_in_a_worktree_that_stays() {
    let place = require!(repository());
    place.write(".env", "SECRET=1");
    place.write(".worktreeinclude", ".env\n");
    place.write("node_modules/x", "1");
    let settings = json!({ "worktree": { "symlinkDirectories": ["node_modules", "../home"] } });
    place.write_home(".claude/settings.json", &settings.to_string());
    let frames = run(&place, PWD, &["--worktree", "feat/one"]);
    let folder = worktree(&place, "feat+one");
    assert_eq!(find(&frames, "system")["cwd"], folder.to_str().unwrap());
    assert_eq!(printed(&frames), folder.to_str().unwrap());
    assert_eq!(git(&folder, &["branch", "--show-current"]).trim(), "worktree-feat+one");
    assert_eq!(std::fs::read_to_string(folder.join(".env")).unwrap(), "SECRET=1");
    assert!(folder.join("node_modules").is_symlink() && !folder.join("home").exists());
    // The conversation is kept for the worktree, and knows where it came from.
    let session = frames.last().unwrap()["session_id"].as_str().unwrap().to_owned();
    assert!(!place.transcript(&session).exists());
    let projects = place.home().join(".claude/projects");
    let files = std::fs::read_dir(projects)
        .unwrap()
        .flatten()
        .map(|entry| entry.path().join(format!("{session}.jsonl")));
    let file = { files }.find(|file| file.exists()).expect("a transcript");
    let state = &lines(&file)[0];
    assert_eq!(
        (&state["type"], &state["worktreeSession"]["worktreeName"]),
        (&json!("worktree-state"), &json!("feat/one"))
    );
    assert_eq!(state["worktreeSession"]["originalCwd"], place.project().to_str().unwrap());

    // It is used again as it is, and resumed from the main checkout.
    std::fs::write(folder.join("a.txt"), "changed\n").unwrap();
    let again = run(&place, "@tool Bash {\"command\":\"cat a.txt\"}\n@say done", &["-w", "feat/one"]);
    assert_eq!(printed(&again), "changed");
    let resumed = run(&place, PWD, &["--resume", &session]);
    assert_eq!(printed(&resumed), folder.to_str().unwrap());
    git(&place.project(), &["worktree", "remove", "-f", "-f", folder.to_str().unwrap()]);
    let resumed = run(&place, PWD, &["--resume", &session]);
    assert_eq!(printed(&resumed), place.project().to_str().unwrap());
}

#[test]
fn a_worktree_without_a_given_name_gets_one() {
    let place = require!(repository());
    let frames = run(&place, "@say done", &["--worktree"]);
    let cwd = find(&frames, "system")["cwd"].as_str().unwrap().to_owned();
    assert_eq!(Path::new(&cwd).parent().unwrap(), place.project().join(".claude/worktrees"));
}

#[test]
fn an_invalid_worktree_is_reported_before_the_session_begins() {
    let place = require!(repository());
    for (name, why) in
        [("..", "it has the part"), ("a//b", "Use letters"), (".git", "git's own"), ("", "Use letters")]
    {
        let error = refused(&place, &[&format!("--worktree={name}")]);
        assert!(error.contains("Error creating worktree: ") && error.contains(why), "{error}");
    }
    std::fs::create_dir_all(worktree(&place, "taken")).unwrap();
    assert!(refused(&place, &["--worktree", "taken"]).contains("is not a worktree of this repository"));
    assert!(refused(&Place::new(), &["--worktree", "a"]).contains("is not in a git repository"));
    let empty = Place::new();
    git(&empty.project(), &["init", "-q"]);
    assert!(refused(&empty, &["--worktree", "a"]).contains("no commit to begin with"));
    assert!(refused(&place, &["--worktree", "a", "--tmux"]).contains("--tmux is not supported"));
}

#[test]
fn a_repository_runs_nothing_and_leads_nowhere() {
    let place = require!(repository());
    let project = place.project();
    let trace = project.join("ran");
    for hook in ["post-checkout", "post-index-change"] {
        let file = project.join(".git/hooks").join(hook);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, format!("#!/bin/sh\ntouch {}\n", trace.display())).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let program = format!("touch {}; cat", trace.display());
    git(&project, &["config", "filter.evil.smudge", &program]);
    git(&project, &["config", "filter.evil.clean", &program]);
    git(&project, &["config", "core.fsmonitor", &program]);
    place.write(".gitattributes", "*.txt filter=evil\n");
    git(&project, &["-c", "core.fsmonitor=false", "-c", "filter.evil.clean=", "add", ".gitattributes"]);
    git(
        &project,
        &["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "commit", "-qm", "second"],
    );
    let _ = std::fs::remove_file(&trace);
    let frames = run(&place, &agent("@say hi", &json!({ "isolation": "worktree" })), &["--worktree", "safe"]);
    assert_eq!(frames.last().unwrap()["result"], "done");
    assert!(worktree(&place, "safe").join("a.txt").exists() && !trace.exists());

    // A committed link must not take the checkout elsewhere.
    let place = require!(repository());
    let outside = place.home().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::create_dir(place.project().join(".claude")).unwrap();
    symlink(&outside, place.project().join(".claude/worktrees")).unwrap();
    assert!(refused(&place, &["--worktree", "a"]).contains("is a link or no folder"));
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn a_hook_makes_the_worktree_in_git_s_place() {
    let place = Place::new();
    let made = place.home().join("made");
    let create = format!("cat > '{0}.json'; mkdir -p '{0}'; echo making; echo '{0}'", made.display());
    place.hook(&json!({ "WorktreeCreate": command(&create) }));
    let frames = run(&place, PWD, &["--worktree", "mine"]);
    assert_eq!(printed(&frames), made.to_str().unwrap());
    let input: Value =
        serde_json::from_str(&std::fs::read_to_string(place.home().join("made.json")).unwrap()).unwrap();
    assert_eq!((&input["hook_event_name"], &input["name"]), (&json!("WorktreeCreate"), &json!("mine")));
    assert_eq!(input["cwd"], place.project().to_str().unwrap());
    assert_eq!(input["session_id"], frames.last().unwrap()["session_id"]);
    for (command_line, why) in [
        ("echo oops >&2; exit 1", "oops"),
        ("true", "returned no folder"),
        ("echo /nonexistent", "is not a folder"),
    ] {
        place.hook(&json!({ "WorktreeCreate": command(command_line) }));
        let error = refused(&place, &["--worktree", "mine"]);
        assert!(error.contains(why), "{error}");
    }
    // A hook of a folder that the user does not trust does not run.
    let place = Place::new();
    place.write(
        ".claude/settings.json",
        &json!({ "hooks": { "WorktreeCreate": command("touch ran; echo .") } }).to_string(),
    );
    assert!(refused(&place, &["--worktree", "mine"]).contains("is not in a git repository"));
    assert_eq!(place.read("ran"), None);
}

#[test]
fn an_isolated_subagent_leaves_nothing_but_its_changes() {
    let place = require!(repository());
    let script = "@tool Bash {\"command\":\"pwd; git branch --show-current\"}\n@say looked";
    let frames = run(&place, &agent(script, &json!({ "isolation": "worktree" })), &[]);
    let result =
        &frames.iter().rfind(|frame| frame["tool_use_result"].is_object()).unwrap()["tool_use_result"];
    assert_eq!(result["worktreePath"], Value::Null, "{result}");
    assert!(!git(&place.project(), &["branch"]).contains("worktree-"));
    assert_eq!(git(&place.project(), &["worktree", "list"]).lines().count(), 1);

    let script = "@tool Bash {\"command\":\"echo new > new.txt\"}\n@say changed";
    let agents =
        json!({ "apart": { "description": "d", "prompt": "p", "isolation": "worktree" } }).to_string();
    let arguments = ["--agents", agents.as_str(), "--dangerously-skip-permissions"];
    let frames = run(&place, &agent(script, &json!({ "subagent_type": "apart" })), &arguments);
    let result =
        &frames.iter().rfind(|frame| frame["tool_use_result"].is_object()).unwrap()["tool_use_result"];
    let folder = PathBuf::from(result["worktreePath"].as_str().unwrap());
    assert_eq!(std::fs::read_to_string(folder.join("new.txt")).unwrap(), "new\n");
    assert_eq!(place.read("new.txt"), None);
    let branch = result["worktreeBranch"].as_str().unwrap();
    assert!(
        git(&folder, &["branch", "--show-current"]).trim() == branch
            && branch.starts_with("worktree-agent-a")
    );
    // The worktree is not locked, so the user can remove it.
    git(&place.project(), &["worktree", "remove", "--force", folder.to_str().unwrap()]);

    let frames = run(&Place::new(), &agent("@say hi", &json!({ "isolation": "worktree" })), &[]);
    assert_eq!(tool_results(&frames)[0]["is_error"], true);
    let frames = run(&place, &agent("@say hi", &json!({ "isolation": "remote" })), &[]);
    assert_eq!(tool_results(&frames)[0]["is_error"], true);
}

#[test]
fn an_isolated_subagent_is_held_to_its_worktree_and_to_the_rules() {
    let place = require!(repository());
    place.write("secret.txt", "s\n");
    git(&place.project(), &["add", "."]);
    git(&place.project(), &["commit", "-qm", "secret"]);
    place.write_home(
        ".claude/settings.json",
        &json!({ "permissions": { "deny": ["Read(secret.txt)"] } }).to_string(),
    );
    let outside = place.project().join("made.txt");
    let script = format!(
        "@tool Write {}\n@tool Read {}\n@tool Write {}\n@say done",
        json!({ "file_path": "own.txt", "content": "1" }),
        json!({ "file_path": "secret.txt" }),
        json!({ "file_path": outside, "content": "made" }),
    );
    let arguments = ["--permission-mode", "acceptEdits"];
    let frames = run(&place, &agent(&script, &json!({ "isolation": "worktree" })), &arguments);
    let denied = frames.last().unwrap()["permission_denials"].as_array().unwrap().clone();
    let names: Vec<&str> = denied.iter().map(|call| call["tool_name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Read", "Write"], "{denied:#?}");
    assert!(!outside.exists());
}

#[test]
fn a_hook_removes_what_a_hook_made() {
    let place = require!(repository());
    let made = place.home().join("made");
    let create = format!("git worktree add -q --detach '{0}' && echo '{0}'", made.display());
    let remove = format!("cat > '{0}.json'; git worktree remove '{0}'", made.display());
    place.hook(&json!({ "WorktreeCreate": command(&create), "WorktreeRemove": command(&remove) }));
    let frames = run(&place, &agent("@say hi", &json!({ "isolation": "worktree" })), &[]);
    assert_eq!(frames.last().unwrap()["result"], "done");
    let input: Value =
        serde_json::from_str(&std::fs::read_to_string(place.home().join("made.json")).unwrap()).unwrap();
    assert_eq!(input["worktree_path"], made.to_str().unwrap());
    assert!(!made.exists());
}
