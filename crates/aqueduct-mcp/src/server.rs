use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aqueduct_wire::mcp::McpServerStatus;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::auth::{ServerCredentials, SignInChallenge};
use crate::config::{ServerConfig, ServerRoute};
use crate::connection::{ServerConnection, introduction};
use crate::manifest::ServerManifest;
use crate::peer::ServerPeer;
use crate::shared::ServerContext;
use crate::state::ServerStatus;
use crate::supervisor::{Introduced, Supervisor};

/// What is wrong with a server that the user did not want to wait for.
const GIVEN_UP: &str =
    "it did not connect before the user interrupted the turn; reconnect it with mcp_reconnect";

/// A server that is configured, connected or not. Dropping it ends the connection.
#[derive(Debug)]
pub(crate) struct ConfiguredServer {
    supervisor: Arc<Supervisor>,
    task: Mutex<Option<JoinHandle<()>>>,
    /// Of several who want the server back, one brings it back.
    restarting: tokio::sync::Mutex<()>,
}

impl ConfiguredServer {
    /// A server that was not used yet.
    pub(crate) fn new(config: ServerConfig, shared: Arc<ServerContext>) -> Self {
        let store = shared.sign_ins.as_ref();
        let credentials = store.and_then(|store| ServerCredentials::of(&config, store, &shared.proxy));
        let supervisor = Supervisor {
            config,
            state: watch::Sender::new(ServerStatus::Pending),
            credentials: credentials.map(Arc::new),
            shared,
        };
        ConfiguredServer {
            supervisor: Arc::new(supervisor),
            task: Mutex::default(),
            restarting: Default::default(),
        }
    }

    /// How it was configured.
    pub(crate) fn config(&self) -> &ServerConfig {
        &self.supervisor.config
    }

    /// Begins to connect. A server in the host has been asked who it is when this returns, unless a manifest
    /// has that already.
    pub(crate) async fn start(&self, manifest: Option<ServerManifest>) {
        let supervisor = self.supervisor.clone();
        supervisor.state.send_replace(ServerStatus::Pending);
        if supervisor.config.route != ServerRoute::Host {
            self.keep(Some(tokio::spawn(supervisor.run_outside())));
            return;
        }
        let (peer, events) = ServerPeer::new(if manifest.is_some() { ServerManifest::REQUESTS } else { 0 });
        let client = Arc::new(supervisor.open_in_host(Arc::new(peer)));
        let introduced = match manifest {
            Some(manifest) => Introduced::Before(manifest),
            None => match client.begin("initialize", Some(introduction(&supervisor.config.route))).await {
                Ok(reply) => Introduced::Asked(reply),
                Err(error) => {
                    supervisor.state.send_replace(ServerStatus::Failed(error.to_string()));
                    return;
                }
            },
        };
        self.keep(Some(tokio::spawn(supervisor.run(client, events, introduced))));
    }

    /// What it answered to a request without a valid token.
    pub(crate) fn challenge(&self) -> Option<SignInChallenge> {
        self.supervisor.credentials.as_ref()?.challenge()
    }

    /// Ends a connection whose credentials the server does not accept any more, unless another caller has.
    pub(crate) async fn lock_out(&self, useless: &Arc<ServerConnection>, why: &str) {
        let _others_wait = self.restarting.lock().await;
        if self.known().is_some_and(|known| Arc::ptr_eq(&known, useless)) {
            self.stop(ServerStatus::NeedsAuth(why.to_owned())).await;
        }
    }

    /// Whether it was not used yet.
    pub(crate) fn is_untouched(&self) -> bool {
        matches!(self.state(), ServerStatus::Pending)
            && self.task.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Makes another connection in place of one that is unusable, unless another caller has.
    pub(crate) async fn revive_from(&self, useless: &Arc<ServerConnection>) {
        let _others_wait = self.restarting.lock().await;
        if self.known().is_some_and(|known| Arc::ptr_eq(&known, useless)) {
            self.restart().await;
        }
    }

    /// Ends the connection, if there is one, and begins another.
    pub(crate) async fn restart(&self) {
        self.stop(ServerStatus::Pending).await;
        self.start(None).await;
    }

    /// Waits until the server is connected or has failed, but not longer than the limit.
    pub(crate) async fn settled(&self, limit: Duration) -> ServerStatus {
        let mut states = self.supervisor.state.subscribe();
        let settled = states.wait_for(|state| !matches!(state, ServerStatus::Pending));
        let state = match tokio::time::timeout(limit, settled).await {
            Ok(Ok(state)) => state.clone(),
            _ => self.state(),
        };
        if let ServerStatus::Connected(connection) = &state {
            // What can't be refreshed in time stays as it was.
            let _ = tokio::time::timeout(limit, connection.client.peer.fresh()).await;
        }
        state
    }

    /// Whether it is on its way, or its list of tools is.
    pub(crate) fn is_awaited(&self) -> bool {
        match self.state() {
            ServerStatus::Pending => true,
            ServerStatus::Connected(connection) => connection.client.peer.is_stale(),
            _ => false,
        }
    }

    /// Stops a server that is on its way. One whose list of tools is on its way keeps the old one.
    pub(crate) async fn give_up(&self) {
        match self.state() {
            ServerStatus::Pending => self.stop(ServerStatus::Failed(GIVEN_UP.to_owned())).await,
            ServerStatus::Connected(connection) => connection.client.peer.refreshed(),
            _ => (),
        }
    }

    /// Its state.
    pub(crate) fn state(&self) -> ServerStatus {
        self.supervisor.state.borrow().clone()
    }

    /// The connection that there is or was, for what is known of the server.
    pub(crate) fn known(&self) -> Option<Arc<ServerConnection>> {
        match self.state() {
            ServerStatus::Connected(connection) | ServerStatus::Lost(connection, _) => Some(connection),
            _ => None,
        }
    }

    /// Ends the connection in order, and leaves the server in `state`.
    pub(crate) async fn stop(&self, state: ServerStatus) {
        if let Some(connection) = self.known() {
            connection.client.link.end().await;
        }
        let task = self.keep(None);
        if let Some(task) = task {
            task.abort();
            let _ = task.await;
        }
        self.supervisor.state.send_replace(state);
    }

    /// Its status, as hosts receive it.
    pub(crate) fn status(&self) -> McpServerStatus<'static> {
        let config = self.config();
        let mut status = McpServerStatus::new(config.name.clone());
        let state = self.state();
        status.status = Some(state.shown());
        status.error = state.error().map(|error| error.to_owned().into());
        if let ServerStatus::Connected(connection) = &state {
            status.server_info = connection.info();
            status.error = connection.remark().map(Into::into);
            status.tools = Some(connection.tools().iter().map(|tool| tool.described()).collect());
        }
        status.config = config.route.shown().map(Box::new);
        status.transport = Some(config.route.transport().into());
        status.scope = Some(config.scope.name().into());
        status.source = Some(config.scope.source().into());
        status
    }

    /// Keeps another task; returns the one before.
    fn keep(&self, task: Option<JoinHandle<()>>) -> Option<JoinHandle<()>> {
        std::mem::replace(&mut *self.task.lock().unwrap_or_else(PoisonError::into_inner), task)
    }
}

impl Drop for ConfiguredServer {
    fn drop(&mut self) {
        if let Some(task) = self.keep(None) {
            task.abort();
        }
    }
}
