use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use aqueduct_wire::control::InitializeReply;
use aqueduct_wire::rate_limit::RateLimitInfo;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

use super::held::{HeldSession, Holdings};
use super::{Item, Metrics, Outbox};
use crate::door::Door;
use crate::failure::Failure;
use crate::log::{Limits, Log, LogError, Place};
use crate::message::bridge::{RateLimitChange, SessionInfo};
use crate::message::{BridgeMessage, CloseCode, ErrorCode};
use crate::push::Push;
use crate::recent::Recents;
use crate::session::{Actor, Answering, Ask, MAILBOX, Stored};
use crate::settings::Settings;
use crate::work::Work;
use crate::workspace::{Roots, Workspace};

/// How long sessions have to let go of their agents when the bridge goes down.
const LEAVING: Duration = Duration::from_secs(5);

/// The bridge inside: its sessions and its clients. Clones are handles to the same one.
#[derive(Clone)]
pub struct Hub {
    pub(crate) shared: Arc<Shared>,
}

/// What sessions and clients share.
pub(crate) struct Shared {
    pub(crate) log: Log,
    pub(crate) settings: Settings,
    pub(crate) metrics: Metrics,
    pub(super) workspace: Workspace,
    /// What blocks and is not the workspace's.
    pub(super) work: Work,
    pub(super) recents: Recents,
    pub(super) door: Door,
    /// Notifications, unless there are to be none.
    pub(super) push: Option<Push>,
    pub(super) holdings: Mutex<Holdings>,
    /// What agents told at their start, by their name.
    known: Mutex<HashMap<String, Arc<InitializeReply<'static>>>>,
    /// The tasks of sessions, and others that end with the bridge.
    tasks: Mutex<JoinSet<()>>,
}

impl Shared {
    pub(super) fn holdings(&self) -> MutexGuard<'_, Holdings> {
        self.holdings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A session's actor has gone.
    pub(crate) fn release(&self, id: &str) {
        self.holdings().sessions.remove(id);
    }

    /// How a session's row in a list reads.
    pub(crate) fn remember(&self, id: &str, info: &SessionInfo<'static>) {
        if let Some(held) = self.holdings().sessions.get_mut(id) {
            held.info = Some(info.clone());
        }
    }

    /// Tells every client something about a session in this folder that may see it.
    pub(crate) fn notice(&self, folder: &str, message: &BridgeMessage<'_>) {
        let outboxes: Vec<Arc<Outbox>> = self
            .holdings()
            .clients
            .values()
            .filter(|client| client.listens && client.grant.holds(folder))
            .map(|client| client.outbox.clone())
            .collect();
        if outboxes.is_empty() {
            return;
        }
        let text: Arc<str> = message.to_json().into();
        for outbox in outboxes {
            outbox.put(Item::Other(text.clone()));
        }
    }

    /// A session's agent could not be started, or died at once: whoever uses the session hears why.
    pub(crate) fn failed(&self, id: &str, failure: &Failure) {
        let users: Vec<Arc<Outbox>> = {
            let holdings = self.holdings();
            let uses = holdings.clients.values().filter(|client| client.last.as_deref() == Some(id));
            uses.map(|client| client.outbox.clone()).collect()
        };
        let text: Arc<str> = failure.to_message(None, Some(id)).to_json().into();
        for outbox in users {
            outbox.put(Item::Other(text.clone()));
        }
    }

    /// Tells every client that something failed which concerns all of them.
    fn alarm(&self, failure: &Failure) {
        let text: Arc<str> = failure.to_message(None, None).to_json().into();
        for client in self.holdings().clients.values() {
            client.outbox.put(Item::Other(text.clone()));
        }
    }

    /// One of an account's limits changed.
    pub(crate) fn rate_limit(&self, limit: RateLimitInfo<'static>, session: &str, agent: &str) {
        let mut change = RateLimitChange::new(limit);
        change.session_id = Some(session.to_owned().into());
        change.agent = Some(agent.to_owned().into());
        let folder = self.holdings().sessions.get(session).map(|held| held.folder.clone());
        self.notice(folder.as_deref().unwrap_or_default(), &change.into());
    }

    /// An agent told at its start what it can do.
    pub(crate) fn know_agent(&self, name: &str, reply: Arc<InitializeReply<'static>>) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), reply);
    }

    /// What an agent told when it was last started.
    pub(crate) fn known_agent(&self, name: &str) -> Option<Arc<InitializeReply<'static>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }
}

impl Hub {
    /// A hub on this log. Sessions that were in work go on at once.
    pub async fn open(settings: Settings, log: Log) -> Result<Self, Failure> {
        let roots = Roots::new(settings.roots.iter().cloned());
        let shared = Shared {
            recents: Recents::new(log.clone(), settings.transcripts.iter().cloned(), roots.clone()),
            workspace: Workspace::new(roots, settings.git.clone()),
            work: Work::new(),
            door: Door::new(log.clone()),
            push: Push::open(&settings.push, &settings.data, log.clone())?,
            log,
            settings,
            metrics: Metrics::default(),
            holdings: Mutex::default(),
            known: Mutex::default(),
            tasks: Mutex::default(),
        };
        let hub = Hub { shared: Arc::new(shared) };
        hub.spawn(report_lost(hub.shared.log.lost(), Arc::downgrade(&hub.shared)));
        let in_work = hub.shared.log.sessions_in_work().await?;
        let keepers: Vec<String> = in_work.iter().filter_map(|session| session.keeper.clone()).collect();
        hub.clear_keepers(keepers).await;
        for session in in_work {
            hub.hold(&session.id, Vec::new()).await?;
        }
        Ok(hub)
    }

    /// The event log.
    pub fn log(&self) -> &Log {
        &self.shared.log
    }

    /// Who may come in.
    pub fn door(&self) -> &Door {
        &self.shared.door
    }

    /// What the bridge was told.
    pub fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    /// What it has done.
    pub fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }

    /// How many clients are connected.
    pub fn clients(&self) -> usize {
        self.shared.holdings().clients.len()
    }

    /// How many sessions are held in each status.
    pub fn statuses(&self) -> Vec<(String, usize)> {
        let mut counts: std::collections::BTreeMap<String, usize> = Default::default();
        for held in self.shared.holdings().sessions.values() {
            let status = held.info.as_ref().map_or("starting", |info| info.status.as_str());
            *counts.entry(status.to_owned()).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    /// The connections of a device end at once.
    pub fn expel(&self, device_id: &str) {
        for client in self.shared.holdings().clients.values() {
            if client.device_id == device_id {
                client.outbox.close(CloseCode::Revoked);
            }
        }
    }

    /// Lets everybody go: clients are told, agents go on with their keepers.
    pub async fn close(&self) {
        let sessions: Vec<mpsc::Sender<Ask>> = {
            let mut holdings = self.shared.holdings();
            holdings.closing = true;
            for client in holdings.clients.values() {
                client.outbox.close(CloseCode::GoingAway);
            }
            holdings.sessions.values().map(|held| held.mailbox.clone()).collect()
        };
        let leave = async {
            for mailbox in sessions {
                let (reply, left) = oneshot::channel();
                if mailbox.send(Ask::Leave { end_agent: false, reply }).await.is_ok() {
                    let _ = left.await;
                }
            }
        };
        // One that does not leave in time is let go with the process: it can be killed at any moment.
        let _ = tokio::time::timeout(LEAVING, leave).await;
        // What can't be saved now is lost; it was said.
        let _ = self.shared.door.save_revocations().await;
        let mut tasks =
            std::mem::take(&mut *self.shared.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        tasks.shutdown().await;
        if let Some(push) = &self.shared.push {
            push.close().await;
        }
    }

    /// Asks a session something. An actor that has just left has not done it, and is followed by another.
    pub(super) async fn ask<T>(&self, id: &str, make: impl Fn(Answering<T>) -> Ask) -> Result<T, Failure> {
        const TRIES: usize = 3;
        for _ in 0..TRIES {
            let mailbox = self.mailbox(id).await?;
            let (reply, answer) = oneshot::channel();
            if mailbox.send(make(reply)).await.is_err() {
                continue;
            }
            if let Ok(answer) = answer.await {
                return answer;
            }
        }
        Err(Failure::new(ErrorCode::Unavailable, "the session is being let go. Try again"))
    }

    /// The way to a session's actor.
    pub(super) async fn mailbox(&self, id: &str) -> Result<mpsc::Sender<Ask>, Failure> {
        if let Some(held) = self.shared.holdings().sessions.get(id) {
            return Ok(held.mailbox.clone());
        }
        self.hold(id, Vec::new()).await
    }

    /// Makes an actor for a session, unless there is one. `opening` is what was just committed.
    pub(super) async fn hold(&self, id: &str, opening: Vec<Stored>) -> Result<mpsc::Sender<Ask>, Failure> {
        let nothing = Limits { count: 1, bytes: 1 };
        let found = self.shared.log.attach(id, Place::After(u64::MAX), nothing).await?;
        let (mailbox, asks) = mpsc::channel(MAILBOX);
        let folder: Arc<str> = found.session.project.as_str().into();
        let key: Arc<str> = id.into();
        let watchers = {
            let mut holdings = self.shared.holdings();
            if holdings.closing {
                return Err(Failure::new(
                    ErrorCode::Unavailable,
                    "the bridge is shutting down. Connect again",
                ));
            }
            if let Some(held) = holdings.sessions.get(id) {
                return Ok(held.mailbox.clone());
            }
            let held = HeldSession { mailbox: mailbox.clone(), folder: folder.clone(), info: None };
            holdings.sessions.insert(key, held);
            holdings.listeners(&folder)
        };
        let actor = Actor::new(self.shared.clone(), found, asks, watchers);
        self.spawn(actor.run(opening));
        Ok(mailbox)
    }

    /// Runs a task until it ends or the bridge does.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.shared.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        // Those that have ended are let go of.
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }
}

/// Tells every client once the log is lost: whoever sends nothing would not hear of it.
async fn report_lost(lost: impl Future<Output = Option<LogError>>, shared: Weak<Shared>) {
    if let (Some(error), Some(shared)) = (lost.await, shared.upgrade()) {
        shared.alarm(&error.into());
    }
}
