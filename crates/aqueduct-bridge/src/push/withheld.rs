use std::collections::HashMap;
use std::sync::Arc;

use super::PushNotification;

/// How much is remembered.
const REMEMBERED: usize = 1024;

/// Sessions that wait, by the devices that were not notified because they look at them. A connection of a phone in a pocket
/// seems alive for a while: when it ends, the device is notified after all.
#[derive(Debug, Default)]
pub(super) struct Withheld {
    /// By device and session.
    notification: HashMap<(String, Arc<str>), Arc<PushNotification>>,
}

impl Withheld {
    /// Withholds a notification from a device.
    pub(super) fn add(&mut self, device: &str, notification: &Arc<PushNotification>) {
        if self.notification.len() < REMEMBERED {
            self.notification.insert((device.to_owned(), notification.session.clone()), notification.clone());
        }
    }

    /// A session no longer waits, or waits for something else.
    pub(super) fn forget(&mut self, session: &str) {
        self.notification.retain(|(_, waits), _| &**waits != session);
    }

    /// The notifications that were withheld from a device.
    pub(super) fn take(&mut self, device: &str) -> Vec<Arc<PushNotification>> {
        self.notification
            .extract_if(|(looks, _), _| looks == device)
            .map(|(_, notification)| notification)
            .collect()
    }
}
