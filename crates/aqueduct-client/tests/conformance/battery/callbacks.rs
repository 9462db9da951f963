//! Code of the host that the agent calls: hooks, in-process MCP servers; and subagents.

use std::sync::{Arc, Mutex};

use aqueduct_client::mcp::{McpServer, Tool, ToolResult};
use aqueduct_client::{Event, Hook, Permission, Version};
use aqueduct_wire::FromAgent;
use aqueduct_wire::agent_definition::AgentDefinition;
use serde::Deserialize;
use serde_json::json;

use crate::place::{Place, done};
use crate::verdict::{Trouble, Verdict, can_not, ensure};

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
        let hook = Hook::pre_tool_use({
            let seen = seen.clone();
            move |call| {
                see(&seen, call.tool_name.to_string());
                async move { call.block("the gate is shut") }
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

/// The first version whose transcripts have what hooks give the model.
const KEEPS_CONTEXT: Version = Version::new(2, 1, 325);

/// What a hook gave the model is in the transcript.
async fn keeps_context(place: &Place, text: &str) -> Result<(), Trouble> {
    match place.remembers(text)? {
        true => Ok(()),
        false if place.version().await? < KEEPS_CONTEXT => {
            can_not("its transcripts have no context of hooks")
        }
        false => Err(Trouble::Failed("the context is not in the transcript".to_owned())),
    }
}

/// A hook before a tool changes its input, and gives the model context.
pub(crate) async fn hook_changes_input(place: Place) -> Verdict {
    Verdict::of(async {
        let seen = Seen::default();
        let hook = Hook::pre_tool_use({
            let seen = seen.clone();
            move |call| {
                see(&seen, call.tool_name.to_string());
                let input = json!({"command": "echo changed", "description": "another word"});
                async move { call.proceed().with_input(input).with_context("The word was changed.") }
            }
        });
        let prompt = r#"@tool Bash {"command":"echo original","description":"a word"}"#;
        let report = done(place.session().allowed_tools(["Bash"]).hook(hook).query(prompt).await?)?;
        if all(&seen).is_empty() {
            return can_not("it calls no hooks of its host");
        }
        ensure!(report.text().contains("changed"), "the model heard {:?}", report.text());
        keeps_context(&place, "The word was changed.").await
    })
    .await
}

/// A hook at the end of a turn makes the model continue.
pub(crate) async fn hook_blocks_stop(place: Place) -> Verdict {
    Verdict::of(async {
        let seen = Seen::default();
        let hook = Hook::stop({
            let seen = seen.clone();
            move |call| {
                see(&seen, format!("{:?}", call.stop_hook_active));
                async move {
                    match call.stop_hook_active {
                        Some(true) => call.proceed(),
                        _ => call.block("Say goodbye first."),
                    }
                }
            }
        });
        let report = done(place.session().hook(hook).query("@say hello\n@say goodbye").await?)?;
        if all(&seen).is_empty() {
            return can_not("it calls no hooks of its host");
        }
        ensure!(all(&seen) == ["Some(false)", "Some(true)"], "hooks saw {:?}", all(&seen));
        ensure!(report.text() == "goodbye", "the answer was {:?}", report.text());
        Ok(())
    })
    .await
}

/// A hook after a tool sees what it gave back.
pub(crate) async fn hook_sees_results(place: Place) -> Verdict {
    Verdict::of(async {
        let seen = Seen::default();
        let hook = Hook::post_tool_use({
            let seen = seen.clone();
            move |call| {
                let response = call.tool_response.as_ref().map(|response| response.as_str());
                see(&seen, response.unwrap_or_default().to_owned());
                async move { call.proceed() }
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
        let hook = Hook::user_prompt_submit({
            let seen = seen.clone();
            move |call| {
                see(&seen, call.prompt.to_string());
                async move { call.proceed().with_context("It is spring.") }
            }
        });
        done(place.session().hook(hook).query("@say ok").await?)?;
        let seen = all(&seen);
        if seen.is_empty() {
            return can_not("it calls no hooks of its host");
        }
        ensure!(seen == ["@say ok"], "hooks saw {seen:?}");
        keeps_context(&place, "It is spring.").await
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
        let definition = AgentDefinition::new("Looks things up", "You look things up.");
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
