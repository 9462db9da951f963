use std::sync::Arc;

use aqueduct_wire::IntoOwned as _;
use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::{McpTool, McpToolAnnotations};

use super::config::Scope;
use super::name;
use super::object::Object;

/// How long a description may be: servers write books.
const DESCRIPTION_LIMIT: usize = 4096;

/// The longest name of a tool that a model's API takes.
const NAME_LIMIT: usize = 128;

/// The schema of a tool that takes nothing.
const NOTHING: &str = r#"{"type":"object","properties":{}}"#;

/// A tool of a server.
#[derive(Debug)]
pub(crate) struct ServedTool {
    /// The name by which the model and the rules know it.
    pub(crate) name: String,
    /// What the server calls it.
    pub(super) own_name: String,
    /// The server.
    pub(crate) server: String,
    /// Who configured the server.
    pub(super) scope: Scope,
    /// What it does, for the model.
    pub(crate) description: String,
    /// The JSON Schema of its input.
    pub(crate) schema: Raw<'static>,
    /// Whether it changes nothing, as the server says. No rule relies on it.
    pub(crate) reads_only: bool,
    destructive: bool,
    open_world: bool,
}

impl ServedTool {
    /// The tools of a `tools/list` answer. One without a name, or with one that no model could call, is none.
    pub(super) fn list(server: &str, scope: Scope, result: &Raw<'_>) -> Vec<Arc<ServedTool>> {
        let listed = Object::of(result);
        let tools = listed.list("tools");
        tools.iter().filter_map(|tool| ServedTool::read(server, scope, tool)).map(Arc::new).collect()
    }

    fn read(server: &str, scope: Scope, raw: &Raw<'_>) -> Option<ServedTool> {
        let tool = Object::of(raw);
        let own_name = tool.text("name").filter(|name| !name.is_empty())?;
        let name = name::full(server, &own_name);
        if name.len() > NAME_LIMIT {
            return None;
        }
        let mut description = tool.text("description").unwrap_or_default();
        if description.len() > DESCRIPTION_LIMIT {
            description.truncate(description.floor_char_boundary(DESCRIPTION_LIMIT));
            description.push('…');
        }
        let schema = tool.get("inputSchema").filter(|schema| schema.as_str().starts_with('{'));
        let hints = tool.object("annotations");
        Some(ServedTool {
            name,
            own_name,
            server: server.to_owned(),
            scope,
            description,
            schema: schema.cloned().or_else(|| Raw::parse(NOTHING).ok()).unwrap_or(Raw::NULL).into_owned(),
            reads_only: hints.flag("readOnlyHint") == Some(true),
            destructive: hints.flag("destructiveHint") == Some(true),
            open_world: hints.flag("openWorldHint") == Some(true),
        })
    }

    /// Its name for people.
    pub(crate) fn shown(&self) -> String {
        name::shown(&self.own_name)
    }

    /// Who brought the server, as hosts are told.
    pub(crate) fn source(&self) -> &'static str {
        self.scope.source()
    }

    /// The tool as hosts are told.
    pub(super) fn described(&self) -> McpTool<'static> {
        let mut hints = McpToolAnnotations::new();
        hints.read_only = self.reads_only.then_some(true);
        hints.destructive = self.destructive.then_some(true);
        hints.open_world = self.open_world.then_some(true);
        let mut tool = McpTool::new(self.own_name.clone());
        tool.annotations = Some(hints);
        tool
    }
}
