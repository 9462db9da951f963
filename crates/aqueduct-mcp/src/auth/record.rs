use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::client::OAuthClient;

/// How long before its end a token is renewed: requests are on their way for a while, and clocks differ.
const MARGIN: u64 = 60;

/// A sign-in to a server, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SignInRecord {
    /// The server that the tokens are sent to.
    pub(super) server: String,
    /// The name for which tokens are issued.
    pub(super) resource: String,
    /// The authorization server.
    pub(super) issuer: String,
    pub(super) token_endpoint: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) revocation_endpoint: Option<String>,
    pub(super) client: OAuthClient,
    /// None, where the user has to sign in again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tokens: Option<SignInTokens>,
}

/// SignInTokens of a user.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SignInTokens {
    pub(super) access: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) refresh: Option<String>,
    /// Seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) expires: Option<u64>,
    /// The permissions that were granted, with blanks between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) scope: Option<String>,
}

impl SignInTokens {
    /// Whether the access token is valid for a while.
    pub(super) fn is_fresh(&self) -> bool {
        self.expires.is_none_or(|expires| now().saturating_add(MARGIN) < expires)
    }
}

impl fmt::Debug for SignInTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignInTokens")
            .field("refresh", &self.refresh.is_some())
            .field("expires", &self.expires)
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
