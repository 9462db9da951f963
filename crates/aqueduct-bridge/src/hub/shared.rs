use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use aqueduct_wire::control::InitializeReply;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tracing::Instrument as _;

use super::readiness::ReadinessState;
use super::registry::{Registry, SessionEntry};
use crate::auth::Authenticator;
use crate::failure::Failure;
use crate::failures::{FailureKind, FailureSubject, Failures};
use crate::log::{Log, LogError, PageLimits, PagePosition, Time};
use crate::message::{CloseCode, ErrorCode};
use crate::metrics::Metrics;
use crate::outbox::{OutboxItem, Stored};
use crate::push::Push;
use crate::recent::Recents;
use crate::session::{MAILBOX, ReplySender, Services, SessionActor, SessionCommand};
use crate::settings::BridgeSettings;
use crate::trace;
use crate::trust::TrustService;
use crate::work::WorkPool;
use crate::workspace::{Roots, Workspace};

/// How long sessions have to detach from their agents at shutdown.
const LEAVING: Duration = Duration::from_secs(5);

/// The sessions and clients of a bridge. Clones are handles to the same hub.
#[derive(Clone)]
pub struct Hub {
    pub(crate) shared: Arc<HubState>,
}

/// The state that sessions and clients share.
pub(crate) struct HubState {
    pub(super) log: Log,
    pub(super) settings: Arc<BridgeSettings>,
    pub(super) metrics: Arc<Metrics>,
    pub(super) failures: Arc<Failures>,
    pub(super) trust: TrustService,
    pub(super) workspace: Workspace,
    pub(super) recents: Recents,
    pub(super) auth: Authenticator,
    /// Notifications, unless there are to be none.
    pub(super) push: Option<Push>,
    pub(super) registry: Mutex<Registry>,
    /// What agents reported when they were initialized, by name.
    pub(super) known: Mutex<HashMap<String, Arc<InitializeReply<'static>>>>,
    pub(super) readiness: ReadinessState,
    /// When the bridge was started.
    pub(super) started: Time,
    /// The tasks of sessions, and others that end with the bridge.
    tasks: Mutex<JoinSet<()>>,
}

impl HubState {
    pub(super) fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a session's actor uses of the bridge.
    fn services(self: &Arc<Self>) -> Services {
        Services {
            log: self.log.clone(),
            settings: self.settings.clone(),
            metrics: self.metrics.clone(),
            failures: self.failures.clone(),
            trust: self.trust.clone(),
            host: self.clone(),
        }
    }

    /// Sends a failure that concerns all clients to each of them.
    fn broadcast_failure(&self, failure: &Failure) {
        let text: Arc<str> = failure.to_message(None, None).to_json().into();
        for client in self.registry().clients.values() {
            client.outbox.put(OutboxItem::Other(text.clone()));
        }
    }
}

impl Hub {
    /// Opens a hub on this log. Sessions that were running resume at once.
    pub async fn open(settings: BridgeSettings, log: Log) -> Result<Self, Failure> {
        let roots = Roots::new(settings.roots.iter().cloned());
        let failures = Arc::new(Failures::default());
        let shared = HubState {
            recents: Recents::new(log.clone(), settings.transcripts.iter().cloned(), roots.clone()),
            workspace: Workspace::new(roots, settings.git.clone()),
            trust: TrustService::new(settings.trust.clone(), WorkPool::new()),
            auth: Authenticator::new(log.clone(), failures.clone()),
            push: Push::open(&settings.push, &settings.data, log.clone(), failures.clone())?,
            log,
            settings: Arc::new(settings),
            metrics: Arc::default(),
            failures,
            registry: Mutex::default(),
            known: Mutex::default(),
            readiness: ReadinessState::default(),
            started: Time::now(),
            tasks: Mutex::default(),
        };
        let hub = Hub { shared: Arc::new(shared) };
        hub.spawn(report_lost(hub.shared.log.lost(), Arc::downgrade(&hub.shared)));
        let in_work = hub.shared.log.sessions_in_work().await?;
        let keepers: Vec<String> = in_work.iter().filter_map(|session| session.keeper.clone()).collect();
        hub.clear_keepers(keepers).await;
        for session in in_work {
            hub.start_actor(&session.id, Vec::new()).await?;
        }
        Ok(hub)
    }

    /// The event log.
    pub fn log(&self) -> &Log {
        &self.shared.log
    }

    /// Authentication and devices.
    pub fn auth(&self) -> &Authenticator {
        &self.shared.auth
    }

    /// The settings of the bridge.
    pub fn settings(&self) -> &BridgeSettings {
        &self.shared.settings
    }

    /// Its counters.
    pub fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }

    /// When it was started.
    pub fn started(&self) -> Time {
        self.shared.started
    }

    /// How many inputs wait in the queues of sessions.
    pub fn queued_inputs(&self) -> u64 {
        let registry = self.shared.registry();
        registry.sessions.values().filter_map(|held| held.info.as_ref()?.queued).sum()
    }

    /// Its failures.
    pub fn failures(&self) -> &Failures {
        &self.shared.failures
    }

    /// How many clients are connected.
    pub fn clients(&self) -> usize {
        self.shared.registry().clients.len()
    }

    /// The number of running sessions by status.
    pub fn statuses(&self) -> Vec<(String, usize)> {
        let mut counts: std::collections::BTreeMap<String, usize> = Default::default();
        for held in self.shared.registry().sessions.values() {
            let status = held.info.as_ref().map_or("starting", |info| info.status.as_str());
            *counts.entry(status.to_owned()).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    /// Closes the connections of a device.
    pub fn disconnect(&self, device_id: &str) {
        for client in self.shared.registry().clients.values() {
            if client.device_id == device_id {
                client.outbox.close(CloseCode::Revoked);
            }
        }
    }

    /// Shuts down: clients are disconnected, agents continue with their keepers.
    pub async fn close(&self) {
        let sessions: Vec<mpsc::Sender<SessionCommand>> = {
            let mut registry = self.shared.registry();
            registry.closing = true;
            for client in registry.clients.values() {
                client.outbox.close(CloseCode::GoingAway);
            }
            registry.sessions.values().map(|held| held.mailbox.clone()).collect()
        };
        let leave = async {
            for mailbox in sessions {
                let (reply, left) = oneshot::channel();
                if mailbox.send(SessionCommand::Close { end_agent: false, reply }).await.is_ok() {
                    let _ = left.await;
                }
            }
        };
        // An actor that does not end in time is dropped with the process: it may be killed at any time.
        let _ = tokio::time::timeout(LEAVING, leave).await;
        // What can't be saved now is lost; this was reported.
        let _ = self.shared.auth.save_revocations().await;
        let mut tasks =
            std::mem::take(&mut *self.shared.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        tasks.shutdown().await;
        if let Some(push) = &self.shared.push {
            push.close().await;
        }
    }

    /// Sends a command to a session and returns its reply. If the actor has just closed, another one is started.
    pub(super) async fn ask<T>(
        &self,
        id: &str,
        make: impl Fn(ReplySender<T>) -> SessionCommand,
    ) -> Result<T, Failure> {
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
        Err(Failure::new(ErrorCode::Unavailable, "the session is being closed").sentence("Try again"))
    }

    /// The mailbox of a session's actor.
    pub(super) async fn mailbox(&self, id: &str) -> Result<mpsc::Sender<SessionCommand>, Failure> {
        if let Some(held) = self.shared.registry().sessions.get(id) {
            return Ok(held.mailbox.clone());
        }
        self.start_actor(id, Vec::new()).await
    }

    /// Starts an actor for a session, unless there is one. `opening` is what was just committed.
    pub(super) async fn start_actor(
        &self,
        id: &str,
        opening: Vec<Stored>,
    ) -> Result<mpsc::Sender<SessionCommand>, Failure> {
        let nothing = PageLimits { count: 1, bytes: 1 };
        let found = self.shared.log.attach(id, PagePosition::After(u64::MAX), nothing).await?;
        let (mailbox, asks) = mpsc::channel(MAILBOX);
        let folder: Arc<str> = found.session.project.as_str().into();
        let key: Arc<str> = id.into();
        let watchers = {
            let mut registry = self.shared.registry();
            if registry.closing {
                return Err(Failure::new(ErrorCode::Unavailable, "the bridge is shutting down")
                    .sentence("Connect again"));
            }
            if let Some(held) = registry.sessions.get(id) {
                return Ok(held.mailbox.clone());
            }
            let held = SessionEntry { mailbox: mailbox.clone(), folder: folder.clone(), info: None };
            registry.sessions.insert(key, held);
            registry.listeners(&folder)
        };
        let actor = SessionActor::new(self.shared.services(), found, asks, watchers);
        self.spawn(actor.run(opening).instrument(trace::session_span(id)));
        Ok(mailbox)
    }

    /// Runs a task until it ends or the bridge does.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.shared.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        // Those that have ended are removed.
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }
}

/// Reports that the log is lost, also to every client: a client that sends nothing would not notice.
async fn report_lost(lost: impl Future<Output = Option<LogError>>, shared: Weak<HubState>) {
    if let (Some(error), Some(shared)) = (lost.await, shared.upgrade()) {
        shared.failures.report(FailureKind::StorageLost, FailureSubject::Bridge, &error);
        shared.broadcast_failure(&error.into());
    }
}
