use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::McpId;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use crate::error::CallError;
use crate::message::{Incoming, Refusal};
use crate::object::Object;

/// How many unsolicited messages of a server may wait; after that the server waits, or the host receives an error.
pub(crate) const SAID_AHEAD: usize = 64;

/// One end of a connection: the requests that wait for an answer, and who hears what the server says by itself.
#[derive(Debug)]
pub(crate) struct Peer {
    state: Mutex<State>,
    said: mpsc::Sender<Said>,
    /// The connection has ended.
    gone: CancellationToken,
    /// The server said that its tools are others now, and has not been asked yet.
    stale: watch::Sender<bool>,
}

#[derive(Debug)]
struct State {
    next: u64,
    waiting: HashMap<u64, oneshot::Sender<Result<Raw<'static>, CallError>>>,
    /// Why there is no connection any more.
    why: Option<String>,
}

/// What a server says by itself.
#[derive(Debug)]
pub(crate) enum Said {
    /// It wants something.
    Asks {
        /// The request's id.
        id: McpId<'static>,
        /// What it wants.
        method: String,
        /// With what.
        params: Raw<'static>,
    },
    /// It does not want an answer any more.
    TakesBack(McpId<'static>),
    /// Its list of tools has changed.
    ToolsChanged,
    /// Its list of prompts has changed.
    PromptsChanged,
    /// What the user was sent to a page for is done.
    Elicited(String),
}

/// A request that is on its way. Dropping it means that nobody waits for the answer.
#[derive(Debug)]
pub(crate) struct Reply {
    /// Its number.
    pub(crate) id: u64,
    peer: Arc<Peer>,
    answer: oneshot::Receiver<Result<Raw<'static>, CallError>>,
}

impl Peer {
    /// A connection's end, and what the server will say by itself. `first` is the number of the first request.
    pub(crate) fn new(first: u64) -> (Self, mpsc::Receiver<Said>) {
        let (said, heard) = mpsc::channel(SAID_AHEAD);
        let state = State { next: first, waiting: HashMap::new(), why: None };
        let (gone, stale) = (CancellationToken::new(), watch::Sender::new(false));
        (Peer { state: Mutex::new(state), said, gone, stale }, heard)
    }

    /// Takes a number for a request and waits for its answer from now on.
    pub(crate) fn expect(self: &Arc<Self>) -> Result<Reply, CallError> {
        let mut state = self.state();
        if let Some(why) = &state.why {
            return Err(CallError::Lost(why.clone()));
        }
        let id = state.next;
        state.next += 1;
        let (sender, answer) = oneshot::channel();
        state.waiting.insert(id, sender);
        Ok(Reply { id, peer: self.clone(), answer })
    }

    /// Takes in what a server said. Waits while nobody has time to hear it.
    pub(crate) async fn receive(&self, incoming: Incoming) {
        if let Some(said) = self.sort(incoming) {
            // Nobody hears any more: the connection is about to end.
            let _ = self.said.send(said).await;
        }
    }

    /// The same for those who can't wait; whether there was room.
    pub(crate) fn try_receive(&self, incoming: Incoming) -> bool {
        match self.sort(incoming) {
            Some(said) => !matches!(self.said.try_send(said), Err(mpsc::error::TrySendError::Full(_))),
            None => true,
        }
    }

    /// Settles answers; gives what somebody has to hear. Logs, progress and what is not known end here.
    fn sort(&self, incoming: Incoming) -> Option<Said> {
        match incoming {
            Incoming::Answer { id, outcome } => {
                self.settle(id, outcome.map_err(CallError::Refused));
                None
            }
            Incoming::Request { id, method, params } => Some(Said::Asks { id, method, params }),
            Incoming::Notification { method, params } => match method.as_str() {
                "notifications/tools/list_changed" => {
                    self.stale.send_replace(true);
                    Some(Said::ToolsChanged)
                }
                "notifications/prompts/list_changed" => Some(Said::PromptsChanged),
                "notifications/elicitation/complete" => {
                    Object::of(&params).text("elicitationId").map(Said::Elicited)
                }
                "notifications/cancelled" => {
                    let id = Object::of(&params).take("requestId")?;
                    aqueduct_wire::json::read::<McpId<'_>>(id.as_str())
                        .map(aqueduct_wire::IntoOwned::into_owned)
                        .map(Said::TakesBack)
                }
                _ => None,
            },
        }
    }

    /// Gives a request its answer, if somebody waits for it.
    pub(crate) fn settle(&self, id: u64, outcome: Result<Raw<'static>, CallError>) {
        if let Some(sender) = self.state().waiting.remove(&id) {
            let _ = sender.send(outcome);
        }
    }

    /// Refuses a request that could not be carried to the server.
    pub(crate) fn refuse(&self, id: u64, code: i64, message: String) {
        self.settle(id, Err(CallError::Refused(Refusal { code, message })));
    }

    /// Says once more what the server said while nobody could do anything about it.
    pub(crate) fn remind(&self) {
        if *self.stale.borrow() && self.said.try_send(Said::ToolsChanged).is_err() {
            // As much as that waits only where the server says more, and then it will be asked anyway.
            self.refreshed();
        }
    }

    /// Whether the tools are no longer those that the server has.
    pub(crate) fn is_stale(&self) -> bool {
        *self.stale.borrow()
    }

    /// The tools are those that the server has now, as far as they can be had.
    pub(crate) fn refreshed(&self) {
        self.stale.send_replace(false);
    }

    /// Waits until the tools are those that the server has now, or until there is no server any more.
    pub(crate) async fn fresh(&self) {
        let mut stale = self.stale.subscribe();
        tokio::select! {
            _ = stale.wait_for(|stale| !stale) => (),
            () = self.gone.cancelled() => (),
        }
    }

    /// The connection has ended: nothing will be answered. The first reason counts.
    pub(crate) fn lose(&self, why: &str) {
        let mut state = self.state();
        if state.why.is_none() {
            state.why = Some(why.to_owned());
        }
        for (_, sender) in state.waiting.drain() {
            let _ = sender.send(Err(CallError::Lost(why.to_owned())));
        }
        self.gone.cancel();
    }

    /// Waits for the end of the connection; gives the reason.
    pub(crate) async fn lost(&self) -> String {
        self.gone.cancelled().await;
        self.state().why.clone().unwrap_or_default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reply {
    /// Waits for the answer.
    pub(crate) async fn wait(&mut self) -> Result<Raw<'static>, CallError> {
        let lost = || Err(CallError::Lost("the connection has ended".to_owned()));
        (&mut self.answer).await.unwrap_or_else(|_| lost())
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        self.peer.state().waiting.remove(&self.id);
    }
}
