//! Runs the hooks of an event.

use std::pin::Pin;
use std::sync::Arc;

use aqueduct_os::mutex::lock;
use aqueduct_wire::hook::HookInput;
use aqueduct_wire::json::Raw;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::input::HookInputBase;
use super::occasion::HookOccurrence;
use super::outcome::HooksOutcome;
use super::reply::HookReply;
use super::run::{AnyHook, HookContext, HookRun};
use crate::session::AgentSession;
use crate::wait_report::reported;
use crate::{side_by_side, trace};

impl AgentSession {
    /// Runs the hooks of an event concurrently and waits for their replies. `input` is built only if there is a hook.
    /// The messages of hooks for the user and the failures of hooks are sent here, or by the turn from the outcome's
    /// notices.
    pub(crate) async fn fire(
        &self,
        occasion: HookOccurrence,
        cancel: &CancellationToken,
        input: impl FnOnce(&HookInputBase) -> HookInput<'static>,
    ) -> HooksOutcome {
        let hooks = self.hooks_for(&occasion);
        let mut outcome = HooksOutcome::default();
        if hooks.is_empty() {
            return outcome;
        }
        if cancel.is_cancelled() {
            outcome.interrupted = true;
            return outcome;
        }
        trace::hooks_fired(&occasion.label(), hooks.len() as u64);
        let hook_context = self.hook_context(&occasion);
        let (input, text) = self.prepared(&occasion, input);
        let event = FiredEvent {
            session: self,
            hook_context: hook_context.clone(),
            occasion: occasion.clone(),
            input,
            text,
            cancel,
        };
        for reply in event.run(hooks).await {
            outcome.take(occasion.event, reply);
        }
        outcome.interrupted = cancel.is_cancelled();
        lock(&hook_context.detached.watched).ask(outcome.watch.drain(..));
        match occasion.event.name {
            // The turn sends them after its `init`.
            "UserPromptSubmit" => outcome.notices = hook_context.notices(&occasion, &outcome),
            // The turn sends the messages for the user after the result.
            "PostToolUse" | "PostToolUseFailure" => {
                hook_context.send_notices(hook_context.failures(&occasion, &outcome)).await;
                outcome.notices = hook_context.messages(&occasion, &outcome);
            }
            _ => hook_context.send_notices(hook_context.notices(&occasion, &outcome)).await,
        }
        outcome
    }

    /// Runs the hooks of an event in the background. Their messages for the model are kept for its next request.
    pub(crate) fn observe(
        &self,
        occasion: HookOccurrence,
        input: impl FnOnce(&HookInputBase) -> HookInput<'static>,
    ) {
        self.set_off(occasion, &CancellationToken::new(), input, |hook_context, occasion, mut outcome| {
            hook_context.detached.keep_contexts(occasion, &mut outcome);
        });
    }

    /// Runs the hooks of an event apart from the turn, until they end or `cancel` fires. The receiver gets their
    /// outcome. `None` if there are no hooks.
    pub(crate) fn fire_apart(
        &self,
        occasion: HookOccurrence,
        cancel: &CancellationToken,
        input: impl FnOnce(&HookInputBase) -> HookInput<'static>,
    ) -> Option<oneshot::Receiver<HooksOutcome>> {
        let (sender, receiver) = oneshot::channel();
        let is_off = self.set_off(occasion, cancel, input, |_, _, outcome| {
            // The receiver may have been dropped.
            let _ = sender.send(outcome);
        });
        is_off.then_some(receiver)
    }

    /// Starts hooks in the background and passes their outcome to `hand_on`; returns whether there were any.
    fn set_off(
        &self,
        occasion: HookOccurrence,
        cancel: &CancellationToken,
        input: impl FnOnce(&HookInputBase) -> HookInput<'static>,
        hand_on: impl FnOnce(&HookContext, &HookOccurrence, HooksOutcome) + Send + 'static,
    ) -> bool {
        let hooks = self.hooks_for(&occasion);
        if hooks.is_empty() {
            return false;
        }
        let hook_context = self.hook_context(&occasion);
        let (input, text) = self.prepared(&occasion, input);
        let detached = hook_context.detached.clone();
        let cancel = cancel.clone();
        detached.spawn(async move {
            // The semaphore is never closed, so a permit always becomes available.
            let _permit = hook_context.detached.room.clone().acquire_owned().await;
            let running = hooks.into_iter().map(|hook| {
                hook.run(hook_context.clone(), occasion.clone(), input.clone(), text.clone(), cancel.clone())
            });
            let mut outcome = HooksOutcome::default();
            for reply in side_by_side::all(running.collect()).await {
                outcome.take(occasion.event, reply);
            }
            lock(&hook_context.detached.watched).ask(outcome.watch.drain(..));
            hook_context.send_notices(hook_context.notices(&occasion, &outcome)).await;
            hand_on(&hook_context, &occasion, outcome);
        });
        true
    }

    fn prepared(
        &self,
        occasion: &HookOccurrence,
        input: impl FnOnce(&HookInputBase) -> HookInput<'static>,
    ) -> (Arc<HookInput<'static>>, Arc<str>) {
        let input = input(&self.hook_base(occasion.agent.clone()));
        let text = Arc::from(Raw::written(&input).as_str());
        (Arc::new(input), text)
    }
}

/// An event whose caller waits for the outcome, with the context of its hooks.
struct FiredEvent<'f> {
    session: &'f AgentSession,
    hook_context: HookContext,
    occasion: HookOccurrence,
    input: Arc<HookInput<'static>>,
    text: Arc<str>,
    cancel: &'f CancellationToken,
}

impl FiredEvent<'_> {
    /// Runs a hook that asks a model. It may run an agent, whose calls have hooks: without the box the future would
    /// contain itself.
    fn judged(
        &self,
        hook: AnyHook,
        running: HookRun,
    ) -> Pin<Box<dyn Future<Output = HookReply> + Send + '_>> {
        Box::pin(async move {
            match hook {
                AnyHook::Configured(hook) => {
                    self.session.decide(&hook, &running, &self.text, self.cancel).await
                }
                AnyHook::Callback(_) => HookReply::Nothing,
            }
        })
    }

    /// Runs hooks concurrently. The user sees which of them takes long.
    async fn run(&self, hooks: Vec<AnyHook>) -> Vec<HookReply> {
        let running = hooks.into_iter().map(|hook| async move {
            let what = hook.described();
            let (hook_context, occasion) = (self.hook_context.clone(), self.occasion.clone());
            let run = async {
                if hook.judges() {
                    return self.judged(hook, HookRun::new(hook_context, occasion)).await;
                }
                hook.run(hook_context, occasion, self.input.clone(), self.text.clone(), self.cancel.clone())
                    .await
            };
            reported(run, |waited| self.hook_context.send_waiting(&self.occasion, &what, waited)).await
        });
        side_by_side::all(running.collect()).await
    }
}
