use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aqueduct_os::mutex::lock;
use aqueduct_wire::json::Raw;
use aqueduct_wire::json::read;
use aqueduct_wire::mcp::McpImplementation;
use serde_json::json;

use crate::client::McpClient;
use crate::config::{ServerConfig, ServerRoute};
use crate::error::{CallError, ConnectError};
use crate::object::Object;
use crate::peer::PendingReply;
use crate::question::ServerQuestions;
use crate::served_prompt::ServedPrompt;
use crate::served_tool::ServedTool;

/// The version of MCP in use.
pub(crate) const VERSION: &str = "2025-11-25";

/// The older ones that are understood as well.
const VERSIONS: &[&str] = &[VERSION, "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

/// How many pages of a list are read.
const MAX_PAGES: usize = 100;

/// How many tools a server may have. A model could not choose among more.
const MAX_TOOLS: usize = 2048;

/// How much of a server's instructions the model gets.
const INSTRUCTIONS_LIMIT: usize = 8 * 1024;

/// A connection to a server that has introduced itself.
#[derive(Debug)]
pub(crate) struct ServerConnection {
    pub(crate) client: Arc<McpClient>,
    /// What the server answered to `initialize`.
    about: Raw<'static>,
    tools: Mutex<Vec<Arc<ServedTool>>>,
    /// The names of tools that no model could call.
    unfit: Mutex<Vec<String>>,
    prompts: Mutex<Vec<Arc<ServedPrompt>>>,
    /// What the server asks the user.
    pub(crate) questions: Arc<ServerQuestions>,
    /// How many calls of tools are on their way.
    calls: AtomicUsize,
}

/// Our `initialize` request. A server in the host is offered no requests in return: it can ask the host.
pub(crate) fn introduction(route: &ServerRoute) -> Raw<'static> {
    let capabilities = match route {
        ServerRoute::Host => json!({}),
        _ => json!({ "roots": {}, "elicitation": { "form": {}, "url": {} } }),
    };
    Raw::from(&json!({
        "protocolVersion": VERSION,
        "capabilities": capabilities,
        "clientInfo": { "name": "aqueduct-agent", "title": "Aqueduct", "version": env!("CARGO_PKG_VERSION") },
    }))
}

impl ServerConnection {
    /// Reads the server's introduction and its capabilities.
    pub(crate) async fn make(
        config: &ServerConfig,
        client: Arc<McpClient>,
        mut introduced: PendingReply,
        limit: Duration,
        questions: Arc<ServerQuestions>,
    ) -> Result<Self, ConnectError> {
        let within_limit = tokio::time::timeout(limit, introduced.wait()).await;
        let about = within_limit.unwrap_or(Err(CallError::TimedOut(limit)))?;
        client.link.set_version(&understood(&about)?);
        client.notify("notifications/initialized", None).await?;
        let connection = ServerConnection::with(client, about, questions);
        connection.list_tools(config, limit).await?;
        if config.route != ServerRoute::Host {
            // A server whose prompts can't be listed has tools all the same.
            let _ = connection.list_prompts(config, limit).await;
        }
        Ok(connection)
    }

    /// A connection to a server whose introduction is known.
    pub(crate) fn with(client: Arc<McpClient>, about: Raw<'static>, questions: Arc<ServerQuestions>) -> Self {
        ServerConnection {
            client,
            about,
            tools: Mutex::default(),
            unfit: Mutex::default(),
            prompts: Mutex::default(),
            questions,
            calls: AtomicUsize::new(0),
        }
    }

    /// Asks for the tools, page by page.
    pub(crate) async fn list_tools(&self, config: &ServerConfig, limit: Duration) -> Result<(), CallError> {
        if !self.has("tools") {
            return Ok(());
        }
        let (mut tools, mut unfit) = (Vec::new(), Vec::new());
        for page in self.pages("tools/list", limit).await? {
            let (more, left_out) = ServedTool::list(config, &page);
            tools.extend(more);
            unfit.extend(left_out);
        }
        self.set_tools(tools, unfit);
        Ok(())
    }

    /// Takes tools over in place of those that were known. `unfit` are others that no model could call.
    pub(crate) fn set_tools(&self, tools: Vec<Arc<ServedTool>>, mut unfit: Vec<String>) {
        let mut names = HashSet::new();
        let mut fit = Vec::new();
        for tool in tools {
            if fit.len() < MAX_TOOLS && names.insert(tool.name.clone()) {
                fit.push(tool);
            } else {
                unfit.push(tool.own_name.clone());
            }
        }
        *lock(&self.tools) = fit;
        *lock(&self.unfit) = unfit;
    }

    /// What is wrong with the tools, for people.
    pub(crate) fn remark(&self) -> Option<String> {
        let unfit = lock(&self.unfit);
        let some: Vec<&str> = unfit.iter().take(5).map(String::as_str).collect();
        let why = "their names are taken, too long or missing, or there are too many";
        (!unfit.is_empty())
            .then(|| format!("{} tools are left out, because {why}: {}", unfit.len(), some.join(", ")))
    }

    /// Asks for the prompts, page by page.
    pub(crate) async fn list_prompts(&self, config: &ServerConfig, limit: Duration) -> Result<(), CallError> {
        if !self.has("prompts") {
            return Ok(());
        }
        let mut prompts = Vec::new();
        for page in self.pages("prompts/list", limit).await? {
            prompts.extend(ServedPrompt::list(&config.name, &page));
        }
        *lock(&self.prompts) = prompts;
        Ok(())
    }

    /// All pages of a list.
    pub(crate) async fn pages(&self, method: &str, limit: Duration) -> Result<Vec<Raw<'static>>, CallError> {
        let (mut pages, mut cursor) = (Vec::new(), None);
        while pages.len() < MAX_PAGES {
            let params = cursor.map(|cursor: String| Raw::from(&json!({ "cursor": cursor })));
            let page = self.client.request(method, params, limit).await?;
            let next = Object::of(&page).text("nextCursor").filter(|cursor| !cursor.is_empty());
            pages.push(page);
            match next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        Ok(pages)
    }

    /// The tools that the server has.
    pub(crate) fn tools(&self) -> Vec<Arc<ServedTool>> {
        lock(&self.tools).clone()
    }

    /// The prompts that the server has.
    pub(crate) fn prompts(&self) -> Vec<Arc<ServedPrompt>> {
        lock(&self.prompts).clone()
    }

    /// Whether the server has things of this kind.
    pub(crate) fn has(&self, what: &str) -> bool {
        Object::of(&self.about).object("capabilities").get(what).is_some()
    }

    /// The server's name and version.
    pub(crate) fn info(&self) -> Option<McpImplementation<'static>> {
        let about = Object::of(&self.about);
        let info: McpImplementation<'_> = read(about.get("serverInfo")?.as_str())?;
        Some(aqueduct_wire::IntoOwned::into_owned(info))
    }

    /// What the server wants the model to know.
    pub(crate) fn instructions(&self) -> Option<String> {
        let mut text = Object::of(&self.about).text("instructions").filter(|text| !text.trim().is_empty())?;
        text.truncate(text.floor_char_boundary(INSTRUCTIONS_LIMIT));
        Some(text)
    }

    /// A call of a tool begins. When the last one ends, so do the server's questions.
    pub(crate) fn calling(self: &Arc<Self>) -> Calling {
        self.calls.fetch_add(1, Ordering::Relaxed);
        Calling(self.clone())
    }
}

/// A call of a tool that is on its way.
pub(crate) struct Calling(Arc<ServerConnection>);

impl Drop for Calling {
    fn drop(&mut self) {
        if self.0.calls.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.0.questions.take_back_all();
        }
    }
}

/// The version that the server chose, if it is one that is understood.
fn understood(about: &Raw<'_>) -> Result<String, ConnectError> {
    match Object::of(about).text("protocolVersion") {
        Some(version) if VERSIONS.contains(&version.as_str()) => Ok(version),
        Some(version) => Err(ConnectError::Failed(format!(
            "the server uses version {version:?} of MCP, and only {} are supported",
            VERSIONS.join(", ")
        ))),
        None => {
            Err(ConnectError::Failed("the server's answer to `initialize` has no protocolVersion".into()))
        }
    }
}
