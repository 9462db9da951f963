use std::collections::{HashMap, VecDeque};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, oneshot};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::held::HeldClient;
use super::{CatchUp, Hub, Item, Outbox, Visitor};
use crate::failure::Failure;
use crate::log::Time;
use crate::message::bridge::Hello;
use crate::message::{BridgeMessage, ClientMessage, CloseCode, ErrorCode};
use crate::session::{Ask, SharedText, Watch, Watcher};

/// How many requests of one client are in work at once; the next one waits.
const REQUESTS: usize = 64;

/// How long at most until a connection looks again whether its credential has expired.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// What a connection does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parcel {
    /// Sends this.
    Message {
        /// The message, as JSON.
        text: SharedText,
        /// Its place in the session's sequence, where it has one.
        seq: Option<u64>,
    },
    /// Closes, for this reason.
    Close(CloseCode),
}

/// A client that is connected. It is gone when this is dropped.
pub struct Visit {
    hub: Hub,
    id: u64,
    visitor: Visitor,
    outbox: Arc<Outbox>,
    sending: Mutex<Sending>,
    /// Requests that are in work.
    requests: Mutex<JoinSet<()>>,
}

/// How far a client has been told.
#[derive(Default)]
struct Sending {
    ready: VecDeque<Parcel>,
    /// What is being read from the log.
    catching: Option<CatchUp>,
    /// The session in which the client fell behind, until its actor knows.
    behind: Option<Arc<str>>,
    /// The newest stored message that was sent, by session.
    delivered: HashMap<Arc<str>, u64>,
}

impl Hub {
    /// A client comes in, and hears all sessions until it subscribes to some.
    pub async fn enter(&self, visitor: Visitor) -> Result<Visit, Failure> {
        let visit = self.let_in(visitor, true)?;
        visit.greet();
        visit.watch_all().await;
        Ok(visit)
    }

    /// A client comes in to hear one session from a place on, or all sessions from now on. Stored messages come one
    /// by one, and it is not greeted.
    pub async fn enter_stream(
        &self,
        visitor: Visitor,
        session_id: Option<&str>,
        since: Option<u64>,
    ) -> Result<Visit, Failure> {
        visitor.grant.require_time(Time::now())?;
        if let Some(id) = session_id {
            self.check_visible(&visitor, id).await?;
        }
        let visit = self.let_in(visitor, session_id.is_none())?;
        match session_id {
            Some(id) => {
                let watch = Watch::Since { seq: since, limit: None, request_id: None, plain: true };
                visit.watch(id, watch).await?;
            }
            None => visit.watch_all().await,
        }
        Ok(visit)
    }

    fn let_in(&self, visitor: Visitor, hears_all: bool) -> Result<Visit, Failure> {
        let outbox = Arc::new(Outbox::default());
        let mut holdings = self.shared.holdings();
        if holdings.closing {
            return Err(Failure::new(ErrorCode::Unavailable, "the bridge is shutting down. Connect again"));
        }
        if holdings.clients.len() >= self.shared.settings.limits.clients {
            return Err(Failure::new(
                ErrorCode::Unavailable,
                "too many clients are connected. Try again later",
            ));
        }
        let id = holdings.next_client;
        holdings.next_client += 1;
        let client = HeldClient {
            device_id: visitor.device_id.clone(),
            grant: visitor.grant.clone(),
            outbox: outbox.clone(),
            hears_all,
            listens: true,
            last: None,
        };
        holdings.clients.insert(id, client);
        drop(holdings);
        self.shared.metrics.visits.add(1);
        Ok(Visit {
            hub: self.clone(),
            id,
            visitor,
            outbox,
            sending: Mutex::default(),
            requests: Mutex::default(),
        })
    }
}

impl Visit {
    /// Who it is.
    pub fn visitor(&self) -> &Visitor {
        &self.visitor
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    fn greet(&self) {
        let hello: Hello<'static> = self.hub.hello(&self.visitor);
        self.put(hello.into());
    }

    fn put(&self, message: BridgeMessage<'static>) {
        self.outbox.put(Item::Other(message.to_json().into()));
    }

    /// Takes a message of the client. What it asks for is begun in the order in which it came; replies come out of
    /// [`next`](Visit::next).
    pub async fn hear(&self, text: &str) {
        let message = match ClientMessage::parse(text) {
            Ok(message) => message,
            Err(refusal) => return self.put(refusal.to_message()),
        };
        if let ClientMessage::Ping(_) = message {
            // Answered at once: it tells how far away the bridge is, and not how much waits for the client.
            for message in self.hub.begin(Some(self), &self.visitor, message).await.await {
                self.outbox.put_first(message.to_json().into());
            }
            return;
        }
        let mut requests = self.requests.lock().await;
        while requests.len() >= REQUESTS {
            requests.join_next().await;
        }
        while requests.try_join_next().is_some() {}
        let reply = self.hub.begin(Some(self), &self.visitor, message).await;
        let outbox = self.outbox.clone();
        requests.spawn(async move {
            for message in reply.await {
                outbox.put(Item::Other(message.to_json().into()));
            }
        });
    }

    /// Hears all sessions that are held.
    async fn watch_all(&self) {
        for (_, mailbox) in self.hub.held_by(&self.visitor.grant) {
            let watcher = Watcher { client: self.id, outbox: self.outbox.clone(), attends: false };
            let (reply, _) = oneshot::channel();
            // One that has just left says nothing any more.
            let _ = mailbox.send(Ask::Watch { watcher, watch: Watch::Now, reply }).await;
        }
    }

    /// Hears a session: what `watch` says, and then everything.
    pub(super) async fn watch(&self, id: &str, watch: Watch) -> Result<(), Failure> {
        let make = |reply| Ask::Watch {
            watcher: Watcher { client: self.id, outbox: self.outbox.clone(), attends: true },
            watch: watch.clone(),
            reply,
        };
        self.hub.ask(id, make).await
    }

    /// With the first subscription a client hears no longer everything.
    pub(super) async fn narrow(&self, keep: &str) {
        let was_wide = {
            let mut holdings = self.hub.shared.holdings();
            holdings
                .clients
                .get_mut(&self.id)
                .is_some_and(|client| std::mem::replace(&mut client.hears_all, false))
        };
        if was_wide {
            for (id, mailbox) in self.hub.held() {
                if &*id != keep {
                    // One that has just left says nothing any more.
                    let _ = mailbox.send(Ask::Unwatch { client: self.id }).await;
                }
            }
        }
    }

    /// Hears a session no more.
    pub(super) async fn unwatch(&self, id: &str) {
        let mailbox = self.hub.shared.holdings().sessions.get(id).map(|held| held.mailbox.clone());
        if let Some(mailbox) = mailbox {
            // One that has just left says nothing any more.
            let _ = mailbox.send(Ask::Unwatch { client: self.id }).await;
        }
    }

    /// What to do next. Nothing is lost when this is dropped before it is done.
    pub async fn next(&self) -> Parcel {
        let mut sending = self.sending.lock().await;
        loop {
            if self.visitor.grant.has_expired(Time::now()) {
                return Parcel::Close(CloseCode::Revoked);
            }
            if let Some(parcel) = self.ready(&mut sending).await {
                return parcel;
            }
            let item = tokio::select! {
                biased;
                () = self.expiry() => continue,
                item = self.outbox.next() => item,
            };
            match item {
                Ok(item) => sending.take(item),
                Err(code) => return Parcel::Close(code),
            }
        }
    }

    /// Waits until the credential may have expired. The wait is short, since one long wait ends too late on a machine
    /// that was suspended or whose clock was set.
    async fn expiry(&self) {
        let Some(expires) = self.visitor.grant.expires else { return pending().await };
        let left = u64::try_from(expires.0.saturating_sub(Time::now().0)).unwrap_or_default();
        sleep(Duration::from_millis(left).min(LOOK_AGAIN)).await;
    }

    /// What to do next, if there is something now.
    pub async fn next_if_ready(&self) -> Option<Parcel> {
        if self.visitor.grant.has_expired(Time::now()) {
            return Some(Parcel::Close(CloseCode::Revoked));
        }
        let mut sending = self.sending.lock().await;
        loop {
            if let Some(parcel) = self.ready(&mut sending).await {
                return Some(parcel);
            }
            match self.outbox.take()? {
                Ok(item) => sending.take(item),
                Err(code) => return Some(Parcel::Close(code)),
            }
        }
    }

    /// What was begun before anything else: what is ready, what is read from the log.
    async fn ready(&self, sending: &mut Sending) -> Option<Parcel> {
        loop {
            if let Some(text) = self.outbox.take_first() {
                return Some(Parcel::Message { text: text.into(), seq: None });
            }
            if let Some(parcel) = sending.ready.pop_front() {
                return Some(parcel);
            }
            if let Some(session) = sending.behind.clone() {
                let since = sending.delivered.get(&session).copied().unwrap_or(u64::MAX);
                self.hub.shared.metrics.behind.add(1);
                // A session that was deleted has nothing more to say.
                let _ = self.watch(&session, Watch::Again(since)).await;
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
                    let failure = Failure::from(error);
                    let message = failure.to_message(catching.request_id.as_deref(), Some(&catching.session));
                    sending.catching = None;
                    sending.ready.push_back(Parcel::Message { text: message.to_json().into(), seq: None });
                }
            }
        }
    }
}

impl Sending {
    /// Takes something that waited, and makes it ready to be sent.
    fn take(&mut self, item: Item) {
        match item {
            Item::Stored { session, seq, text } => {
                let delivered = self.delivered.entry(session).or_default();
                if seq > *delivered {
                    *delivered = seq;
                    self.ready.push_back(Parcel::Message { text, seq: Some(seq) });
                }
            }
            Item::Delta { session, piece } => {
                self.ready.push_back(Parcel::Message { text: piece.text(&session).into(), seq: None });
            }
            Item::Live { text, .. } | Item::Other(text) => {
                self.ready.push_back(Parcel::Message { text: text.into(), seq: None });
            }
            Item::CatchUp(catch_up) => {
                self.delivered.insert(catch_up.session.clone(), catch_up.since);
                self.catching = Some(*catch_up);
            }
            Item::Behind(session) => self.behind = Some(session),
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.outbox.close(CloseCode::GoingAway);
        let sessions = {
            let mut holdings = self.hub.shared.holdings();
            holdings.clients.remove(&self.id);
            holdings.sessions.values().map(|held| held.mailbox.clone()).collect::<Vec<_>>()
        };
        self.hub.shared.departed(&self.visitor.device_id);
        let client = self.id;
        // Sessions may be busy; nobody waits for them here.
        tokio::spawn(async move {
            for mailbox in sessions {
                let _ = mailbox.send(Ask::Unwatch { client }).await;
            }
        });
    }
}
