//! `ListMcpResourcesTool` and `ReadMcpResourceTool`: what servers have to read.

use aqueduct_wire::block::Content;
use aqueduct_wire::json::Raw;
use serde_json::Value;

use super::{Call, Failure, Output, Running, Tool, Workshop};

/// The tool that lists resources.
pub(crate) const LIST: Tool = Tool {
    name: "ListMcpResourcesTool",
    description: "Lists what the MCP servers have to read: each entry has a server, a URI and a name. With \
        `server`, only that server is asked.",
    schema: r#"{"type":"object","properties":{"server":{"type":"string","description":"A server's name; all servers without it"}}}"#,
    reads_only: true,
    run: list,
};

/// The tool that reads one.
pub(crate) const READ: Tool = Tool {
    name: "ReadMcpResourceTool",
    description: "Reads a resource of an MCP server, by the server's name and the resource's URI. What is no \
        text is put into a file.",
    schema: r#"{"type":"object","properties":{"server":{"type":"string","description":"The server's name"},"uri":{"type":"string","description":"The resource's URI"}},"required":["server","uri"]}"#,
    reads_only: true,
    run: read,
};

fn list<'a>(workshop: &'a Workshop, call: Call<'a>) -> Running<'a> {
    Box::pin(async move {
        let input = input(&call)?;
        let server = input.get("server").and_then(Value::as_str).filter(|server| !server.is_empty());
        let listed = workshop.mcp.list_resources(server, &call.cancel).await;
        answer(&call, listed.map(Value::Array))
    })
}

fn read<'a>(workshop: &'a Workshop, call: Call<'a>) -> Running<'a> {
    Box::pin(async move {
        let input = input(&call)?;
        let text = |name: &str| input.get(name).and_then(Value::as_str).unwrap_or_default();
        let shown =
            workshop.mcp.show_resource(text("server"), text("uri"), &workshop.spool, &call.cancel).await;
        answer(&call, shown)
    })
}

fn input(call: &Call<'_>) -> Result<Value, Failure> {
    call.input.to().map_err(|error| Failure::Rejected(error.to_string()))
}

fn answer(call: &Call<'_>, told: Result<Value, String>) -> Result<Output, Failure> {
    match told {
        Ok(told) => {
            let content = Content::Text(told.to_string().into());
            Ok(Output { content, result: Raw::from(&told), is_error: false })
        }
        Err(_) if call.cancel.is_cancelled() => Err(Failure::Interrupted(String::new())),
        Err(error) => Err(Failure::Failed(error)),
    }
}
