use serde::Deserialize;
use serde_json::{Value, json};

use super::rpc::{INVALID_PARAMS, METHOD_NOT_FOUND, RpcFailure};
use super::tool::Tool;

/// The versions of MCP whose tools are as they are here, newest first.
const PROTOCOL_VERSIONS: &[&str] = &["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// An MCP server in this process. The agent reaches it through the session, so there is nothing to start. Clones
/// can be given to any number of sessions. The [module](super) has an example.
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

    /// Sets the server's version.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = version.into();
        self
    }

    /// Sets the instructions for the model on how to use the tools together.
    ///
    /// ```
    /// use aqueduct_client::mcp::McpServer;
    ///
    /// let server = McpServer::new("map").version("2.0.0").instructions("Ask for the place before the distance.");
    /// assert_eq!(server.name(), "map");
    /// ```
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// The server's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Answers a request.
    pub(super) async fn request(&self, method: &str, params: Value) -> Result<Value, RpcFailure> {
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
                Err(RpcFailure { code: METHOD_NOT_FOUND, message })
            }
        }
    }

    fn greeting(&self, params: &Value) -> Value {
        let asked = params["protocolVersion"].as_str();
        let known = PROTOCOL_VERSIONS.iter().find(|version| asked == Some(version));
        let version = known.unwrap_or(&PROTOCOL_VERSIONS[0]);
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

    async fn call(&self, params: Value) -> Result<Value, RpcFailure> {
        #[derive(Deserialize)]
        struct ToolCallParams {
            name: String,
            #[serde(default)]
            arguments: Option<Value>,
        }
        let invalid = |message: String| RpcFailure { code: INVALID_PARAMS, message };
        let call: ToolCallParams = serde_json::from_value(params)
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
