use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::mpsc;

use super::Outbox;
use crate::log::Grant;
use crate::message::bridge::SessionInfo;
use crate::session::{Ask, Watcher};

/// What the hub holds at a moment.
#[derive(Debug, Default)]
pub(super) struct Holdings {
    pub(super) sessions: HashMap<Arc<str>, HeldSession>,
    pub(super) clients: HashMap<u64, HeldClient>,
    pub(super) next_client: u64,
    pub(super) closing: bool,
}

/// A session that an actor serves.
#[derive(Debug)]
pub(super) struct HeldSession {
    pub(super) mailbox: mpsc::Sender<Ask>,
    /// The folder that it works in.
    pub(super) folder: Arc<str>,
    /// What lists show of it.
    pub(super) info: Option<SessionInfo<'static>>,
}

/// A connected client.
#[derive(Debug)]
pub(super) struct HeldClient {
    pub(super) device_id: String,
    pub(super) grant: Grant,
    pub(super) outbox: Arc<Outbox>,
    /// It has never subscribed.
    pub(super) hears_all: bool,
    /// It hears sessions at all.
    pub(super) listens: bool,
    /// The session that it used last.
    pub(super) last: Option<Arc<str>>,
}

impl Holdings {
    /// The clients that hear all sessions, those in this folder included.
    pub(super) fn listeners(&self, folder: &str) -> Vec<Watcher> {
        let hears = |client: &HeldClient| client.hears_all && client.listens && client.grant.holds(folder);
        let all = self.clients.iter().filter(|(_, client)| hears(client));
        all.map(|(id, client)| Watcher { client: *id, outbox: client.outbox.clone(), attends: false })
            .collect()
    }
}
