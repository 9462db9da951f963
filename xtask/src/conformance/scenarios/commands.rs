//! Slash commands: a project's own, skills, those the program answers by itself, and unknown ones.

use anyhow::Result;
use serde_json::json;

use super::super::stage::Stage;
use super::{SKIP, Scenario, bash, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("commands-of-the-project", own),
    scenario("commands-with-words", words),
    scenario("commands-built-in", built_in),
    scenario("skills-found-later", found_later),
    scenario("skills-with-hooks", with_hooks),
];

fn own(stage: &mut Stage) -> Result<()> {
    stage.write(
        ".claude/commands/hi.md",
        "---\ndescription: Say hi\nargument-hint: <name>\n---\n@say hi $ARGUMENTS\n",
    )?;
    stage.write(".claude/commands/db/migrate.md", "@say migrating $ARGUMENTS\n")?;
    stage.write(
        ".claude/skills/greet/SKILL.md",
        "---\nname: greet\ndescription: Greets people\n---\n@say greeted $ARGUMENTS\n",
    )?;
    let mut session = stage.start(&[])?;
    session.initialize(&json!({}))?;
    let skill = tool("Skill", &json!({ "skill": "greet", "args": "Zed" }));
    for prompt in ["/hi Bob", "/db:migrate now", "/greet Ann", "/no-such-command", &skill] {
        session.user(prompt);
        session.result()?;
    }
    session.end()
}

/// Every form of a placeholder, with arguments that are split as a shell would.
fn words(stage: &mut Stage) -> Result<()> {
    stage.write(
        ".claude/commands/words.md",
        "@say first $0, second $1, third $ARGUMENTS[2], all $ARGUMENTS\n",
    )?;
    stage.write(
        ".claude/commands/named.md",
        "---\narguments: [who, how]\n---\n@say $who is greeted $how, not \\$who nor $whom\n",
    )?;
    stage.write(".claude/commands/plain.md", "@say no placeholder but $7 in ${CLAUDE_PROJECT_DIR}\n")?;
    let mut session = stage.start(&[])?;
    for prompt in [
        "/words Ada Bob Cy",
        "/words 'Ada L' \"Bob B\" Cy\\ C",
        "/words it's fine",
        "/words fix bug #123 now",
        "/words",
        "/named Ada warmly",
        "/named Ada",
        "/plain",
    ] {
        session.user(prompt);
        session.result()?;
    }
    session.end()
}

/// A folder inside the project has skills, which count once a file there was read.
fn found_later(stage: &mut Stage) -> Result<()> {
    stage.write(
        "part/.claude/skills/inner/SKILL.md",
        "---\nname: own-name\ndescription: d\n---\n@say inner\n",
    )?;
    stage.write("part/file.txt", "text\n")?;
    let mut session = stage.start(&[])?;
    let file = stage.project().join("part/file.txt");
    session.user(&tool("Read", &json!({ "file_path": file })));
    session.result()?;
    for prompt in ["/inner", "/own-name"] {
        session.user(prompt);
        session.result()?;
    }
    session.end()
}

/// A skill brings hooks, and so does an agent.
fn with_hooks(stage: &mut Stage) -> Result<()> {
    let hooks = "hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: echo not now >&2; exit 2\n";
    stage.write(
        ".claude/skills/careful/SKILL.md",
        &format!("---\nname: careful\ndescription: d\n{hooks}---\n@say careful\n"),
    )?;
    stage.write(
        ".claude/agents/wary.md",
        &format!("---\nname: wary\ndescription: d\n{}---\nBe wary.\n", hooks.replace("not now", "not here")),
    )?;
    stage.trust()?;
    let mut session = stage.start(&[SKIP, "--forward-subagent-text"])?;
    let task = json!({
        "description": "d", "prompt": bash("echo inside"), "subagent_type": "wary", "run_in_background": false,
    });
    for prompt in [&tool("Agent", &task), &bash("echo before"), "/careful", &bash("echo after")] {
        session.user(prompt);
        session.result()?;
    }
    session.end()
}

fn built_in(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[])?;
    session.initialize(&json!({}))?;
    for prompt in [
        "@say something to remember",
        "/cost",
        "/context",
        "/model",
        "/status",
        "/compact",
        "/clear",
        "@say after",
    ] {
        session.user(prompt);
        session.result()?;
    }
    session.end()
}
