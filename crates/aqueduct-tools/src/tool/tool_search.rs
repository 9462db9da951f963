//! `ToolSearch`: tools that the model knows by name only.

use aqueduct_wire::block::Content;
use aqueduct_wire::json::Raw;
use serde_json::{Value, json};

use super::row::{ToolFacts, ToolNeed};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};

/// The tool.
pub(crate) const TOOL: BuiltInTool = BuiltInTool {
    name: "ToolSearch",
    description: "Loads tools that you know by name only. Returns their descriptions and schemas; you can \
        call them from then on.\n\n\
        - `select:NAME,NAME` loads the tools of these names.\n\
        - Words find tools by name and description, best first. A word with a leading plus must match: \
        `+github issue`.",
    schema: r#"{"type":"object","properties":{"query":{"type":"string","description":"select:NAMES, or words"},"max_results":{"type":"number","description":"Maximum number of tools; default: 5"}},"required":["query"]}"#,
    run,
    facts: ToolFacts { reads_only: true, needs: ToolNeed::DeferredTools, ..ToolFacts::NONE },
};

fn run<'a>(tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(async move {
        let input: Value = call.input.to().map_err(|error| ToolFailure::Rejected(error.to_string()))?;
        let query = input["query"].as_str().unwrap_or_default();
        let limit = input["max_results"].as_u64().and_then(|limit| usize::try_from(limit).ok());
        let found = tool_context.mcp.search(query, limit, tool_context.deferred.list());
        let matches: Vec<&str> = found.tools.iter().map(|tool| tool.name.as_str()).collect();
        let result = json!({ "matches": matches, "query": query, "total_deferred_tools": found.total });
        let reported: Vec<String> = found
            .tools
            .iter()
            .map(|tool| format!("## {}\n\n{}\n\nInput: {}", tool.name, tool.description, tool.schema))
            .collect();
        let text = match reported.is_empty() {
            true => "No tools match. Try other words.".to_owned(),
            false => format!("These tools are loaded; you can call them now.\n\n{}", reported.join("\n\n")),
        };
        Ok(CallOutput { content: Content::Text(text.into()), result: Raw::from(&result), is_error: false })
    })
}
