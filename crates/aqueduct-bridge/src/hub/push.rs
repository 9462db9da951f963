//! Requests about notifications.

use super::{Hub, HubState};
use crate::auth::Principal;
use crate::failure::Failure;
use crate::message::bridge::Done;
use crate::message::{ClientMessage, ErrorCode};
use crate::push::Push;

impl HubState {
    /// A client has disconnected. If it was the last one of its device, the device watches nothing any more.
    pub(super) fn client_disconnected(&self, device_id: &str) {
        let Some(push) = &self.push else { return };
        if !self.registry().clients.values().any(|client| client.device_id == device_id) {
            push.left(device_id);
        }
    }
}

impl Hub {
    /// Notifications, unless there are to be none.
    pub fn push(&self) -> Option<&Push> {
        self.shared.push.as_ref()
    }

    /// Handles a device's requests about notifications.
    pub(super) async fn notifications(
        &self,
        principal: &Principal,
        message: ClientMessage<'static>,
    ) -> Result<Done<'static>, Failure> {
        let push = self.push().ok_or_else(|| {
            Failure::new(ErrorCode::NotSupported, "this bridge sends no notifications")
                .clause("start it without --push off")
        })?;
        let device = &principal.device_id;
        match message {
            ClientMessage::SubscribePush(wanted) => push.subscribe(device, &wanted).await?,
            ClientMessage::UnsubscribePush(message) => push.unsubscribe(device, &message.endpoint).await?,
            _ => push.test(device).await?,
        }
        Ok(Done::new())
    }
}
