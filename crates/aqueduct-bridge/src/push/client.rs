use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use tokio::task::JoinError;
use tokio_rustls::rustls::crypto::ring;

use super::encrypt::SubscriptionKeys;
use super::key::VapidKey;
use super::resolve::PublicResolver;
use super::{EndpointError, PushEndpoint, PushError, PushNotification, PushSettings};
use crate::log::{PushSubscription, Time};

const TTL: HeaderName = HeaderName::from_static("ttl");
const TOPIC: HeaderName = HeaderName::from_static("topic");
const URGENCY: HeaderName = HeaderName::from_static("urgency");

/// The default contact for push services. Some accept no notifications without one.
const DEFAULT_CONTACT: &str = "mailto:aqueduct@example.org";

/// How long a VAPID token is valid, in seconds, and the least that must remain of it. RFC 8292 allows a day.
const SIGNED: i64 = 12 * 60 * 60;
const LEFT: i64 = 60 * 60;

/// How many services are remembered with their VAPID tokens.
const SERVICES: usize = 64;

/// How long a connection is kept for the next notification.
const IDLE: Duration = Duration::from_secs(60);

/// The result of an attempt.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DeliveryOutcome {
    /// The service has it.
    Taken,
    /// The subscription is over.
    Gone,
    /// It will never be taken.
    Refused(String),
    /// It may be taken later: after this time, if the service sets one.
    Later(String, Option<Duration>),
}

/// Why no HTTP client could be made.
#[derive(Debug, thiserror::Error)]
enum ClientError {
    /// The thread that loads the system's certificates panicked.
    #[error("{0}")]
    Thread(#[from] JoinError),
    /// The client could not be configured.
    #[error("{}", reason(.0))]
    Build(#[from] reqwest::Error),
}

/// Sends notifications to push services, one attempt at a time.
pub(super) struct PushClient {
    key: Arc<VapidKey>,
    contact: String,
    loopback: bool,
    patience: Duration,
    /// Made for the first notification: the system's certificates are many.
    client: OnceCell<Client>,
    /// VAPID tokens by service, and when they expire.
    signed: Mutex<HashMap<String, (String, i64)>>,
}

impl PushClient {
    pub(super) fn new(settings: &PushSettings, key: Arc<VapidKey>) -> Self {
        PushClient {
            key,
            contact: settings.contact.clone().unwrap_or_else(|| DEFAULT_CONTACT.to_owned()),
            loopback: settings.loopback,
            patience: settings.pace.attempt,
            client: OnceCell::new(),
            signed: Mutex::default(),
        }
    }

    /// Tries to bring news to a device.
    pub(super) async fn send(
        &self,
        to: &PushSubscription,
        notification: &PushNotification,
        content: bool,
    ) -> DeliveryOutcome {
        let endpoint = match PushEndpoint::parse(&to.endpoint, self.loopback) {
            Ok(endpoint) => endpoint,
            Err(error) => return DeliveryOutcome::Refused(error.to_string()),
        };
        let reader = SubscriptionKeys::new(&to.p256dh, &to.auth);
        let sealed = reader.and_then(|reader| reader.encrypt(notification.payload(content).as_bytes()).ok());
        let Some(sealed) = sealed else {
            return DeliveryOutcome::Refused("the subscription's keys can't be used".to_owned());
        };
        let signed = match self.signed(&endpoint.origin(), Time::now().0 / 1000) {
            Ok(signed) => signed,
            Err(error) => return DeliveryOutcome::Refused(error.to_string()),
        };
        let client = match self.client.get_or_try_init(|| self.connect()).await {
            Ok(client) => client,
            Err(error) => return DeliveryOutcome::Later(error.to_string(), None),
        };
        let mut request = client
            .post(endpoint.url)
            .timeout(self.patience)
            .header(CONTENT_TYPE, "application/octet-stream")
            .header(CONTENT_ENCODING, "aes128gcm")
            .header(TTL, notification.kind.keep())
            .header(URGENCY, notification.kind.urgency())
            .header(AUTHORIZATION, signed)
            .body(sealed);
        if !notification.session.is_empty() {
            request = request.header(TOPIC, topic(&notification.session));
        }
        match request.send().await {
            Ok(answer) => outcome(&answer),
            Err(error) => failed(&error),
        }
    }

    async fn connect(&self) -> Result<Client, ClientError> {
        let names = PublicResolver::new(self.loopback);
        let made = tokio::task::spawn_blocking(move || {
            // Another part of the program may have chosen already; any choice will do.
            let _ = ring::default_provider().install_default();
            Client::builder()
                .no_proxy()
                .redirect(Policy::none())
                .referer(false)
                .pool_idle_timeout(IDLE)
                .pool_max_idle_per_host(1)
                .dns_resolver(Arc::new(names))
                .build()
        });
        Ok(made.await??)
    }

    /// Identifies this server to a service. The same header is valid for hours.
    fn signed(&self, origin: &str, now: i64) -> Result<String, PushError> {
        let mut signed = self.signed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((text, expires)) = signed.get(origin)
            && *expires > now + LEFT
        {
            return Ok(text.clone());
        }
        let text = self.key.authorization(origin, &self.contact, now + SIGNED)?;
        if signed.len() >= SERVICES {
            signed.clear();
        }
        signed.insert(origin.to_owned(), (text.clone(), now + SIGNED));
        Ok(text)
    }
}

/// The topic by which a push service replaces older messages: a hash of the session, whose id it does not receive.
fn topic(session: &str) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest(session)[..24])
}

fn outcome(answer: &Response) -> DeliveryOutcome {
    let status = answer.status();
    let why = format!("it answered {status}");
    match status {
        status if status.is_success() => DeliveryOutcome::Taken,
        StatusCode::NOT_FOUND | StatusCode::GONE => DeliveryOutcome::Gone,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => {
            DeliveryOutcome::Later(why, wait(answer))
        }
        status if status.is_server_error() => DeliveryOutcome::Later(why, wait(answer)),
        _ => DeliveryOutcome::Refused(why),
    }
}

/// How long a service wants to be left alone.
fn wait(answer: &Response) -> Option<Duration> {
    let seconds = answer.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

fn failed(error: &reqwest::Error) -> DeliveryOutcome {
    let mut cause: Option<&dyn Error> = Some(error);
    while let Some(inner) = cause {
        if let Some(refused) = inner.downcast_ref::<EndpointError>() {
            return DeliveryOutcome::Refused(refused.to_string());
        }
        cause = inner.source();
    }
    DeliveryOutcome::Later(reason(error), None)
}

/// What went wrong, without the address. The innermost cause is the most precise.
fn reason(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    while let Some(inner) = cause.and_then(Error::source) {
        cause = Some(inner);
    }
    match cause {
        _ if error.is_timeout() => "it did not answer in time".to_owned(),
        Some(cause) => cause.to_string(),
        None => "the connection failed".to_owned(),
    }
}
