use std::ffi::OsString;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::agent_definition::AgentDefinition;
use aqueduct_wire::codec::DEFAULT_LINE_LIMIT;
use aqueduct_wire::control::{HostRequest, InitializeReply, InitializeRequest};
use aqueduct_wire::hook::HookMatcher;
use aqueduct_wire::json::{IntoOwned, Json, Map};
use aqueduct_wire::mcp::McpServerConfig;
use tokio::sync::{mpsc, watch};

use crate::driver::{COMMANDS_BOUND, Driver, Parts};
use crate::handler::{Handlers, callback};
use crate::known::Known;
use crate::mcp::McpServer;
use crate::options::Options;
use crate::probe::probe;
use crate::session::Handle;
use crate::transport::{Child, Connection, Ladder, Transport};
use crate::{
    Answers, Asked, Dialog, DialogRequest, Elicitation, ElicitationForm, Error, Events, Hook, Outcome,
    Permission, PermissionRequest, Prompt, Questions, Session, Version, events,
};

/// How long `initialize` may take unless the caller says otherwise. Agents connect to servers and run hooks
/// meanwhile.
const START_TIME: Duration = Duration::from_secs(60);

/// How long other requests may take unless the caller says otherwise.
const REQUEST_TIME: Duration = Duration::from_secs(60);

/// The program to look for if none is named.
const DEFAULT_PROGRAM: &str = "claude";

/// What to start, with what, and who answers its questions.
///
/// ```
/// use aqueduct_client::{Permission, Session};
///
/// let builder = Session::builder()
///     .program("aqueduct-agent")
///     .directory("/proj")
///     .model("scripted")
///     .allowed_tools(["Read".to_owned(), "Bash(git log:*)".to_owned()])
///     .partial_messages(true)
///     .on_permission(|request| async move { Permission::deny(format!("{} is not for you", request.tool())) });
/// ```
#[derive(Debug)]
pub struct Builder {
    pub(crate) options: Options,
    child: Child,
    extra_arguments: Vec<OsString>,
    transport: Transport,
    initialize: Option<InitializeRequest<'static>>,
    mcp_servers: Map<'static, McpServerConfig<'static>>,
    hooks: Vec<Hook>,
    handlers: Handlers,
    ladder: Ladder,
    line_limit: usize,
    start_timeout: Duration,
    request_timeout: Duration,
}

impl Default for Builder {
    fn default() -> Self {
        Builder {
            options: Options::default(),
            child: Child { program: DEFAULT_PROGRAM.into(), ..Child::default() },
            extra_arguments: Vec::new(),
            transport: Transport::default(),
            initialize: Some(InitializeRequest::new()),
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
impl Builder {
    /// The program to start: a path, or a name on PATH. `claude` if not said.
    pub fn program(mut self, program: impl Into<OsString>) -> Self {
        self.child.program = program.into();
        self
    }

    /// Arguments in front of all others, for a program that is started through another: `agent` for
    /// `aqueduct agent`, say.
    pub fn leading_arguments<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.child.arguments = arguments.into_iter().map(Into::into).collect();
        self
    }

    /// An argument that has no method here, as it is.
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.extra_arguments.push(argument.into());
        self
    }

    /// The directory in which the agent works; this process's, if not said.
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

    /// How the agent is brought to its end.
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
    /// [`Session::rewind_files`] can bring it back.
    pub fn file_checkpoints(self) -> Self {
        self.env("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true")
    }
}

/// What the agent learns when it starts.
impl Builder {
    /// A subagent that the model may use.
    pub fn define_agent(mut self, name: impl Into<String>, definition: AgentDefinition<'static>) -> Self {
        let initialize = self.initialize.get_or_insert_with(InitializeRequest::new);
        initialize.agents.get_or_insert_default().push(name.into(), definition);
        self
    }

    /// An MCP server that the agent starts or connects to.
    pub fn mcp_server(mut self, name: impl Into<String>, config: McpServerConfig<'static>) -> Self {
        self.mcp_servers.push(name.into(), config);
        self
    }

    /// An MCP server that lives in this process.
    pub fn mcp(mut self, server: McpServer) -> Self {
        self.handlers.mcp.insert(server.name().to_owned(), Arc::new(server));
        self
    }

    /// A hook.
    pub fn hook(mut self, hook: Hook) -> Self {
        self.hooks.push(hook);
        self
    }

    /// What else `initialize` says: title, skills, plan instructions and so on. Hooks, MCP servers and
    /// agents that were given to the builder are added to it.
    pub fn initialize(mut self, request: InitializeRequest<'static>) -> Self {
        let agents = self.initialize.take().and_then(|before| before.agents);
        let initialize = self.initialize.insert(request);
        if let Some(agents) = agents {
            let all = initialize.agents.get_or_insert_default();
            for (name, definition) in agents.iter() {
                all.push(name.to_owned(), definition.clone());
            }
        }
        self
    }

    /// Starts without `initialize`: for an agent that somebody else has initialized.
    pub fn without_initialize(mut self) -> Self {
        self.initialize = None;
        self
    }
}

/// Who answers the agent's questions. Each callback is an async function that runs in a task of its own and is
/// dropped when the agent takes its question back. What nobody answers is declined at once.
impl Builder {
    /// Decides whether tools may run. Without this, what needs asking is denied.
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
        let initialize = self.initialize.get_or_insert_with(InitializeRequest::new);
        initialize.supported_dialog_kinds = Some(kinds.into_iter().map(|kind| kind.into().into()).collect());
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

impl Builder {
    /// Starts the agent and waits until it has answered `initialize`.
    pub async fn start(mut self) -> Result<(Session, Events), Error> {
        self.check()?;
        let must_block = self.hooks.iter().any(Hook::must_block);
        let initialize = self.initialize_request();
        let arguments = self.arguments()?;
        let Builder { mut child, transport, options, .. } = self;
        // What answers to `--version`: the program with its leading arguments, and no others.
        let program = matches!(transport, Transport::Child).then(|| child.clone());
        child.arguments.extend(arguments);
        let known = Arc::new(Known::default());
        if let (Some(program), Some((needs, flag))) = (&program, options.newest()) {
            let has = probe(program).await?.version;
            known.learn_version(has);
            if has < needs {
                return Err(Error::Unsupported { what: format!("the option {flag}"), needs, has });
            }
        }
        // Agents that can, tell with this when they are idle: that is how the end of a run is known.
        let told = OsString::from("CLAUDE_CODE_SDK_READS_SESSION_STATE");
        child.environment.entry(told).or_insert_with(|| Some("1".into()));
        let connection = Connection::open(transport, child).await?;
        let pid = connection.process.as_ref().and_then(|process| process.id());

        let (sender, commands) = mpsc::channel(COMMANDS_BOUND);
        let (sink, events) = events::channel();
        let (exit_sender, exit) = watch::channel(None);
        let driver = Driver::new(Parts {
            connection,
            line_limit: self.line_limit,
            ladder: self.ladder,
            handlers: self.handlers,
            commands,
            events: sink,
            known: known.clone(),
            exit: exit_sender,
        });
        // The task ends with the agent; the session's handles wait for it through `exit`.
        tokio::spawn(driver.run());
        let request_timeout = self.request_timeout;
        let session = Session::new(Handle { commands: sender, known, exit, pid, request_timeout, program });
        if let Some(initialize) = initialize {
            let request = HostRequest::Initialize(Box::new(initialize));
            match open(&session, request, self.start_timeout, must_block).await {
                Ok(()) => {}
                Err(error) => {
                    drop(events);
                    session.close_with(Ladder::KILL).await;
                    return Err(error);
                }
            }
        }
        Ok((session, events))
    }

    /// Starts an agent for one prompt, waits for the outcome, and ends the agent.
    pub async fn query(self, prompt: impl Into<Prompt>) -> Result<Outcome, Error> {
        let (session, events) = self.start().await?;
        drop(events);
        let outcome = session.turn(prompt).await;
        session.close().await;
        outcome
    }

    /// Refuses what no agent would start with.
    fn check(&self) -> Result<(), Error> {
        let resumes = self.options.resume.is_some() || self.options.continue_latest == Some(true);
        let forks = self.options.fork_session == Some(true);
        let wrong = if self.options.session_id.is_some() && resumes && !forks {
            "a session that is resumed has an id already: leave `session_id` out, or say `fork_session(true)`"
        } else if forks && !resumes {
            "`fork_session` needs `resume` or `continue_latest`, to say what is forked"
        } else if self.initialize.is_none() && !(self.hooks.is_empty() && self.handlers.mcp.is_empty()) {
            "hooks and MCP servers of this process are told to the agent by `initialize`: don't leave it out"
        } else {
            return Ok(());
        };
        Err(Error::Options(wrong.to_owned()))
    }

    /// Everything behind the program's name and its leading arguments.
    fn arguments(&self) -> Result<Vec<OsString>, Error> {
        let fixed = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];
        let mut arguments: Vec<OsString> = fixed.iter().map(OsString::from).collect();
        if self.options.permission_prompt_tool.is_none() && self.handlers.take_permissions() {
            arguments.push("--permission-prompt-tool=stdio".into());
        }
        arguments.extend(self.options.arguments()?);
        if !self.mcp_servers.is_empty() {
            let mut servers = String::new();
            self.mcp_servers.write(&mut servers);
            arguments.push("--mcp-config".into());
            arguments.push(format!("{{\"mcpServers\":{servers}}}").into());
        }
        arguments.extend(self.extra_arguments.iter().cloned());
        Ok(arguments)
    }

    /// What `initialize` says; hooks get their callback ids here.
    fn initialize_request(&mut self) -> Option<InitializeRequest<'static>> {
        let mut request = self.initialize.take()?;
        let mut hooks: Vec<(String, Vec<HookMatcher<'static>>)> = Vec::new();
        for (number, hook) in self.hooks.drain(..).enumerate() {
            let callback_id = format!("hook_{number}");
            let matcher = hook.matcher(callback_id.clone());
            let event = hook.event().as_str();
            match hooks.iter_mut().find(|(name, _)| name == event) {
                Some((_, matchers)) => matchers.push(matcher),
                None => hooks.push((event.to_owned(), vec![matcher])),
            }
            self.handlers.hooks.insert(callback_id, hook);
        }
        if !hooks.is_empty() {
            request.hooks = Some(hooks.into_iter().collect());
        }
        if !self.handlers.mcp.is_empty() {
            let mut names: Vec<_> = self.handlers.mcp.keys().cloned().collect();
            names.sort_unstable();
            request.sdk_mcp_servers = Some(names.into_iter().map(Into::into).collect());
        }
        Some(request)
    }
}

/// Opens the session, and sees that the agent promises what hooks need.
async fn open(
    session: &Session,
    request: HostRequest<'static>,
    timeout: Duration,
    must_block: bool,
) -> Result<(), Error> {
    let answer = session.request_within(request, timeout).await?;
    let unreadable = || Error::Unreadable {
        subtype: "initialize".to_owned(),
        answer: answer.as_str().chars().take(200).collect(),
    };
    let reply = answer.view::<InitializeReply<'_>>().ok_or_else(unreadable)?.into_owned();
    let blocks = reply.hook_on_failure_supported == Some(true) && reply.hooks_applied != Some(false);
    session.learn(reply);
    if must_block && !blocks {
        let what = "a hook that blocks on failure".to_owned();
        let has = session.version().await.unwrap_or(Version::OLDEST);
        return Err(Error::Unsupported { what, needs: Version::new(2, 1, 325), has });
    }
    Ok(())
}
