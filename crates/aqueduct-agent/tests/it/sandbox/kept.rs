//! What would run later, outside.

use aqueduct_testing::require;
use serde_json::json;

use super::{By, call, everything, place, run, start_bold};

#[test]
fn what_would_run_later_stays_as_it_is() {
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true })));
    place.write(".git/config", "[core]\n");
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    std::fs::create_dir_all(place.project().join(".git/objects")).unwrap();
    std::fs::create_dir_all(place.project().join(".git/refs")).unwrap();
    let before = everything(&place.project());
    let mut host = start_bold(&place);
    for refused in [
        "mkdir -p .claude && echo {} > .claude/settings.json",
        "mkdir .claude/commands",
        "rm -r .claude",
        "mv .claude elsewhere",
        "ln -s /tmp .claude/skills",
        "echo {} > .mcp.json",
        "rm -r .mcp.json",
        "mv .mcp.json elsewhere",
        "ln -sf x .mcp.json && echo {} > .mcp.json",
        "mkdir -p .git/hooks; echo x > .git/hooks/pre-commit",
        "rm -r .git/hooks",
        "echo x >> .git/config",
        "mv .git/config elsewhere",
        "cp .git/config c && mv c .git/config; rm c; false",
        "echo ../elsewhere > .git/commondir",
        "rm -f .git/commondir",
        "mv .git/commondir elsewhere",
        "echo '[core]' > .git/config.worktree",
        "mv .git elsewhere",
        "mkdir -p .vscode && echo {} > .vscode/tasks.json",
        "mv .idea elsewhere",
        "ln .git/config elsewhere",
        "git config core.hooksPath . 2>/dev/null",
    ] {
        let (well, text) = run(&mut host, refused);
        assert!(!well, "{refused}: {text}");
    }
    // A refused `mv` can leave a copy behind; the copy is not protected.
    assert!(run(&mut host, "rm -rf elsewhere").0);
    // Protected paths that do not exist do not appear in `git status`.
    assert_eq!(run(&mut host, "git status --short"), (true, "(Bash completed with no output)".to_owned()));
    assert!(run(&mut host, "git symbolic-ref HEAD refs/heads/main").0);
    host.end();
    assert_eq!(everything(&place.project()), before, "nothing is left behind");
}

#[test]
fn a_background_command_keeps_what_is_protected_and_leaves_nothing() {
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true })));
    let mut host = start_bold(&place);
    let waits =
        "echo started > begun; while [ ! -e go ]; do sleep 0.02; done; mkdir .claude/x; echo $? > code";
    let (_, text) = call(&mut host, &json!({ "command": waits, "run_in_background": true }));
    assert!(text.contains("background with ID"), "{text}");
    // Another command runs and exits in the meantime.
    assert!(run(&mut host, "while [ ! -e begun ]; do sleep 0.02; done").0);
    assert!(place.project().join(".claude").is_dir());
    host.say("@tool Bash {\"command\":\"touch go\"}\n@say done");
    host.until(|frame| frame["subtype"] == "task_notification");
    assert_eq!(place.read("code").as_deref(), Some("1\n"));
    host.end();
    assert!(!place.project().join(".claude").exists() && !place.project().join(".mcp.json").exists());
}

#[test]
fn a_killed_agents_placeholders_are_taken_away_by_the_next() {
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true })));
    std::fs::create_dir(place.project().join(".mcp.json")).unwrap();
    let mut host = start_bold(&place);
    assert!(run(&mut host, "true").0);
    host.end();
    assert!(!place.project().join(".mcp.json").exists());
}

#[test]
fn a_skill_that_a_command_writes_runs_nothing_outside() {
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true })));
    place.trust();
    let outside = place.home().join("outside");
    let skill = format!(
        "---\nname: own\ndescription: mine\nallowed-tools: Write\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: touch {}\n---\nGo on.\n",
        outside.display()
    );
    place.write("skill", &skill);
    let mut host = start_bold(&place);
    let plant =
        "mkdir -p sub/.claude/skills/own; cp skill sub/.claude/skills/own/SKILL.md; echo x > sub/file";
    assert!(run(&mut host, plant).0);
    let file = place.project().join("sub/file");
    host.say(&format!(
        "@tool Read {}\n@tool Skill {}\n@tool Bash {}\n@say done",
        json!({ "file_path": file }),
        json!({ "skill": "own" }),
        json!({ "command": "true" })
    ));
    let frames = host.turn();
    assert!(frames.iter().any(|frame| frame.to_string().contains("Launching skill own")), "{frames:#?}");
    host.end();
    assert!(!outside.exists());
}
