use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::mpsc;

use crate::log::Grant;
use crate::message::bridge::SessionInfo;
use crate::outbox::ClientOutbox;
use crate::session::{SessionCommand, Watcher};

/// The running sessions and connected clients.
#[derive(Debug, Default)]
pub(super) struct Registry {
    pub(super) sessions: HashMap<Arc<str>, SessionEntry>,
    pub(super) clients: HashMap<u64, ClientEntry>,
    pub(super) next_client: u64,
    pub(super) closing: bool,
}

/// A session that an actor serves.
#[derive(Debug)]
pub(super) struct SessionEntry {
    pub(super) mailbox: mpsc::Sender<SessionCommand>,
    /// The folder that it works in.
    pub(super) folder: Arc<str>,
    /// What lists show of it.
    pub(super) info: Option<SessionInfo<'static>>,
}

/// How a client receives messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClientTransport {
    /// Over a WebSocket, which also takes its requests.
    WebSocket,
    /// As server-sent events.
    Events,
}

impl ClientTransport {
    pub(super) fn name(self) -> &'static str {
        match self {
            ClientTransport::WebSocket => "websocket",
            ClientTransport::Events => "events",
        }
    }
}

/// A connected client.
#[derive(Debug)]
pub(super) struct ClientEntry {
    pub(super) device_id: String,
    /// The kind of its credential.
    pub(super) kind: &'static str,
    pub(super) transport: ClientTransport,
    pub(super) grant: Grant,
    pub(super) outbox: Arc<ClientOutbox>,
    /// It has never subscribed.
    pub(super) receives_all: bool,
    /// It receives sessions at all.
    pub(super) listens: bool,
    /// The session that it used last.
    pub(super) last: Option<Arc<str>>,
}

impl Registry {
    /// The clients that watch all sessions, those in this folder included.
    pub(super) fn listeners(&self, folder: &str) -> Vec<Watcher> {
        let receives =
            |client: &ClientEntry| client.receives_all && client.listens && client.grant.holds(folder);
        let all = self.clients.iter().filter(|(_, client)| receives(client));
        all.map(|(id, client)| Watcher { client: *id, outbox: client.outbox.clone(), attends: false })
            .collect()
    }
}
