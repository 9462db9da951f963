use std::collections::HashSet;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::handle::PushContext;
use super::queue::{PendingNotification, PutOutcome};
use super::withheld::Withheld;
use super::{NotificationKind, PushNotification, PushWords};
use crate::log::{PushSubscription, Time};

/// How many notifications are remembered that may still be seen somewhere.
const REMEMBERED: usize = 1024;

/// An event for the dispatcher.
#[derive(Debug)]
pub(super) enum PushEvent {
    /// Something happened.
    Notification(PushNotification),
    /// A device has no connection any more.
    Left(String),
}

/// Decides which subscriptions get which notifications.
pub(super) struct Dispatcher {
    context: Arc<PushContext>,
    events: mpsc::Receiver<PushEvent>,
    withheld: Withheld,
    /// Subscriptions that were notified that a session waits, with the session.
    notified: HashSet<(String, Arc<str>)>,
    deliveries: JoinSet<()>,
}

impl Dispatcher {
    pub(super) fn new(context: Arc<PushContext>, events: mpsc::Receiver<PushEvent>) -> Self {
        Dispatcher {
            context,
            events,
            withheld: Withheld::default(),
            notified: HashSet::new(),
            deliveries: JoinSet::new(),
        }
    }

    /// Handles events until all senders are dropped.
    pub(super) async fn run(mut self) {
        loop {
            tokio::select! {
                event = self.events.recv() => match event {
                    Some(PushEvent::Notification(notification)) => self.dispatch(Arc::new(notification)).await,
                    Some(PushEvent::Left(device)) => self.remind(&device).await,
                    None => return,
                },
                _ = self.deliveries.join_next(), if !self.deliveries.is_empty() => {}
            }
        }
    }

    /// The subscriptions of devices that may see sessions in this folder.
    async fn subscriptions(&mut self, folder: &str) -> Vec<PushSubscription> {
        self.context.log.pushes_for(folder, Time::now()).await.unwrap_or_else(|error| {
            self.context.storage_failed(&error);
            Vec::new()
        })
    }

    async fn dispatch(&mut self, notification: Arc<PushNotification>) {
        let subscriptions = self.subscriptions(&notification.folder).await;
        let session = &notification.session;
        self.withheld.forget(session);
        let notified = self.notified.extract_if(|(_, waits)| waits == session);
        let mut notified: HashSet<String> = notified.map(|(endpoint, _)| endpoint).collect();
        if notification.kind == NotificationKind::Settled {
            for endpoint in self.context.queues.take_back(session) {
                notified.remove(&endpoint);
            }
        }
        for to in subscriptions {
            let is_looking = notification.watching_devices.contains(&to.device_id);
            match notification.kind {
                NotificationKind::Waits if is_looking => self.withheld.add(&to.device_id, &notification),
                NotificationKind::Settled if !notified.contains(&to.endpoint) => {}
                _ if is_looking => {}
                _ => self.send(to, &notification),
            }
        }
    }

    /// A device that looked is gone: it is notified of what still waits.
    async fn remind(&mut self, device: &str) {
        for notification in self.withheld.take(device) {
            for to in self.subscriptions(&notification.folder).await {
                if to.device_id == device {
                    self.send(to, &notification);
                }
            }
        }
    }

    fn send(&mut self, to: PushSubscription, notification: &Arc<PushNotification>) {
        let content = to.content && self.context.settings.words == PushWords::Content;
        let endpoint = to.endpoint.clone();
        if notification.kind == NotificationKind::Waits {
            // A forgotten subscription keeps an outdated notification.
            if self.notified.len() >= REMEMBERED {
                self.notified.clear();
            }
            self.notified.insert((endpoint.clone(), notification.session.clone()));
        }
        match self.context.queues.put(PendingNotification { to, notification: notification.clone(), content })
        {
            PutOutcome::First => drop(self.deliveries.spawn(self.context.clone().deliver_all(endpoint))),
            PutOutcome::Waits => {}
            PutOutcome::DroppedOldest => self.context.counts.lost.add(1),
        }
    }
}
