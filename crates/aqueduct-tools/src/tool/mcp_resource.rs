//! `ListMcpResourcesTool` and `ReadMcpResourceTool`: what servers have to read.

use aqueduct_mcp::ResourceError;
use aqueduct_wire::block::Content;
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::Raw;
use serde_json::Value;

use super::row::{ToolFacts, ToolNeed};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};

/// The tool that lists resources.
pub(crate) const LIST: BuiltInTool = BuiltInTool {
    name: "ListMcpResourcesTool",
    description: "Lists the resources of MCP servers: each entry has a server, a URI and a name. With \
        `server`, only the resources of that server.",
    schema: r#"{"type":"object","properties":{"server":{"type":"string","description":"The name of a server; default: all servers"}}}"#,
    run: list,
    facts: ToolFacts { reads_only: true, needs: ToolNeed::Resources, is_rare: true, ..ToolFacts::NONE },
};

/// The tool that reads one.
pub(crate) const READ: BuiltInTool = BuiltInTool {
    name: "ReadMcpResourceTool",
    description: "Reads a resource of an MCP server, by the server's name and the resource's URI. Content \
        that is not text is saved to a file.",
    schema: r#"{"type":"object","properties":{"server":{"type":"string","description":"The server's name"},"uri":{"type":"string","description":"The resource's URI"}},"required":["server","uri"]}"#,
    run: read,
    facts: ToolFacts { reads_only: true, needs: ToolNeed::Resources, is_rare: true, ..ToolFacts::NONE },
};

fn list<'a>(tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(async move {
        let input = input(&call)?;
        let server = input.get("server").and_then(Value::as_str).filter(|server| !server.is_empty());
        let listed = tool_context.mcp.list_resources(server, &call.cancel).await;
        answer(&call, listed.map(Value::Array))
    })
}

fn read<'a>(tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(async move {
        let input = input(&call)?;
        let text = |name: &str| input.get(name).and_then(Value::as_str).unwrap_or_default();
        let shown = tool_context
            .mcp
            .show_resource(text("server"), text("uri"), &tool_context.commands.spool, &call.cancel)
            .await;
        answer(&call, shown)
    })
}

fn input(call: &ToolInvocation<'_>) -> Result<Value, ToolFailure> {
    call.input.to().map_err(|error| ToolFailure::Rejected(error.to_string()))
}

fn answer(
    call: &ToolInvocation<'_>,
    reported: Result<Value, ResourceError>,
) -> Result<CallOutput, ToolFailure> {
    match reported {
        Ok(reported) => {
            let content = Content::Text(reported.to_string().into());
            Ok(CallOutput { content, result: Raw::from(&reported), is_error: false })
        }
        Err(_) if call.cancel.is_cancelled() => Err(ToolFailure::Interrupted(String::new())),
        Err(error) => Err(ToolFailure::Failed(error.advised())),
    }
}
