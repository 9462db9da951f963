//! Code of the host that the agent calls: hooks, in-process MCP servers; and subagents.

use std::sync::{Arc, Mutex};

use aqueduct_client::mcp::{McpServer, Tool, ToolResult};
use aqueduct_client::{Event, Hook, Permission};
use aqueduct_wire::FromAgent;
use aqueduct_wire::agent_definition::AgentDefinition;
use aqueduct_wire::hook::{
    HookEvent, HookInput, HookOutput, HookPermission, HookSpecificOutput, PreToolUseOutput,
    UserPromptSubmitOutput,
};
use serde::Deserialize;
use serde_json::json;

use crate::place::{Place, done};
use crate::verdict::{Verdict, can_not, ensure};

/// What callbacks saw.
type Seen = Arc<Mutex<Vec<String>>>;

fn see(seen: &Seen, what: String) {
    if let Ok(mut seen) = seen.lock() {
        seen.push(what);
    }
}

fn all(seen: &Seen) -> Vec<String> {
    seen.lock().map(|seen| seen.clone()).unwrap_or_default()
}

/// A hook before a tool denies it, with a reason that the model receives.
pub(crate) async fn hook_denies(place: Place) -> Verdict {
    Verdict::of(async {
        let seen = Seen::default();
        let hook = Hook::new(HookEvent::PreToolUse, {
            let seen = seen.clone();
            move |call| {
                see(&seen, call.tool().unwrap_or_default().to_owned());
                async {
                    let mut specific = PreToolUseOutput::new();
                    specific.permission_decision = Some(HookPermission::Deny);
                    specific.permission_decision_reason = Some("the gate is shut".into());
                    let mut output = HookOutput::new();
                    output.specific = Some(Box::new(HookSpecificOutput::PreToolUse(specific)));
                    output
                }
            }
        })
        .matching("Bash");
        let prompt = r#"@tool Bash {"command":"ls","description":"look"}"#;
        let report = done(place.session().hook(hook).query(prompt).await?)?;
        if all(&seen).is_empty() {
            return can_not("it calls no hooks of its host");
        }
        ensure!(all(&seen) == ["Bash"], "hooks saw {:?}", all(&seen));
        ensure!(report.text().contains("the gate is shut"), "the model received {:?}", report.text());
        Ok(())
    })
    .await
}

/// A hook after a tool sees what it gave back.
pub(crate) async fn hook_sees_results(place: Place) -> Verdict {
    Verdict::of(async {
        let seen = Seen::default();
        let hook = Hook::new(HookEvent::PostToolUse, {
            let seen = seen.clone();
            move |call| {
                if let HookInput::PostToolUse(input) = call.input() {
                    let response = input.tool_response.as_ref().map(|response| response.as_str());
                    see(&seen, response.unwrap_or_default().to_owned());
                }
                async { HookOutput::new() }
            }
        });
        place.write("letter.txt", "dear all")?;
        let prompt = format!("@tool Read {{\"file_path\":{:?}}}\n@say read", place.file("letter.txt"));
        done(place.session().hook(hook).query(prompt).await?)?;
        let seen = all(&seen);
        if seen.is_empty() {
            return can_not("it calls no hooks of its host");
        }
        ensure!(seen.iter().any(|seen| seen.contains("dear all")), "hooks saw {seen:?}");
        Ok(())
    })
    .await
}

/// A hook on prompts sees each, and may add to it.
pub(crate) async fn hook_on_prompt(place: Place) -> Verdict {
    Verdict::of(async {
        let seen = Seen::default();
        let hook = Hook::new(HookEvent::UserPromptSubmit, {
            let seen = seen.clone();
            move |call| {
                if let HookInput::UserPromptSubmit(input) = call.input() {
                    see(&seen, input.prompt.as_str().to_owned());
                }
                async {
                    let mut specific = UserPromptSubmitOutput::new();
                    specific.additional_context = Some("It is spring.".into());
                    let mut output = HookOutput::new();
                    output.specific = Some(Box::new(HookSpecificOutput::UserPromptSubmit(specific)));
                    output
                }
            }
        });
        done(place.session().hook(hook).query("@say ok").await?)?;
        let seen = all(&seen);
        if seen.is_empty() {
            return can_not("it calls no hooks of its host");
        }
        ensure!(seen == ["@say ok"], "hooks saw {seen:?}");
        Ok(())
    })
    .await
}

#[derive(Deserialize)]
struct Sum {
    a: i64,
    b: i64,
}

fn sums() -> McpServer {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    });
    McpServer::new("sums")
        .tool(Tool::with_schema("add", "Adds two numbers", schema.clone(), |sum: Sum| async move {
            ToolResult::text(format!("the sum is {}", sum.a + sum.b))
        }))
        .tool(Tool::with_schema("fail", "Always fails", schema, |_: Sum| async {
            ToolResult::error("the abacus is broken")
        }))
}

/// A tool of this process is called by the model.
pub(crate) async fn mcp_tool(place: Place) -> Verdict {
    Verdict::of(async {
        let builder = place.session().mcp(sums()).allowed_tools(["mcp__sums".to_owned()]);
        let report = done(builder.query(r#"@tool mcp__sums__add {"a":19,"b":23}"#).await?)?;
        if report.text().contains("No such tool") {
            return can_not("it has no in-process MCP servers");
        }
        ensure!(report.text().contains("the sum is 42"), "the model received {:?}", report.text());
        Ok(())
    })
    .await
}

/// A tool that fails fails alone.
pub(crate) async fn mcp_tool_fails(place: Place) -> Verdict {
    Verdict::of(async {
        let builder = place.session().mcp(sums()).allowed_tools(["mcp__sums".to_owned()]);
        let prompt = "@tool mcp__sums__fail {\"a\":1,\"b\":2}\n@tool mcp__sums__add {\"a\":1,\"b\":2}";
        let report = done(builder.query(prompt).await?)?;
        if report.text().contains("No such tool") {
            return can_not("it has no in-process MCP servers");
        }
        ensure!(report.text().contains("the sum is 3"), "the model received {:?}", report.text());
        Ok(())
    })
    .await
}

/// A tool of this process needs a yes like any other.
pub(crate) async fn mcp_needs_permission(place: Place) -> Verdict {
    Verdict::of(async {
        let seen = Seen::default();
        let builder = place.session().mcp(sums()).on_permission({
            let seen = seen.clone();
            move |request| {
                see(&seen, request.tool().to_owned());
                async { Permission::allow() }
            }
        });
        let report = done(builder.query(r#"@tool mcp__sums__add {"a":2,"b":2}"#).await?)?;
        if report.text().contains("No such tool") {
            return can_not("it has no in-process MCP servers");
        }
        ensure!(all(&seen) == ["mcp__sums__add"], "asked for {:?}", all(&seen));
        ensure!(report.text().contains("the sum is 4"), "the model received {:?}", report.text());
        Ok(())
    })
    .await
}

/// A subagent's messages carry the call that started it, and the run ends after it.
pub(crate) async fn subagent(place: Place) -> Verdict {
    Verdict::of(async {
        let mut definition = AgentDefinition::new();
        definition.description = Some("Looks things up".into());
        definition.prompt = Some("You look things up.".into());
        let builder = place.session().define_agent("looker", definition);
        let (session, mut events) = builder.start().await?;
        let call = r#"{"description":"look it up","subagent_type":"looker","prompt":"@tool Read {\"file_path\":\"letter.txt\"}\n@say found it"}"#;
        session.send(format!("@tool Task {call}\n@say over")).await?;
        let mut was_called = false;
        let mut missing = false;
        while let Some(event) = events.next().await {
            match event.frame() {
                Some(FromAgent::Assistant(frame)) if frame.parent_tool_use_id.is_some() => was_called = true,
                Some(FromAgent::User(frame)) => {
                    missing |= frame.message.content.text().contains("No such tool");
                    missing |= frame
                        .tool_use_result
                        .as_ref()
                        .is_some_and(|text| text.as_str().contains("No such tool"));
                }
                _ => {}
            }
            if let Event::RunEnded(outcome) = event {
                done(outcome)?;
                break;
            }
        }
        session.close().await;
        if missing {
            return can_not("it has no subagents");
        }
        ensure!(was_called, "no message of the subagent came");
        Ok(())
    })
    .await
}
