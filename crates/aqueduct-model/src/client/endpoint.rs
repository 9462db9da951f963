//! The address of a Messages API and its credentials.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING,
    USER_AGENT,
};

use super::{KeyError, KeyHelper, Service, address};
use crate::error::{Error, ErrorKind};
use crate::retry::{Backoff, MAX_RETRIES};
use crate::stream::SILENCE;

/// The public API.
pub const PUBLIC_API: &str = "https://api.anthropic.com";

/// How long a server may take until it begins to answer, unless the endpoint sets another limit.
pub const PATIENCE: Duration = Duration::from_secs(600);

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
const VERSION: HeaderName = HeaderName::from_static("anthropic-version");
const BETA: HeaderName = HeaderName::from_static("anthropic-beta");

/// What a header's name holds whose value is a secret.
const SECRET_NAMES: [&str; 5] = ["auth", "cookie", "key", "secret", "token"];

/// A shorter value is not a key, and may occur in any text.
const SECRET_LENGTH: usize = 6;

/// The address of a Messages API and its credentials.
#[derive(Clone)]
pub struct Endpoint {
    /// Which service it is.
    pub service: Service,
    /// The address without `/v1/messages`; the service's own if there is none.
    pub base_url: Option<String>,
    /// Sent as `x-api-key`.
    pub api_key: Option<String>,
    /// Sent as `Authorization: Bearer`.
    pub auth_token: Option<String>,
    /// Sets a key that is sent in both headers, unless there is another key or token. Services with
    /// credentials of their own don't use it.
    pub key_helper: Option<Arc<dyn KeyHelper>>,
    /// Further headers. They replace those that are sent otherwise, but for `anthropic-beta`, which is added to.
    /// How long the body is stays our business.
    pub headers: Vec<(String, String)>,
    /// The proxy for `http` addresses, for `https` addresses, and the hosts that need none.
    pub proxy: ProxySettings,
    /// How often a call is made again.
    pub max_retries: u32,
    /// How long to wait before a call is made again, if the server sets no time.
    pub backoff: Backoff,
    /// How long a stream may be silent.
    pub silence: Duration,
    /// How long the server may take until it begins to answer.
    pub patience: Duration,
}

impl Default for Endpoint {
    fn default() -> Self {
        Endpoint {
            service: Service::default(),
            base_url: None,
            api_key: None,
            auth_token: None,
            key_helper: None,
            headers: Vec::new(),
            proxy: ProxySettings::default(),
            max_retries: MAX_RETRIES,
            backoff: Backoff::default(),
            silence: SILENCE,
            patience: PATIENCE,
        }
    }
}

/// Without keys, and without the values of headers: they may be keys.
impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Endpoint")
            .field("service", &self.service)
            .field("base_url", &self.base_url.as_deref().and_then(address::shown))
            .field("api_key", &self.api_key.is_some())
            .field("auth_token", &self.auth_token.is_some())
            .field("key_helper", &self.key_helper.is_some())
            .field("headers", &headers)
            .field("max_retries", &self.max_retries)
            .field("backoff", &self.backoff)
            .field("silence", &self.silence)
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}

/// Proxies, in the form of the usual environment variables. Their addresses may hold passwords.
#[derive(Clone, Default)]
pub struct ProxySettings {
    /// `HTTP_PROXY`.
    pub http: Option<String>,
    /// `HTTPS_PROXY`.
    pub https: Option<String>,
    /// `NO_PROXY`.
    pub none: Option<String>,
}

impl fmt::Debug for ProxySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProxySettings")
            .field("http", &self.http.is_some())
            .field("https", &self.https.is_some())
            .field("none", &self.none)
            .finish()
    }
}

impl Endpoint {
    /// The address without a slash at its end. With some services it depends on the model.
    pub(super) fn base(&self, model: &str) -> Cow<'_, str> {
        match self.base_url.as_deref().map(str::trim) {
            None | Some("") => Cow::Owned(self.service.default_base(model)),
            Some(url) => Cow::Borrowed(url.trim_end_matches('/')),
        }
    }

    /// The headers of a call.
    pub(super) fn call_headers(&self, betas: Option<&str>) -> Result<HeaderMap, Error> {
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, HeaderValue::from_static(concat!("aqueduct/", env!("CARGO_PKG_VERSION"))));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(VERSION, HeaderValue::from_static("2023-06-01"));
        // A key of the Messages API is for that, and for no other service.
        let (api_key, auth_token) = match self.service.has_own_credentials() {
            true => (None, None),
            false => (self.api_key.as_deref(), self.auth_token.as_deref()),
        };
        if let Some(key) = api_key.filter(|key| !key.trim().is_empty()) {
            headers.insert(API_KEY, secret(key.trim(), ErrorKind::Authentication, "ANTHROPIC_API_KEY")?);
        }
        if let Some(token) = auth_token.filter(|token| !token.trim().is_empty()) {
            let token = format!("Bearer {}", token.trim());
            headers.insert(AUTHORIZATION, secret(&token, ErrorKind::Authentication, "ANTHROPIC_AUTH_TOKEN")?);
        }
        let mut betas: Vec<&str> = betas.into_iter().collect();
        for (name, value) in &self.headers {
            let parsed = HeaderName::try_from(name.as_str()).map_err(|_| {
                Error::plain(ErrorKind::Invalid, format!("{name:?} is not a header name"))
                    .with_hint("Change the custom headers.")
            })?;
            if parsed == CONTENT_LENGTH || parsed == TRANSFER_ENCODING {
                let error = Error::plain(ErrorKind::Invalid, format!("{parsed} can't be set"));
                return Err(error.with_hint("Take it out of the custom headers."));
            }
            if parsed == BETA {
                betas.push(value);
            } else {
                headers.insert(parsed, secret(value, ErrorKind::Invalid, &format!("the header {name}"))?);
            }
        }
        if !betas.is_empty() {
            headers.insert(BETA, secret(&betas.join(","), ErrorKind::Invalid, "the header anthropic-beta")?);
        }
        let keys =
            headers.contains_key(API_KEY) || headers.contains_key(AUTHORIZATION) || self.helper().is_some();
        if !keys && !self.service.has_own_credentials() && self.base("") == PUBLIC_API {
            let hint = "Set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, or ANTHROPIC_BASE_URL for a server that \
                        needs none.";
            return Err(Error::plain(ErrorKind::Authentication, "no API key is set").with_hint(hint));
        }
        Ok(headers)
    }

    /// What gives a key, if something does and the service takes one.
    pub(super) fn helper(&self) -> Option<&dyn KeyHelper> {
        let helper = self.key_helper.as_deref().filter(|helper| helper.is_configured());
        helper.filter(|_| !self.service.has_own_credentials())
    }

    /// Adds the key of a helper to the headers of a call. Those that are there stay.
    pub(super) async fn add_helped(&self, headers: &mut HeaderMap) -> Result<(), Error> {
        let Some(helper) = self.helper() else { return Ok(()) };
        let failed = |error: KeyError| Error::plain(ErrorKind::Authentication, error.to_string());
        let key = helper.key().await.map_err(failed)?;
        let value = |text: &str| secret(text, ErrorKind::Authentication, "the key of apiKeyHelper");
        if !headers.contains_key(API_KEY) {
            headers.insert(API_KEY, value(&key)?);
        }
        if !headers.contains_key(AUTHORIZATION) {
            headers.insert(AUTHORIZATION, value(&format!("Bearer {key}"))?);
        }
        Ok(())
    }

    /// An error without the keys, and without the tokens that were fetched. Some servers repeat in their answer what they refuse.
    pub(super) fn hide(&self, mut error: Error, fetched: &[String]) -> Error {
        let named = self.headers.iter().filter(|(name, _)| {
            let name = name.to_ascii_lowercase();
            SECRET_NAMES.iter().any(|secret| name.contains(secret))
        });
        let given = self.key_helper.as_deref().map(KeyHelper::given).unwrap_or_default();
        let values = named.map(|(_, value)| value).chain(&self.api_key).chain(&self.auth_token);
        let values = values.chain(self.service.secrets()).chain(&given).chain(fetched);
        // The word behind `Bearer` is the secret of an authorization.
        let words = values.flat_map(|value| value.split_whitespace());
        for secret in words.filter(|word| word.len() >= SECRET_LENGTH && *word != "Bearer") {
            if let Some(hint) = error.hint.as_mut().filter(|hint| hint.contains(secret)) {
                *hint = hint.replace(secret, "[redacted]").into();
            }
            for text in [Some(&mut error.message), error.said.as_mut()].into_iter().flatten() {
                if text.contains(secret) {
                    *text = text.replace(secret, "[redacted]");
                }
            }
        }
        error
    }
}

/// A header's value, which no log shows.
pub(super) fn secret(value: &str, kind: ErrorKind, source: &str) -> Result<HeaderValue, Error> {
    let mut value = HeaderValue::from_str(value).map_err(|_| {
        Error::plain(kind, format!("{source} has characters that can't be sent"))
            .with_hint("Set it again, without line ends.")
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// A line that is not a header.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the custom headers is not a header: write `Name: value`")]
pub struct BadHeader {
    /// Which line it is, from 1.
    pub line: usize,
}

/// Reads headers in the form of `ANTHROPIC_CUSTOM_HEADERS`: lines of `Name: value`.
pub fn parse_headers(text: &str) -> Result<Vec<(String, String)>, BadHeader> {
    let mut headers = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let bad = BadHeader { line: index + 1 };
        let (name, value) = line.split_once(':').ok_or_else(|| bad.clone())?;
        let (name, value) = (name.trim(), value.trim());
        if HeaderName::try_from(name).is_err() || HeaderValue::from_str(value).is_err() {
            return Err(bad);
        }
        headers.push((name.to_owned(), value.to_owned()));
    }
    Ok(headers)
}
