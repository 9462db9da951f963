use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::{DoorError, Token};
use crate::log::Hash;

/// How long an access token is good for. A WebSocket that was opened with one stays open.
pub const ACCESS_TIME: Duration = Duration::from_secs(15 * 60);

/// How many access tokens a device has at once: one for each tab. The oldest makes room.
const TOKENS_PER_DEVICE: usize = 64;

/// The access tokens that devices with a key have signed in for. They are kept in memory alone, as hashes: after a
/// restart of the bridge devices sign in again.
#[derive(Debug, Default)]
pub struct AccessTokens {
    grants: Mutex<HashMap<Hash, Grant>>,
}

#[derive(Debug)]
struct Grant {
    device_id: String,
    origin: String,
    expires: Instant,
}

impl AccessTokens {
    /// A new token for a device, for pages of this origin.
    pub fn issue(&self, device_id: &str, origin: &str) -> Result<Token, DoorError> {
        let token = Token::random()?;
        let now = Instant::now();
        let mut grants = self.grants();
        grants.retain(|_, grant| grant.expires > now);
        let own = grants.iter().filter(|(_, grant)| grant.device_id == device_id);
        let mut own: Vec<(Instant, Hash)> = own.map(|(hash, grant)| (grant.expires, *hash)).collect();
        if own.len() >= TOKENS_PER_DEVICE {
            own.sort_unstable();
            let surplus = own.len() + 1 - TOKENS_PER_DEVICE;
            own.iter().take(surplus).for_each(|(_, hash)| drop(grants.remove(hash)));
        }
        let grant =
            Grant { device_id: device_id.to_owned(), origin: origin.to_owned(), expires: now + ACCESS_TIME };
        grants.insert(token.hash(), grant);
        Ok(token)
    }

    /// The device that a token belongs to. A request that names a page has to come from the origin that the token was
    /// issued for.
    pub fn device_of(&self, hash: &Hash, origin: Option<&[u8]>) -> Option<String> {
        let grants = self.grants();
        let grant = grants.get(hash).filter(|grant| grant.expires > Instant::now())?;
        origin.is_none_or(|origin| origin == grant.origin.as_bytes()).then(|| grant.device_id.clone())
    }

    /// Ends all tokens of a device.
    pub fn revoke(&self, device_id: &str) {
        self.grants().retain(|_, grant| grant.device_id != device_id);
    }

    fn grants(&self) -> MutexGuard<'_, HashMap<Hash, Grant>> {
        self.grants.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (0..=TOKENS_PER_DEVICE).map(|_| tokens.issue("d", ORIGIN).unwrap().hash()).collect();
        assert_eq!(tokens.device_of(&all[0], None), None);
        assert!(all[1..].iter().all(|token| tokens.device_of(token, None).is_some()));
        tokens.revoke("d");
        assert!(all.iter().all(|token| tokens.device_of(token, None).is_none()));
        assert_eq!(tokens.device_of(&other, None).as_deref(), Some("other"));
    }
}
