//! The run of one hook, from its start to its reply.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use aqueduct_mcp::Mcp;
use aqueduct_model::client::ProxySettings;
use aqueduct_os::mutex::lock;
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

/// The timeout of a hook that sets none.
const PATIENCE: Duration = Duration::from_secs(600);

/// The timeout of a hook after which the session ends.
const PATIENCE_AT_THE_END: Duration = Duration::from_millis(1500);

/// A hook of any kind.
#[derive(Debug, Clone)]
pub(super) enum AnyHook {
    /// A hook of a settings file, of front matter or of a plugin.
    Configured(Box<ConfiguredHook>),
    /// A callback of the host.
    Callback(CallbackHook),
}

/// The parts of the session that hooks use. Hooks may outlive a turn, so the context owns all of them.
#[derive(Clone)]
pub(super) struct HookContext {
    pub(super) environment: Arc<Environment>,
    pub(super) outbox: Outbox,
    pub(super) host: Arc<HostChannel>,
    pub(super) session_id: String,
    /// Where commands run.
    pub(super) cwd: PathBuf,
    /// Whether frames report the hooks that run.
    pub(super) is_shown: bool,
    pub(super) detached: DetachedHooks,
    pub(super) mcp: Arc<Mcp>,
    pub(super) proxy: ProxySettings,
    /// The settings for HTTP hooks.
    pub(super) http: HttpPolicy,
}

/// Hooks that run in the background after their event, and their output.
#[derive(Debug, Clone)]
pub(super) struct DetachedHooks {
    /// The session owns the tasks: they end with it.
    pub(super) tasks: Weak<Mutex<JoinSet<()>>>,
    /// Processes that hooks left running when they ended. They are drained in the background.
    pub(super) leftovers: Weak<Mutex<JoinSet<()>>>,
    /// Limits how many events run hooks in the background at the same time.
    pub(super) room: Arc<Semaphore>,
    pub(super) kept_contexts: Arc<Mutex<Vec<String>>>,
    /// Guards that gave no verdict and that were reported to the host.
    pub(super) without_verdict: Arc<Mutex<HashSet<String>>>,
    /// Files that hooks watch.
    pub(super) watched: Arc<Mutex<WatchedFiles>>,
}

impl DetachedHooks {
    /// Runs a task in the background, until it ends or the session does.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        spawn(&self.tasks, task);
    }

    /// Drains the processes that a hook left running, until they end or the session does.
    pub(super) fn drain(&self, rest: impl Future<Output = ()> + Send + 'static) {
        spawn(&self.leftovers, rest);
    }

    /// Keeps the output of hooks after their event for the model's next request. A refusal comes too late to block
    /// the event, but its reason is still useful to the model.
    pub(super) fn keep_contexts(&self, occasion: &HookOccurrence, outcome: &mut HooksOutcome) {
        let kept_contexts = outcome.blocks.drain(..).chain(outcome.contexts.drain(..));
        lock(&self.kept_contexts)
            .extend(kept_contexts.map(|text| format!("{} hook: {text}", occasion.label())));
    }
}

/// Spawns a task, unless the session is over; removes the tasks that have ended.
fn spawn(tasks: &Weak<Mutex<JoinSet<()>>>, task: impl Future<Output = ()> + Send + 'static) {
    let Some(tasks) = tasks.upgrade() else { return };
    let mut tasks = lock(&tasks);
    while tasks.try_join_next().is_some() {}
    tasks.spawn(task);
}

/// One run of a hook, as frames report it.
pub(super) struct HookRun {
    /// The id of the run in frames.
    pub(super) id: String,
    pub(super) hook_context: HookContext,
    pub(super) occasion: HookOccurrence,
}

impl HookRun {
    pub(super) fn new(hook_context: HookContext, occasion: HookOccurrence) -> Self {
        HookRun { id: fresh_uuid(), hook_context, occasion }
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

    /// Runs it and returns its reply. Hooks that ask a model are not run here, because they need the session.
    pub(super) async fn run(
        self,
        hook_context: HookContext,
        occasion: HookOccurrence,
        input: Arc<HookInput<'static>>,
        text: Arc<str>,
        cancel: CancellationToken,
    ) -> HookReply {
        let hook = match self {
            AnyHook::Callback(hook) => return hook.run(&hook_context, &occasion, &input, &cancel).await,
            AnyHook::Configured(hook) => *hook,
        };
        let running = HookRun::new(hook_context, occasion);
        match hook.action.clone() {
            HookAction::Command(action) => {
                running.send_started().await;
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
        self.send_failed(&format!("Failed to run: {why}"), Some(1)).await;
        HookReply::Failed {
            why: format!("[{}]: {why}", hook.action.content()),
            blocks: false,
            tag: Some(NO_VERDICT),
        }
    }

    /// Reports that a hook has not answered in time.
    pub(super) async fn timed_out(&self, hook: &ConfiguredHook) -> HookReply {
        self.send_cancelled().await;
        let why = format!("[{}]: it did not answer in time", hook.action.content());
        HookReply::Failed { why, blocks: false, tag: Some(NO_VERDICT) }
    }
}
