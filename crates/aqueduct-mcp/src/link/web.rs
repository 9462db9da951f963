//! What both ways over HTTP share.

use std::sync::Arc;

use aqueduct_model::client::{ProxySettings, connections, reason};
use aqueduct_wire::hint::HintedError as _;
use reqwest::header::{
    AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, USER_AGENT,
};
use reqwest::{Method, RequestBuilder, Response, StatusCode, Url};

use crate::auth::{ServerCredentials, SignInChallenge, SignInError, challenge_of};
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
    /// The user's tokens for it.
    credentials: Option<Arc<ServerCredentials>>,
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
        credentials: Option<Arc<ServerCredentials>>,
    ) -> Result<Self, ConnectError> {
        let failed = |why: String| ConnectError::Failed(why);
        let (address, sent) = understand(url, headers).map_err(|error| failed(error.why))?;
        let http = connections(&address, proxy).map_err(|error| failed(error.to_string()))?;
        Ok(RemoteServer { http, url: address, headers: sent, credentials })
    }

    /// A request to the server.
    pub(super) fn request(&self, method: Method, url: &Url) -> RequestBuilder {
        self.http.request(method, url.clone()).headers(self.headers.clone())
    }

    /// Sends a request with the user's token; returns the response when its headers have arrived. A token that the server
    /// rejects is renewed once.
    pub(super) async fn send(&self, request: RequestBuilder) -> Result<Response, CallError> {
        let Some(credentials) = &self.credentials else { return sent(request, None).await };
        let unusable = |error: SignInError| CallError::Lost(error.advised());
        let header = credentials.header().await.map_err(unusable)?;
        let again = request.try_clone();
        let response = sent(request, header.clone()).await?;
        if response.status() != StatusCode::UNAUTHORIZED {
            return Ok(response);
        }
        let (Some(header), Some(again)) = (header, again) else { return Ok(response) };
        match credentials.after(header).await.map_err(unusable)? {
            Some(renewed) => sent(again, Some(renewed)).await,
            None => Ok(response),
        }
    }

    /// The error of a response that is not a success.
    pub(super) async fn refusal(&self, mut response: Response) -> CallError {
        let status = response.status();
        if status.is_redirection() {
            let to =
                response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or("another address");
            // Headers may be keys: they are sent to the configured address only.
            return refused(
                status,
                format!("the server sends us to {to}; write that address if you trust it"),
            );
        }
        let headers = response.headers().clone();
        let mut bytes = Vec::new();
        while bytes.len() < BODY_LIMIT
            && let Ok(Some(chunk)) = response.chunk().await
        {
            bytes.extend_from_slice(&chunk);
        }
        let text = String::from_utf8_lossy(&bytes);
        let detail: String =
            text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(BODY_LIMIT).collect();
        let challenge = challenge_of(&headers);
        let is_insufficient = challenge.as_ref().is_some_and(SignInChallenge::is_insufficient);
        match (&self.credentials, status) {
            (Some(credentials), StatusCode::UNAUTHORIZED) => {
                let advice = credentials.advice();
                credentials.keep_challenge(challenge);
                CallError::Unauthorized(format!(
                    "the server requires authentication (HTTP 401): {advice}, or set an Authorization header in its \
                     configuration. {detail}"
                ))
            }
            (None, StatusCode::UNAUTHORIZED) => CallError::Unauthorized(format!(
                "the server requires authentication (HTTP 401): set an Authorization header in its configuration. \
                 {detail}"
            )),
            (Some(credentials), StatusCode::FORBIDDEN) if is_insufficient => {
                let advice = credentials.advice();
                credentials.keep_challenge(challenge);
                refused(
                    status,
                    format!("the sign-in lacks a permission that this takes: {advice} again. {detail}"),
                )
            }
            _ => refused(status, detail),
        }
    }
}

/// Whether a response is a stream of events.
pub(crate) fn is_events(response: &Response) -> bool {
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

/// Sends a request, with a token if there is one.
async fn sent(request: RequestBuilder, header: Option<HeaderValue>) -> Result<Response, CallError> {
    let request = match header {
        Some(header) => request.header(AUTHORIZATION, header),
        None => request,
    };
    request.send().await.map_err(|error| unreachable(&error))
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
