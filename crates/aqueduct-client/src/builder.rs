use std::ffi::OsString;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::agent_definition::AgentDefinition;
use aqueduct_wire::codec::DEFAULT_LINE_LIMIT;
use aqueduct_wire::control::InitializeRequest;
use aqueduct_wire::json::Map;
use aqueduct_wire::mcp::McpServerConfig;

use crate::callback::callback;
use crate::handler::Handlers;
use crate::mcp::{ConnectedServer, McpServer};
use crate::options::SessionOptions;
use crate::transport::{Child, Ladder, Transport};
use crate::{
    Answers, Asked, Dialog, DialogRequest, Elicitation, ElicitationForm, Hook, Permission, PermissionRequest,
    Profile, Questions,
};

/// How long `initialize` may take by default. Agents connect to servers and run hooks
/// meanwhile.
const START_TIME: Duration = Duration::from_secs(60);

/// How long other requests may take by default.
const REQUEST_TIME: Duration = Duration::from_secs(60);

/// The program to look for if none is named.
const DEFAULT_PROGRAM: &str = "claude";

/// What to start, with what, and who answers its questions.
///
/// ```
/// use aqueduct_client::{Permission, Session};
#[doc = include_str!("../doc/agent.txt")]
/// # const ASKS: &str = r#"{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"}}"#;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct_client::Error> {
/// # let (ours, theirs) = tokio::io::duplex(4096);
/// # tokio::spawn(agent(theirs, ASKS));
///
/// let builder = Session::builder()
///     .program("aqueduct-agent")
///     .directory("/proj")
///     .model("scripted")
///     .allowed_tools(["Read", "Bash(git log:*)"])
///     .partial_messages(true)
///     .on_permission(|request| async move { Permission::deny(format!("{} is not for you", request.tool())) });
/// # let builder = builder.transport(aqueduct_client::Transport::pipe(ours));
/// let outcome = builder.query("List my files.").await?;
/// # assert!(outcome.report().is_some_and(|report| report.text().contains("Bash is not for you")), "{outcome:?}");
/// # Ok(())
/// # }
/// ```
///
/// A clone is a builder of another session with the same options, callbacks and servers.
#[derive(Debug, Clone)]
pub struct Builder {
    pub(crate) options: SessionOptions,
    pub(crate) child: Child,
    /// `None` to select it by the program's name.
    pub(crate) profile: Option<Profile>,
    pub(crate) extra_arguments: Vec<OsString>,
    pub(crate) transport: Transport,
    /// `None` if the agent is not to be initialized.
    pub(crate) initialize: Option<InitializeRequest<'static>>,
    pub(crate) agents: Vec<(String, AgentDefinition<'static>)>,
    pub(crate) dialog_kinds: Vec<String>,
    pub(crate) mcp_servers: Map<'static, McpServerConfig<'static>>,
    pub(crate) hooks: Vec<Hook>,
    pub(crate) handlers: Handlers,
    pub(crate) ladder: Ladder,
    pub(crate) line_limit: usize,
    pub(crate) start_timeout: Duration,
    pub(crate) request_timeout: Duration,
}

impl Default for Builder {
    fn default() -> Self {
        Builder {
            options: SessionOptions::default(),
            child: Child { program: DEFAULT_PROGRAM.into(), ..Child::default() },
            profile: None,
            extra_arguments: Vec::new(),
            transport: Transport::default(),
            initialize: Some(InitializeRequest::new()),
            agents: Vec::new(),
            dialog_kinds: Vec::new(),
            mcp_servers: Map::default(),
            hooks: Vec::new(),
            handlers: Handlers::default(),
            ladder: Ladder::default(),
            line_limit: DEFAULT_LINE_LIMIT,
            start_timeout: START_TIME,
            request_timeout: REQUEST_TIME,
        }
    }
}

/// Where the agent is, and in what surroundings.
///
/// ```
/// use std::time::Duration;
///
/// use aqueduct_client::{Ladder, Profile, Session};
///
/// let builder = Session::builder()
///     .program("node")
///     .leading_arguments(["cli.js"])
///     .argument("--some-new-flag")
///     .profile(Profile::REFERENCE)
///     .directory("/proj")
///     .env_clear()
///     .env("PATH", "/usr/bin:/bin")
///     .env_remove("NO_COLOR")
///     .file_checkpoints()
///     .line_limit(8 << 20)
///     .start_timeout(Duration::from_secs(20))
///     .request_timeout(Duration::from_secs(5))
///     .ladder(Ladder { after_input: Duration::from_secs(1), after_term: Duration::from_secs(1) });
/// ```
impl Builder {
    /// The program to start: a path, or a name on PATH. `claude` by default.
    pub fn program(mut self, program: impl Into<OsString>) -> Self {
        self.child.program = program.into();
        self
    }

    /// The agent's dialect; by default selected by the program's name.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = Some(profile);
        self
    }

    /// The profile that the agent is started with.
    pub(crate) fn chosen_profile(&self) -> Profile {
        self.profile.unwrap_or_else(|| Profile::of_program(&self.child.program))
    }

    /// Arguments in front of all others, for a program that is started through another: `agent` for
    /// `aqueduct agent`, for example.
    pub fn leading_arguments<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.child.arguments = arguments.into_iter().map(Into::into).collect();
        self
    }

    /// An argument that has no method here, as it is.
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.extra_arguments.push(argument.into());
        self
    }

    /// The agent's working directory; this process's by default.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.child.directory = Some(directory.into());
        self
    }

    /// Sets a variable for the agent.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.child.environment.insert(name.into(), Some(value.into()));
        self
    }

    /// Removes a variable for the agent.
    pub fn env_remove(mut self, name: impl Into<OsString>) -> Self {
        self.child.environment.insert(name.into(), None);
        self
    }

    /// Gives the agent only the variables that are set here.
    pub fn env_clear(mut self) -> Self {
        self.child.clear_environment = true;
        self
    }

    /// Reaches the agent in another way than by starting it.
    pub fn transport(mut self, transport: Transport) -> Self {
        self.transport = transport;
        self
    }

    /// How the agent is ended.
    pub fn ladder(mut self, ladder: Ladder) -> Self {
        self.ladder = ladder;
        self
    }

    /// How long a line of the agent may be. A longer one costs itself and nothing else.
    pub fn line_limit(mut self, bytes: usize) -> Self {
        self.line_limit = bytes;
        self
    }

    /// How long the agent may take to answer `initialize`.
    pub fn start_timeout(mut self, timeout: Duration) -> Self {
        self.start_timeout = timeout;
        self
    }

    /// How long the agent may take to answer any other request.
    pub fn request_timeout(mut self, timeout: Duration) -> Self {
        self.request_timeout = timeout;
        self
    }

    /// Keeps what files were before the agent changed them, so that
    /// [`Session::rewind_files`](crate::Session::rewind_files) can bring it back.
    pub fn file_checkpoints(self) -> Self {
        self.env("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true")
    }
}

/// What the agent learns when it starts.
impl Builder {
    /// A subagent that the model may use.
    ///
    /// ```
    /// use aqueduct_client::Session;
    /// use aqueduct_client::wire::agent_definition::AgentDefinition;
    ///
    /// let reviewer = AgentDefinition::new("Reviews changes", "You review changes.").with_tools(["Read", "Grep"]);
    /// let builder = Session::builder().define_agent("reviewer", reviewer);
    /// ```
    pub fn define_agent(mut self, name: impl Into<String>, definition: AgentDefinition<'static>) -> Self {
        self.agents.push((name.into(), definition));
        self
    }

    /// An MCP server that the agent starts or connects to.
    ///
    /// ```
    /// use aqueduct_client::Session;
    /// use aqueduct_client::wire::mcp::McpServerConfig;
    ///
    /// let builder = Session::builder()
    ///     .mcp_server("files", McpServerConfig::stdio("npx", ["-y", "files-server"]))
    ///     .mcp_server("docs", McpServerConfig::http("https://example.org/mcp"));
    /// ```
    pub fn mcp_server(
        mut self,
        name: impl Into<String>,
        config: impl Into<McpServerConfig<'static>>,
    ) -> Self {
        self.mcp_servers.push(name.into(), config.into());
        self
    }

    /// An MCP server that lives in this process.
    pub fn mcp(mut self, server: McpServer) -> Self {
        self.handlers.mcp.insert(server.name().to_owned(), ConnectedServer::new(server));
        self
    }

    /// A hook.
    pub fn hook(mut self, hook: Hook) -> Self {
        self.hooks.push(hook);
        self
    }

    /// Other members of `initialize`: title, skills, plan instructions and so on. Hooks, MCP servers, agents
    /// and kinds of dialogs that are given to the builder are added to it.
    ///
    /// ```
    /// use aqueduct_client::Session;
    /// use aqueduct_client::wire::control::InitializeRequest;
    ///
    /// let mut request = InitializeRequest::new();
    /// request.title = Some("The red build".into());
    /// let builder = Session::builder().initialize(request);
    /// ```
    pub fn initialize(mut self, request: InitializeRequest<'static>) -> Self {
        self.initialize = Some(request);
        self
    }

    /// Starts without `initialize`: for an agent that another host has initialized.
    pub fn without_initialize(mut self) -> Self {
        self.initialize = None;
        self
    }
}

/// Who answers the agent's questions. Each callback is an async function that runs in a task of its own and is
/// dropped when the agent cancels its request. A request without a handler is declined at once.
impl Builder {
    /// What the model receives where a permission is asked for and no callback decides: why it is denied, and how it
    /// could be allowed. It does not make the agent ask.
    ///
    /// ```
    /// use aqueduct_client::Session;
    ///
    /// let builder = Session::builder().denial("No user can be asked. Add a rule to the settings.");
    /// ```
    pub fn denial(mut self, message: impl Into<String>) -> Self {
        self.handlers.denial = Some(message.into());
        self
    }

    /// Decides whether tools may run. Without this, what needs asking is denied; see
    /// [`denial`](Builder::denial).
    pub fn on_permission<F>(mut self, decide: impl Fn(PermissionRequest) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Permission> + Send + 'static,
    {
        self.handlers.permission = Some(callback(decide));
        self
    }

    /// Answers the model's questions to the user. Without this they go to
    /// [`on_permission`](Builder::on_permission), as the tool `AskUserQuestion`.
    pub fn on_question<F>(mut self, answer: impl Fn(Questions) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Answers> + Send + 'static,
    {
        self.handlers.question = Some(callback(answer));
        self
    }

    /// Answers what MCP servers ask the user.
    pub fn on_elicitation<F>(mut self, answer: impl Fn(ElicitationForm) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Elicitation> + Send + 'static,
    {
        self.handlers.elicitation = Some(callback(answer));
        self
    }

    /// Shows dialogs of these kinds.
    pub fn on_dialog<K: Into<String>, F>(
        mut self,
        kinds: impl IntoIterator<Item = K>,
        show: impl Fn(DialogRequest) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Dialog> + Send + 'static,
    {
        self.dialog_kinds = kinds.into_iter().map(Into::into).collect();
        self.handlers.dialog = Some(callback(show));
        self
    }

    /// Takes every request that no other callback answers, of whatever kind, known or not. The responder may be
    /// kept and answered from anywhere; dropped, it answers for itself.
    pub fn on_request(mut self, take: impl Fn(Asked) + Send + Sync + 'static) -> Self {
        self.handlers.rest = Some(Arc::new(take));
        self
    }
}
