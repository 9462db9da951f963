//! One hook that runs, from its beginning to what it said.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use aqueduct_mcp::Mcp;
use aqueduct_model::client::ProxySettings;
use aqueduct_wire::hook::HookInput;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::callback::CallbackHook;
use super::command_run::CommandRun;
use super::file_watch::WatchedFiles;
use super::http::HttpPolicy;
use super::occasion::HookOccurrence;
use super::outcome::HooksOutcome;
use super::reply::{HookReply, NO_VERDICT};
use crate::clock::fresh_uuid;
use crate::environment::Environment;
use crate::hook_config::ConfiguredHook;
use crate::hook_config::HookAction;
use crate::host::HostChannel;
use crate::outbox::Outbox;

/// How long a hook may take, where nobody says.
const PATIENCE: Duration = Duration::from_secs(600);

/// How long a hook may take where the session ends after it.
const PATIENCE_AT_THE_END: Duration = Duration::from_millis(1500);

/// A hook of any kind.
#[derive(Debug, Clone)]
pub(super) enum AnyHook {
    /// A hook of a settings file, of front matter or of a plugin.
    Configured(Box<ConfiguredHook>),
    /// A callback of the host.
    Callback(CallbackHook),
}

/// What hooks need of the session. They may outlive a turn, so it is all theirs.
#[derive(Clone)]
pub(super) struct HookContext {
    pub(super) environment: Arc<Environment>,
    pub(super) outbox: Outbox,
    pub(super) host: Arc<HostChannel>,
    pub(super) session_id: String,
    /// Where commands run.
    pub(super) cwd: PathBuf,
    /// Whether frames tell of the hooks that run.
    pub(super) is_shown: bool,
    pub(super) aftermath: DetachedHooks,
    pub(super) mcp: Arc<Mcp>,
    pub(super) proxy: ProxySettings,
    /// What settings say about HTTP hooks.
    pub(super) http: HttpPolicy,
}

/// What goes on after an event: hooks that nobody waits for, and what they said.
#[derive(Debug, Clone)]
pub(super) struct DetachedHooks {
    /// Who holds the other end holds the tasks: they end with the session.
    pub(super) tasks: Weak<Mutex<JoinSet<()>>>,
    /// What hooks left running when they ended. Nobody waits for it.
    pub(super) leftovers: Weak<Mutex<JoinSet<()>>>,
    /// How many may run at once of those that nobody waits for.
    pub(super) room: Arc<Semaphore>,
    pub(super) said: Arc<Mutex<Vec<String>>>,
    /// Guards that gave no verdict, and that hosts know of.
    pub(super) without_verdict: Arc<Mutex<HashSet<String>>>,
    /// Files that hooks want to hear of.
    pub(super) watched: Arc<Mutex<WatchedFiles>>,
}

impl DetachedHooks {
    /// Lets something go on by itself, as long as there is a session.
    pub(super) fn go_on(&self, task: impl Future<Output = ()> + Send + 'static) {
        spawn(&self.tasks, task);
    }

    /// Stays with what a hook left running, as long as there is a session.
    pub(super) fn leave_behind(&self, rest: impl Future<Output = ()> + Send + 'static) {
        spawn(&self.leftovers, rest);
    }

    /// Keeps what hooks said after their event for the model's next answer. Nothing can be forbidden any
    /// more, but why a hook would have is worth hearing.
    pub(super) fn hear(&self, occasion: &HookOccurrence, outcome: &mut HooksOutcome) {
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

/// One run of a hook, as frames know it.
pub(super) struct HookRun {
    /// What frames know it by.
    pub(super) id: String,
    pub(super) stand: HookContext,
    pub(super) occasion: HookOccurrence,
}

impl HookRun {
    pub(super) fn new(stand: HookContext, occasion: HookOccurrence) -> Self {
        HookRun { id: fresh_uuid(), stand, occasion }
    }

    /// How long a hook may take.
    pub(super) fn patience(&self, hook: &ConfiguredHook) -> Duration {
        let usual = if hook.event.name == "SessionEnd" { PATIENCE_AT_THE_END } else { PATIENCE };
        hook.timeout.unwrap_or(usual)
    }
}

impl AnyHook {
    /// What it is, for the user.
    pub(super) fn described(&self) -> String {
        match self {
            AnyHook::Configured(hook) => format!("`{}`", hook.action.described()),
            AnyHook::Callback(hook) => format!("{} of the host", hook.id),
        }
    }

    /// Whether it asks a model about the event, which needs the session.
    pub(super) fn judges(&self) -> bool {
        matches!(self, AnyHook::Configured(hook) if matches!(hook.action, HookAction::Prompt(_) | HookAction::Agent(_)))
    }

    /// Runs it, and gives what it said. Hooks that ask a model are no part of this: they need the session.
    pub(super) async fn run(
        self,
        stand: HookContext,
        occasion: HookOccurrence,
        input: Arc<HookInput<'static>>,
        text: Arc<str>,
        cancel: CancellationToken,
    ) -> HookReply {
        let hook = match self {
            AnyHook::Callback(hook) => return hook.run(&stand, &occasion, &input, &cancel).await,
            AnyHook::Configured(hook) => *hook,
        };
        let running = HookRun::new(stand, occasion);
        match hook.action.clone() {
            HookAction::Command(action) => {
                running.tell_started().await;
                CommandRun::new(hook, action, running).follow(&text, &cancel).await
            }
            HookAction::Http(action) => running.post(&hook, &action, &text, &cancel).await,
            HookAction::McpTool(action) => running.call_tool(&hook, &action, &text, &cancel).await,
            HookAction::Prompt(_) | HookAction::Agent(_) => running.unsupported(&hook).await,
        }
    }
}

impl HookRun {
    /// Reports that a kind of hook can't run for an event.
    pub(super) async fn unsupported(&self, hook: &ConfiguredHook) -> HookReply {
        let (kind, event) = (hook.action.kind(), hook.event.name);
        let why = format!("{kind} hooks are not supported for {event}; use a command or an http hook");
        self.tell_failed(&format!("Failed to run: {why}"), Some(1)).await;
        HookReply::Failed {
            why: format!("[{}]: {why}", hook.action.content()),
            blocks: false,
            tag: Some(NO_VERDICT),
        }
    }

    /// Reports that a hook has not answered in time.
    pub(super) async fn timed_out(&self, hook: &ConfiguredHook) -> HookReply {
        self.tell_cancelled().await;
        let why = format!("[{}]: it did not answer in time", hook.action.content());
        HookReply::Failed { why, blocks: false, tag: Some(NO_VERDICT) }
    }
}
