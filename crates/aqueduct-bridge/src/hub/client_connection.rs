use std::collections::{HashMap, VecDeque};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, oneshot};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::Hub;
use super::registry::{ClientEntry, ClientTransport};
use crate::auth::Principal;
use crate::failure::Failure;
use crate::failures::{FailureKind, FailureSubject};
use crate::log::Time;
use crate::message::bridge::Hello;
use crate::message::{BridgeMessage, ClientMessage, CloseCode, ErrorCode};
use crate::outbox::{CatchUp, ClientOutbox, OutboxItem, Outgoing};
use crate::session::{SessionCommand, WatchStart, Watcher};
use crate::trace;

/// How many requests of one client are in work at once; the next one waits.
const REQUESTS: usize = 64;

/// How long at most until a connection looks again whether its credential has expired.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// A connected client. Dropping it disconnects the client.
pub struct ClientConnection {
    hub: Hub,
    id: u64,
    principal: Principal,
    outbox: Arc<ClientOutbox>,
    sending: Mutex<Sending>,
    /// Requests that are in work.
    requests: Mutex<JoinSet<()>>,
}

/// How far a client has been served.
#[derive(Default)]
struct Sending {
    ready: VecDeque<Outgoing>,
    /// What is being read from the log.
    catching: Option<CatchUp>,
    /// The session in which the client fell behind, until its actor knows.
    behind: Option<Arc<str>>,
    /// The newest stored message that was sent, by session.
    delivered: HashMap<Arc<str>, u64>,
}

impl Hub {
    /// Connects a client. It receives all sessions until it subscribes to some.
    pub async fn connect(&self, principal: Principal) -> Result<ClientConnection, Failure> {
        let connection = self.register(principal, ClientTransport::WebSocket, true)?;
        connection.send_hello();
        connection.watch_all().await;
        Ok(connection)
    }

    /// Connects a client to one session from a position on, or to all sessions from now on. Stored messages come one
    /// by one, without `hello`.
    pub async fn connect_stream(
        &self,
        principal: Principal,
        session_id: Option<&str>,
        since: Option<u64>,
    ) -> Result<ClientConnection, Failure> {
        principal.grant.require_time(Time::now())?;
        if let Some(id) = session_id {
            self.check_visible(&principal, id).await?;
        }
        let connection = self.register(principal, ClientTransport::Events, session_id.is_none())?;
        match session_id {
            Some(id) => {
                let watch = WatchStart::Since { seq: since, limit: None, request_id: None, plain: true };
                connection.watch(id, watch).await?;
            }
            None => connection.watch_all().await,
        }
        Ok(connection)
    }

    fn register(
        &self,
        principal: Principal,
        transport: ClientTransport,
        receives_all: bool,
    ) -> Result<ClientConnection, Failure> {
        let outbox = Arc::new(ClientOutbox::new(self.shared.metrics.clone()));
        let mut registry = self.shared.registry();
        if registry.closing {
            return Err(
                Failure::new(ErrorCode::Unavailable, "the bridge is shutting down").sentence("Connect again")
            );
        }
        if registry.clients.len() >= self.shared.settings.limits.clients {
            return Err(Failure::new(ErrorCode::Unavailable, "too many clients are connected")
                .sentence("Try again later"));
        }
        let id = registry.next_client;
        registry.next_client += 1;
        let client = ClientEntry {
            device_id: principal.device_id.clone(),
            kind: principal.kind.listed().unwrap_or("token"),
            transport,
            grant: principal.grant.clone(),
            outbox: outbox.clone(),
            receives_all,
            listens: true,
            last: None,
        };
        registry.clients.insert(id, client);
        drop(registry);
        self.shared.metrics.connections.add(1);
        trace::client_connected(id, &principal.device_id);
        Ok(ClientConnection {
            hub: self.clone(),
            id,
            principal,
            outbox,
            sending: Mutex::default(),
            requests: Mutex::default(),
        })
    }
}

impl ClientConnection {
    /// The principal of the client.
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    fn send_hello(&self) {
        let hello: Hello<'static> = self.hub.hello(&self.principal);
        self.put(hello.into());
    }

    fn put(&self, message: BridgeMessage<'static>) {
        self.outbox.put(OutboxItem::Other(message.to_json().into()));
    }

    /// Handles a message of the client. Requests are started in order; replies come out of
    /// [`next`](ClientConnection::next).
    pub async fn receive(&self, text: &str) {
        let message = match ClientMessage::parse(text) {
            Ok(message) => message,
            Err(refusal) => return self.put(refusal.to_message()),
        };
        if let ClientMessage::Ping(_) = message {
            // Answered at once: it measures the latency to the bridge, not the client's queue.
            for message in self.hub.begin(Some(self), &self.principal, message).await.await {
                self.outbox.put_first(message.to_json().into());
            }
            return;
        }
        let mut requests = self.requests.lock().await;
        while requests.len() >= REQUESTS {
            requests.join_next().await;
        }
        while requests.try_join_next().is_some() {}
        let reply = self.hub.begin(Some(self), &self.principal, message).await;
        let outbox = self.outbox.clone();
        requests.spawn(async move {
            for message in reply.await {
                outbox.put(OutboxItem::Other(message.to_json().into()));
            }
        });
    }

    /// Watches all running sessions.
    async fn watch_all(&self) {
        for (_, mailbox) in self.hub.held_by(&self.principal.grant) {
            let watcher = Watcher { client: self.id, outbox: self.outbox.clone(), attends: false };
            let (reply, _) = oneshot::channel();
            // An actor that has just closed sends nothing any more.
            let _ = mailbox.send(SessionCommand::Watch { watcher, watch: WatchStart::Now, reply }).await;
        }
    }

    /// Watches a session: first what `watch` names, then everything.
    pub(super) async fn watch(&self, id: &str, watch: WatchStart) -> Result<(), Failure> {
        let make = |reply| SessionCommand::Watch {
            watcher: Watcher { client: self.id, outbox: self.outbox.clone(), attends: true },
            watch: watch.clone(),
            reply,
        };
        self.hub.ask(id, make).await
    }

    /// With the first subscription a client no longer receives everything.
    pub(super) async fn stop_watching_all(&self, keep: &str) {
        let was_wide = {
            let mut registry = self.hub.shared.registry();
            registry
                .clients
                .get_mut(&self.id)
                .is_some_and(|client| std::mem::replace(&mut client.receives_all, false))
        };
        if was_wide {
            for (id, mailbox) in self.hub.held() {
                if &*id != keep {
                    // An actor that has just closed sends nothing any more.
                    let _ = mailbox.send(SessionCommand::Unwatch { client: self.id }).await;
                }
            }
        }
    }

    /// Stops watching a session.
    pub(super) async fn unwatch(&self, id: &str) {
        let mailbox = self.hub.shared.registry().sessions.get(id).map(|held| held.mailbox.clone());
        if let Some(mailbox) = mailbox {
            // An actor that has just closed sends nothing any more.
            let _ = mailbox.send(SessionCommand::Unwatch { client: self.id }).await;
        }
    }

    /// What to do next. Nothing is lost when this is dropped before it is done.
    pub async fn next(&self) -> Outgoing {
        let mut sending = self.sending.lock().await;
        loop {
            if self.principal.grant.has_expired(Time::now()) {
                return Outgoing::Close(CloseCode::Revoked);
            }
            if let Some(outgoing) = self.ready(&mut sending).await {
                return outgoing;
            }
            let item = tokio::select! {
                biased;
                () = self.expiry() => continue,
                item = self.outbox.next() => item,
            };
            match item {
                Ok(item) => sending.take(item),
                Err(code) => return Outgoing::Close(code),
            }
        }
    }

    /// Waits until the credential may have expired. The wait is short, since one long wait ends too late on a machine
    /// that was suspended or whose clock was set.
    async fn expiry(&self) {
        let Some(expires) = self.principal.grant.expires else { return pending().await };
        let left = u64::try_from(expires.0.saturating_sub(Time::now().0)).unwrap_or_default();
        sleep(Duration::from_millis(left).min(LOOK_AGAIN)).await;
    }

    /// What to do next, if there is something now.
    pub async fn next_if_ready(&self) -> Option<Outgoing> {
        if self.principal.grant.has_expired(Time::now()) {
            return Some(Outgoing::Close(CloseCode::Revoked));
        }
        let mut sending = self.sending.lock().await;
        loop {
            if let Some(outgoing) = self.ready(&mut sending).await {
                return Some(outgoing);
            }
            match self.outbox.take()? {
                Ok(item) => sending.take(item),
                Err(code) => return Some(Outgoing::Close(code)),
            }
        }
    }

    /// What was begun before anything else: what is ready, what is read from the log.
    async fn ready(&self, sending: &mut Sending) -> Option<Outgoing> {
        loop {
            if let Some(text) = self.outbox.take_first() {
                return Some(Outgoing::Message { text: text.into(), seq: None });
            }
            if let Some(outgoing) = sending.ready.pop_front() {
                return Some(outgoing);
            }
            if let Some(session) = sending.behind.clone() {
                let since = sending.delivered.get(&session).copied().unwrap_or(u64::MAX);
                self.hub.shared.metrics.behind.add(1);
                let failed = FailureSubject::Session(&session);
                self.hub.failures().report(FailureKind::ClientBehind, failed, &self.principal.device_id);
                // A deleted session sends nothing more.
                let _ = self.watch(&session, WatchStart::Again(since)).await;
                sending.behind = None;
            }
            let catching = sending.catching.as_mut()?;
            let count = self.hub.shared.settings.limits.history_page;
            match catching.page(&self.hub.shared.log, count).await {
                Ok(Some(page)) => {
                    sending.ready.extend(catching.deliver(page));
                    let (session, since) = (catching.session.clone(), catching.since);
                    sending.delivered.insert(session, since);
                }
                Ok(None) => sending.catching = None,
                Err(error) => {
                    let session = FailureSubject::Session(&catching.session);
                    self.hub.failures().report_storage(&error, session);
                    let failure = Failure::from(error);
                    let message = failure.to_message(catching.request_id.as_deref(), Some(&catching.session));
                    sending.catching = None;
                    sending.ready.push_back(Outgoing::Message { text: message.to_json().into(), seq: None });
                }
            }
        }
    }
}

impl Sending {
    /// Prepares a queued item for sending.
    fn take(&mut self, item: OutboxItem) {
        match item {
            OutboxItem::Stored { session, seq, text } => {
                let delivered = self.delivered.entry(session).or_default();
                if seq > *delivered {
                    *delivered = seq;
                    self.ready.push_back(Outgoing::Message { text, seq: Some(seq) });
                }
            }
            OutboxItem::Delta { session, piece } => {
                self.ready.push_back(Outgoing::Message { text: piece.text(&session).into(), seq: None });
            }
            OutboxItem::Live { text, .. } | OutboxItem::Other(text) => {
                self.ready.push_back(Outgoing::Message { text: text.into(), seq: None });
            }
            OutboxItem::CatchUp(catch_up) => {
                self.delivered.insert(catch_up.session.clone(), catch_up.since);
                self.catching = Some(*catch_up);
            }
            OutboxItem::Behind(session) => self.behind = Some(session),
        }
    }
}

impl Drop for ClientConnection {
    fn drop(&mut self) {
        self.outbox.close(CloseCode::GoingAway);
        let sessions = {
            let mut registry = self.hub.shared.registry();
            registry.clients.remove(&self.id);
            registry.sessions.values().map(|held| held.mailbox.clone()).collect::<Vec<_>>()
        };
        self.hub.shared.client_disconnected(&self.principal.device_id);
        trace::client_disconnected(self.id, &self.principal.device_id);
        let client = self.id;
        // Sessions may be busy; this does not wait for them.
        tokio::spawn(async move {
            for mailbox in sessions {
                let _ = mailbox.send(SessionCommand::Unwatch { client }).await;
            }
        });
    }
}
