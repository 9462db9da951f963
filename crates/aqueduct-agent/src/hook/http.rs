//! HTTP hooks: the input of the event is posted, and the response is the answer.

use std::io;
use std::net::{IpAddr, SocketAddr};

use aqueduct_model::client::{ProxySettings, connections, connections_to, needs_proxy, reason};
use aqueduct_os::address::is_public;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT,
};
use reqwest::{Response, Url};
use tokio::net::lookup_host;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::frames::HookEnding;
use super::reply::{self, HookReply, NO_VERDICT};
use super::run::HookRun;
use super::substitute;
use crate::configuration::Configuration;
use crate::environment::Environment;
use crate::hook_config::ConfiguredHook;
use crate::hook_config::HttpAction;

/// How much of a response is read.
const MOST_BYTES: usize = 1024 * 1024;

/// How much of a response that is no JSON people are shown, in characters.
const SHOWN: usize = 200;

/// Variables that no header gets: the keys of the model's API are for that API.
const SECRET: &[&str] =
    &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS", "CLAUDE_CODE_OAUTH_TOKEN"];

/// The settings for HTTP hooks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct HttpPolicy {
    /// Patterns of the addresses that may be called; without patterns, all addresses may be called.
    urls: Option<Vec<String>>,
    /// The variables that headers may refer to; if not set, those that the hook lists.
    variables: Option<Vec<String>>,
}

impl HttpPolicy {
    /// Reads the policy from settings.
    pub(super) fn of(configuration: &Configuration) -> Self {
        HttpPolicy {
            urls: configuration.texts("allowedHttpHookUrls"),
            variables: configuration.texts("httpHookAllowedEnvVars"),
        }
    }

    fn allows(&self, url: &Url) -> bool {
        let Some(patterns) = &self.urls else { return true };
        let whole = url.as_str();
        let bare = whole.strip_suffix('/').unwrap_or(whole);
        patterns.iter().any(|pattern| matches(pattern, whole) || matches(pattern, bare))
    }

    /// The headers of a hook, with the variables that both the hook and the settings allow.
    fn headers(&self, action: &HttpAction, environment: &Environment) -> Result<HeaderMap, HttpHookError> {
        let value = |name: &str| {
            let is_named = action.variables.iter().any(|known| known == name);
            let is_allowed = self.variables.as_ref().is_none_or(|all| all.iter().any(|known| known == name));
            let is_given = is_named && is_allowed && !SECRET.contains(&name);
            environment.variable(name).filter(|_| is_given).map(str::to_owned)
        };
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, HeaderValue::from_static(concat!("aqueduct/", env!("CARGO_PKG_VERSION"))));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        for (name, text) in &action.headers {
            let unsendable = || HttpHookError::Header(name.clone());
            let parsed = HeaderName::try_from(name.as_str()).map_err(|_| unsendable())?;
            let mut value =
                HeaderValue::from_str(&substitute::variables(text, value)).map_err(|_| unsendable())?;
            value.set_sensitive(true);
            headers.insert(parsed, value);
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(headers)
    }
}

/// Whether a text matches a pattern, in which `*` matches any text.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return rest.is_empty() };
    for part in between {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
enum HttpHookError {
    #[error("{0}")]
    Url(String),
    #[error("{0} matches no pattern of allowedHttpHookUrls")]
    NotAllowed(String),
    #[error("the header {0} can't be sent")]
    Header(String),
    #[error("{host} can't be found: {error}")]
    Unknown { host: String, error: io::Error },
    #[error(
        "{host} is at {address}, which is not a public address. HTTP hooks can call public addresses and this machine \
         (127.0.0.1, ::1)"
    )]
    Private { host: String, address: IpAddr },
    #[error(transparent)]
    Client(#[from] aqueduct_model::Error),
    #[error("{}", reason(.0))]
    Network(reqwest::Error),
    #[error("the response has more than {MOST_BYTES} bytes")]
    TooLong,
}

/// A response.
struct HttpReply {
    status: u16,
    body: String,
}

impl HookRun {
    /// Posts the input of the event, and reads the response.
    pub(super) async fn post(
        &self,
        hook: &ConfiguredHook,
        action: &HttpAction,
        input: &str,
        cancel: &CancellationToken,
    ) -> HookReply {
        self.send_started().await;
        let asked = tokio::select! {
            asked = timeout(self.patience(hook), self.exchange(action, input)) => asked,
            () = cancel.cancelled() => {
                self.send_cancelled().await;
                return HookReply::Nothing;
            }
        };
        let reply = match asked {
            Err(_) => self.timed_out(hook).await,
            Ok(Err(error)) => {
                let why = error.to_string();
                self.send_failed(&why, None).await;
                failed(action, &why)
            }
            Ok(Ok(HttpReply { status, .. })) if !(200..300).contains(&status) => {
                let why = format!("HTTP {status} from {}", action.url);
                self.send_failed(&why, Some(i32::from(status))).await;
                failed(action, &why)
            }
            Ok(Ok(HttpReply { status, body })) => {
                let (reply, why) = read(hook, action, &body);
                let code = i32::from(status);
                self.send_ended(match &why {
                    None => HookEnding::answered(&body, code),
                    Some(why) => HookEnding::unusable(&body, why, code),
                })
                .await;
                reply
            }
        };
        match reply {
            HookReply::Failed { why, tag, blocks } => {
                let blocks = blocks || (action.blocks_on_failure && hook.event.can_block);
                HookReply::Failed { why, blocks, tag }
            }
            reply => reply,
        }
    }

    async fn exchange(&self, action: &HttpAction, input: &str) -> Result<HttpReply, HttpHookError> {
        let hook_context = &self.hook_context;
        let url = Url::parse(&action.url).map_err(|error| HttpHookError::Url(error.to_string()))?;
        if !hook_context.http.allows(&url) {
            return Err(HttpHookError::NotAllowed(action.url.clone()));
        }
        let headers = hook_context.http.headers(action, &hook_context.environment)?;
        let client = connect(&url, &hook_context.proxy).await?;
        let request = client.post(url.clone()).headers(headers).body(input.to_owned());
        let response = request.send().await.map_err(HttpHookError::Network)?;
        body(response).await
    }
}

/// A client for an address that hooks may call: one on the internet, or this machine.
async fn connect(url: &Url, proxy: &ProxySettings) -> Result<reqwest::Client, HttpHookError> {
    let host = url.host_str().unwrap_or_default();
    let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
    let is_proxied = needs_proxy(url, proxy);
    let addresses = match literal {
        Some(address) => vec![SocketAddr::new(address, 0)],
        // The proxy resolves the name.
        None if is_proxied => Vec::new(),
        None => {
            let found = lookup_host((host, 0)).await;
            let unknown = |error| HttpHookError::Unknown { host: host.to_owned(), error };
            found.map_err(unknown)?.collect()
        }
    };
    let is_forbidden = |address: &&SocketAddr| !is_public(address.ip()) && !address.ip().is_loopback();
    if let Some(address) = addresses.iter().find(is_forbidden) {
        return Err(HttpHookError::Private { host: host.to_owned(), address: address.ip() });
    }
    let client = if is_proxied { connections(url, proxy) } else { connections_to(url, addresses) };
    Ok(client?)
}

async fn body(mut response: Response) -> Result<HttpReply, HttpHookError> {
    let status = response.status().as_u16();
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(HttpHookError::Network)? {
        if bytes.len() + chunk.len() > MOST_BYTES {
            return Err(HttpHookError::TooLong);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(HttpReply { status, body: String::from_utf8_lossy(&bytes).into_owned() })
}

/// Parses a response; returns the reply and an error, if there is one.
fn read(hook: &ConfiguredHook, action: &HttpAction, body: &str) -> (HookReply, Option<String>) {
    let text = body.trim();
    if text.is_empty() {
        return (HookReply::Nothing, None);
    }
    if !text.starts_with('{') {
        let shown: String = text.chars().take(SHOWN).collect();
        let why = format!("the response must be a JSON object, and is: {shown}");
        return (failed(action, &why), Some(why));
    }
    match reply::read(hook.event, text) {
        HookReply::Failed { why, blocks, .. } => {
            let reported = format!("[{}]: {why}", action.url);
            (HookReply::Failed { why: reported, blocks, tag: Some(NO_VERDICT) }, Some(why))
        }
        reply => (reply, None),
    }
}

fn failed(action: &HttpAction, why: &str) -> HookReply {
    HookReply::Failed { why: format!("[{}]: {why}", action.url), blocks: false, tag: Some(NO_VERDICT) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_have_the_form_of_a_pattern_or_are_not_called() {
        let allows = |patterns: &[&str], url: &str| {
            let urls = Some(patterns.iter().map(|pattern| (*pattern).to_owned()).collect());
            HttpPolicy { urls, variables: None }.allows(&Url::parse(url).unwrap())
        };
        let hooks = &["https://hooks.example.com/*"];
        assert!(
            allows(hooks, "https://hooks.example.com/a/b") && allows(hooks, "https://hooks.example.com/")
        );
        assert!(
            !allows(hooks, "https://hooks.example.com.evil.org/")
                && !allows(hooks, "http://hooks.example.com/")
        );
        // URL parsers treat a backslash as a slash.
        assert!(!allows(hooks, "https://evil.org\\@hooks.example.com/"));
        assert!(!allows(hooks, "https://hooks.example.com@evil.org/"));
        assert!(allows(&["http://127.0.0.1:80*"], "http://127.0.0.1:8080/x"));
        assert!(allows(&["http://127.0.0.1:8080"], "http://127.0.0.1:8080"));
        assert!(!allows(&[], "http://127.0.0.1:8080") && allows(&["*"], "http://127.0.0.1:8080"));
    }

    #[tokio::test]
    async fn private_networks_are_not_called() {
        for host in
            ["10.0.0.1", "192.168.1.1", "169.254.169.254", "172.16.0.1", "100.64.0.1", "[fd00::1]", "0.0.0.0"]
        {
            let url = Url::parse(&format!("http://{host}/")).unwrap();
            let refused = connect(&url, &ProxySettings::default()).await.unwrap_err();
            assert!(matches!(refused, HttpHookError::Private { .. }), "{refused}");
        }
        for host in ["127.0.0.1", "[::1]", "1.1.1.1"] {
            let url = Url::parse(&format!("http://{host}/")).unwrap();
            assert!(connect(&url, &ProxySettings::default()).await.is_ok(), "{host}");
        }
    }

    proptest! {
        #[test]
        fn a_pattern_without_stars_is_the_text_itself(pattern in "[a-z/:.]{0,8}", text in "[a-z/:.]{0,8}") {
            prop_assert_eq!(matches(&pattern, &text), pattern == text);
        }

        #[test]
        fn what_is_between_stars_is_found(parts in prop::collection::vec("[ab]{0,2}", 1..5), fill in "[abc]{0,3}") {
            prop_assert!(matches(&parts.join("*"), &parts.join(&fill)));
        }
    }
}
