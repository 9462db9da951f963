//! `EnterWorktree` and `ExitWorktree`.

use std::os::unix::fs::symlink;

use aqueduct_testing::{Missing, has_git, require};
use serde_json::{Value, json};

use crate::hook_commands::command;
use crate::host::{Host, Place, find, tool_results};
use crate::worktrees::git;

fn repository() -> Result<Place, Missing> {
    has_git()?;
    let place = Place::new();
    place.write("a.txt", "x\n");
    git(&place.project(), &["init", "-q"]);
    git(&place.project(), &["add", "."]);
    git(&place.project(), &["commit", "-qm", "first"]);
    Ok(place)
}

/// The result of a call, and what hosts get of it.
fn call(host: &mut Host, tool: &str, input: &Value) -> (String, Value) {
    host.say(&format!("@tool {tool} {input}"));
    let frames = host.turn();
    let result = &tool_results(&frames)[0];
    let reported = frames.iter().find_map(|frame| frame.get("tool_use_result")).cloned().unwrap_or_default();
    (result["content"].as_str().unwrap_or_default().to_owned(), reported)
}

fn pwd(host: &mut Host) -> String {
    call(host, "Bash", &json!({ "command": "pwd" })).0
}

#[test]
fn the_conversation_works_in_the_worktree_until_it_leaves() {
    let place = require!(repository());
    let project = place.project();
    let folder = project.join(".claude/worktrees/feat");
    let mut host = place.start(&["--permission-mode", "acceptEdits"]);
    let (_, reported) = call(&mut host, "EnterWorktree", &json!({ "name": "feat" }));
    assert_eq!(reported["worktreePath"], json!(folder));
    assert_eq!(reported["worktreeBranch"], "worktree-feat");
    host.say("@tool Bash {\"command\":\"pwd\"}");
    let frames = host.turn();
    assert_eq!(find(&frames, "system")["cwd"], json!(folder));
    assert_eq!(tool_results(&frames)[0]["content"], json!(folder));
    // Edits are made there as they would be in the project, and not in the main checkout.
    let write = json!({ "file_path": folder.join("new.txt"), "content": "x" });
    let (text, _) = call(&mut host, "Write", &write);
    assert!(folder.join("new.txt").is_file(), "{text}");
    call(&mut host, "Write", &json!({ "file_path": project.join("main.txt"), "content": "x" }));
    assert_eq!(place.read("main.txt"), None);
    let (text, _) = call(&mut host, "EnterWorktree", &json!({ "name": "other" }));
    assert!(text.contains("already in a worktree"), "{text}");
    let (_, reported) = call(&mut host, "ExitWorktree", &json!({ "action": "keep" }));
    assert_eq!((&reported["action"], &reported["restoredCwd"]), (&json!("keep"), &json!(project)));
    assert_eq!((&reported["originalCwd"], &reported["originalCwdMissing"]), (&json!(project), &json!(false)));
    assert_eq!(pwd(&mut host), project.display().to_string());
    assert!(folder.join("new.txt").is_file());
    // Enter it again: the worktree already exists, so this session must not remove it.
    call(&mut host, "EnterWorktree", &json!({ "name": "feat" }));
    let (text, _) = call(&mut host, "ExitWorktree", &json!({ "action": "remove", "discard_changes": true }));
    assert!(text.contains("was not created by this conversation"), "{text}");
    assert!(folder.join("new.txt").is_file());
}

#[test]
fn work_is_removed_only_on_request() {
    let place = require!(repository());
    let folder = place.project().join(".claude/worktrees/gone");
    let mut host = place.start(&["--allowed-tools", "Bash"]);
    call(&mut host, "EnterWorktree", &json!({ "name": "gone" }));
    call(&mut host, "Bash", &json!({ "command": "touch left" }));
    let commit = "git -c user.name=A -c user.email=a@b commit --allow-empty -qm more";
    call(&mut host, "Bash", &json!({ "command": commit }));
    let (text, _) = call(&mut host, "ExitWorktree", &json!({ "action": "remove" }));
    assert!(text.contains("has 1 uncommitted file and 1 commit"), "{text}");
    assert_eq!(pwd(&mut host), folder.display().to_string());
    let (_, reported) =
        call(&mut host, "ExitWorktree", &json!({ "action": "remove", "discard_changes": true }));
    assert_eq!((&reported["discardedFiles"], &reported["discardedCommits"]), (&json!(1), &json!(1)));
    assert!(!folder.exists());
    assert_eq!(git(&place.project(), &["branch", "--format=%(refname:short)"]), "main\n");
    // A worktree without changes is removed without confirmation.
    call(&mut host, "EnterWorktree", &json!({}));
    let (_, reported) = call(&mut host, "ExitWorktree", &json!({ "action": "remove" }));
    assert_eq!(reported["discardedFiles"], 0);
    let (text, _) = call(&mut host, "ExitWorktree", &json!({ "action": "keep" }));
    assert!(text.contains("has not entered a worktree"), "{text}");
}

#[test]
fn a_path_leads_to_a_worktree_of_this_repository_and_nowhere_else() {
    let place = require!(repository());
    let project = place.project();
    git(&project, &["worktree", "add", "-q", ".claude/worktrees/there"]);
    let outside = place.home().join("outside");
    git(&project, &["worktree", "add", "-q", outside.to_str().unwrap()]);
    symlink(&outside, project.join(".claude/worktrees/link")).unwrap();
    std::fs::create_dir(project.join(".claude/worktrees/plain")).unwrap();
    let mut host = place.start(&["--permission-mode", "bypassPermissions"]);
    for path in [
        "/etc",
        "..",
        ".claude/worktrees/none",
        ".claude/worktrees/link",
        ".claude/worktrees/plain",
        ".claude/worktrees/there/../../..",
        outside.to_str().unwrap(),
    ] {
        let (text, _) = call(&mut host, "EnterWorktree", &json!({ "path": path }));
        assert!(text.contains("The worktree can't be entered"), "{path}: {text}");
        assert_eq!(pwd(&mut host), project.display().to_string());
    }
    for input in [
        json!({ "name": "../x" }),
        json!({ "name": "a b" }),
        json!({ "name": "/abs" }),
        json!({ "name": "" }),
        json!({ "name": 5 }),
        json!({ "name": "x".repeat(70) }),
        json!({ "name": "a", "path": ".claude/worktrees/there" }),
        json!({ "names": "a" }),
    ] {
        let (text, _) = call(&mut host, "EnterWorktree", &input);
        assert!(text.contains("<tool_use_error>"), "{input}: {text}");
    }
    for input in
        [json!({}), json!({ "action": "bogus" }), json!({ "action": "keep", "discard_changes": "yes" })]
    {
        let (text, _) = call(&mut host, "ExitWorktree", &input);
        assert!(text.contains("<tool_use_error>"), "{input}: {text}");
    }
    let (_, reported) = call(&mut host, "EnterWorktree", &json!({ "path": ".claude/worktrees/there" }));
    assert_eq!(reported["worktreeBranch"], "there");
    let (text, _) = call(&mut host, "ExitWorktree", &json!({ "action": "remove", "discard_changes": true }));
    assert!(text.contains("was not created by this conversation"), "{text}");
    assert!(project.join(".claude/worktrees/there/a.txt").is_file());
}

#[test]
fn hooks_make_and_remove_a_worktree_where_there_is_no_repository() {
    let place = Place::new();
    let made = place.home().join("made");
    let mut host = place.start(&[]);
    let (text, _) = call(&mut host, "EnterWorktree", &json!({ "name": "h" }));
    assert!(text.contains("not in a git repository"), "{text}");
    drop(host);
    place.hook(&json!({
        "WorktreeCreate": command(&format!("mkdir -p {0}; echo {0}", made.display())),
        "WorktreeRemove": command(&format!("cat > {0}/removed; rm -r {1}", place.home().display(), made.display())),
    }));
    let mut host = place.start(&[]);
    let (_, reported) = call(&mut host, "EnterWorktree", &json!({ "name": "h" }));
    assert_eq!(reported["worktreePath"], json!(made));
    assert_eq!(pwd(&mut host), made.display().to_string());
    // Its contents can't be checked without git.
    let (text, _) = call(&mut host, "ExitWorktree", &json!({ "action": "remove" }));
    assert!(text.contains("can't be checked for changes"), "{text}");
    call(&mut host, "ExitWorktree", &json!({ "action": "remove", "discard_changes": true }));
    let input: Value =
        serde_json::from_str(&std::fs::read_to_string(place.home().join("removed")).unwrap()).unwrap();
    assert_eq!(input["worktree_path"], json!(made));
    assert!(!made.exists());
    assert_eq!(pwd(&mut host), place.project().display().to_string());
}
