//! The hooks of a session.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aqueduct_os::mutex::lock;
use aqueduct_rules::{Behavior, Call, Context, Source, decide};
use aqueduct_wire::hook::HookEvent;
use aqueduct_wire::json::Raw;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::callback::{self, CallbackHook};
use super::file_watch::WatchedFiles;
use super::http::HttpPolicy;
use super::occasion::HookOccurrence;
use super::outcome::HooksOutcome;
use super::run::{AnyHook, DetachedHooks, HookContext};
use super::scoped::ScopedHooks;
use crate::diagnostic::Diagnostic;
use crate::hook_config::ConfiguredHook;
use crate::session::{AgentSession, proxy};

/// How long background hooks may continue after the session ends.
const GRACE: Duration = Duration::from_secs(1);

/// The maximum number of events whose hooks run in the background at the same time.
const AT_ONCE: usize = 8;

/// Events whose hooks are always shown.
const ALWAYS_SHOWN: &[&str] = &["SessionStart", "Setup"];

/// Events whose hooks are never shown: they have no part in a turn, or the status of the compaction reports them.
const NEVER_SHOWN: &[&str] = &["SessionEnd", "WorktreeCreate", "WorktreeRemove", "PreCompact", "PostCompact"];

/// Whether frames report the hooks of an event that run.
fn is_shown(is_wanted: bool, event: &str) -> bool {
    (is_wanted || ALWAYS_SHOWN.contains(&event)) && !NEVER_SHOWN.contains(&event)
}

/// The hooks of the host, and the hooks that run in the background. The hooks of settings are in the configuration.
#[derive(Debug)]
pub(crate) struct Hooks {
    callbacks: Mutex<Vec<CallbackHook>>,
    /// The hooks of active skills and running subagents.
    pub(super) scoped: Mutex<Vec<ScopedHooks>>,
    /// Guards that gave no verdict and that were reported to the host.
    without_verdict: Arc<Mutex<HashSet<String>>>,
    /// Files that hooks watch.
    pub(super) watched: Arc<Mutex<WatchedFiles>>,
    tasks: Arc<Mutex<JoinSet<()>>>,
    leftovers: Arc<Mutex<JoinSet<()>>>,
    room: Arc<Semaphore>,
    kept_contexts: Arc<Mutex<Vec<String>>>,
}

impl Default for Hooks {
    fn default() -> Self {
        Hooks {
            callbacks: Mutex::default(),
            scoped: Mutex::default(),
            without_verdict: Arc::default(),
            watched: Arc::default(),
            tasks: Arc::default(),
            leftovers: Arc::default(),
            room: Arc::new(Semaphore::new(AT_ONCE)),
            kept_contexts: Arc::default(),
        }
    }
}

impl Hooks {
    /// Replaces the host's hooks; returns the errors in the new ones.
    pub(crate) fn register(&self, hooks: &Raw<'_>) -> Vec<Diagnostic> {
        let (callbacks, diagnostics) = callback::read(hooks);
        *lock(&self.callbacks) = callbacks;
        diagnostics
    }

    /// Keeps the output of hooks outside a turn for the model's next request.
    pub(crate) fn keep(&self, label: &str, outcome: &HooksOutcome) {
        let kept_contexts = outcome.contexts.iter().map(|text| format!("{label} hook: {text}"));
        lock(&self.kept_contexts).extend(kept_contexts);
    }

    /// Restores the context of hooks for the model's next request: the turn that sent it to the model was discarded.
    pub(crate) fn keep_again(&self, kept_contexts: Vec<String>) {
        lock(&self.kept_contexts).splice(0..0, kept_contexts);
    }

    /// The output of hooks outside a turn, or after their event was over.
    pub(crate) fn late(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.kept_contexts))
    }

    /// Waits a limited time for running hooks, then ends them.
    pub(crate) async fn end(&self) {
        let mut tasks = std::mem::take(&mut *lock(&self.tasks));
        let _ = tokio::time::timeout(GRACE, async { while tasks.join_next().await.is_some() {} }).await;
        tasks.shutdown().await;
        let mut leftovers = std::mem::take(&mut *lock(&self.leftovers));
        leftovers.shutdown().await;
    }

    pub(super) fn detached(&self) -> DetachedHooks {
        DetachedHooks {
            tasks: Arc::downgrade(&self.tasks),
            leftovers: Arc::downgrade(&self.leftovers),
            room: self.room.clone(),
            kept_contexts: self.kept_contexts.clone(),
            without_verdict: self.without_verdict.clone(),
            watched: self.watched.clone(),
        }
    }
}

impl AgentSession {
    /// The hooks that an occurrence concerns: those of settings in their order, each once, then the host's.
    pub(super) fn hooks_for(&self, occasion: &HookOccurrence) -> Vec<AnyHook> {
        let subject = occasion.subject.as_deref();
        let role = self.role().filter(|_| occasion.agent.is_none());
        let role = role.filter(|role| role.hooks.is_empty() || self.accepts(role.provision().as_ref()));
        let mut configured: Vec<ConfiguredHook> = Vec::new();
        {
            let configuration = self.configuration();
            let own = configuration.hooks().filter(|hook| occasion.concerns(hook)).cloned();
            let role = role.iter().flat_map(|role| &role.hooks);
            let role =
                role.filter(|hook| occasion.concerns(hook) && configuration.lets_others_run()).cloned();
            for hook in own.chain(role).chain(self.hooks.scoped_for(occasion, &configuration)) {
                if !configured.iter().any(|known| known.is_same(&hook)) {
                    configured.push(hook);
                }
            }
        }
        configured.retain(|hook| hook.condition.as_deref().is_none_or(|rule| self.matches(rule, occasion)));
        let mut hooks: Vec<AnyHook> =
            configured.into_iter().map(|hook| AnyHook::Configured(Box::new(hook))).collect();
        if occasion.calls_host {
            let callbacks = lock(&self.hooks.callbacks);
            let meant = callbacks
                .iter()
                .filter(|hook| hook.event.name == occasion.event.name && hook.matcher.fits(subject));
            hooks.extend(meant.cloned().map(AnyHook::Callback));
        }
        hooks
    }

    /// Whether an event has hooks at all.
    pub(crate) fn has_hooks(&self, event: &HookEvent<'_>) -> bool {
        let name = event.as_str();
        self.configuration().hooks().any(|hook| hook.event.name == name)
            || self.hooks.brings(name)
            || self.role().is_some_and(|role| role.hooks.iter().any(|hook| hook.event.name == name))
            || lock(&self.hooks.callbacks).iter().any(|hook| hook.event.name == name)
    }

    /// The matchers of an event's hooks.
    pub(super) fn matchers_of(&self, event: &HookEvent<'_>) -> Vec<String> {
        let name = event.as_str();
        let configuration = self.configuration();
        let own = configuration.hooks().filter(|hook| hook.event.name == name);
        let mut texts: Vec<String> = own.map(|hook| hook.matcher_text.clone()).collect();
        let callbacks = lock(&self.hooks.callbacks);
        let hosts = callbacks.iter().filter(|hook| hook.event.name == name);
        texts.extend(hosts.map(|hook| hook.matcher_text.clone()));
        texts
    }

    /// Whether the call of an occurrence matches a permission rule, in the wide sense in which rules forbid.
    fn matches(&self, rule: &str, occasion: &HookOccurrence) -> bool {
        let (Some(tool), Some(input)) = (&occasion.subject, &occasion.tool_input) else { return false };
        let Ok(input) = input.to::<Value>() else { return false };
        let mut context = Context::new(self.tool_context.workspace.cwd().to_string_lossy())
            .with_home(self.environment.home.to_string_lossy());
        context.add_rules(Source::Session, Behavior::Deny, [rule]).is_ok()
            && decide(&context, &Call::new(tool, &input)).behavior == Behavior::Deny
    }

    /// What hooks need of the session.
    pub(super) fn hook_context(&self, occasion: &HookOccurrence) -> HookContext {
        HookContext {
            environment: self.environment.clone(),
            outbox: self.outbox.clone(),
            host: self.host.clone(),
            session_id: self.id(),
            cwd: self.tool_context.workspace.cwd(),
            is_shown: is_shown(self.options.hook_events, occasion.event.name),
            detached: self.hooks.detached(),
            mcp: self.tool_context.mcp.clone(),
            proxy: proxy(&self.environment),
            http: HttpPolicy::of(&self.configuration()),
        }
    }
}
