use std::time::Duration;

use aqueduct_model::client::ProxySettings;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Url;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::address::check_form;
use super::callback::SignInCallback;
use super::challenge::SignInChallenge;
use super::client::OAuthClient;
use super::discovery::{Discovery, add, discover, probe};
use super::error::{CallbackError, SignInError};
use super::listener::CallbackListener;
use super::record::SignInRecord;
use super::shown::shown;
use super::store::SignInStore;
use super::token::{TokenEndpoint, revoke};
use super::web::AuthWeb;
use crate::config::{ServerConfig, ServerRoute};

/// How long a user has to sign in.
pub(crate) const SIGN_IN_TIME: Duration = Duration::from_secs(10 * 60);

/// The server that a user signs in to.
#[derive(Debug, Clone)]
pub struct SignInTarget {
    pub(super) server: Url,
    settings: SignInSettings,
    /// The secret of a client that the user has registered.
    pub client_secret: Option<String>,
    store: SignInStore,
    proxy: ProxySettings,
    /// What the server has answered to a request, if it was asked already.
    pub(crate) challenge: Option<SignInChallenge>,
}

/// What a server's configuration sets for sign-ins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SignInSettings {
    /// The id of a client that the user has registered.
    pub client_id: Option<String>,
    /// The port to which browsers are sent back, where the client is registered with one.
    pub callback_port: Option<u16>,
}

impl SignInTarget {
    /// A server on the network, whose configuration has no credentials.
    pub fn of(config: &ServerConfig, store: SignInStore, proxy: ProxySettings) -> Result<Self, SignInError> {
        let (ServerRoute::Http { url, headers } | ServerRoute::Sse { url, headers }) = &config.route else {
            return Err(SignInError::NotRemote(config.name.clone()));
        };
        if headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
            return Err(SignInError::HasHeader(config.name.clone()));
        }
        let server = Url::parse(url).map_err(|_| SignInError::NotRemote(config.name.clone()))?;
        let settings = config.sign_in.clone();
        Ok(SignInTarget { server, settings, client_secret: None, store, proxy, challenge: None })
    }

    /// Forgets the sign-in, and revokes its tokens.
    pub async fn sign_out(&self) -> Result<SignOut, SignInError> {
        let locked = self.store.lock(&self.server).await?;
        let record = locked.read().ok().flatten();
        let was_there = locked.remove()?;
        let Some(record) = record else {
            return Ok(SignOut { was_signed_in: was_there, revocation_error: None });
        };
        let revoked = async {
            let web = AuthWeb::of(&self.server, &self.proxy).await?;
            revoke(&web, &record).await
        };
        Ok(SignOut { was_signed_in: record.tokens.is_some(), revocation_error: revoked.await.err() })
    }
}

/// What became of a sign-in that the user ended. It is forgotten in any case.
#[derive(Debug)]
pub struct SignOut {
    /// Whether there was one.
    pub was_signed_in: bool,
    /// Why its tokens may still be valid.
    pub revocation_error: Option<SignInError>,
}

/// A sign-in that waits for the user.
#[derive(Debug)]
pub struct SignIn {
    target: SignInTarget,
    web: AuthWeb,
    discovery: Discovery,
    client: OAuthClient,
    redirect: Url,
    state: String,
    verifier: String,
    url: Url,
    listener: Option<CallbackListener>,
}

impl SignIn {
    /// Finds out where the user signs in, and registers this program there. `redirect` is where the browser is sent back
    /// to, if the caller takes it from there; else a port of this machine.
    pub async fn begin(target: SignInTarget, redirect: Option<&str>) -> Result<Self, SignInError> {
        let web = AuthWeb::of(&target.server, &target.proxy).await?;
        let challenge = match &target.challenge {
            Some(challenge) => challenge.clone(),
            None => probe(&web, &target.server).await?,
        };
        let mut discovery = discover(&web, &target.server, &challenge).await?;
        let stored = target.store.read(&target.server)?;
        let stored = stored.filter(|stored| stored.issuer == discovery.issuer.issuer);
        if challenge.is_insufficient() {
            // What was granted before stays granted.
            let granted = stored.as_ref().and_then(|stored| stored.tokens.as_ref()?.scope.clone());
            granted
                .iter()
                .flat_map(|scope| scope.split_whitespace())
                .for_each(|scope| add(&mut discovery.scopes, scope));
        }
        let known = stored.map(|stored| stored.client).filter(|client| client.is_registered);
        let (redirect, listener) = match redirect {
            Some(redirect) => (given_redirect(redirect)?, None),
            None => {
                let listener = open_listener(&target.settings, known.as_ref()).await?;
                (listener.redirect().clone(), Some(listener))
            }
        };
        let client = match (&target.settings.client_id, known) {
            (Some(id), _) => {
                OAuthClient::configured(id, target.client_secret.as_deref(), &redirect, &discovery.issuer)
            }
            (None, Some(known)) if known.redirect == redirect.as_str() => known,
            (None, _) => OAuthClient::register(&web, &discovery.issuer, &redirect, &discovery.scopes).await?,
        };
        let (state, verifier) = (random(), random());
        let url = authorization_url(&discovery, &client, &state, &verifier);
        Ok(SignIn { target, web, discovery, client, redirect, state, verifier, url, listener })
    }

    /// The page where the user signs in.
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// Where the browser is sent back to.
    pub fn redirect(&self) -> &str {
        self.redirect.as_str()
    }

    /// Waits until a browser on this machine comes back; the address it comes back with. Without a port for it that is never.
    pub async fn returned(&self) -> Result<String, SignInError> {
        let waited = async {
            match &self.listener {
                Some(listener) => listener.wait(|address| self.check(address).is_ok()).await,
                None => std::future::pending().await,
            }
        };
        tokio::time::timeout(SIGN_IN_TIME, waited).await.map_err(|_| SignInError::TimedOut(SIGN_IN_TIME))
    }

    /// Takes the address that the browser came back with, exchanges its code for tokens and stores them.
    pub async fn finish(&self, address: &str) -> Result<(), SignInError> {
        let issuer = &self.discovery.issuer;
        let code = self.check(address)?.outcome.map_err(|refusal| {
            let description = refusal.description.map(|text| format!(" ({})", shown(&text)));
            let error = format!("{}{}", shown(&refusal.error), description.unwrap_or_default());
            SignInError::Refused { issuer: shown(&issuer.issuer), error }
        })?;
        let endpoint = TokenEndpoint {
            web: &self.web,
            issuer: &issuer.issuer,
            url: &issuer.token,
            client: &self.client,
            resource: &self.discovery.resource,
        };
        let mut tokens = endpoint.exchange(&code, &self.verifier).await?;
        // An answer without a scope grants what was asked for.
        let asked = (!self.discovery.scopes.is_empty()).then(|| self.discovery.scopes.join(" "));
        tokens.scope = tokens.scope.or(asked);
        let locked = self.target.store.lock(&self.target.server).await?;
        locked.write(&SignInRecord {
            server: String::new(),
            resource: self.discovery.resource.clone(),
            issuer: issuer.issuer.clone(),
            token_endpoint: issuer.token.to_string(),
            revocation_endpoint: issuer.revocation.as_ref().map(Url::to_string),
            client: self.client.clone(),
            tokens: Some(tokens),
        })
    }

    /// Checks that an address belongs to this sign-in.
    fn check(&self, address: &str) -> Result<SignInCallback, CallbackError> {
        let callback = SignInCallback::read(address, &self.redirect)?;
        if callback.state != self.state {
            return Err(CallbackError::WrongState);
        }
        let issuer = &self.discovery.issuer;
        match &callback.issuer {
            // Another server's code would be sent to this one (RFC 9207).
            Some(named) if *named != issuer.issuer => Err(CallbackError::WrongIssuer),
            None if issuer.names_itself => Err(CallbackError::WrongIssuer),
            _ => Ok(callback),
        }
    }
}

/// Opens the port that the client is registered with, or else any.
async fn open_listener(
    settings: &SignInSettings,
    known: Option<&OAuthClient>,
) -> Result<CallbackListener, SignInError> {
    if settings.callback_port.is_some() {
        return CallbackListener::open(settings.callback_port).await;
    }
    let port = known.and_then(|client| Url::parse(&client.redirect).ok()).and_then(|url| url.port());
    if let Some(port) = port
        && let Ok(listener) = CallbackListener::open(Some(port)).await
    {
        return Ok(listener);
    }
    CallbackListener::open(None).await
}

/// Where the caller wants browsers to be sent back to: a page, or a program by a scheme of its own (RFC 8252).
fn given_redirect(redirect: &str) -> Result<Url, SignInError> {
    let invalid = |why: &str| SignInError::Address { url: shown(redirect), why: why.to_owned() };
    let url = Url::parse(redirect).map_err(|_| invalid("which is not an address"))?;
    match url.scheme() {
        "https" | "http" => check_form(&url)?,
        scheme if scheme.contains('.') => {}
        _ => return Err(invalid("which is neither a page nor a program")),
    }
    Ok(url)
}

fn authorization_url(discovery: &Discovery, client: &OAuthClient, state: &str, verifier: &str) -> Url {
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
    let scope = discovery.scopes.join(" ");
    let mut url = discovery.issuer.authorization.clone();
    let mut query = url.query_pairs_mut();
    query
        .append_pair("response_type", "code")
        .append_pair("client_id", &client.id)
        .append_pair("redirect_uri", &client.redirect)
        .append_pair("state", state)
        .append_pair("code_challenge", &challenge)
        .append_pair("code_challenge_method", "S256")
        .append_pair("resource", &discovery.resource);
    if !scope.is_empty() {
        query.append_pair("scope", &scope);
    }
    if discovery.scopes.iter().any(|scope| scope == "offline_access") {
        query.append_pair("prompt", "consent");
    }
    drop(query);
    url
}

/// A text that can't be guessed, of 244 random bits.
fn random() -> String {
    format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}
