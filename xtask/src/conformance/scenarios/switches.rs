//! Flags of a streaming session.

use anyhow::Result;
use serde_json::json;

use super::super::stage::Stage;
use super::{PARTIAL, SKIP, Scenario, bash, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("flag-max-turns-0", |stage| one(stage, &[SKIP, "--max-turns", "0"], &bash("echo 1"))),
    scenario("flag-max-turns-2", |stage| {
        one(stage, &[SKIP, "--max-turns", "2"], &format!("{}\n{}", bash("echo 1"), bash("echo 2")))
    }),
    scenario("flag-max-turns-bad", |stage| refused(stage, &["--max-turns", "many"])),
    scenario("flag-budget-bad", |stage| refused(stage, &["--max-budget-usd", "-1"])),
    scenario("flag-thinking", |stage| {
        one(stage, &[PARTIAL, "--max-thinking-tokens", "2000"], "@think so | it is")
    }),
    scenario("flag-no-thinking", |stage| one(stage, &["--max-thinking-tokens", "0"], "@say plain")),
    scenario("flag-schema-bad", |stage| refused(stage, &["--json-schema", "{"])),
    scenario("flag-no-persistence", |stage| one(stage, &["--no-session-persistence"], "@say not kept")),
    scenario("flag-model-alias", |stage| one(stage, &["--model", "haiku"], "@say small")),
    scenario("flag-system-prompt", |stage| one(stage, &["--system-prompt", "Be a pirate."], "@say arr")),
    scenario("flag-append-system-prompt", |stage| {
        one(stage, &["--append-system-prompt", "Be kind."], "@say hello")
    }),
    scenario("flag-tools", |stage| one(stage, &[SKIP, "--tools", "Read,Bash"], &bash("echo hi"))),
    scenario("flag-tools-none", |stage| one(stage, &[SKIP, "--tools", ""], &bash("echo hi"))),
    scenario("flag-disallowed-tools", |stage| {
        one(stage, &[SKIP, "--disallowedTools", "Bash"], &bash("echo hi"))
    }),
    scenario("flag-allowed-tools", |stage| {
        one(stage, &["--allowedTools", "Bash(touch:*)"], &bash("touch made"))
    }),
    scenario("flag-permission-mode-accept", |stage| {
        one(stage, &["--permission-mode", "acceptEdits"], &bash("touch made"))
    }),
    scenario("flag-permission-mode-dont-ask", |stage| {
        one(stage, &["--permission-mode", "dontAsk"], &bash("touch made"))
    }),
    scenario("flag-permission-mode-bad", |stage| refused(stage, &["--permission-mode", "nothing"])),
    scenario("flag-settings-inline", |stage| {
        let settings = json!({ "permissions": { "deny": ["Bash"] }, "model": "haiku", "env": { "A": "b" } });
        one(stage, &[SKIP, "--settings", &settings.to_string()], &bash("echo $A"))
    }),
    scenario("flag-settings-missing", |stage| refused(stage, &["--settings", "/no/such/file.json"])),
    scenario("flag-settings-not-json", |stage| refused(stage, &["--settings", "{nope"])),
    scenario("flag-setting-sources-none", setting_sources),
    scenario("flag-setting-sources-bad", |stage| refused(stage, &["--setting-sources", "nowhere"])),
    scenario("flag-mcp-config-missing", |stage| refused(stage, &["--mcp-config", "/no/such/file.json"])),
    scenario("flag-mcp-config-not-json", |stage| refused(stage, &["--mcp-config", "{nope"])),
    scenario("flag-mcp-config-failing", |stage| {
        one(
            stage,
            &["--mcp-config", r#"{"mcpServers":{"a":{"command":"/no/such/program"}}}"#],
            "@say without",
        )
    }),
    scenario("flag-agents", |stage| {
        let agents = json!({ "helper": { "description": "Helps", "prompt": "You help.", "tools": ["Read"], "model": "haiku" } });
        let task = json!({ "description": "d", "prompt": "@say helped", "subagent_type": "helper", "run_in_background": false });
        one(stage, &[SKIP, "--agents", &agents.to_string()], &tool("Agent", &task))
    }),
    scenario("flag-agents-not-json", |stage| refused(stage, &["--agents", "{nope"])),
    scenario("flag-agents-wrong", |stage| refused(stage, &["--agents", r#"{"helper":{"prompt":1}}"#])),
    scenario("flag-agent", |stage| {
        let agents = json!({ "helper": { "description": "Helps", "prompt": "You help.", "tools": ["Read"], "model": "haiku" } });
        one(stage, &[SKIP, "--agents", &agents.to_string(), "--agent", "helper"], &bash("echo hi"))
    }),
    scenario("flag-name", |stage| one(stage, &["--name", "My session"], "@say hello")),
    scenario("flag-unknown", |stage| refused(stage, &["--no-such-flag"])),
    scenario("flag-fallback-same-model", |stage| {
        refused(stage, &["--model", "opus", "--fallback-model", "opus"])
    }),
    scenario("flag-fork-without-resume", |stage| refused(stage, &["--fork-session", "--session-id", ID])),
    scenario("flag-continue-nothing", |stage| refused(stage, &["--continue"])),
    scenario("flag-resume-not-an-id", |stage| refused(stage, &["--resume", "not-an-id"])),
    scenario("flag-resume-with-session-id", |stage| {
        refused(stage, &["--resume", UNKNOWN, "--session-id", ID])
    }),
    scenario("flag-resume-at", resume_at),
    scenario("flag-strict-mcp", |stage| {
        stage.write(".mcp.json", r#"{"mcpServers":{"a":{"command":"/no/such/program"}}}"#)?;
        one(stage, &["--strict-mcp-config"], "@say without")
    }),
];

const ID: &str = "6f1d3c52-7f4e-4b1b-9a55-0c1f1f6f2a01";
const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";

/// One prompt, and one after it.
fn one(stage: &mut Stage, flags: &[&str], prompt: &str) -> Result<()> {
    let mut session = stage.start(flags)?;
    session.user(prompt);
    session.result()?;
    session.user("@say next");
    session.result()?;
    session.end()
}

/// The program may end by itself.
fn refused(stage: &mut Stage, flags: &[&str]) -> Result<()> {
    let mut session = stage.start(flags)?;
    session.user("@say hello");
    session.end()
}

fn setting_sources(stage: &mut Stage) -> Result<()> {
    stage.write(".claude/settings.json", r#"{"permissions":{"deny":["Bash"]}}"#)?;
    stage.write(".claude/commands/hi.md", "@say from the command\n")?;
    stage.write("CLAUDE.md", "Remember the project.\n")?;
    one(stage, &[SKIP, "--setting-sources", ""], &bash("echo hi"))?;
    one(stage, &[SKIP, "--setting-sources", "project"], &bash("echo hi"))?;
    one(stage, &[SKIP, "--setting-sources", "user"], "/hi")
}

fn resume_at(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&["--session-id", ID])?;
    session.user("@say one");
    let first = session.wait("answer", |frame| frame["type"] == "assistant")?;
    session.result()?;
    session.user("@say two");
    session.result()?;
    session.end()?;
    let uuid = first["uuid"].as_str().unwrap_or_default();
    let mut session = stage.start(&["--resume", ID, "--resume-session-at", uuid])?;
    session.user("@say three");
    session.result()?;
    session.end()?;
    refused(stage, &["--resume", ID, "--resume-session-at", UNKNOWN])
}
