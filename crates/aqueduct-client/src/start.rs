//! From a builder to a running session.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::control::{HostRequest, InitializeReply, InitializeRequest};
use aqueduct_wire::hook::HookMatcher;
use aqueduct_wire::json::Json;
use tokio::sync::{Semaphore, mpsc, watch};
use tracing::Instrument as _;

use crate::answer_schema::accepted;
use crate::capabilities::SharedAgentFacts;
use crate::close_guard::CloseGuard;
use crate::driver::{COMMANDS_BOUND, Driver, DriverParts, LINES_BOUND};
use crate::probe::probe;
use crate::session::SessionHandle;
use crate::start_failure::{NoStart, StartTarget};
use crate::transport::{AgentConnection, Child, Ladder, Transport};
use crate::{Builder, Error, Events, Hook, Session, Version, events, trace};

/// How an agent that closed its input before it was ready is ended: most end by themselves, and their exit code is
/// worth waiting for.
const DEAF: Ladder = Ladder { after_input: Duration::from_secs(2), after_term: Duration::from_secs(1) };

/// A session that has been started.
pub(crate) struct GuardedSession {
    pub(crate) session: Session,
    pub(crate) events: Events,
    /// Ends the agent unless the session is given to an owner.
    pub(crate) guard: CloseGuard,
    pub(crate) target: StartTarget,
}

/// Default environment variables of an agent, unless the caller sets others.
const ENVIRONMENT: &[(&str, Option<&str>)] = &[
    // Agents that support it report when they are idle: this determines the end of a run.
    ("CLAUDE_CODE_SDK_READS_SESSION_STATE", Some("1")),
    // The mark of a command that an agent runs. A host that runs there starts an agent of its own all the same,
    // and some versions would refuse.
    ("CLAUDECODE", None),
];

impl Builder {
    /// Starts the agent and waits until it has answered `initialize`. An agent that does not gives
    /// [`Error::Start`]. Dropped before it is done, it ends the agent at once.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), aqueduct_client::Error> {
    /// use aqueduct_client::Session;
    ///
    /// let (session, mut events) = Session::builder().program("aqueduct-agent").start().await?;
    /// session.send("Say hello.").await?;
    /// while let Some(event) = events.next().await {
    ///     println!("{event:?}");
    ///     if event.outcome().is_some() {
    ///         break;
    ///     }
    /// }
    /// session.close().await;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn start(self) -> Result<(Session, Events), Error> {
        let GuardedSession { session, events, guard, .. } = self.start_guarded().await?;
        guard.dismiss();
        Ok((session, events))
    }

    /// Starts the agent for a caller that needs only outcomes: events are discarded. The agent is closed when the last
    /// handle is dropped.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), aqueduct_client::Error> {
    /// use aqueduct_client::Session;
    ///
    /// let session = Session::builder().program("aqueduct-agent").start_without_events().await?;
    /// for prompt in ["What does this project do?", "Who wrote it?"] {
    ///     println!("{}", session.turn(prompt).await?.done()?.text());
    /// }
    /// session.close().await;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn start_without_events(self) -> Result<Session, Error> {
        Ok(self.start().await?.0)
    }

    /// Starts the agent, which ends at once if the returned guard is dropped.
    pub(crate) async fn start_guarded(mut self) -> Result<GuardedSession, Error> {
        self.check()?;
        let profile = self.chosen_profile();
        self.handlers.profile = profile;
        let must_block = self.hooks.iter().any(Hook::must_block);
        let initialize = self.initialize_request();
        let arguments = self.arguments()?;
        let starts_program = matches!(self.transport, Transport::Child);
        let target = self.target();
        let resumes = self.resumes();
        let known = Arc::new(SharedAgentFacts::default());
        if profile.is_versioned
            && starts_program
            && let Some((needs, flag)) = self.options.newest()
        {
            let has = probe(&self.child).await.map_err(|error| target.failed_probe(error))?.version;
            known.learn_version(has);
            if has < needs {
                return Err(Error::Unsupported { what: format!("the option {flag}"), needs, has });
            }
        }
        let program = starts_program.then(|| self.child.clone());
        let child = prepared(self.child, arguments);
        let connection = AgentConnection::open(self.transport, child).await?;
        let pid = connection.process.as_ref().and_then(|process| process.id());

        // An agent that this session initializes has done nothing yet. One that resumes a session may count on.
        let cost = (initialize.is_some() && !resumes).then_some(0.0);
        // The guard has a place of its own.
        let (sender, commands) = mpsc::channel(COMMANDS_BOUND + 1);
        let place = sender.clone().try_reserve_owned().map_err(|_| Error::Options {
            problem: "the session has no room for its first command".to_owned(),
            hint: Some("Report this as a bug"),
        })?;
        let guard = CloseGuard::new(place, self.ladder);
        let lines = Arc::new(Semaphore::new(LINES_BOUND));
        let (sink, events) = events::channel();
        let (exit_sender, exit) = watch::channel(None);
        let driver = Driver::new(DriverParts {
            connection,
            line_limit: self.line_limit,
            ladder: self.ladder,
            handlers: self.handlers,
            commands,
            lines: lines.clone(),
            events: sink,
            known: known.clone(),
            profile,
            cost,
            exit: exit_sender,
        });
        // The task ends with the agent, which ends when all handles are dropped; `exit` reports that.
        tokio::spawn(driver.run().instrument(trace::session_span(pid.map(u64::from))));
        let request_timeout = self.request_timeout;
        let session = Session::new(SessionHandle {
            commands: sender,
            lines,
            known,
            exit,
            pid,
            request_timeout,
            program,
            profile,
        });
        if let Some(initialize) = initialize {
            let request = HostRequest::Initialize(Box::new(initialize));
            let answer = match session.request_within(request, self.start_timeout).await {
                Ok(answer) => opened(&session, answer.view(), must_block)
                    .await
                    .ok_or_else(|| Error::unreadable("initialize", &answer))
                    .flatten(),
                Err(error) => Err(error),
            };
            if let Err(error) = answer {
                drop(events);
                return Err(unready(&session, &target, error).await);
            }
        }
        Ok(GuardedSession { session, events, guard, target })
    }

    /// What is to be started, for errors.
    fn target(&self) -> StartTarget {
        let program = match &self.transport {
            Transport::Child => self.child.program.to_string_lossy().into_owned(),
            Transport::Socket(path) => path.display().to_string(),
            Transport::Pipe { .. } => "the agent".to_owned(),
        };
        StartTarget { program, has_schema: self.options.json_schema.is_some() }
    }

    /// Whether an earlier session continues.
    fn resumes(&self) -> bool {
        self.options.resume.is_some() || self.options.continue_latest == Some(true)
    }

    /// The agent with all that it is started with, for callers that start it by other means and communicate
    /// with it themselves. Hooks and servers of this process are sent with `initialize` and not here.
    ///
    /// ```
    /// # fn main() -> Result<(), aqueduct_client::Error> {
    /// let child = aqueduct_client::Session::builder().program("aqueduct-agent").model("scripted").child()?;
    /// assert!(child.arguments.iter().any(|argument| argument.to_string_lossy().starts_with("--model")));
    /// # Ok(())
    /// # }
    /// ```
    pub fn child(self) -> Result<Child, Error> {
        self.check()?;
        let arguments = self.arguments()?;
        Ok(prepared(self.child, arguments))
    }

    /// Refuses what no agent would start with.
    fn check(&self) -> Result<(), Error> {
        self.chosen_profile().check_initialize(self)?;
        let resumes = self.resumes();
        let forks = self.options.fork_session == Some(true);
        let is_reported = !(self.hooks.is_empty()
            && self.handlers.mcp.is_empty()
            && self.agents.is_empty()
            && self.dialog_kinds.is_empty());
        let (problem, hint) = if self.options.session_id.is_some() && resumes && !forks {
            (
                "a session that is resumed has an id already",
                Some("Leave `session_id` out, or set `fork_session(true)`"),
            )
        } else if forks && !resumes {
            ("`fork_session` needs `resume` or `continue_latest`, which selects the session to fork", None)
        } else if self.initialize.is_none() && is_reported {
            (
                "hooks, dialogs, agents and MCP servers of this process are sent to the agent by `initialize`",
                Some("Don't leave it out"),
            )
        } else {
            return Ok(());
        };
        Err(Error::Options { problem: problem.to_owned(), hint })
    }

    /// Everything behind the program's name and its leading arguments.
    fn arguments(&self) -> Result<Vec<OsString>, Error> {
        let profile = self.chosen_profile();
        let mut arguments: Vec<OsString> = profile.fixed.iter().map(OsString::from).collect();
        if self.options.permission_prompt_tool.is_none()
            && self.handlers.take_permissions()
            && profile.has_option("permission_prompt_tool")
        {
            arguments.push("--permission-prompt-tool=stdio".into());
        }
        let mut options = self.options.clone();
        options.json_schema = options.json_schema.map(accepted);
        options.permission_mode = options.permission_mode.map(|mode| profile.mode(&mode)).transpose()?;
        arguments.extend(options.arguments(profile)?);
        if !self.mcp_servers.is_empty() {
            let mut servers = String::new();
            self.mcp_servers.write(&mut servers);
            arguments.push("--mcp-config".into());
            arguments.push(format!("{{\"mcpServers\":{servers}}}").into());
        }
        arguments.extend(self.extra_arguments.iter().cloned());
        Ok(arguments)
    }

    /// The `initialize` request; hooks get their callback ids here.
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
        for (name, definition) in self.agents.drain(..) {
            request.agents.get_or_insert_default().push(name, definition);
        }
        if !self.dialog_kinds.is_empty() {
            let kinds = self.dialog_kinds.drain(..).map(Into::into);
            request.supported_dialog_kinds.get_or_insert_default().extend(kinds);
        }
        Some(request)
    }
}

/// A program with its arguments and the default environment of agents.
fn prepared(mut child: Child, arguments: Vec<OsString>) -> Child {
    child.arguments.extend(arguments);
    for (name, value) in ENVIRONMENT {
        child.environment.entry(name.into()).or_insert_with(|| value.map(OsString::from));
    }
    child
}

/// Ends an agent that did not answer `initialize` as it must, and returns why.
async fn unready(session: &Session, target: &StartTarget, error: Error) -> Error {
    let (why, ladder) = match error {
        Error::Ended(exit) => return target.failed(&NoStart::Ended, exit),
        Error::InputClosed(_) => (NoStart::InputClosed, DEAF),
        Error::TimedOut { after, .. } => (NoStart::Silent(after), Ladder::KILL),
        Error::Refused { error, .. } => (NoStart::Refused(error.to_string()), Ladder::KILL),
        Error::Unreadable { answer, .. } => (NoStart::Unreadable(answer), Ladder::KILL),
        other => {
            session.close_with(Ladder::KILL).await;
            return other;
        }
    };
    target.failed(&why, session.close_with(ladder).await)
}

/// Takes in the answer to `initialize`, and sees that the agent promises what hooks need. `None` if the answer
/// can't be read.
async fn opened(
    session: &Session,
    reply: Option<InitializeReply<'_>>,
    must_block: bool,
) -> Option<Result<(), Error>> {
    let reply = reply?.into_owned();
    let blocks = reply.hook_on_failure_supported == Some(true) && reply.hooks_applied != Some(false);
    session.learn(reply);
    if !must_block || blocks {
        return Some(Ok(()));
    }
    let what = "a hook that blocks on failure".to_owned();
    let has = session.version().await.unwrap_or(Version::OLDEST);
    Some(Err(Error::Unsupported { what, needs: Version::new(2, 1, 325), has }))
}
