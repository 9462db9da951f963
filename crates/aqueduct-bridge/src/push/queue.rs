use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::client::DeliveryOutcome;
use super::handle::PushContext;
use super::{NotificationKind, PushNotification};
use crate::failures::{FailureKind, FailureSubject};
use crate::log::{LogError, PushSubscription, Time};

/// How many notifications wait for one subscription. There is one for each session at most.
const WAITING: usize = 32;

/// A notification for one subscription.
#[derive(Debug, Clone)]
pub(super) struct PendingNotification {
    pub(super) to: PushSubscription,
    pub(super) notification: Arc<PushNotification>,
    /// Whether it may contain text of the session.
    pub(super) content: bool,
}

/// Undelivered notifications by endpoint. Each queue has a task that delivers it.
#[derive(Debug, Default)]
pub(super) struct DeliveryQueues {
    waiting: Mutex<HashMap<String, VecDeque<PendingNotification>>>,
}

/// What became of a queued notification.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PutOutcome {
    /// The queue is new: start its delivery.
    First,
    /// It waits.
    Waits,
    /// It waits; the oldest was dropped.
    DroppedOldest,
}

impl DeliveryQueues {
    fn waiting(&self) -> MutexGuard<'_, HashMap<String, VecDeque<PendingNotification>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a notification. Older ones of the same session are replaced.
    pub(super) fn put(&self, pending: PendingNotification) -> PutOutcome {
        let mut waiting = self.waiting();
        let Some(queue) = waiting.get_mut(&pending.to.endpoint) else {
            waiting.insert(pending.to.endpoint.clone(), VecDeque::from([pending]));
            return PutOutcome::First;
        };
        queue.retain(|older| older.notification.session != pending.notification.session);
        let is_crowded = queue.len() >= WAITING;
        if is_crowded {
            queue.pop_front();
        }
        queue.push_back(pending);
        if is_crowded { PutOutcome::DroppedOldest } else { PutOutcome::Waits }
    }

    /// The next notification of a queue, which is removed when it is empty.
    fn next(&self, endpoint: &str) -> Option<PendingNotification> {
        let mut waiting = self.waiting();
        let pending = waiting.get_mut(endpoint).and_then(VecDeque::pop_front);
        if pending.is_none() {
            waiting.remove(endpoint);
        }
        pending
    }

    /// Whether a newer notification of the same session waits.
    fn has_newer(&self, pending: &PendingNotification) -> bool {
        self.waiting().get(&pending.to.endpoint).is_some_and(|queue| {
            queue.iter().any(|newer| newer.notification.session == pending.notification.session)
        })
    }

    /// Removes undelivered notifications that a session waits, and returns their subscriptions.
    pub(super) fn take_back(&self, session: &str) -> Vec<String> {
        let mut taken = Vec::new();
        for (endpoint, queue) in self.waiting().iter_mut() {
            let before = queue.len();
            queue.retain(|pending| {
                pending.notification.kind != NotificationKind::Waits
                    || &*pending.notification.session != session
            });
            taken.extend((queue.len() < before).then(|| endpoint.clone()));
        }
        taken
    }

    /// Empties the queue of a subscription.
    fn empty(&self, endpoint: &str) {
        if let Some(queue) = self.waiting().get_mut(endpoint) {
            queue.clear();
        }
    }
}

impl PushContext {
    /// Delivers what waits in a queue, one after the other, until it is empty.
    pub(super) async fn deliver_all(self: Arc<Self>, endpoint: String) {
        while let Some(pending) = self.queues.next(&endpoint) {
            self.deliver(&pending).await;
        }
    }

    /// Delivers a notification, with retries.
    async fn deliver(&self, pending: &PendingNotification) {
        let pace = self.settings.pace;
        let mut pause = pace.pause;
        for attempt in 1.. {
            if !self.is_subscribed(pending).await {
                return;
            }
            let (why, wait) =
                match self.client.send(&pending.to, &pending.notification, pending.content).await {
                    DeliveryOutcome::Taken => return self.counts.sent.add(1),
                    DeliveryOutcome::Gone => return self.remove_expired(&pending.to.endpoint).await,
                    DeliveryOutcome::Refused(why) => return self.lost(pending, &why),
                    DeliveryOutcome::Later(why, wait) => (why, wait.unwrap_or(pause)),
                };
            if attempt >= pace.tries || wait > pace.longest {
                return self.lost(pending, &why);
            }
            tokio::time::sleep(wait).await;
            if self.queues.has_newer(pending) {
                return;
            }
            pause = pause.saturating_mul(4);
        }
    }

    /// Whether a device still gets what is on its way: it may have been revoked or have expired meanwhile.
    async fn is_subscribed(&self, pending: &PendingNotification) -> bool {
        let found = self.log.pushes_for(&pending.notification.folder, Time::now()).await;
        found.is_ok_and(|found| {
            found
                .iter()
                .any(|one| (&one.device_id, &one.endpoint) == (&pending.to.device_id, &pending.to.endpoint))
        })
    }

    /// A subscription has ended, as its service reports.
    pub(super) async fn remove_expired(&self, endpoint: &str) {
        if let Err(error) = self.remove(endpoint).await {
            self.storage_failed(&error);
        }
    }

    /// Removes a subscription and its queue.
    pub(super) async fn remove(&self, endpoint: &str) -> Result<(), LogError> {
        self.queues.empty(endpoint);
        self.log.remove_push(endpoint).await
    }

    fn lost(&self, pending: &PendingNotification, why: &str) {
        self.counts.lost.add(1);
        let session = FailureSubject::Session(&pending.notification.session);
        let why = format_args!("{}: {why}", self.service(&pending.to));
        self.failures.report(FailureKind::PushDelivery, session, why);
    }
}
