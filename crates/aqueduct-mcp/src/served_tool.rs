use std::sync::Arc;

use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::{McpTool, McpToolAnnotations};

use crate::config::{ServerConfig, ServerScope};
use crate::deferred_tool::DeferredTool;
use crate::name;
use crate::object::Object;

/// How long a description may be: servers write books.
const DESCRIPTION_LIMIT: usize = 4096;

/// The longest name of a tool that a model's API takes.
const NAME_LIMIT: usize = 128;

/// The schema of a tool that takes nothing.
const NOTHING: &str = r#"{"type":"object","properties":{}}"#;

/// The name of a tool that no model can call: it is empty or too long.
struct UnusableName(String);

/// A tool of a server.
#[derive(Debug)]
pub struct ServedTool {
    /// The name by which the model and the rules know it.
    pub name: String,
    /// What the server calls it.
    pub(crate) own_name: String,
    /// The server.
    pub server: String,
    /// Who configured the server.
    pub(crate) scope: ServerScope,
    /// What it does, for the model.
    pub description: String,
    /// The JSON Schema of its input.
    pub schema: Raw<'static>,
    /// Whether it changes nothing, as the server states. No rule relies on it.
    pub reads_only: bool,
    /// Whether the model always receives its full definition.
    pub(crate) always_load: bool,
    /// Words by which it can be found.
    hint: String,
    destructive: bool,
    open_world: bool,
}

impl ServedTool {
    /// The tools of a `tools/list` answer, and the names of those that no model could call.
    pub(crate) fn list(config: &ServerConfig, result: &Raw<'_>) -> (Vec<Arc<ServedTool>>, Vec<String>) {
        let listed = Object::of(result);
        let (mut tools, mut unfit) = (Vec::new(), Vec::new());
        for raw in listed.list("tools") {
            match ServedTool::read(config, &raw) {
                Ok(tool) => tools.push(Arc::new(tool)),
                Err(UnusableName(name)) => unfit.push(name),
            }
        }
        (tools, unfit)
    }

    fn read(config: &ServerConfig, raw: &Raw<'_>) -> Result<ServedTool, UnusableName> {
        let tool = Object::of(raw);
        let own_name = tool.text("name").unwrap_or_default();
        let name = name::full(&config.name, &own_name);
        if own_name.is_empty() || name.len() > NAME_LIMIT {
            return Err(UnusableName(own_name));
        }
        let mut description = tool.text("description").unwrap_or_default();
        if description.len() > DESCRIPTION_LIMIT {
            description.truncate(description.floor_char_boundary(DESCRIPTION_LIMIT));
            description.push('…');
        }
        let schema = tool.get("inputSchema").filter(|schema| schema.as_str().starts_with('{'));
        let hints = tool.object("annotations");
        let meta = tool.object("_meta");
        Ok(ServedTool {
            name,
            own_name,
            server: config.name.clone(),
            scope: config.scope,
            always_load: config.always_load || meta.flag("anthropic/alwaysLoad") == Some(true),
            hint: meta.text("anthropic/searchHint").unwrap_or_default(),
            description,
            schema: schema.cloned().or_else(|| Raw::parse(NOTHING).ok()).unwrap_or(Raw::NULL).into_owned(),
            reads_only: hints.flag("readOnlyHint") == Some(true),
            destructive: hints.flag("destructiveHint") == Some(true),
            open_world: hints.flag("openWorldHint") == Some(true),
        })
    }

    /// What the server calls it.
    pub fn own_name(&self) -> &str {
        &self.own_name
    }

    /// How many characters its definition for the model has.
    pub(crate) fn size(&self) -> usize {
        self.name.len() + self.description.len() + self.schema.as_str().len()
    }

    /// The same for a search.
    pub(crate) fn deferred(&self) -> DeferredTool {
        DeferredTool {
            name: self.name.clone(),
            short_name: self.own_name.clone(),
            hint: self.hint.clone(),
            description: self.description.clone(),
            schema: self.schema.clone(),
        }
    }

    /// Its name for people.
    pub fn shown(&self) -> String {
        name::shown(&self.own_name)
    }

    /// Where the server comes from, as hosts receive it.
    pub fn source(&self) -> &'static str {
        self.scope.source()
    }

    /// The tool, as hosts receive it.
    pub(crate) fn described(&self) -> McpTool<'static> {
        let mut hints = McpToolAnnotations::new();
        hints.read_only = self.reads_only.then_some(true);
        hints.destructive = self.destructive.then_some(true);
        hints.open_world = self.open_world.then_some(true);
        let mut tool = McpTool::new(self.own_name.clone());
        tool.annotations = Some(hints);
        tool
    }
}
