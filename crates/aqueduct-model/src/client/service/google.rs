//! Access tokens of Google, with the credentials that Google's tools use.

use std::sync::{Arc, Mutex, PoisonError};

use gcp_auth::{CustomServiceAccount, TokenProvider};

use super::Variables;

/// What a token is good for.
const SCOPES: [&str; 1] = ["https://www.googleapis.com/auth/cloud-platform"];

/// How many tokens are remembered to keep them out of errors.
const REMEMBERED: usize = 8;

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub(super) enum TokenError {
    #[error("{file} has no key of a service account: {error}")]
    KeyFile { file: String, error: gcp_auth::Error },
    #[error(transparent)]
    Provider(#[from] gcp_auth::Error),
}

/// Hands out tokens. They are kept until they expire, or the service refuses one.
pub(super) struct Google {
    variables: Variables,
    provider: Mutex<Arc<dyn TokenProvider>>,
    fetched: Mutex<Vec<String>>,
}

impl std::fmt::Debug for Google {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Google").finish_non_exhaustive()
    }
}

impl Google {
    /// The service account that a variable names, or else what the home or the machine has.
    pub(super) async fn new(variables: &Variables) -> Result<Self, TokenError> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let provider = Mutex::new(provider(variables).await?);
        Ok(Google { variables: variables.clone(), provider, fetched: Mutex::default() })
    }

    pub(super) async fn token(&self) -> Result<String, TokenError> {
        let provider = self.provider.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let token = provider.token(&SCOPES).await?;
        let token = token.as_str().to_owned();
        let mut fetched = self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
        if !fetched.contains(&token) {
            let surplus = (fetched.len() + 1).saturating_sub(REMEMBERED);
            fetched.drain(..surplus);
            fetched.push(token.clone());
        }
        Ok(token)
    }

    /// The newest tokens.
    pub(super) fn fetched(&self) -> Vec<String> {
        self.fetched.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Drops the token, and reads the credentials again. Returns whether there are some.
    pub(super) async fn renew(&self) -> bool {
        let renewed = provider(&self.variables).await;
        let has_some = renewed.is_ok();
        if let Ok(renewed) = renewed {
            *self.provider.lock().unwrap_or_else(PoisonError::into_inner) = renewed;
        }
        has_some
    }
}

async fn provider(variables: &Variables) -> Result<Arc<dyn TokenProvider>, TokenError> {
    match variables.get("GOOGLE_APPLICATION_CREDENTIALS") {
        Some(file) => {
            let account = CustomServiceAccount::from_file(file);
            Ok(Arc::new(account.map_err(|error| TokenError::KeyFile { file: file.to_owned(), error })?))
        }
        None => Ok(gcp_auth::provider().await?),
    }
}
