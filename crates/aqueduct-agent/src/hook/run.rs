//! One hook that runs, from its beginning to what it said.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use aqueduct_wire::hook::{HookInput, HookOutput};
use aqueduct_wire::json::Raw;
use aqueduct_wire::system::HookOutcome;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::callback::CallbackHook;
use super::command_hook::CommandHook;
use super::file_watch::Watched;
use super::occasion::Occasion;
use super::outcome::Outcome;
use super::process::{Happened, Printed, Process};
use super::reply::{self, Reply};
use crate::environment::Environment;
use crate::guard::Ended;
use crate::host::Host;
use crate::outbox::Outbox;

/// How long a command may take, where nobody says.
const PATIENCE: Duration = Duration::from_secs(600);

/// How long a command may take where somebody waits to leave.
const PATIENCE_AT_THE_END: Duration = Duration::from_millis(1500);

/// How often is told what a hook has printed so far.
const PROGRESS: Duration = Duration::from_secs(1);

/// The exit code that says no.
const NO: i32 = 2;

/// A hook of any kind.
#[derive(Debug, Clone)]
pub(super) enum Hook {
    /// A command of a settings file.
    Command(Box<CommandHook>),
    /// A callback of the host.
    Callback(CallbackHook),
}

/// What hooks need of the session. They may outlive a turn, so it is all theirs.
#[derive(Clone)]
pub(super) struct Stand {
    pub(super) environment: Arc<Environment>,
    pub(super) outbox: Outbox,
    pub(super) host: Arc<Host>,
    pub(super) session_id: String,
    /// Where commands run.
    pub(super) cwd: PathBuf,
    /// Whether frames tell of the hooks that run.
    pub(super) is_shown: bool,
    pub(super) aftermath: Aftermath,
}

/// What goes on after an event: hooks that nobody waits for, and what they said.
#[derive(Debug, Clone)]
pub(super) struct Aftermath {
    /// Who holds the other end holds the tasks: they end with the session.
    pub(super) tasks: Weak<Mutex<JoinSet<()>>>,
    /// What hooks left running when they ended. Nobody waits for it.
    pub(super) leftovers: Weak<Mutex<JoinSet<()>>>,
    /// How many may run at once of those that nobody waits for.
    pub(super) room: Arc<Semaphore>,
    pub(super) said: Arc<Mutex<Vec<String>>>,
    /// Files that hooks want to hear of.
    pub(super) watched: Arc<Mutex<Watched>>,
}

impl Aftermath {
    /// Lets something go on by itself, as long as there is a session.
    pub(super) fn go_on(&self, task: impl Future<Output = ()> + Send + 'static) {
        spawn(&self.tasks, task);
    }

    /// Stays with what a hook left running, as long as there is a session.
    fn leave_behind(&self, rest: impl Future<Output = ()> + Send + 'static) {
        spawn(&self.leftovers, rest);
    }

    /// Keeps what hooks said after their event for the model's next answer. Nothing can be forbidden any
    /// more, but why a hook would have is worth hearing.
    pub(super) fn hear(&self, occasion: &Occasion, outcome: &mut Outcome) {
        let said = outcome.blocks.drain(..).chain(outcome.contexts.drain(..));
        lock(&self.said).extend(said.map(|text| format!("{} hook: {text}", occasion.label())));
    }
}

/// Spawns a task, unless the session is over; those that have ended are forgotten.
fn spawn(tasks: &Weak<Mutex<JoinSet<()>>>, task: impl Future<Output = ()> + Send + 'static) {
    let Some(tasks) = tasks.upgrade() else { return };
    let mut tasks = lock(&tasks);
    while tasks.try_join_next().is_some() {}
    tasks.spawn(task);
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hook {
    /// What it is, for the user.
    pub(super) fn described(&self) -> String {
        match self {
            Hook::Command(hook) => format!("`{}`", hook.command),
            Hook::Callback(hook) => format!("{} of the host", hook.id),
        }
    }

    /// Runs it, and gives what it said.
    pub(super) async fn run(
        self,
        stand: Stand,
        occasion: Occasion,
        input: Arc<HookInput<'static>>,
        text: Arc<str>,
        cancel: CancellationToken,
    ) -> Reply {
        match self {
            Hook::Callback(hook) => hook.run(&stand, &occasion, &input, &cancel).await,
            Hook::Command(hook) => {
                let run = CommandRun::new(*hook, stand, occasion);
                run.stand.tell_started(&run).await;
                run.follow(&text, &cancel).await
            }
        }
    }
}

/// A command hook at work.
pub(super) struct CommandRun {
    /// What frames know it by.
    pub(super) id: String,
    hook: CommandHook,
    stand: Stand,
    pub(super) occasion: Occasion,
    deadline: Instant,
}

impl CommandRun {
    fn new(hook: CommandHook, stand: Stand, occasion: Occasion) -> Self {
        let usual = if hook.event.name == "SessionEnd" { PATIENCE_AT_THE_END } else { PATIENCE };
        let deadline = Instant::now() + hook.timeout.unwrap_or(usual);
        CommandRun { id: crate::moment::fresh_uuid(), hook, stand, occasion, deadline }
    }

    async fn follow(self, input: &str, cancel: &CancellationToken) -> Reply {
        // Programs that read by lines want a whole one.
        let input = format!("{input}\n");
        let stand = &self.stand;
        let project = &stand.environment.cwd;
        let CommandHook { command, root, .. } = &self.hook;
        let started =
            Process::start(&stand.environment, &stand.cwd, project, command, root.as_deref(), input);
        let mut process = match started {
            Ok(process) => process,
            Err(error) => {
                let why = format!("it can't be started: {error}");
                stand.tell_ended(&self, &Printed::default(), None, HookOutcome::Error).await;
                return self.failed(&why, None);
            }
        };
        if self.hook.is_async {
            self.leave(process);
            return Reply::Nothing;
        }
        let (mut told, mut may_leave) = (0, true);
        let mut progress = Instant::now() + PROGRESS;
        let ended = loop {
            tokio::select! {
                happened = process.next() => match happened {
                    Happened::Ended(ended) => break ended,
                    Happened::Printed => {
                        if let Some(line) = process.printed.first_line().filter(|_| may_leave) {
                            may_leave = false;
                            if let Some(patience) = asks_to_be_left(line) {
                                CommandRun { deadline: patience.unwrap_or(self.deadline), ..self }.leave(process);
                                return Reply::Nothing;
                            }
                        }
                    }
                },
                () = sleep_until(progress) => {
                    progress = Instant::now() + PROGRESS;
                    if process.printed.len() > told {
                        told = process.printed.len();
                        stand.tell_progress(&self, &process.printed).await;
                    }
                }
                () = sleep_until(self.deadline) => {
                    process.end().await;
                    stand.tell_ended(&self, &process.printed, None, HookOutcome::Cancelled).await;
                    return self.failed("it did not end in time", Some("hook_no_verdict"));
                }
                () = cancel.cancelled() => {
                    process.end().await;
                    stand.tell_ended(&self, &process.printed, None, HookOutcome::Cancelled).await;
                    return Reply::Nothing;
                }
            }
        };
        let printed = process.printed.clone();
        stand.aftermath.leave_behind(process.outlive());
        let (code, reply) = self.reply(ended.map_err(|lost| lost.to_string()), &printed);
        let outcome = if code == Some(0) { HookOutcome::Success } else { HookOutcome::Error };
        stand.tell_ended(&self, &printed, code, outcome).await;
        reply
    }

    /// What the end of a command and its output mean.
    fn reply(&self, ended: Result<Ended, String>, printed: &Printed) -> (Option<i32>, Reply) {
        let event = self.hook.event;
        let stderr = printed.stderr();
        let stderr = stderr.trim();
        match ended {
            Ok(Ended::Exited(0)) if printed.is_cut() => (Some(0), self.failed("it printed too much", None)),
            Ok(Ended::Exited(0)) => {
                let reply = match reply::read(event, &printed.stdout()) {
                    Reply::Failed { why, blocks, tag } => {
                        Reply::Failed { why: format!("[{}]: {why}", self.hook.command), blocks, tag }
                    }
                    reply => reply,
                };
                (Some(0), reply)
            }
            Ok(Ended::Exited(NO)) if event.can_block => {
                let why = if stderr.is_empty() { "No stderr output" } else { stderr };
                (Some(NO), Reply::Blocked(format!("[{}]: {why}", self.hook.command)))
            }
            Ok(Ended::Exited(code)) => {
                let why = format!("it ended with exit code {code}");
                let why = if stderr.is_empty() { why } else { format!("{why}: {stderr}") };
                (Some(code), self.failed(&why, None))
            }
            Ok(Ended::Signalled(signal)) => {
                (None, self.failed(&format!("it was ended by signal {signal}"), None))
            }
            Err(lost) => (None, self.failed(&lost, None)),
        }
    }

    fn failed(&self, why: &str, tag: Option<&'static str>) -> Reply {
        Reply::Failed { why: format!("[{}]: {why}", self.hook.command), blocks: false, tag }
    }

    /// Lets the command go on while nobody waits. What it says then is for the model's next answer.
    fn leave(self, mut process: Process) {
        let aftermath = self.stand.aftermath.clone();
        aftermath.go_on(async move {
            let ended = loop {
                tokio::select! {
                    happened = process.next() => {
                        if let Happened::Ended(ended) = happened {
                            break ended;
                        }
                    }
                    () = sleep_until(self.deadline) => {
                        process.end().await;
                        let printed = &process.printed;
                        self.stand.tell_ended(&self, printed, None, HookOutcome::Cancelled).await;
                        return;
                    }
                }
            };
            let printed = process.printed.clone();
            let (code, reply) = self.reply(ended.map_err(|lost| lost.to_string()), &without_first(&printed));
            let outcome = if code == Some(0) { HookOutcome::Success } else { HookOutcome::Error };
            self.stand.tell_ended(&self, &printed, code, outcome).await;
            let mut said = Outcome::default();
            said.take(self.hook.event, reply);
            self.stand.aftermath.hear(&self.occasion, &mut said);
            self.stand.tell_said(&self.occasion, &said).await;
            self.stand.aftermath.leave_behind(process.outlive());
        });
    }
}

/// Whether the first line of what a hook printed says that nobody should wait, and until when.
fn asks_to_be_left(line: &str) -> Option<Option<Instant>> {
    let raw = Raw::parse(line).ok()?;
    let output = raw.view::<HookOutput<'_>>().filter(|output| output.is_async == Some(true))?;
    let patience = output.async_timeout.and_then(|number| number.as_u64());
    Some(patience.map(|patience| Instant::now() + Duration::from_millis(patience)))
}

/// What was printed without the line that asked to be left.
fn without_first(printed: &Printed) -> Printed {
    match printed.first_line().and_then(asks_to_be_left) {
        Some(_) => printed.without_first_line(),
        None => printed.clone(),
    }
}
