//! The host's side of control requests: what it asks, and what it is asked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aqueduct_wire::ToAgent;
use aqueduct_wire::control::{AgentRequest, HostRequest};
use aqueduct_wire::json::{Json, Raw};
use aqueduct_wire::machine::{Agent, ControlError, Incoming, Machine, MachineLimits, RequestId};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::outbox::Outbox;

/// The host, as far as requests go.
#[derive(Debug)]
pub(crate) struct HostChannel {
    outbox: Outbox,
    /// How many questions to the user are open.
    questions: AtomicUsize,
    state: Mutex<HostState>,
}

#[derive(Debug)]
struct HostState {
    machine: Machine<Agent>,
    /// Open requests, in the order in which they were sent. There are few at a time.
    waiting: Vec<WaitingCaller>,
    /// Stdin has ended: no answer can come any more.
    gone: bool,
}

impl HostState {
    /// Removes an open request.
    fn take(&mut self, id: &RequestId) -> Option<WaitingCaller> {
        let index = self.waiting.iter().position(|waiting| waiting.id == *id)?;
        Some(self.waiting.remove(index))
    }
}

/// Who waits for an answer.
#[derive(Debug)]
struct WaitingCaller {
    id: RequestId,
    sender: oneshot::Sender<HostReply>,
    /// Whether an interruption of the turn takes the request back.
    is_of_turn: bool,
}

/// What becomes of a request.
type HostReply = Result<Raw<'static>, HostRequestError>;

/// A request that has been sent. Dropping it leaves the request open: its answer is then discarded.
#[derive(Debug)]
pub(crate) struct PostedRequest {
    id: RequestId,
    answer: oneshot::Receiver<HostReply>,
}

impl PostedRequest {
    /// Waits for the answer.
    pub(crate) async fn answer(&mut self) -> HostReply {
        (&mut self.answer).await.unwrap_or(Err(HostRequestError::Withdrawn))
    }
}

/// Why a request has no answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum HostRequestError {
    /// The host answered with an error.
    Refused(String),
    /// The agent took the request back: an interrupt.
    Withdrawn,
    /// The host closed stdin.
    Gone,
    /// The host took too long.
    Late,
}

/// What came of a request that something else could settle.
#[derive(Debug)]
pub(crate) enum RequestRace<T> {
    /// The host answered, or can't.
    Answered(HostReply),
    /// Something else settled it.
    Settled(T),
}

impl HostChannel {
    /// A host that reads what goes to `outbox`.
    pub(crate) fn new(outbox: Outbox) -> Self {
        let prefix = format!("{:08x}", fastrand::u32(..));
        // Hosts that count from 1 anew, or always say 1, want an answer each time.
        let limits = MachineLimits { recent_ids: 0, ..MachineLimits::default() };
        let state =
            HostState { machine: Machine::with_limits(prefix, limits), waiting: Vec::new(), gone: false };
        HostChannel { outbox, questions: AtomicUsize::new(0), state: Mutex::new(state) }
    }

    /// Counts a question to the user; whether it is the only one that is open.
    pub(crate) fn begin_question(&self) -> bool {
        self.questions.fetch_add(1, Ordering::Relaxed) == 0
    }

    /// Counts a question that is settled; whether it was the last one.
    pub(crate) fn end_question(&self) -> bool {
        self.questions.fetch_sub(1, Ordering::Relaxed) == 1
    }

    /// Asks the host and waits for its answer, but not longer than this and not behind an interrupt.
    pub(crate) async fn ask_within(
        &self,
        request: AgentRequest<'_>,
        limit: Duration,
        cancel: &CancellationToken,
    ) -> HostReply {
        let otherwise = async {
            tokio::select! {
                () = tokio::time::sleep(limit) => HostRequestError::Late,
                () = cancel.cancelled() => HostRequestError::Withdrawn,
            }
        };
        match self.ask_unless(request, otherwise).await {
            RequestRace::Answered(answer) => answer,
            RequestRace::Settled(why) => Err(why),
        }
    }

    /// Asks the host, until something else settles the matter; then the request is taken back. An interruption
    /// of the turn takes it back too.
    pub(crate) async fn ask_unless<T>(
        &self,
        request: AgentRequest<'_>,
        otherwise: impl Future<Output = T>,
    ) -> RequestRace<T> {
        let mut posted = match self.send_request(request, true).await {
            Ok(posted) => posted,
            Err(unanswered) => return RequestRace::Answered(Err(unanswered)),
        };
        let settled = tokio::select! {
            biased;
            answer = posted.answer() => return RequestRace::Answered(answer),
            settled = otherwise => settled,
        };
        self.take_back(posted).await;
        RequestRace::Settled(settled)
    }

    /// Asks the host and waits for its answer, however long that takes. An interruption of the turn takes the
    /// request back.
    pub(crate) async fn ask(&self, request: AgentRequest<'_>) -> HostReply {
        self.send_request(request, true).await?.answer().await
    }

    /// Asks the host something that is no part of a turn: it stays open when a turn is interrupted. Returns
    /// when the request is sent.
    pub(crate) async fn post(&self, request: AgentRequest<'_>) -> Result<PostedRequest, HostRequestError> {
        self.send_request(request, false).await
    }

    async fn send_request(
        &self,
        request: AgentRequest<'_>,
        is_of_turn: bool,
    ) -> Result<PostedRequest, HostRequestError> {
        let (line, posted) = {
            let mut state = self.state();
            if state.gone {
                return Err(HostRequestError::Gone);
            }
            let sent = state.machine.request(request, None);
            let (sender, answer) = oneshot::channel();
            state.waiting.push(WaitingCaller { id: sent.id.clone(), sender, is_of_turn });
            (sent.line, PostedRequest { id: sent.id, answer })
        };
        self.outbox.line(line).await;
        Ok(posted)
    }

    /// Withdraws one request, and notifies the host.
    pub(crate) async fn take_back(&self, posted: PostedRequest) {
        let line = {
            let mut state = self.state();
            let line = state.machine.cancel(&posted.id);
            state.take(&posted.id);
            line
        };
        self.send(line).await;
    }

    /// Withdraws all open requests of the turn, and notifies the host.
    pub(crate) async fn withdraw(&self) {
        let lines: Vec<String> = {
            let mut state = self.state();
            let open: Vec<WaitingCaller> =
                state.waiting.extract_if(.., |waiting| waiting.is_of_turn).collect();
            open.into_iter()
                .filter_map(|waiting| {
                    let _ = waiting.sender.send(Err(HostRequestError::Withdrawn));
                    state.machine.cancel(&waiting.id)
                })
                .collect()
        };
        for line in lines {
            self.outbox.line(line).await;
        }
    }

    /// The host closed stdin: open requests and later ones stay without an answer.
    pub(crate) fn hang_up(&self) {
        let mut state = self.state();
        state.gone = true;
        for waiting in state.waiting.drain(..) {
            let _ = waiting.sender.send(Err(HostRequestError::Gone));
        }
    }

    /// Takes a control frame in. Gives the requests of the host that are to be served; the rest is done.
    pub(crate) async fn receive(&self, frame: &ToAgent<'_>) -> Vec<(RequestId, HostRequest<'static>)> {
        let (mut requests, mut lines) = (Vec::new(), Vec::new());
        {
            let mut state = self.state();
            for incoming in state.machine.receive(frame) {
                match incoming {
                    Incoming::Request { id, request } => requests.push((id, request)),
                    Incoming::Refused { line, .. } => lines.push(line),
                    Incoming::Answer { id, outcome, .. } => {
                        let outcome = outcome.map_err(|error| HostRequestError::Refused(error.message));
                        if let Some(waiting) = state.take(&id) {
                            let _ = waiting.sender.send(outcome);
                        }
                    }
                    _ => (),
                }
            }
        }
        for line in lines {
            self.outbox.line(line).await;
        }
        requests
    }

    /// Answers a request of the host.
    pub(crate) async fn answer<'p>(&self, id: &RequestId, payload: &impl Json<'p>) {
        let line = self.state().machine.answer(id, payload);
        self.send(line).await;
    }

    /// Answers a request of the host with nothing but a yes.
    pub(crate) async fn acknowledge(&self, id: &RequestId) {
        let line = self.state().machine.acknowledge(id);
        self.send(line).await;
    }

    /// Answers a request of the host with an error.
    pub(crate) async fn refuse(&self, id: &RequestId, error: &ControlError) {
        let line = self.state().machine.refuse(id, error);
        self.send(line).await;
    }

    /// Answers a request of the host that has no handler here.
    pub(crate) async fn decline(&self, id: &RequestId) {
        let line = self.state().machine.decline(id);
        self.send(line).await;
    }

    async fn send(&self, line: Option<String>) {
        if let Some(line) = line {
            self.outbox.line(line).await;
        }
    }

    fn state(&self) -> MutexGuard<'_, HostState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
