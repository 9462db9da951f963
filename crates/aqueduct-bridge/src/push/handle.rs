use std::fmt::{self, Display};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::desk::{Desk, Order};
use super::key::Key;
use super::lane::Lanes;
use super::post::{Outcome, Post};
use super::seal::Reader;
use super::{Endpoint, News, PushError, PushSettings, PushWords};
use crate::hub::Counter;
use crate::log::{Log, LogError, PushSubscription, Time};
use crate::message::ErrorCode;
use crate::message::client::SubscribePush;
use crate::{Failure, Journal};

/// How much news waits for the desk. More of it is lost: a bridge with that much to say is looked at anyway.
const ORDERS: usize = 1024;

/// Notifications. They end when it is dropped.
pub struct Push {
    office: Arc<Office>,
    key: Arc<Key>,
    orders: mpsc::Sender<Order>,
    /// The desk, with the lanes.
    task: Mutex<JoinSet<()>>,
}

/// What all who deal with notifications share.
pub(super) struct Office {
    pub(super) log: Log,
    pub(super) settings: PushSettings,
    pub(super) post: Post,
    pub(super) lanes: Lanes,
    pub(super) counts: PushCounts,
    journal: OnceLock<Journal>,
}

/// What became of notifications since the bridge started.
#[derive(Debug, Default)]
pub struct PushCounts {
    /// Those that push services have taken.
    pub sent: Counter,
    /// Those that were given up.
    pub lost: Counter,
}

impl Office {
    pub(super) fn note(&self, line: impl Display) {
        if let Some(journal) = self.journal.get() {
            journal.note(line);
        }
    }

    /// The service of a subscription, for people.
    pub(super) fn service(&self, to: &PushSubscription) -> String {
        Endpoint::parse(&to.endpoint, self.settings.loopback)
            .map_or_else(|_| "the push service".to_owned(), |endpoint| endpoint.origin())
    }
}

impl Push {
    /// Notifications of a bridge, unless the settings say that there are none. The key is made the first time.
    pub fn open(settings: &PushSettings, data: &Path, log: Log) -> Result<Option<Self>, PushError> {
        if settings.words == PushWords::Off {
            return Ok(None);
        }
        let key = Arc::new(Key::open(data)?);
        let office = Arc::new(Office {
            log,
            post: Post::new(settings, key.clone()),
            settings: settings.clone(),
            lanes: Lanes::default(),
            counts: PushCounts::default(),
            journal: OnceLock::new(),
        });
        let (orders, received) = mpsc::channel(ORDERS);
        let mut task = JoinSet::new();
        task.spawn(Desk::new(office.clone(), received).run());
        Ok(Some(Push { office, key, orders, task: Mutex::new(task) }))
    }

    /// What browsers subscribe with.
    pub fn key(&self) -> &str {
        self.key.public()
    }

    /// Says where to tell what went wrong, once.
    pub fn tell(&self, journal: Journal) {
        // Who comes second is not believed.
        let _ = self.office.journal.set(journal);
    }

    /// What became of notifications so far.
    pub fn counts(&self) -> &PushCounts {
        &self.office.counts
    }

    /// Leaves news, for whoever is subscribed. Nobody waits.
    pub fn announce(&self, news: News) {
        self.order(Order::News(news));
    }

    /// A device has no connection any more.
    pub fn left(&self, device_id: &str) {
        self.order(Order::Left(device_id.to_owned()));
    }

    fn order(&self, order: Order) {
        if self.orders.try_send(order).is_err() {
            self.office.counts.lost.add(1);
        }
    }

    /// Notifies a device from now on.
    pub async fn subscribe(&self, device_id: &str, wanted: &SubscribePush<'_>) -> Result<(), Failure> {
        let invalid = |message: String| Failure::new(ErrorCode::InvalidMessage, message);
        Endpoint::parse(&wanted.endpoint, self.office.settings.loopback)
            .map_err(|error| invalid(error.to_string()))?;
        let keys = &wanted.keys;
        // A key that is no point of the curve shows itself when something is sealed for it.
        let is_usable = Reader::new(&keys.p256dh, &keys.auth).is_some_and(|reader| reader.seal(b"").is_ok());
        if !is_usable {
            return Err(invalid(
                "`keys` are no keys of a subscription: pass on what the browser gave".to_owned(),
            ));
        }
        let subscription = PushSubscription {
            device_id: device_id.to_owned(),
            endpoint: wanted.endpoint.as_str().to_owned(),
            p256dh: keys.p256dh.as_str().to_owned(),
            auth: keys.auth.as_str().to_owned(),
            content: wanted.content == Some(true),
        };
        self.office.log.put_push(subscription, Time::now()).await.map_err(|error| match error {
            LogError::NoDevice { .. } => {
                let message = "only a device that was paired can be notified: open a pairing link on it";
                Failure::new(ErrorCode::DeviceNotFound, message)
            }
            error => error.into(),
        })
    }

    /// Notifies a device no more there.
    pub async fn unsubscribe(&self, device_id: &str, endpoint: &str) -> Result<(), Failure> {
        let is_own = |one: &PushSubscription| one.device_id == device_id && one.endpoint == endpoint;
        match self.office.log.pushes().await?.iter().any(is_own) {
            true => Ok(self.office.remove(endpoint).await?),
            false => Ok(()),
        }
    }

    /// Notifies a device now, and says whether that worked.
    pub async fn test(&self, device_id: &str) -> Result<(), Failure> {
        let mut why = "this device gets no notifications: switch them on first".to_owned();
        let mut code = ErrorCode::NotSupported;
        for to in self.office.log.pushes().await?.iter().filter(|to| to.device_id == device_id) {
            let service = self.office.service(to);
            code = ErrorCode::Unavailable;
            why = match self.office.post.bring(to, &News::test(), false).await {
                Outcome::Taken => {
                    self.office.counts.sent.add(1);
                    return Ok(());
                }
                Outcome::Gone => {
                    self.office.gone(&to.endpoint).await;
                    format!("{service} does not know this device any more: switch notifications on again")
                }
                Outcome::Refused(why) | Outcome::Later(why, _) => {
                    format!("{service} does not take the notification: {why}")
                }
            };
        }
        Err(Failure::new(code, why))
    }

    /// Ends what is on its way.
    pub async fn close(&self) {
        let mut task = std::mem::take(&mut *self.task.lock().unwrap_or_else(PoisonError::into_inner));
        task.shutdown().await;
    }
}

impl fmt::Debug for Push {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Push").field("settings", &self.office.settings).finish_non_exhaustive()
    }
}
