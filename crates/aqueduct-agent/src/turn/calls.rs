//! The calls of one message: which run, which wait, and what becomes of their results.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use aqueduct_tools::BuiltInTool;
use aqueduct_wire::hook::HookEvent;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

use super::answer::CallBlock;
use super::call::{CallContext, FinishedCall};
use super::results::{CallResult, REJECTED};
use super::{Interrupted, Turn, TurnEnd};
use crate::session::AgentSession;
use crate::subagent::RunningSubagent;
use crate::trace;

/// The result of calls that had not started when the turn ended.
const TOO_LATE: &str = "Not run: the turn ended before this call could start.";

/// The calls of one message, from when their blocks are complete. A call starts at once if nothing runs, or if
/// it and all that run may run concurrently. No call overtakes one that has to run alone.
pub(super) struct Calls<'t> {
    session: &'t AgentSession,
    by: Option<&'t RunningSubagent>,
    /// Ends the calls: the turn's end, or a denial that ends the turn.
    cancel: CancellationToken,
    waiting: VecDeque<WaitingCall>,
    running: Vec<RunningCall<'t>>,
    /// Calls that are done and whose results are not sent.
    done: VecDeque<(Arc<CallBlock>, FinishedCall)>,
    /// How many calls the message has so far.
    count: usize,
    /// Calls that hooks leave to the host.
    deferred: Vec<Arc<CallBlock>>,
    /// One of the calls ended the turn.
    is_interrupted: bool,
    /// The model is not asked again after these calls.
    ends_turn: bool,
    /// The working directory that the host and hooks know.
    folder: PathBuf,
    /// The span of the turn: a call may begin while the model's answer is still being read.
    turn_span: Span,
}

/// A call that has not started.
struct WaitingCall {
    call: Arc<CallBlock>,
    runs_beside: bool,
}

/// A call that has started.
struct RunningCall<'t> {
    call: Arc<CallBlock>,
    runs_beside: bool,
    /// Whether the user was asked about it, or it runs.
    is_settled: Arc<AtomicBool>,
    future: Pin<Box<dyn Future<Output = FinishedCall> + Send + 't>>,
}

impl RunningCall<'_> {
    fn is_settled(&self) -> bool {
        self.is_settled.load(Ordering::Relaxed)
    }
}

impl<'t> Calls<'t> {
    /// No calls yet. `cancel` ends the turn.
    pub(super) fn new(
        session: &'t AgentSession,
        by: Option<&'t RunningSubagent>,
        cancel: &CancellationToken,
    ) -> Self {
        Calls {
            session,
            by,
            cancel: cancel.child_token(),
            waiting: VecDeque::new(),
            running: Vec::new(),
            done: VecDeque::new(),
            count: 0,
            deferred: Vec::new(),
            is_interrupted: false,
            ends_turn: false,
            folder: session.tool_context_of(by).workspace.cwd(),
            turn_span: Span::current(),
        }
    }

    /// Adds a call whose block is complete.
    pub(super) fn push(&mut self, call: CallBlock) {
        let runs_beside = self.session.runs_beside(self.by, &call);
        self.count += 1;
        self.waiting.push_back(WaitingCall { call: Arc::new(call), runs_beside });
    }

    /// Whether the message has no calls.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether one of the calls ended the turn.
    pub(super) fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    /// Whether calls run or wait.
    pub(super) fn is_busy(&self) -> bool {
        !self.running.is_empty() || !self.waiting.is_empty() || !self.done.is_empty()
    }

    /// Polls the calls until the user was asked about each of them, or it runs; returns one that is done by then. Hosts
    /// are asked about a call before they receive the next one.
    pub(super) async fn advance(&mut self) -> Option<(Arc<CallBlock>, FinishedCall)> {
        poll_fn(|context| match self.poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending if self.running.iter().all(RunningCall::is_settled) => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        })
        .await
    }

    /// The next call that is done. Only where [`Calls::is_busy`].
    pub(super) async fn next(&mut self) -> (Arc<CallBlock>, FinishedCall) {
        poll_fn(|context| self.poll(context)).await
    }

    /// The next call that is done. A call behind it that only reads starts before its result is sent, and is asked about
    /// by then, unless it is a command: looking at one takes longer than sending a result. A call that has to run alone
    /// starts after the result, unless hooks are asked about it first.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<(Arc<CallBlock>, FinishedCall)> {
        self.start();
        self.poll_running(context);
        if !self.done.is_empty() && self.may_start() {
            self.start();
            self.poll_running(context);
        }
        let is_awaited = |running: &RunningCall<'_>| !running.is_settled() && !runs_commands(running);
        match self.running.iter().any(is_awaited) {
            true => Poll::Pending,
            false => self.done.pop_front().map_or(Poll::Pending, Poll::Ready),
        }
    }

    fn poll_running(&mut self, context: &mut Context<'_>) {
        for mut running in std::mem::take(&mut self.running) {
            match running.future.as_mut().poll(context) {
                Poll::Ready(finished) => self.done.push_back((running.call, finished)),
                Poll::Pending => self.running.push(running),
            }
        }
    }

    /// Whether nothing has ended the turn: the results that wait to be sent among others.
    fn may_start(&self) -> bool {
        let ends = |(_, finished): &(Arc<CallBlock>, FinishedCall)| finished.interrupts || finished.ends_turn;
        !self.is_interrupted && !self.cancel.is_cancelled() && !self.done.iter().any(ends)
    }

    /// Starts the calls that may run now.
    fn start(&mut self) {
        if !self.may_start() {
            return;
        }
        let has_hooks = self.session.has_hooks(&HookEvent::PreToolUse);
        while let Some(WaitingCall { call, runs_beside }) =
            self.waiting.pop_front_if(|next| match next.runs_beside {
                true => self.running.iter().all(|call| call.runs_beside),
                false => self.running.is_empty() && (self.done.is_empty() || has_hooks),
            })
        {
            let is_settled = Arc::new(AtomicBool::new(false));
            let (cancel, settled) = (self.cancel.clone(), is_settled.clone());
            let caller = CallContext { session: self.session, by: self.by, cancel, is_settled: settled };
            let span = trace::call_span(&self.turn_span, &call.block.name, &call.block.id);
            let future = Box::pin(caller.perform(call.clone()).instrument(span));
            self.running.push(RunningCall { call, runs_beside, is_settled, future });
        }
    }
}

impl<'t> Turn<'t> {
    /// Waits for the calls of a message whose stream has ended. Gives whether the model is not asked again.
    pub(super) async fn run_calls(&mut self, mut calls: Calls<'t>) -> Result<bool, TurnEnd> {
        self.settle_calls(&mut calls).await?;
        if calls.is_interrupted {
            self.send_interruption(Interrupted::Tools).await?;
            return Err(TurnEnd::Interrupted(Interrupted::Tools));
        }
        let is_alone = calls.count == 1;
        for call in std::mem::take(&mut calls.deferred) {
            if is_alone {
                return Err(TurnEnd::Deferred(Box::new(call.block.clone())));
            }
            let name = &call.block.name;
            let what = format!("A hook deferred {name}, which is not possible together with other calls.");
            self.send_result(&call, CallResult::failed(&what, None)).await?;
        }
        self.launch_skills().await?;
        self.end_batch().await;
        match self.halted() {
            Some(end) => Err(end),
            None => Ok(calls.ends_turn),
        }
    }

    /// The user interrupted the answer: every call of it gets a result.
    pub(super) async fn interrupt_calls(&mut self, calls: &mut Calls<'t>) -> Result<(), TurnEnd> {
        calls.is_interrupted = true;
        self.settle_calls(calls).await
    }

    /// The turn ends: calls that have started end as they would, and no other starts.
    pub(super) async fn end_calls(&mut self, calls: &mut Calls<'t>) -> Result<(), TurnEnd> {
        let waiting = std::mem::take(&mut calls.waiting);
        self.settle_calls(calls).await?;
        for WaitingCall { call, .. } in waiting {
            self.send_result(&call, CallResult::failed(TOO_LATE, None)).await?;
        }
        Ok(())
    }

    /// Waits until no call runs or waits. Calls behind one that ends the turn are not run.
    async fn settle_calls(&mut self, calls: &mut Calls<'t>) -> Result<(), TurnEnd> {
        let mut skipped = VecDeque::new();
        loop {
            calls.is_interrupted |= self.cancel.is_cancelled() && calls.is_busy();
            if calls.is_interrupted {
                calls.cancel.cancel();
                skipped.append(&mut calls.waiting);
            }
            if !calls.is_busy() {
                break;
            }
            let (call, finished) = calls.next().await;
            self.finish_call(calls, &call, finished).await?;
        }
        for WaitingCall { call, .. } in skipped {
            self.send_result(&call, CallResult::stopped(REJECTED)).await?;
        }
        Ok(())
    }

    /// Applies the effects of a call on the turn, and sends its result.
    pub(super) async fn finish_call(
        &mut self,
        calls: &mut Calls<'t>,
        call: &Arc<CallBlock>,
        finished: FinishedCall,
    ) -> Result<(), TurnEnd> {
        for hook in &finished.hook_outcomes {
            self.add_contexts(&hook.label, &hook.outcome, hook.with_blocks);
        }
        if let Some(denial) = finished.denial {
            match self.by {
                Some(_) => self.session.permissions.note_denial(denial),
                None => self.denials.push(denial),
            }
        }
        if let Some(form) = finished.form {
            self.note_answer(form);
        }
        calls.ends_turn |= finished.ends_turn;
        calls.is_interrupted |= finished.interrupts || self.cancel.is_cancelled();
        match finished.result {
            Some(reported) => self.send_result(call, reported).await?,
            None => calls.deferred.push(call.clone()),
        }
        let folder = self.tool_context().workspace.cwd();
        if folder != calls.folder && self.by.is_none() {
            self.session.cwd_changed(&calls.folder, &folder);
            calls.folder = folder;
        }
        Ok(())
    }
}

/// Whether a call is one of a shell.
fn runs_commands(running: &RunningCall<'_>) -> bool {
    BuiltInTool::called(&running.call.block.name).is_some_and(|tool| tool.facts.runs_commands)
}
