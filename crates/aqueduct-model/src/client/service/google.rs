//! Access tokens of Google, with the credentials that Google's tools use.

use std::sync::Arc;

use gcp_auth::{CustomServiceAccount, TokenProvider};

use super::Variables;

/// What a token is good for.
const SCOPES: [&str; 1] = ["https://www.googleapis.com/auth/cloud-platform"];

/// Hands out tokens. They are kept until they expire.
pub(super) struct Google {
    provider: Arc<dyn TokenProvider>,
}

impl std::fmt::Debug for Google {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Google").finish_non_exhaustive()
    }
}

impl Google {
    /// The service account that a variable names, or else what the home or the machine has.
    pub(super) async fn new(variables: &Variables) -> Result<Self, String> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let provider: Arc<dyn TokenProvider> = match variables.get("GOOGLE_APPLICATION_CREDENTIALS") {
            Some(file) => {
                let account = CustomServiceAccount::from_file(file);
                Arc::new(account.map_err(|error| format!("{file} has no key of a service account: {error}"))?)
            }
            None => gcp_auth::provider().await.map_err(|error| error.to_string())?,
        };
        Ok(Google { provider })
    }

    pub(super) async fn token(&self) -> Result<String, String> {
        let token = self.provider.token(&SCOPES).await.map_err(|error| error.to_string())?;
        Ok(token.as_str().to_owned())
    }
}
