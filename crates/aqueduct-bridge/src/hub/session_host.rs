//! What the hub does for its sessions.

use std::sync::{Arc, PoisonError};

use aqueduct_wire::control::InitializeReply;
use aqueduct_wire::rate_limit::RateLimitInfo;

use super::HubState;
use crate::failure::Failure;
use crate::message::BridgeMessage;
use crate::message::bridge::{RateLimitChange, SessionInfo};
use crate::outbox::{ClientOutbox, OutboxItem};
use crate::push::PushNotification;
use crate::session::SessionHost;

impl SessionHost for HubState {
    fn release(&self, id: &str) {
        self.registry().sessions.remove(id);
    }

    fn update_info(&self, id: &str, info: &SessionInfo<'static>) {
        if let Some(held) = self.registry().sessions.get_mut(id) {
            held.info = Some(info.clone());
        }
    }

    fn broadcast(&self, folder: &str, message: &BridgeMessage<'_>) {
        let outboxes: Vec<Arc<ClientOutbox>> = self
            .registry()
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
            outbox.put(OutboxItem::Other(text.clone()));
        }
    }

    fn report_failure(&self, id: &str, failure: &Failure) {
        let users: Vec<Arc<ClientOutbox>> = {
            let registry = self.registry();
            let uses = registry.clients.values().filter(|client| client.last.as_deref() == Some(id));
            uses.map(|client| client.outbox.clone()).collect()
        };
        let text: Arc<str> = failure.to_message(None, Some(id)).to_json().into();
        for outbox in users {
            outbox.put(OutboxItem::Other(text.clone()));
        }
    }

    fn rate_limit_changed(&self, limit: RateLimitInfo<'static>, session: &str, agent: &str) {
        let mut change = RateLimitChange::new(limit);
        change.session_id = Some(session.to_owned().into());
        change.agent = Some(agent.to_owned().into());
        let folder = self.registry().sessions.get(session).map(|held| held.folder.clone());
        self.broadcast(folder.as_deref().unwrap_or_default(), &change.into());
    }

    fn notify(&self, attending: &[u64], build: &dyn Fn() -> Option<PushNotification>) {
        let Some(push) = &self.push else { return };
        let Some(mut notification) = build() else { return };
        let registry = self.registry();
        let watching_devices = attending.iter().filter_map(|client| registry.clients.get(client));
        notification.watching_devices.extend(watching_devices.map(|client| client.device_id.clone()));
        push.announce(notification);
    }

    fn store_agent_info(&self, name: &str, reply: Arc<InitializeReply<'static>>) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), reply);
    }

    fn agent_info(&self, name: &str) -> Option<Arc<InitializeReply<'static>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }
}
