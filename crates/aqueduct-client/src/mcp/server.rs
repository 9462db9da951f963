use aqueduct_wire::control::McpReply;
use aqueduct_wire::mcp::McpMessage;
use serde::Deserialize;
use serde_json::{Value, json};

use super::rpc::{self, Failure, INVALID_PARAMS, METHOD_NOT_FOUND};
use super::tool::Tool;

/// The version of MCP that is offered to an agent that asks for none.
const PROTOCOL_VERSION: &str = "2025-06-18";

/// An MCP server in this process. The agent reaches it through the session, so there is nothing to start.
#[derive(Debug, Clone)]
pub struct McpServer {
    name: String,
    version: String,
    instructions: Option<String>,
    tools: Vec<Tool>,
}

impl McpServer {
    /// A server without tools.
    pub fn new(name: impl Into<String>) -> Self {
        McpServer { name: name.into(), version: "1.0.0".to_owned(), instructions: None, tools: Vec::new() }
    }

    /// Adds a tool. One of the same name takes the place of the one before.
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.retain(|other| other.name() != tool.name());
        self.tools.push(tool);
        self
    }

    /// Says which version of the server this is.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = version.into();
        self
    }

    /// Tells the model how the tools are used together.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// The server's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Answers one message. A notification gets an empty result, because the wire wants an answer to everything.
    pub(crate) async fn serve(&self, message: McpMessage<'static>) -> McpReply<'static> {
        let id = message.id.clone();
        let outcome = match message.method.as_deref() {
            Some(_) if id.is_none() => Ok(json!({})),
            Some(method) => self.request(method, params(&message)).await,
            None => Ok(json!({})),
        };
        let mut reply = McpReply::new();
        reply.mcp_response = Some(rpc::answer(id, outcome));
        reply
    }

    async fn request(&self, method: &str, params: Value) -> Result<Value, Failure> {
        match method {
            "initialize" => Ok(self.greeting(&params)),
            "ping" => Ok(json!({})),
            "tools/list" => {
                let tools: Vec<Value> = self.tools.iter().map(Tool::listing).collect();
                Ok(json!({"tools": tools}))
            }
            "tools/call" => self.call(params).await,
            other => {
                let message = format!("The server {} does not know the method {other}", self.name);
                Err(Failure { code: METHOD_NOT_FOUND, message })
            }
        }
    }

    fn greeting(&self, params: &Value) -> Value {
        let version = params["protocolVersion"].as_str().unwrap_or(PROTOCOL_VERSION);
        let mut greeting = json!({
            "protocolVersion": version,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": self.name, "version": self.version},
        });
        if let Some(instructions) = &self.instructions {
            greeting["instructions"] = instructions.clone().into();
        }
        greeting
    }

    async fn call(&self, params: Value) -> Result<Value, Failure> {
        #[derive(Deserialize)]
        struct Call {
            name: String,
            #[serde(default)]
            arguments: Option<Value>,
        }
        let invalid = |message: String| Failure { code: INVALID_PARAMS, message };
        let call: Call = serde_json::from_value(params)
            .map_err(|error| invalid(format!("The parameters of tools/call don't fit: {error}")))?;
        let tool = self
            .tools
            .iter()
            .find(|tool| tool.name() == call.name)
            .ok_or_else(|| invalid(format!("The server {} has no tool {}", self.name, call.name)))?;
        let result = tool.call(call.arguments.unwrap_or_else(|| json!({}))).await;
        serde_json::to_value(result).map_err(|error| invalid(error.to_string()))
    }
}

fn params(message: &McpMessage<'static>) -> Value {
    message.params.as_ref().and_then(|params| params.to().ok()).unwrap_or(Value::Null)
}
