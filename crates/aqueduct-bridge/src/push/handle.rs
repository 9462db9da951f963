use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::client::{DeliveryOutcome, PushClient};
use super::dispatcher::{Dispatcher, PushEvent};
use super::encrypt::SubscriptionKeys;
use super::key::VapidKey;
use super::queue::DeliveryQueues;
use super::{PushEndpoint, PushError, PushNotification, PushSettings, PushWords};
use crate::Failure;
use crate::failures::{FailureSubject, Failures};
use crate::log::{Log, LogError, PushSubscription, Time};
use crate::message::ErrorCode;
use crate::message::client::SubscribePush;
use crate::metrics::Counter;

/// How many events wait for the dispatcher. Further ones are dropped.
const EVENTS: usize = 1024;

/// The sender of notifications. Dropping it ends all deliveries.
pub struct Push {
    context: Arc<PushContext>,
    key: Arc<VapidKey>,
    events: mpsc::Sender<PushEvent>,
    /// The dispatcher, with its deliveries.
    task: Mutex<JoinSet<()>>,
}

/// The state that the dispatcher and deliveries share.
pub(super) struct PushContext {
    pub(super) log: Log,
    pub(super) settings: PushSettings,
    pub(super) client: PushClient,
    pub(super) queues: DeliveryQueues,
    pub(super) counts: PushCounts,
    pub(super) failures: Arc<Failures>,
}

/// Counters since the bridge started.
#[derive(Debug, Default)]
pub struct PushCounts {
    /// Accepted by push services.
    pub sent: Counter,
    /// Given up.
    pub lost: Counter,
}

impl PushContext {
    /// The event log could not be read or written for notifications.
    pub(super) fn storage_failed(&self, error: &LogError) {
        self.failures.report_storage(error, FailureSubject::Bridge);
    }

    /// The host of a subscription, for log lines.
    pub(super) fn service(&self, to: &PushSubscription) -> String {
        PushEndpoint::parse(&to.endpoint, self.settings.loopback)
            .map_or_else(|_| "the push service".to_owned(), |endpoint| endpoint.origin())
    }
}

impl Push {
    /// Starts the dispatcher, unless notifications are off. Creates the key on first use.
    pub fn open(
        settings: &PushSettings,
        data: &Path,
        log: Log,
        failures: Arc<Failures>,
    ) -> Result<Option<Self>, PushError> {
        if settings.words == PushWords::Off {
            return Ok(None);
        }
        let key = Arc::new(VapidKey::open(data)?);
        let context = Arc::new(PushContext {
            log,
            client: PushClient::new(settings, key.clone()),
            settings: settings.clone(),
            queues: DeliveryQueues::default(),
            counts: PushCounts::default(),
            failures,
        });
        let (events, received) = mpsc::channel(EVENTS);
        let mut task = JoinSet::new();
        task.spawn(Dispatcher::new(context.clone(), received).run());
        Ok(Some(Push { context, key, events, task: Mutex::new(task) }))
    }

    /// The VAPID public key for subscriptions.
    pub fn key(&self) -> &str {
        self.key.public()
    }

    /// Counters of deliveries.
    pub fn counts(&self) -> &PushCounts {
        &self.context.counts
    }

    /// Queues a notification for all subscriptions. Never blocks.
    pub fn announce(&self, notification: PushNotification) {
        self.event(PushEvent::Notification(notification));
    }

    /// A device has no connection any more.
    pub fn left(&self, device_id: &str) {
        self.event(PushEvent::Left(device_id.to_owned()));
    }

    fn event(&self, event: PushEvent) {
        if self.events.try_send(event).is_err() {
            self.context.counts.lost.add(1);
        }
    }

    /// Adds a subscription of a device.
    pub async fn subscribe(&self, device_id: &str, wanted: &SubscribePush<'_>) -> Result<(), Failure> {
        PushEndpoint::parse(&wanted.endpoint, self.context.settings.loopback)
            .map_err(|error| Failure::of(ErrorCode::InvalidMessage, &error))?;
        let keys = &wanted.keys;
        // A key that is not a point of the curve is detected when something is encrypted for it.
        let is_usable =
            SubscriptionKeys::new(&keys.p256dh, &keys.auth).is_some_and(|reader| reader.encrypt(b"").is_ok());
        if !is_usable {
            return Err(Failure::new(ErrorCode::InvalidMessage, "`keys` are not keys of a subscription")
                .clause("pass the browser's values unchanged"));
        }
        let subscription = PushSubscription {
            device_id: device_id.to_owned(),
            endpoint: wanted.endpoint.as_str().to_owned(),
            p256dh: keys.p256dh.as_str().to_owned(),
            auth: keys.auth.as_str().to_owned(),
            content: wanted.content == Some(true),
        };
        self.context.log.put_push(subscription, Time::now()).await.map_err(|error| match error {
            LogError::NoDevice { .. } => {
                Failure::new(ErrorCode::DeviceNotFound, "only a device that was paired can be notified")
                    .clause("open a pairing link on it")
            }
            error => error.into(),
        })
    }

    /// Removes a subscription of a device.
    pub async fn unsubscribe(&self, device_id: &str, endpoint: &str) -> Result<(), Failure> {
        let is_own = |one: &PushSubscription| one.device_id == device_id && one.endpoint == endpoint;
        match self.context.log.pushes().await?.iter().any(is_own) {
            true => Ok(self.context.remove(endpoint).await?),
            false => Ok(()),
        }
    }

    /// Sends a test notification to a device, and returns whether it was accepted.
    pub async fn test(&self, device_id: &str) -> Result<(), Failure> {
        let mut failure = Failure::new(ErrorCode::NotSubscribed, "this device gets no notifications")
            .clause("switch them on first");
        for to in self.context.log.pushes().await?.iter().filter(|to| to.device_id == device_id) {
            let service = self.context.service(to);
            failure = match self.context.client.send(to, &PushNotification::test(), false).await {
                DeliveryOutcome::Taken => {
                    self.context.counts.sent.add(1);
                    return Ok(());
                }
                DeliveryOutcome::Gone => {
                    self.context.remove_expired(&to.endpoint).await;
                    let message = format!("{service} does not know this device any more");
                    Failure::new(ErrorCode::Unavailable, message).clause("switch notifications on again")
                }
                DeliveryOutcome::Refused(why) | DeliveryOutcome::Later(why, _) => {
                    let message = format!("{service} does not take the notification: {why}");
                    Failure::new(ErrorCode::Unavailable, message)
                }
            };
        }
        Err(failure)
    }

    /// Ends all deliveries.
    pub async fn close(&self) {
        let mut task = std::mem::take(&mut *self.task.lock().unwrap_or_else(PoisonError::into_inner));
        task.shutdown().await;
    }
}

impl fmt::Debug for Push {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Push").field("settings", &self.context.settings).finish_non_exhaustive()
    }
}
