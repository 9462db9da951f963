//! Requests to the collector.

use std::error::Error;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, Response, StatusCode, Url};
use rustls::crypto::ring;

use crate::error::OtlpError;
use crate::settings::OtlpSettings;

/// How much of an answer is read. What a collector has to say is shorter.
const ANSWER_BYTES: usize = 64 * 1024;

/// How long a connection is kept for the next request.
const IDLE: Duration = Duration::from_secs(90);

/// How long to wait at most if the collector sets the time.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// The result of a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SendOutcome {
    /// The collector has it. This is its answer.
    Accepted(Vec<u8>),
    /// It will never accept it.
    Refused(String),
    /// It may accept it later: after this time, if it sets one.
    Later(String, Option<Duration>),
}

/// Sends requests to a collector, one attempt at a time.
#[derive(Debug, Clone)]
pub(crate) struct Collector {
    client: Client,
    headers: HeaderMap,
    request: Duration,
}

impl Collector {
    /// A client with the settings' certificates and headers. It follows no redirect: headers would go elsewhere.
    pub(crate) fn new(settings: &OtlpSettings) -> Result<Self, OtlpError> {
        // Another part of the program may have chosen already; any choice will do.
        let _ = ring::default_provider().install_default();
        let mut builder = Client::builder()
            .no_proxy()
            .no_gzip()
            .redirect(Policy::none())
            .referer(false)
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(1);
        let is_encrypted = settings.traces.iter().chain(&settings.metrics).any(|url| url.scheme() == "https");
        if let Some(pem) = settings.certificates.as_ref().filter(|_| is_encrypted) {
            let unusable = |reason: String| OtlpError::Certificates { reason };
            let own = Certificate::from_pem_bundle(pem).map_err(|error| unusable(reason(&error)))?;
            if own.is_empty() {
                return Err(unusable("there is none".to_owned()));
            }
            builder = builder.tls_certs_only(own);
        } else if !is_encrypted {
            // Nothing will be verified, and the system's certificates take milliseconds to load.
            builder = builder.tls_certs_only([]);
        }
        let mut headers = HeaderMap::new();
        for (name, value) in &settings.headers {
            let invalid = || OtlpError::Header { name: name.clone(), variable: "the settings".to_owned() };
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid())?;
            let mut value = HeaderValue::from_str(value).map_err(|_| invalid())?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
        Ok(Collector { client: builder.build()?, headers, request: settings.pace.request })
    }

    /// Sends a message once.
    pub(crate) async fn send(&self, to: &Url, body: Vec<u8>) -> SendOutcome {
        let request = self.client.post(to.clone()).timeout(self.request).headers(self.headers.clone());
        match request.body(body).send().await {
            Ok(answer) => outcome(answer).await,
            Err(error) => SendOutcome::Later(reason(&error), None),
        }
    }
}

/// Which answers are final, by the protocol.
async fn outcome(answer: Response) -> SendOutcome {
    let status = answer.status();
    let why = format!("the collector answered {status}");
    match status {
        status if status.is_success() => SendOutcome::Accepted(beginning(answer).await),
        StatusCode::TOO_MANY_REQUESTS
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => SendOutcome::Later(why, pause(&answer)),
        _ => SendOutcome::Refused(why),
    }
}

/// The beginning of an answer. What comes behind it is not read, and an answer that breaks off counts as far as it came.
async fn beginning(mut answer: Response) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = answer.chunk().await {
        if bytes.len() + chunk.len() > ANSWER_BYTES {
            return Vec::new();
        }
        bytes.extend_from_slice(&chunk);
    }
    bytes
}

/// How long a collector wants to be left alone, in seconds. The other form of the header, a date, is not used by
/// collectors; the pause is then that of any other failure.
fn pause(answer: &Response) -> Option<Duration> {
    let seconds = answer.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds).min(LONGEST_PAUSE))
}

/// What went wrong, without the address. The innermost cause is the most precise.
fn reason(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    while let Some(inner) = cause.and_then(Error::source) {
        cause = Some(inner);
    }
    match cause {
        _ if error.is_timeout() => "the collector did not answer in time".to_owned(),
        Some(cause) => format!("the collector can't be reached: {cause}"),
        None => "the connection to the collector failed".to_owned(),
    }
}
