use std::time::Duration;

use aqueduct_model::client::{ProxySettings, connections, connections_to, reason};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, USER_AGENT};
use reqwest::{Client, Method, RequestBuilder, StatusCode, Url};
use serde_json::Value;

use super::address::{AuthPlace, SignInReach};
use super::error::SignInError;
use super::shown::shown;
use crate::link::is_events;

/// How long a server may take to answer.
const TIME: Duration = Duration::from_secs(30);

/// How much of an answer is read.
const ANSWER_BYTES: usize = 256 * 1024;

/// The requests of a sign-in. They go to addresses that servers name, so each is checked, follows no redirects, and reads
/// a bounded answer for a bounded time.
#[derive(Debug, Clone)]
pub(super) struct AuthWeb {
    proxy: ProxySettings,
    reach: SignInReach,
}

/// An answer.
#[derive(Debug)]
pub(super) struct AuthAnswer {
    /// Who answered, for messages.
    pub(super) place: String,
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    body: Vec<u8>,
}

impl AuthWeb {
    /// Requests on behalf of a server.
    pub(super) async fn of(server: &Url, proxy: &ProxySettings) -> Result<Self, SignInError> {
        Ok(AuthWeb { proxy: proxy.clone(), reach: SignInReach::of(server, proxy).await? })
    }

    /// Fetches a document.
    pub(super) async fn get(&self, url: &Url) -> Result<AuthAnswer, SignInError> {
        self.ask(Method::GET, url, |request| request).await
    }

    /// Posts a JSON text.
    pub(super) async fn post_json(&self, url: &Url, body: &Value) -> Result<AuthAnswer, SignInError> {
        let body = body.to_string();
        self.ask(Method::POST, url, |request| request.header(CONTENT_TYPE, "application/json").body(body))
            .await
    }

    /// Posts a form.
    pub(super) async fn post_form(
        &self,
        url: &Url,
        fields: &[(&str, &str)],
        authorization: Option<HeaderValue>,
    ) -> Result<AuthAnswer, SignInError> {
        let form = encoded(fields);
        self.ask(Method::POST, url, |request| {
            let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(form);
            match authorization {
                Some(value) => request.header(AUTHORIZATION, value),
                None => request,
            }
        })
        .await
    }

    async fn ask(
        &self,
        method: Method,
        url: &Url,
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Result<AuthAnswer, SignInError> {
        let name = shown(&url.origin().ascii_serialization());
        let unreachable = |why: String| SignInError::Unreachable { place: name.clone(), why };
        let asked = async {
            let place = self.reach.place(url, &self.proxy).await?;
            let client = self.client(place).map_err(&unreachable)?;
            let request = client
                .request(method, url.clone())
                .header(USER_AGENT, concat!("aqueduct/", env!("CARGO_PKG_VERSION")))
                .header(ACCEPT, "application/json");
            let mut response = fill(request).send().await.map_err(|error| unreachable(reason(&error)))?;
            let mut body = Vec::new();
            // A stream has no end, and no document of a sign-in is one.
            let is_read = !is_events(&response);
            while is_read
                && let Some(chunk) = response.chunk().await.map_err(|error| unreachable(reason(&error)))?
            {
                if body.len() + chunk.len() > ANSWER_BYTES {
                    let why = format!("its answer is larger than {ANSWER_BYTES} bytes");
                    return Err(SignInError::Invalid { place: name.clone(), why });
                }
                body.extend_from_slice(&chunk);
            }
            let (status, headers) = (response.status(), response.headers().clone());
            Ok(AuthAnswer { place: name.clone(), status, headers, body })
        };
        let within_time = tokio::time::timeout(TIME, asked).await;
        within_time.unwrap_or_else(|_| Err(unreachable(format!("no answer in {} s", TIME.as_secs()))))
    }

    fn client(&self, place: AuthPlace) -> Result<Client, String> {
        let client = match place.addresses {
            Some(addresses) => connections_to(&place.url, addresses),
            None => connections(&place.url, &self.proxy),
        };
        client.map_err(|error| error.to_string())
    }
}

impl AuthAnswer {
    /// The JSON object of an answer.
    pub(super) fn object(&self) -> Result<Value, SignInError> {
        match serde_json::from_slice::<Value>(&self.body) {
            Ok(value) if value.is_object() => Ok(value),
            _ => Err(self.invalid("its answer is not a JSON object".to_owned())),
        }
    }

    /// What is wrong with an answer.
    pub(super) fn invalid(&self, why: String) -> SignInError {
        SignInError::Invalid { place: self.place.clone(), why }
    }

    /// The error of an answer that is not a success: its code, and the whole for people.
    pub(super) fn failure(&self) -> (String, String) {
        let value = self.object().unwrap_or_default();
        let code = text(&value, "error").unwrap_or_default();
        let whole = match text(&value, "error_description") {
            _ if code.is_empty() => format!("HTTP {}", self.status),
            Some(description) => format!("{} ({})", shown(&code), shown(&description)),
            None => shown(&code),
        };
        (code, whole)
    }
}

/// A text of an object, if it has one.
pub(super) fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The texts of a list in an object.
pub(super) fn texts(value: &Value, name: &str) -> Vec<String> {
    let items = value.get(name).and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

/// Names and values as a form.
pub(super) fn encoded(fields: &[(&str, &str)]) -> String {
    let Ok(mut url) = Url::parse("https://form.invalid/") else { return String::new() };
    url.query_pairs_mut().extend_pairs(fields);
    url.query().unwrap_or_default().to_owned()
}
