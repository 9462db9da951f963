//! From a builder to a running session.

use std::ffi::OsString;
use std::sync::Arc;

use aqueduct_wire::control::{HostRequest, InitializeReply, InitializeRequest};
use aqueduct_wire::hook::HookMatcher;
use aqueduct_wire::json::{IntoOwned, Json};
use tokio::sync::{Semaphore, mpsc, watch};

use crate::capabilities::SharedAgentFacts;
use crate::driver::{COMMANDS_BOUND, Driver, DriverParts, LINES_BOUND};
use crate::probe::probe;
use crate::session::SessionHandle;
use crate::transport::{AgentConnection, Child, Ladder, Transport};
use crate::{Builder, Error, Events, Hook, Outcome, Prompt, Session, Version, events};

/// Default environment variables of an agent, unless the caller sets others.
const ENVIRONMENT: &[(&str, Option<&str>)] = &[
    // Agents that support it report when they are idle: this determines the end of a run.
    ("CLAUDE_CODE_SDK_READS_SESSION_STATE", Some("1")),
    // The mark of a command that an agent runs. A host that runs there starts an agent of its own all the same,
    // and some versions would refuse.
    ("CLAUDECODE", None),
];

impl Builder {
    /// Starts the agent and waits until it has answered `initialize`.
    pub async fn start(mut self) -> Result<(Session, Events), Error> {
        self.check()?;
        let profile = self.chosen_profile();
        self.handlers.profile = profile;
        let must_block = self.hooks.iter().any(Hook::must_block);
        let initialize = self.initialize_request();
        let arguments = self.arguments()?;
        let starts_program = matches!(self.transport, Transport::Child);
        let known = Arc::new(SharedAgentFacts::default());
        if profile.is_versioned
            && starts_program
            && let Some((needs, flag)) = self.options.newest()
        {
            let has = probe(&self.child).await?.version;
            known.learn_version(has);
            if has < needs {
                return Err(Error::Unsupported { what: format!("the option {flag}"), needs, has });
            }
        }
        let program = starts_program.then(|| self.child.clone());
        let child = prepared(self.child, arguments);
        let connection = AgentConnection::open(self.transport, child).await?;
        let pid = connection.process.as_ref().and_then(|process| process.id());

        let (sender, commands) = mpsc::channel(COMMANDS_BOUND);
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
            exit: exit_sender,
        });
        // The task ends with the agent, which ends when all handles are dropped; `exit` reports that.
        tokio::spawn(driver.run());
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
                let exit = session.close_with(Ladder::KILL).await;
                return Err(match error {
                    Error::TimedOut { after, .. } => Error::NotReady { after, exit },
                    error => error,
                });
            }
        }
        Ok((session, events))
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

    /// Starts an agent for one prompt, waits for the outcome, and ends the agent.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), aqueduct_client::Error> {
    /// let outcome = aqueduct_client::Session::builder().query("What does this project do?").await?;
    /// println!("{outcome}");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn query(self, prompt: impl Into<Prompt>) -> Result<Outcome, Error> {
        let (session, events) = self.start().await?;
        drop(events);
        let outcome = session.turn(prompt).await;
        session.close().await;
        outcome
    }

    /// Refuses what no agent would start with.
    fn check(&self) -> Result<(), Error> {
        self.chosen_profile().check_initialize(self)?;
        let resumes = self.options.resume.is_some() || self.options.continue_latest == Some(true);
        let forks = self.options.fork_session == Some(true);
        let is_reported = !(self.hooks.is_empty()
            && self.handlers.mcp.is_empty()
            && self.agents.is_empty()
            && self.dialog_kinds.is_empty());
        let wrong = if self.options.session_id.is_some() && resumes && !forks {
            "a session that is resumed has an id already: leave `session_id` out, or set `fork_session(true)`"
        } else if forks && !resumes {
            "`fork_session` needs `resume` or `continue_latest`, which selects the session to fork"
        } else if self.initialize.is_none() && is_reported {
            "hooks, dialogs, agents and MCP servers of this process are sent to the agent by `initialize`: \
             don't leave it out"
        } else {
            return Ok(());
        };
        Err(Error::Options(wrong.to_owned()))
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
