//! Notifications: who gets them, and of what.

use super::{Hub, Shared, Visitor};
use crate::failure::Failure;
use crate::message::bridge::Done;
use crate::message::{ClientMessage, ErrorCode};
use crate::push::{News, Push};

impl Shared {
    /// Tells those of something who are not looking, if anybody is to be told anything. `attending` are the clients that
    /// look.
    pub(crate) fn announce(&self, attending: &[u64], news: impl FnOnce() -> Option<News>) {
        let Some(push) = &self.push else { return };
        let Some(mut news) = news() else { return };
        let holdings = self.holdings();
        let looking = attending.iter().filter_map(|client| holdings.clients.get(client));
        news.looking.extend(looking.map(|client| client.device_id.clone()));
        push.announce(news);
    }

    /// A client is gone. If it was the last of its device, the device looks at nothing any more.
    pub(super) fn departed(&self, device_id: &str) {
        let Some(push) = &self.push else { return };
        if !self.holdings().clients.values().any(|client| client.device_id == device_id) {
            push.left(device_id);
        }
    }
}

impl Hub {
    /// Notifications, unless there are to be none.
    pub fn push(&self) -> Option<&Push> {
        self.shared.push.as_ref()
    }

    /// What a device asks about its notifications.
    pub(super) async fn notifications(
        &self,
        visitor: &Visitor,
        message: ClientMessage<'static>,
    ) -> Result<Done<'static>, Failure> {
        let off = "this bridge sends no notifications: start it without --push off";
        let push = self.push().ok_or_else(|| Failure::new(ErrorCode::NotSupported, off))?;
        let device = &visitor.device_id;
        match message {
            ClientMessage::SubscribePush(wanted) => push.subscribe(device, &wanted).await?,
            ClientMessage::UnsubscribePush(message) => push.unsubscribe(device, &message.endpoint).await?,
            _ => push.test(device).await?,
        }
        Ok(Done::new())
    }
}
