//! The calls of one message: which run, which wait, and what becomes of their results.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio_util::sync::CancellationToken;

use super::answer::CallBlock;
use super::call::{Caller, Finished};
use super::results::Told;
use super::{End, Interrupted, Turn};
use crate::session::Session;
use crate::subagent::Subagent;

/// What the model is told of calls behind an interrupted one.
const NOT_RUN: &str = "Not run: the user interrupted the turn before this call.";

/// What the model is told of calls that the end of the turn came before.
const TOO_LATE: &str = "Not run: the turn ended before this call could start.";

/// The calls of one message, from the moment their blocks are complete. A call starts at once if nothing runs, or if
/// it and all that run may run side by side. No call overtakes one that has to run alone.
pub(super) struct Calls<'t> {
    session: &'t Session,
    by: Option<&'t Subagent>,
    /// Ends the calls: the turn's end, or a denial that ends the turn.
    cancel: CancellationToken,
    waiting: VecDeque<Waiting>,
    running: Vec<Running<'t>>,
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
}

/// A call that has not started.
struct Waiting {
    call: Arc<CallBlock>,
    runs_beside: bool,
}

/// A call that has started.
struct Running<'t> {
    call: Arc<CallBlock>,
    runs_beside: bool,
    future: Pin<Box<dyn Future<Output = Finished> + Send + 't>>,
}

impl<'t> Calls<'t> {
    /// No calls yet. `cancel` ends the turn.
    pub(super) fn new(session: &'t Session, by: Option<&'t Subagent>, cancel: &CancellationToken) -> Self {
        Calls {
            session,
            by,
            cancel: cancel.child_token(),
            waiting: VecDeque::new(),
            running: Vec::new(),
            count: 0,
            deferred: Vec::new(),
            is_interrupted: false,
            ends_turn: false,
            folder: session.workshop_of(by).cwd(),
        }
    }

    /// Adds a call whose block is complete.
    pub(super) fn push(&mut self, call: CallBlock) {
        let runs_beside = self.session.runs_beside(self.by, &call);
        self.count += 1;
        self.waiting.push_back(Waiting { call: Arc::new(call), runs_beside });
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
        !self.running.is_empty() || !self.waiting.is_empty()
    }

    /// Lets the calls do what they can without waiting for anything; gives one that is done by then.
    pub(super) async fn advance(&mut self) -> Option<(Arc<CallBlock>, Finished)> {
        poll_fn(|context| match self.poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending => Poll::Ready(None),
        })
        .await
    }

    /// The next call that is done. Only where [`Calls::is_busy`].
    pub(super) async fn next(&mut self) -> (Arc<CallBlock>, Finished) {
        poll_fn(|context| self.poll(context)).await
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<(Arc<CallBlock>, Finished)> {
        self.start();
        let done = self.running.iter_mut().enumerate().find_map(|(index, running)| {
            match running.future.as_mut().poll(context) {
                Poll::Ready(finished) => Some((index, finished)),
                Poll::Pending => None,
            }
        });
        match done {
            Some((index, finished)) => Poll::Ready((self.running.remove(index).call, finished)),
            None => Poll::Pending,
        }
    }

    /// Starts the calls that may run now.
    fn start(&mut self) {
        while let Some(Waiting { call, runs_beside }) = self.waiting.pop_front_if(|next| {
            self.running.is_empty() || (next.runs_beside && self.running.iter().all(|call| call.runs_beside))
        }) {
            let caller = Caller { session: self.session, by: self.by, cancel: self.cancel.clone() };
            let future = Box::pin(caller.perform(call.clone()));
            self.running.push(Running { call, runs_beside, future });
        }
    }
}

impl<'t> Turn<'t> {
    /// Waits for the calls of a message whose stream has ended. Gives whether the model is not asked again.
    pub(super) async fn run_calls(&mut self, mut calls: Calls<'t>) -> Result<bool, End> {
        self.settle_calls(&mut calls).await?;
        if calls.is_interrupted {
            self.tell_interruption(Interrupted::Tools).await?;
            return Err(End::Interrupted(Interrupted::Tools));
        }
        let is_alone = calls.count == 1;
        for call in std::mem::take(&mut calls.deferred) {
            if is_alone {
                return Err(End::Deferred(Box::new(call.block.clone())));
            }
            let name = &call.block.name;
            let what = format!("A hook wants to put {name} off, which is not possible beside other calls.");
            self.tell_result(&call, Told::failed(&what, None)).await?;
        }
        self.launch_skills().await?;
        self.end_batch().await;
        match self.halted() {
            Some(end) => Err(end),
            None => Ok(calls.ends_turn),
        }
    }

    /// The user interrupted the answer: every call of it gets a result.
    pub(super) async fn interrupt_calls(&mut self, calls: &mut Calls<'t>) -> Result<(), End> {
        calls.is_interrupted = true;
        self.settle_calls(calls).await
    }

    /// The turn ends: calls that have started end as they would, and no other starts.
    pub(super) async fn end_calls(&mut self, calls: &mut Calls<'t>) -> Result<(), End> {
        let waiting = std::mem::take(&mut calls.waiting);
        self.settle_calls(calls).await?;
        for Waiting { call, .. } in waiting {
            self.tell_result(&call, Told::failed(TOO_LATE, None)).await?;
        }
        Ok(())
    }

    /// Waits until no call runs or waits. Calls behind one that ends the turn are not run.
    async fn settle_calls(&mut self, calls: &mut Calls<'t>) -> Result<(), End> {
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
        for Waiting { call, .. } in skipped {
            self.tell_result(&call, Told::stopped(NOT_RUN)).await?;
        }
        Ok(())
    }

    /// Applies what a call did to the turn, and tells its result.
    pub(super) async fn finish_call(
        &mut self,
        calls: &mut Calls<'t>,
        call: &Arc<CallBlock>,
        finished: Finished,
    ) -> Result<(), End> {
        for heard in &finished.heard {
            self.hear(&heard.label, &heard.outcome, heard.with_blocks);
        }
        if let Some(denial) = finished.denial {
            match self.by {
                Some(_) => self.session.state().denials.push(denial),
                None => self.denials.push(denial),
            }
        }
        if let Some(form) = finished.form {
            self.note_answer(form);
        }
        calls.ends_turn |= finished.ends_turn;
        calls.is_interrupted |= finished.interrupts || self.cancel.is_cancelled();
        match finished.told {
            Some(told) => self.tell_result(call, told).await?,
            None => calls.deferred.push(call.clone()),
        }
        let folder = self.workshop().cwd();
        if folder != calls.folder && self.by.is_none() {
            self.session.cwd_changed(&calls.folder, &folder);
            calls.folder = folder;
        }
        Ok(())
    }
}
