use std::sync::{Arc, Mutex};

use aqueduct_model::client::ProxySettings;
use aqueduct_os::mutex::lock;
use reqwest::Url;
use reqwest::header::HeaderValue;

use super::challenge::SignInChallenge;
use super::error::SignInError;
use super::record::{SignInRecord, SignInTokens};
use super::sign_in::SignInTarget;
use super::store::SignInStore;
use super::token::{RenewError, TokenEndpoint, bearer};
use super::web::AuthWeb;
use crate::config::ServerConfig;

/// The tokens that are sent to a server, renewed when they end.
#[derive(Debug)]
pub(crate) struct ServerCredentials {
    /// The server's name, for messages.
    name: String,
    server: Url,
    store: SignInStore,
    proxy: ProxySettings,
    /// What the server last wanted.
    challenge: Mutex<Option<SignInChallenge>>,
}

impl ServerCredentials {
    /// The credentials of a server; none, where its configuration has its own or it takes none.
    pub(crate) fn of(config: &ServerConfig, store: &SignInStore, proxy: &ProxySettings) -> Option<Self> {
        let target = SignInTarget::of(config, store.clone(), proxy.clone()).ok()?;
        Some(ServerCredentials {
            name: config.name.clone(),
            server: target.server,
            store: store.clone(),
            proxy: proxy.clone(),
            challenge: Mutex::default(),
        })
    }

    /// What the user has to do.
    pub(crate) fn advice(&self) -> String {
        format!("sign in with `aqueduct mcp login {}`", self.name)
    }

    /// Keeps what a server wants.
    pub(crate) fn keep_challenge(&self, challenge: Option<SignInChallenge>) {
        *lock(&self.challenge) = challenge;
    }

    /// What the server last wanted.
    pub(crate) fn challenge(&self) -> Option<SignInChallenge> {
        lock(&self.challenge).clone()
    }

    /// The header for a request; none, where the user has not signed in. A token that is about to end is renewed first; one
    /// that can't be renewed now is sent as it is, because only the server knows whether it still accepts it.
    pub(crate) async fn header(self: &Arc<Self>) -> Result<Option<HeaderValue>, SignInError> {
        let Some(tokens) = self.store.read(&self.server)?.and_then(|record| record.tokens) else {
            return Ok(None);
        };
        if tokens.is_fresh() {
            return Ok(bearer(&tokens.access));
        }
        match self.renewed(None).await {
            Ok(renewed) => Ok(renewed),
            Err(_) => Ok(bearer(&tokens.access)),
        }
    }

    /// Another header after the server has rejected one; none, where the user has to sign in again.
    pub(crate) async fn after(
        self: &Arc<Self>,
        rejected: HeaderValue,
    ) -> Result<Option<HeaderValue>, SignInError> {
        self.renewed(Some(rejected)).await
    }

    /// Renews the tokens in a task of its own: a request that is given up must not lose tokens that were issued.
    async fn renewed(
        self: &Arc<Self>,
        rejected: Option<HeaderValue>,
    ) -> Result<Option<HeaderValue>, SignInError> {
        let credentials = self.clone();
        let renewal = tokio::spawn(async move { credentials.renew(rejected.as_ref()).await });
        renewal.await.unwrap_or(Err(SignInError::Busy))
    }

    /// Renews the tokens if they are still those that the server has rejected, or that end: another process may have
    /// renewed them.
    async fn renew(&self, rejected: Option<&HeaderValue>) -> Result<Option<HeaderValue>, SignInError> {
        let locked = self.store.lock(&self.server).await?;
        let Some(mut record) = locked.read()? else { return Ok(None) };
        let Some(tokens) = record.tokens.take() else { return Ok(None) };
        let is_useless = match rejected {
            Some(rejected) => bearer(&tokens.access).as_ref() == Some(rejected),
            None => !tokens.is_fresh(),
        };
        if !is_useless {
            return Ok(bearer(&tokens.access));
        }
        match self.exchange(&record, &tokens).await {
            Ok(new) => {
                let header = bearer(&new.access);
                record.tokens = Some(new);
                // With rotation the old token is void: a new one that is not stored is a sign-in that is lost.
                locked.write(&record)?;
                Ok(header)
            }
            Err(RenewError::Ended) => {
                locked.write(&record)?;
                Ok(None)
            }
            Err(RenewError::Failed(error)) => Err(error),
        }
    }

    async fn exchange(
        &self,
        record: &SignInRecord,
        tokens: &SignInTokens,
    ) -> Result<SignInTokens, RenewError> {
        let web = AuthWeb::of(&self.server, &self.proxy).await.map_err(RenewError::Failed)?;
        // The file is the user's own.
        let url = Url::parse(&record.token_endpoint).map_err(|_| RenewError::Ended)?;
        let endpoint = TokenEndpoint {
            web: &web,
            issuer: &record.issuer,
            url: &url,
            client: &record.client,
            resource: &record.resource,
        };
        endpoint.renew(tokens).await
    }
}
