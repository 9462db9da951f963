//! Command hooks outside the calls of tools: prompts, the end of a turn, the session, subagents, compaction.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::super::session::is_result;
use super::super::stage::Stage;
use super::{ASK, SHOWN, SKIP, Scenario, allow, bash, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("hook-event-prompt", prompt),
    scenario("hook-event-prompt-stop", prompt_stop),
    scenario("hook-event-prompt-several", prompt_several),
    scenario("hook-event-stop", stop),
    scenario("hook-event-stop-always", stop_always),
    scenario("hook-event-stop-ends", stop_ends),
    scenario("hook-event-stop-context", stop_context),
    scenario("hook-event-start", start),
    scenario("hook-event-start-blocked", start_blocked),
    scenario("hook-event-start-again", start_again),
    scenario("hook-event-compact", compact),
    scenario("hook-event-end", end),
    scenario("hook-event-notification", notification),
    scenario("hook-event-subagent", subagent),
    scenario("hook-event-expansion", expansion),
];

fn hook(command: &str) -> Value {
    json!([{ "hooks": [{ "type": "command", "command": command }] }])
}

/// A hook whose answer depends on a word in its input.
fn by_word(cases: &[(&str, &str)]) -> String {
    let cases: Vec<String> = cases.iter().map(|(word, answer)| format!("*{word}*) {answer};;")).collect();
    format!("case \"$(cat)\" in {} esac", cases.join(" "))
}

fn play(stage: &mut Stage, flags: &[&str], hooks: &Value, prompts: &[&str]) -> Result<()> {
    let settings = json!({ "hooks": hooks }).to_string();
    let mut session = stage.start(&[flags, &[SHOWN, "--settings", &settings]].concat())?;
    session.initialize(&json!({}))?;
    for prompt in prompts {
        session.user(prompt);
        session.converse(allow)?;
    }
    session.end()
}

fn prompt(stage: &mut Stage) -> Result<()> {
    let answers = by_word(&[
        ("one", r#"echo '{"decision":"block","reason":"not this"}'"#),
        ("two", "echo not this >&2; exit 2"),
        ("three", "echo some words"),
        (
            "four",
            r#"echo '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"know this"}}'"#,
        ),
        ("five", "echo wrong >&2; exit 1"),
        (
            "six",
            r#"echo '{"decision":"block","reason":"not this","suppressOutput":true,"systemMessage":"for people"}'"#,
        ),
        ("seven", r#"echo '{"decision":"block"}'"#),
    ]);
    let words = ["one", "two", "three", "four", "five", "six", "seven"];
    let prompts = words.map(|word| format!("@say {word}"));
    let prompts = prompts.each_ref().map(String::as_str);
    play(stage, &[SKIP], &json!({ "UserPromptSubmit": hook(&answers) }), &prompts)
}

fn prompt_stop(stage: &mut Stage) -> Result<()> {
    let answers = by_word(&[
        ("one", r#"echo '{"continue":false,"stopReason":"enough"}'"#),
        ("two", r#"echo '{"continue":false}'"#),
        (
            "three",
            r#"echo '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","suppressOriginalPrompt":true,"additionalContext":"@say hidden"}}'"#,
        ),
        (
            "four",
            r#"echo '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","sessionTitle":"A title"}}'"#,
        ),
        (
            "five",
            r#"echo '{"decision":"block","reason":"secret","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","suppressOriginalPrompt":true}}'"#,
        ),
    ]);
    let prompts = ["@say one", "@say two", "@say three", "@say four", "@say five", "@say alive"];
    play(stage, &[SKIP], &json!({ "UserPromptSubmit": hook(&answers) }), &prompts)
}

/// One hook adds to a prompt, another blocks it, and one blocks it too late to take effect.
fn prompt_several(stage: &mut Stage) -> Result<()> {
    let hooks = json!({ "UserPromptSubmit": [{ "hooks": [
        { "type": "command", "command": "echo words" },
        { "type": "command", "command": by_word(&[("one", "echo not this >&2; exit 2")]) },
        { "type": "command", "command": by_word(&[("one", r#"sleep 0.5; echo '{"decision":"block","reason":"nor this"}'"#)]) },
    ] }] });
    play(stage, &[SKIP], &hooks, &["@say one", "@say two"])
}

/// The model continues once.
fn stop(stage: &mut Stage) -> Result<()> {
    let answers = by_word(&[
        (r#"stop_hook_active\":true"#, "exit 0"),
        ("one", r#"echo '{"decision":"block","reason":"@say continued"}'"#),
        ("two", "echo '@say continued' >&2; exit 2"),
        ("three", "echo wrong >&2; exit 1"),
        ("four", "echo words"),
        ("five", r#"echo '{"decision":"block"}'"#),
    ]);
    let prompts = ["@say one", "@say two", "@say three", "@say four", "@say five"];
    play(stage, &[SKIP], &json!({ "Stop": hook(&answers) }), &prompts)
}

/// A hook that never lets the model stop.
fn stop_always(stage: &mut Stage) -> Result<()> {
    let answers = by_word(&[("one", r#"echo '{"decision":"block","reason":"@say one more"}'"#)]);
    play(stage, &[SKIP], &json!({ "Stop": hook(&answers) }), &["@say one", "@say alive"])
}

fn stop_ends(stage: &mut Stage) -> Result<()> {
    let answers = by_word(&[
        ("one", r#"echo '{"continue":false,"stopReason":"enough"}'"#),
        ("two", r#"echo '{"continue":false,"decision":"block","reason":"more"}'"#),
        ("three", r#"echo '{"decision":"approve"}'"#),
    ]);
    let prompts = ["@say one", "@say two", "@say three", "@say alive"];
    play(stage, &[SKIP], &json!({ "Stop": hook(&answers) }), &prompts)
}

fn stop_context(stage: &mut Stage) -> Result<()> {
    let context =
        r#"echo '{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"@say continued"}}'"#;
    let answers = by_word(&[(r#"stop_hook_active\":true"#, "exit 0"), ("one", context)]);
    play(stage, &[SKIP], &json!({ "Stop": hook(&answers) }), &["@say one", "@say alive"])
}

fn start(stage: &mut Stage) -> Result<()> {
    let context =
        r#"echo '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"know this"}}'"#;
    let hooks = json!({ "SessionStart": [
        { "matcher": "startup", "hooks": [{ "type": "command", "command": context }] },
        { "matcher": "resume", "hooks": [{ "type": "command", "command": "echo never" }] },
        { "hooks": [{ "type": "command", "command": "echo wrong >&2; exit 1" }] },
        { "hooks": [{ "type": "command", "command": "echo '{broken'" }] },
    ] });
    play(stage, &[SKIP], &hooks, &["@say hello"])
}

fn start_blocked(stage: &mut Stage) -> Result<()> {
    let hooks = json!({ "SessionStart": [
        { "hooks": [{ "type": "command", "command": "echo no >&2; exit 2" }] },
        { "hooks": [{ "type": "command", "command": r#"echo '{"continue":false,"stopReason":"enough"}'"# }] },
    ] });
    play(stage, &[SKIP], &hooks, &["@say hello"])
}

/// The ways in which a session begins.
fn start_again(stage: &mut Stage) -> Result<()> {
    let hooks = json!({ "hooks": {
        "SessionStart": hook("cat > /dev/null; echo it begins"),
        "SessionEnd": hook("exit 0"),
    } });
    let settings = hooks.to_string();
    let flags = [SKIP, SHOWN, "--settings", &settings];
    let mut session = stage.start(&flags)?;
    session.initialize(&json!({}))?;
    for prompt in ["@say hello", "/clear", "@say again"] {
        session.user(prompt);
        session.converse(allow)?;
    }
    session.end()?;
    let mut session = stage.start(&[&flags[..], &["--continue"]].concat())?;
    session.initialize(&json!({}))?;
    session.user("@say resumed");
    session.converse(allow)?;
    session.end()
}

fn compact(stage: &mut Stage) -> Result<()> {
    let hooks = json!({
        "PreCompact": [{ "matcher": "manual", "hooks": [
            { "type": "command", "command": by_word(&[("block", "echo not now >&2; exit 2")]) },
        ] }],
        "PostCompact": hook("exit 0"),
        "SessionStart": hook("exit 0"),
    });
    play(stage, &[SKIP], &hooks, &["@say hello", "/compact block", "/compact", "@say alive"])
}

fn end(stage: &mut Stage) -> Result<()> {
    let hooks = json!({ "SessionEnd": hook("cat > end.json; echo bye") });
    play(stage, &[SKIP], &hooks, &["@say hello"])
}

/// The host is asked: the user should look.
fn notification(stage: &mut Stage) -> Result<()> {
    let hooks = json!({ "Notification": hook("cat >> notified.json") });
    let question = json!({ "questions": [{
        "question": "Which?", "header": "Which", "multiSelect": false,
        "options": [{ "label": "A", "description": "a" }, { "label": "B", "description": "b" }],
    }] });
    play(stage, ASK, &hooks, &[&bash("touch a"), &tool("AskUserQuestion", &question)])
}

fn subagent(stage: &mut Stage) -> Result<()> {
    let context =
        r#"echo '{"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"know this"}}'"#;
    let stop = by_word(&[
        (r#"stop_hook_active\":true"#, "exit 0"),
        ("*", r#"echo '{"decision":"block","reason":"@say more"}'"#),
    ]);
    let settings = json!({ "hooks": {
        "SubagentStart": hook(context),
        "SubagentStop": hook(&stop),
        "PreToolUse": hook("exit 0"),
    } });
    let mut session = stage.start(&[SKIP, SHOWN, "--settings", &settings.to_string()])?;
    let input = json!({
        "description": "sub", "prompt": bash("echo inner"), "subagent_type": "general-purpose",
        "run_in_background": false,
    });
    session.user(&tool("Agent", &input));
    session.result()?;
    session.maybe(Duration::from_secs(3), is_result);
    session.end()
}

/// A command of the project becomes a prompt.
fn expansion(stage: &mut Stage) -> Result<()> {
    stage.write(".claude/commands/greet.md", "@say hello $ARGUMENTS\n")?;
    let answers = by_word(&[
        ("one", r#"echo '{"decision":"block","reason":"not this"}'"#),
        (
            "two",
            r#"echo '{"hookSpecificOutput":{"hookEventName":"UserPromptExpansion","additionalContext":"know this"}}'"#,
        ),
        ("three", r#"echo '{"continue":false,"stopReason":"enough"}'"#),
    ]);
    let hooks = json!({ "UserPromptExpansion": hook(&answers), "UserPromptSubmit": hook("exit 0") });
    play(stage, &[SKIP], &hooks, &["/greet one", "/greet two", "/greet three", "@say alive"])
}
