use std::time::Duration;

use super::issued::IssuedSecrets;
use super::{AuthError, Token};
use crate::log::Hash;

/// How long an access token is good for. A WebSocket that was opened with one stays open.
pub const ACCESS_TIME: Duration = Duration::from_secs(15 * 60);

/// The access tokens that devices with a key have signed in for, each with its origin. They are kept in memory alone, as
/// hashes: after a restart of the bridge devices sign in again.
#[derive(Debug, Default)]
pub struct AccessTokens {
    origins: IssuedSecrets<String>,
}

impl AccessTokens {
    /// A new token for a device, for pages of this origin.
    pub fn issue(&self, device_id: &str, origin: &str) -> Result<Token, AuthError> {
        let token = Token::random()?;
        self.origins.add(token.hash(), device_id, origin.to_owned(), ACCESS_TIME);
        Ok(token)
    }

    /// The device that a token belongs to. A request that names a page has to come from the origin that the token was
    /// issued for.
    pub fn device_of(&self, hash: &Hash, origin: Option<&[u8]>) -> Option<String> {
        self.origins.look(hash, |device_id, own| {
            origin.is_none_or(|origin| origin == own.as_bytes()).then(|| device_id.to_owned())
        })
    }

    /// Ends all tokens of a device.
    pub fn revoke(&self, device_id: &str) {
        self.origins.revoke(device_id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::issued::MOST_PER_PRINCIPAL;

    const ORIGIN: &str = "http://localhost:8765";

    #[tokio::test(start_paused = true)]
    async fn a_token_is_for_one_device_on_one_origin_for_some_minutes() {
        let tokens = AccessTokens::default();
        let token = tokens.issue("d", ORIGIN).unwrap().hash();
        assert_eq!(tokens.device_of(&token, Some(ORIGIN.as_bytes())).as_deref(), Some("d"));
        // Browsers name no page for a GET of their own origin.
        assert_eq!(tokens.device_of(&token, None).as_deref(), Some("d"));
        for other in ["http://localhost:3000", "https://localhost:8765", "http://127.0.0.1:8765", "null", ""]
        {
            assert_eq!(tokens.device_of(&token, Some(other.as_bytes())), None, "{other}");
        }
        assert_eq!(tokens.device_of(&[0; 32], None), None);
        tokio::time::advance(ACCESS_TIME).await;
        assert_eq!(tokens.device_of(&token, None), None);
    }

    #[test]
    fn a_device_has_some_tokens_and_the_newest_count() {
        let tokens = AccessTokens::default();
        let other = tokens.issue("other", ORIGIN).unwrap().hash();
        let all: Vec<Hash> =
            (0..=MOST_PER_PRINCIPAL).map(|_| tokens.issue("d", ORIGIN).unwrap().hash()).collect();
        assert_eq!(tokens.device_of(&all[0], None), None);
        assert!(all[1..].iter().all(|token| tokens.device_of(token, None).is_some()));
        tokens.revoke("d");
        assert!(all.iter().all(|token| tokens.device_of(token, None).is_none()));
        assert_eq!(tokens.device_of(&other, None).as_deref(), Some("other"));
    }
}
