use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::McpId;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use crate::error::CallError;
use crate::message::{JsonRpcError, ServerMessage};
use crate::object::Object;

/// How many unsolicited messages of a server may wait; after that the server waits, or the host receives an error.
pub(crate) const QUEUED_MESSAGES: usize = 64;

/// One end of a connection: the requests that wait for an answer, and the receiver of the server's own
/// messages.
#[derive(Debug)]
pub(crate) struct ServerPeer {
    state: Mutex<PeerState>,
    events: mpsc::Sender<ServerEvent>,
    /// The connection has ended.
    gone: CancellationToken,
    /// The server reported that its tools changed, and they were not requested yet.
    stale: watch::Sender<bool>,
}

#[derive(Debug)]
struct PeerState {
    next: u64,
    waiting: HashMap<u64, oneshot::Sender<Result<Raw<'static>, CallError>>>,
    /// Why the connection has ended.
    why: Option<String>,
}

/// The server's own messages.
#[derive(Debug)]
pub(crate) enum ServerEvent {
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

/// A request in flight. Dropping it means that the answer is not awaited.
#[derive(Debug)]
pub(crate) struct PendingReply {
    /// Its number.
    pub(crate) id: u64,
    peer: Arc<ServerPeer>,
    answer: oneshot::Receiver<Result<Raw<'static>, CallError>>,
}

impl ServerPeer {
    /// A connection's end, and the server's own messages. `first` is the number of the first request.
    pub(crate) fn new(first: u64) -> (Self, mpsc::Receiver<ServerEvent>) {
        let (events, receiver) = mpsc::channel(QUEUED_MESSAGES);
        let state = PeerState { next: first, waiting: HashMap::new(), why: None };
        let (gone, stale) = (CancellationToken::new(), watch::Sender::new(false));
        (ServerPeer { state: Mutex::new(state), events, gone, stale }, receiver)
    }

    /// Takes a number for a request and waits for its answer from now on.
    pub(crate) fn expect(self: &Arc<Self>) -> Result<PendingReply, CallError> {
        let mut state = self.state();
        if let Some(why) = &state.why {
            return Err(CallError::Lost(why.clone()));
        }
        let id = state.next;
        state.next += 1;
        let (sender, answer) = oneshot::channel();
        state.waiting.insert(id, sender);
        Ok(PendingReply { id, peer: self.clone(), answer })
    }

    /// Processes a message of a server. Waits while the receiver is busy.
    pub(crate) async fn receive(&self, incoming: ServerMessage) {
        if let Some(events) = self.sort(incoming) {
            // The receiver is dropped: the connection is about to end.
            let _ = self.events.send(events).await;
        }
    }

    /// The same for those who can't wait; whether there was room.
    pub(crate) fn try_receive(&self, incoming: ServerMessage) -> bool {
        match self.sort(incoming) {
            Some(events) => !matches!(self.events.try_send(events), Err(mpsc::error::TrySendError::Full(_))),
            None => true,
        }
    }

    /// Settles answers; returns messages that must be handled. Logs, progress and unknown messages end here.
    fn sort(&self, incoming: ServerMessage) -> Option<ServerEvent> {
        match incoming {
            ServerMessage::Answer { id, outcome } => {
                self.settle(id, outcome.map_err(CallError::Refused));
                None
            }
            ServerMessage::Request { id, method, params } => Some(ServerEvent::Asks { id, method, params }),
            ServerMessage::Notification { method, params } => match method.as_str() {
                "notifications/tools/list_changed" => {
                    self.stale.send_replace(true);
                    Some(ServerEvent::ToolsChanged)
                }
                "notifications/prompts/list_changed" => Some(ServerEvent::PromptsChanged),
                "notifications/elicitation/complete" => {
                    Object::of(&params).text("elicitationId").map(ServerEvent::Elicited)
                }
                "notifications/cancelled" => {
                    let id = Object::of(&params).take("requestId")?;
                    aqueduct_wire::json::read::<McpId<'_>>(id.as_str())
                        .map(aqueduct_wire::IntoOwned::into_owned)
                        .map(ServerEvent::TakesBack)
                }
                _ => None,
            },
        }
    }

    /// Whether a caller waits for the answer to this request.
    pub(crate) fn awaits(&self, id: u64) -> bool {
        self.state().waiting.contains_key(&id)
    }

    /// Gives a request its answer, if a caller waits for it.
    pub(crate) fn settle(&self, id: u64, outcome: Result<Raw<'static>, CallError>) {
        if let Some(sender) = self.state().waiting.remove(&id) {
            let _ = sender.send(outcome);
        }
    }

    /// Refuses a request that could not be carried to the server.
    pub(crate) fn refuse(&self, id: u64, code: i64, message: String) {
        self.settle(id, Err(CallError::Refused(JsonRpcError { code, message })));
    }

    /// Repeats what the server reported while it could not be handled.
    pub(crate) fn remind(&self) {
        if *self.stale.borrow() && self.events.try_send(ServerEvent::ToolsChanged).is_err() {
            // The queue only fills if the server sends more, and then it will be asked anyway.
            self.refreshed();
        }
    }

    /// Whether the tools differ from the server's.
    pub(crate) fn is_stale(&self) -> bool {
        *self.stale.borrow()
    }

    /// The tools are those that the server has now, as far as they can be listed.
    pub(crate) fn refreshed(&self) {
        self.stale.send_replace(false);
    }

    /// Waits until the tools are those that the server has now, or until the server has ended.
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

    /// Waits for the end of the connection; returns the reason.
    pub(crate) async fn lost(&self) -> String {
        self.gone.cancelled().await;
        self.state().why.clone().unwrap_or_default()
    }

    fn state(&self) -> MutexGuard<'_, PeerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingReply {
    /// Waits for the answer.
    pub(crate) async fn wait(&mut self) -> Result<Raw<'static>, CallError> {
        let lost = || Err(CallError::Lost("the connection has ended".to_owned()));
        (&mut self.answer).await.unwrap_or_else(|_| lost())
    }
}

impl Drop for PendingReply {
    fn drop(&mut self) {
        self.peer.state().waiting.remove(&self.id);
    }
}
