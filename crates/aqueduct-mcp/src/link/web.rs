//! What both ways over HTTP share.

use aqueduct_model::client::{ProxySettings, connections, reason};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, USER_AGENT};
use reqwest::{Method, RequestBuilder, Response, StatusCode, Url};

use crate::error::{AddressError, CallError, ConnectError};
use crate::message::{INTERNAL_ERROR, JsonRpcError};

/// The largest message.
pub(super) const MESSAGE_LIMIT: usize = 32 * 1024 * 1024;

/// How much of an error's body is read and reported.
const BODY_LIMIT: usize = 300;

/// Headers that are ours to set.
const OWN_HEADERS: [&str; 5] =
    ["accept", "content-length", "content-type", "mcp-session-id", "transfer-encoding"];

/// A server on the network: where it is, and what is sent to it with every request.
#[derive(Debug, Clone)]
pub(crate) struct RemoteServer {
    http: reqwest::Client,
    pub(super) url: Url,
    headers: HeaderMap,
}

/// The address of a server and the headers that are sent there.
fn understand(url: &str, headers: &[(String, String)]) -> Result<(Url, HeaderMap), AddressError> {
    let wrong = |why: String| AddressError { member: "url", why };
    let address = Url::parse(url).map_err(|error| wrong(format!("`url` is not an address: {error}")))?;
    if !matches!(address.scheme(), "http" | "https") || !address.has_host() {
        return Err(wrong("`url` must begin with https:// or http://".to_owned()));
    }
    let failed = |why: String| AddressError { member: "headers", why };
    let mut sent = HeaderMap::new();
    sent.insert(USER_AGENT, HeaderValue::from_static(concat!("aqueduct/", env!("CARGO_PKG_VERSION"))));
    for (name, value) in headers {
        let parsed = HeaderName::try_from(name.as_str())
            .map_err(|_| failed(format!("{name:?} is not a header name")))?;
        if OWN_HEADERS.contains(&parsed.as_str()) {
            return Err(failed(format!("the header {parsed} can't be set")));
        }
        let mut value = HeaderValue::from_str(value)
            .map_err(|_| failed(format!("the header {name} has characters that can't be sent")))?;
        value.set_sensitive(true);
        sent.insert(parsed, value);
    }
    Ok((address, sent))
}

/// Checks the address of a server and the headers that are to be sent there.
pub fn check_address(url: &str, headers: &[(String, String)]) -> Result<(), AddressError> {
    understand(url, headers).map(drop)
}

impl RemoteServer {
    /// A server at this address, with these headers.
    pub(crate) fn new(
        url: &str,
        headers: &[(String, String)],
        proxy: &ProxySettings,
    ) -> Result<Self, ConnectError> {
        let failed = |why: String| ConnectError::Failed(why);
        let (address, sent) = understand(url, headers).map_err(|error| failed(error.why))?;
        let http = connections(&address, proxy).map_err(|error| failed(error.to_string()))?;
        Ok(RemoteServer { http, url: address, headers: sent })
    }

    /// A request to the server.
    pub(super) fn request(&self, method: Method, url: &Url) -> RequestBuilder {
        self.http.request(method, url.clone()).headers(self.headers.clone())
    }
}

/// Whether a response is a stream of events.
pub(super) fn is_events(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.trim_start().to_ascii_lowercase().starts_with("text/event-stream")
}

/// The text of a response; nothing where it has none.
pub(super) async fn body(mut response: Response) -> Result<Option<String>, CallError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| unreachable(&error))? {
        if bytes.len() + chunk.len() > MESSAGE_LIMIT {
            return Err(CallError::Lost(format!("the server's answer is larger than {MESSAGE_LIMIT} bytes")));
        }
        bytes.extend_from_slice(&chunk);
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok((!text.trim().is_empty()).then(|| text.into_owned()))
}

/// The error of a response that is not a success.
pub(super) async fn refusal(mut response: Response) -> CallError {
    let status = response.status();
    if status.is_redirection() {
        let to =
            response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or("another address");
        // Headers may be keys: they are sent to the configured address only.
        return refused(status, format!("the server sends us to {to}; write that address if you trust it"));
    }
    let mut bytes = Vec::new();
    while bytes.len() < BODY_LIMIT
        && let Ok(Some(chunk)) = response.chunk().await
    {
        bytes.extend_from_slice(&chunk);
    }
    let text = String::from_utf8_lossy(&bytes);
    let detail: String =
        text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(BODY_LIMIT).collect();
    if status == StatusCode::UNAUTHORIZED {
        return CallError::Unauthorized(format!(
            "the server requires authentication (HTTP 401): set an Authorization header in its configuration. {detail}"
        ));
    }
    refused(status, detail)
}

fn refused(status: StatusCode, detail: String) -> CallError {
    let message = format!("HTTP {status}: {detail}");
    CallError::Refused(JsonRpcError {
        code: INTERNAL_ERROR,
        message: message.trim_end_matches([':', ' ']).to_owned(),
    })
}

/// The message about a server that does not answer.
pub(super) fn unreachable(error: &reqwest::Error) -> CallError {
    CallError::Lost(format!("the server can't be reached: {}", reason(error)))
}
