use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::callback::{Answering, Callback, callback};

/// A tool of an in-process MCP server. Calls run side by side; one that the agent takes back is dropped.
#[derive(Clone)]
pub struct Tool {
    name: String,
    description: String,
    schema: Value,
    annotations: Option<Value>,
    run: Callback<Value, ToolResult>,
}

impl Tool {
    /// A tool whose input is described by its type.
    ///
    /// ```
    /// use aqueduct_client::mcp::{Tool, ToolResult};
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Greeting {
    ///     /// Whom to greet.
    ///     name: String,
    /// }
    ///
    /// let tool = Tool::new("greet", "Greets a person", |greeting: Greeting| async move {
    ///     ToolResult::text(format!("Hello, {}!", greeting.name))
    /// });
    /// ```
    #[cfg(feature = "schema")]
    pub fn new<I, F>(
        name: impl Into<String>,
        description: impl Into<String>,
        run: impl Fn(I) -> F + Send + Sync + 'static,
    ) -> Self
    where
        I: DeserializeOwned + schemars::JsonSchema,
        F: Future<Output = ToolResult> + Send + 'static,
    {
        Tool::with_schema(name, description, schemars::schema_for!(I).to_value(), run)
    }

    /// A tool whose input is described by a JSON Schema.
    ///
    /// ```
    /// use aqueduct_client::mcp::{Tool, ToolResult};
    /// use serde_json::{Value, json};
    ///
    /// let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    /// let tool = Tool::with_schema("greet", "Greets a person", schema, |input: Value| async move {
    ///     ToolResult::text(format!("Hello, {}!", input["name"].as_str().unwrap_or("you")))
    /// });
    /// assert_eq!(tool.name(), "greet");
    /// ```
    pub fn with_schema<I, F>(
        name: impl Into<String>,
        description: impl Into<String>,
        schema: Value,
        run: impl Fn(I) -> F + Send + Sync + 'static,
    ) -> Self
    where
        I: DeserializeOwned,
        F: Future<Output = ToolResult> + Send + 'static,
    {
        let run = move |input: Value| {
            // An input that does not fit is for the model to correct, so it receives the error.
            let ready = serde_json::from_value::<I>(input).map(&run);
            async move {
                match ready {
                    Ok(running) => running.await,
                    Err(error) => {
                        ToolResult::error(format!("The input does not fit the tool's schema: {error}"))
                    }
                }
            }
        };
        Tool {
            name: name.into(),
            description: description.into(),
            schema,
            annotations: None,
            run: callback(run),
        }
    }

    /// Marks the tool as read-only.
    pub fn read_only(mut self) -> Self {
        self.annotations = Some(json!({"readOnlyHint": true}));
        self
    }

    /// The tool's name. The model knows it as `mcp__SERVER__TOOL`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its entry in `tools/list`.
    pub(super) fn listing(&self) -> Value {
        let mut listing = json!({
            "name": self.name,
            "description": self.description,
            "inputSchema": self.schema,
        });
        if let Some(annotations) = &self.annotations {
            listing["annotations"] = annotations.clone();
        }
        listing
    }

    /// Runs it. A tool that panics has failed, and the model receives that.
    pub(super) async fn call(&self, input: Value) -> ToolResult {
        let mut running: Answering<ToolResult> = (self.run)(input);
        let caught =
            poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(context))) {
                Ok(poll) => poll.map(Some),
                Err(_) => Poll::Ready(None),
            });
        caught.await.unwrap_or_else(|| ToolResult::error(format!("The tool {} panicked", self.name)))
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a tool gives back.
///
/// ```
/// use aqueduct_client::mcp::ToolResult;
///
/// let result = ToolResult::text("3 files").with_image("image/png", "aGVsbG8=");
/// let failed = ToolResult::error("no such folder");
/// let linked = ToolResult::text("See the log.")
///     .with_block(serde_json::json!({"type": "resource_link", "uri": "file:///log", "name": "log"}))
///     .with_structured(serde_json::json!({"files": 3}));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolResult {
    content: Vec<Value>,
    #[serde(rename = "isError", skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
    #[serde(rename = "structuredContent", skip_serializing_if = "Option::is_none")]
    structured: Option<Value>,
}

impl ToolResult {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        let content = vec![json!({"type": "text", "text": text.into()})];
        ToolResult { content, is_error: false, structured: None }
    }

    /// Something went wrong. The model gets to know what, and continues.
    pub fn error(message: impl Into<String>) -> Self {
        ToolResult { is_error: true, ..ToolResult::text(message) }
    }

    /// Adds an image, in base64.
    pub fn with_image(mut self, media_type: impl Into<String>, base64: impl Into<String>) -> Self {
        self.content.push(json!({"type": "image", "mimeType": media_type.into(), "data": base64.into()}));
        self
    }

    /// Adds a content block of any other kind.
    pub fn with_block(mut self, block: Value) -> Self {
        self.content.push(block);
        self
    }

    /// Adds the result as data.
    pub fn with_structured(mut self, value: Value) -> Self {
        self.structured = Some(value);
        self
    }
}
