use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::AuthError;
use crate::log::Hash;

/// How long a confirmation is valid.
const VALID: Duration = Duration::from_secs(5 * 60);

/// How many confirmations are open at once. The oldest make room.
const OPEN: usize = 256;

const RANDOM_BYTES: usize = 16;

/// Requests that the client still has to confirm. A value is for one credential and one request, and works
/// once.
#[derive(Debug, Default)]
pub(super) struct Confirmations {
    open: Mutex<HashMap<String, OpenConfirmation>>,
}

#[derive(Debug)]
struct OpenConfirmation {
    device_id: String,
    request: Hash,
    since: Instant,
}

impl Confirmations {
    /// Whether a value confirms this request of this credential. It can't be used again.
    pub(super) fn take(&self, value: &str, device_id: &str, request: &str) -> bool {
        let request: Hash = Sha256::digest(request.as_bytes()).into();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = open.get(value).is_some_and(|known| {
            known.device_id == device_id && known.request == request && known.since.elapsed() < VALID
        });
        if fits {
            open.remove(value);
        }
        fits
    }

    /// A value that confirms this request of this credential.
    pub(super) fn ask(&self, device_id: &str, request: &str) -> Result<String, AuthError> {
        let mut bytes = [0; RANDOM_BYTES];
        getrandom::fill(&mut bytes).map_err(|error| AuthError::NoRandomness(error.to_string()))?;
        let value = URL_SAFE_NO_PAD.encode(bytes);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, known| known.since.elapsed() < VALID);
        if open.len() >= OPEN
            && let Some(oldest) =
                open.iter().min_by_key(|(_, known)| known.since).map(|(value, _)| value.clone())
        {
            open.remove(&oldest);
        }
        let request = Sha256::digest(request.as_bytes()).into();
        open.insert(
            value.clone(),
            OpenConfirmation { device_id: device_id.to_owned(), request, since: Instant::now() },
        );
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_value_is_for_one_request_of_one_credential_once_and_soon() {
        let confirmations = Confirmations::default();
        let value = confirmations.ask("phone", "start").unwrap();
        assert!(!confirmations.take(&value, "laptop", "start"));
        assert!(!confirmations.take(&value, "phone", "stop"));
        assert!(!confirmations.take("", "phone", "start"));
        assert!(confirmations.take(&value, "phone", "start"));
        assert!(!confirmations.take(&value, "phone", "start"), "once");
        let value = confirmations.ask("phone", "start").unwrap();
        tokio::time::advance(VALID).await;
        assert!(!confirmations.take(&value, "phone", "start"), "soon");
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_bounded() {
        let confirmations = Confirmations::default();
        for _ in 0..OPEN * 2 {
            confirmations.ask("phone", "start").unwrap();
        }
        assert!(confirmations.open.lock().unwrap().len() <= OPEN);
    }
}
