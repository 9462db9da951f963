use reqwest::Url;
use reqwest::header::{HeaderMap, WWW_AUTHENTICATE};
use serde_json::{Value, json};

use super::challenge::SignInChallenge;
use super::error::SignInError;
use super::metadata::{IssuerMetadata, ResourceMetadata, issuer_places, resource_of, resource_places};
use super::shown::shown;
use super::web::{AuthAnswer, AuthWeb};

/// Where and with what a user signs in to a server.
#[derive(Debug)]
pub(super) struct Discovery {
    /// The name for which tokens are issued.
    pub(super) resource: String,
    pub(super) issuer: IssuerMetadata,
    /// The permissions to ask for; none, to get what the authorization server gives by itself.
    pub(super) scopes: Vec<String>,
}

/// Asks a server how to sign in. `challenge` is what it has answered to a request without a valid token.
pub(super) async fn discover(
    web: &AuthWeb,
    server: &Url,
    challenge: &SignInChallenge,
) -> Result<Discovery, SignInError> {
    let metadata = resource_metadata(web, server, challenge).await?;
    let (resource, name, offered) = match metadata {
        Some(metadata) => (metadata.resource, metadata.issuer, metadata.scopes),
        // Before 2025-06-18 a server was its own authorization server.
        None => (resource_of(server), server.origin().ascii_serialization(), Vec::new()),
    };
    let issuer = issuer_metadata(web, server, &name).await?;
    let asked: Vec<String> =
        challenge.scope.iter().flat_map(|scope| scope.split_whitespace()).map(str::to_owned).collect();
    let mut scopes = if asked.is_empty() { offered } else { asked };
    // Without it some authorization servers issue no token to refresh with.
    let offline = "offline_access";
    if !scopes.is_empty() && issuer.scopes.iter().any(|scope| scope == offline) {
        add(&mut scopes, offline);
    }
    Ok(Discovery { resource, issuer, scopes })
}

/// Adds a permission to a list that does not have it.
pub(super) fn add(scopes: &mut Vec<String>, scope: &str) {
    if !scopes.iter().any(|known| known == scope) {
        scopes.push(scope.to_owned());
    }
}

/// What a server answers to a request without a token. A server that wants a token for some requests only answers nothing.
pub(super) async fn probe(web: &AuthWeb, server: &Url) -> Result<SignInChallenge, SignInError> {
    let request = json!({ "jsonrpc": "2.0", "id": 0, "method": "ping" });
    let answer = web.post_json(server, &request).await?;
    Ok(challenge_of(&answer.headers).unwrap_or_default())
}

/// The challenge of a response; none, where it has no `Bearer` challenge.
pub(crate) fn challenge_of(headers: &HeaderMap) -> Option<SignInChallenge> {
    let values = headers.get_all(WWW_AUTHENTICATE).into_iter();
    values.filter_map(|value| value.to_str().ok()).find_map(SignInChallenge::read)
}

async fn resource_metadata(
    web: &AuthWeb,
    server: &Url,
    challenge: &SignInChallenge,
) -> Result<Option<ResourceMetadata>, SignInError> {
    let read = |answer: &AuthAnswer| {
        let value = answer.object()?;
        ResourceMetadata::read(&value, server).map_err(|why| answer.invalid(why))
    };
    if let Some(named) = &challenge.resource_metadata {
        let url = server.join(named).map_err(|_| SignInError::Address {
            url: shown(named),
            why: "which is not an address".to_owned(),
        })?;
        let answer = web.get(&url).await?;
        return match answer.status.is_success() {
            true => read(&answer).map(Some),
            false => Err(answer.invalid(format!("HTTP {}", answer.status))),
        };
    }
    for place in resource_places(server) {
        let answer = web.get(&place).await?;
        // Some servers answer every address with a page.
        if answer.status.is_success()
            && answer.object().is_ok_and(|value| value.get("resource").is_some_and(Value::is_string))
        {
            return read(&answer).map(Some);
        }
    }
    Ok(None)
}

async fn issuer_metadata(web: &AuthWeb, server: &Url, name: &str) -> Result<IssuerMetadata, SignInError> {
    let url = Url::parse(name)
        .map_err(|_| SignInError::Address { url: shown(name), why: "which is not an address".to_owned() })?;
    for place in issuer_places(&url) {
        let answer = web.get(&place).await?;
        if !answer.status.is_success() {
            continue;
        }
        let Ok(value) = answer.object() else { continue };
        return IssuerMetadata::read(&value, name);
    }
    Err(SignInError::NoSignIn(shown(&server.origin().ascii_serialization())))
}
