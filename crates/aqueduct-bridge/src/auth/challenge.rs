use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use ring::rand::SystemRandom;
use tokio::time::Instant;

use super::AuthError;

/// How long a challenge can be answered.
pub const CHALLENGE_TIME: Duration = Duration::from_secs(60);

/// How many answered challenges are remembered. Only a device with a valid key adds one.
const ANSWERED: usize = 4096;

const NONCE_BYTES: usize = 16;
const TIME_BYTES: usize = 8;

type Nonce = [u8; NONCE_BYTES];

/// Challenges that devices sign in with.
///
/// A challenge is a nonce and a time with the bridge's own authentication code, so nothing is stored for one that is
/// only asked for: however many a stranger asks for, no memory is used and no challenge of another device is lost. The
/// code covers the device and the origin too. A challenge that was answered is remembered until it expires, which makes
/// it good for one use. The key is made for this process: after a restart every earlier challenge is expired.
#[derive(Debug)]
pub struct Challenges {
    key: OnceLock<hmac::Key>,
    started: Instant,
    /// The challenges that were answered, and when each expires.
    answered: Mutex<HashMap<Nonce, Duration>>,
}

impl Default for Challenges {
    fn default() -> Self {
        Challenges { key: OnceLock::new(), started: Instant::now(), answered: Mutex::default() }
    }
}

impl Challenges {
    /// A new challenge for a device on a page of an origin. Whether there is such a device makes no difference.
    pub fn issue(&self, device_id: &str, origin: &str) -> Result<String, AuthError> {
        let mut nonce = Nonce::default();
        getrandom::fill(&mut nonce).map_err(|error| AuthError::NoRandomness(error.to_string()))?;
        let expires = self.started.elapsed() + CHALLENGE_TIME;
        let expires = u64::try_from(expires.as_millis()).unwrap_or(u64::MAX).to_be_bytes();
        let mut challenge = [&nonce[..], &expires].concat();
        let code = hmac::sign(self.key()?, &covered(&challenge, device_id, origin));
        challenge.extend_from_slice(code.as_ref());
        Ok(URL_SAFE_NO_PAD.encode(challenge))
    }

    /// Reads a challenge that was issued for this device and origin and has not expired.
    pub fn read(&self, text: &str, device_id: &str, origin: &str) -> Option<IssuedChallenge> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (head, code) = bytes.split_at_checked(NONCE_BYTES + TIME_BYTES)?;
        hmac::verify(self.key.get()?, &covered(head, device_id, origin), code).ok()?;
        let (nonce, expires) = head.split_at(NONCE_BYTES);
        let expires = Duration::from_millis(u64::from_be_bytes(expires.try_into().ok()?));
        let issued = IssuedChallenge { nonce: nonce.try_into().ok()?, expires };
        (self.started.elapsed() < expires).then_some(issued)
    }

    /// Uses a challenge up. False if it was used before.
    pub fn use_up(&self, issued: IssuedChallenge) -> bool {
        let now = self.started.elapsed();
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        if answered.len() >= ANSWERED {
            answered.retain(|_, expires| *expires > now);
        }
        answered.len() < ANSWERED && answered.insert(issued.nonce, issued.expires).is_none()
    }

    fn key(&self) -> Result<&hmac::Key, AuthError> {
        if let Some(key) = self.key.get() {
            return Ok(key);
        }
        let key = hmac::Key::generate(hmac::HMAC_SHA256, &SystemRandom::new())
            .map_err(|_| AuthError::NoRandomness("the system's generator failed".into()))?;
        Ok(self.key.get_or_init(|| key))
    }
}

/// A challenge of this bridge that can still be answered.
#[derive(Debug, Clone, Copy)]
pub struct IssuedChallenge {
    nonce: Nonce,
    expires: Duration,
}

/// What the authentication code covers. The length of the device's id keeps id and origin apart.
fn covered(head: &[u8], device_id: &str, origin: &str) -> Vec<u8> {
    let length = (device_id.len() as u64).to_be_bytes();
    [head, &length, device_id.as_bytes(), origin.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: &str = "http://localhost:8765";

    #[tokio::test(start_paused = true)]
    async fn a_challenge_is_for_one_device_one_origin_one_use_and_one_minute() {
        let challenges = Challenges::default();
        let text = challenges.issue("d-1", ORIGIN).unwrap();
        assert_ne!(text, challenges.issue("d-1", ORIGIN).unwrap());
        for (device, origin) in
            [("d-2", ORIGIN), ("d-1", "http://localhost:3000"), ("", "d-1http://localhost:8765")]
        {
            assert!(challenges.read(&text, device, origin).is_none(), "{device} {origin}");
        }
        let issued = challenges.read(&text, "d-1", ORIGIN).unwrap();
        assert!(challenges.use_up(issued));
        assert!(!challenges.use_up(issued));
        let late = challenges.issue("d-1", ORIGIN).unwrap();
        tokio::time::advance(CHALLENGE_TIME).await;
        assert!(challenges.read(&late, "d-1", ORIGIN).is_none());
    }

    #[test]
    fn a_challenge_of_another_process_or_a_changed_one_is_unknown() {
        let challenges = Challenges::default();
        assert!(challenges.read("AAAA", "d", ORIGIN).is_none());
        let text = challenges.issue("d", ORIGIN).unwrap();
        let other = Challenges::default();
        other.issue("d", ORIGIN).unwrap();
        assert!(other.read(&text, "d", ORIGIN).is_none());
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(challenges.read(&changed, "d", ORIGIN).is_none(), "{at}");
        }
        for text in ["", "!", "AAAA", &text[1..], &format!("{text}A"), &format!("{text}=")] {
            assert!(challenges.read(text, "d", ORIGIN).is_none(), "{text}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_bounded_and_released() {
        let challenges = Challenges::default();
        let answer = || {
            let text = challenges.issue("d", ORIGIN).unwrap();
            challenges.use_up(challenges.read(&text, "d", ORIGIN).unwrap())
        };
        for _ in 0..ANSWERED {
            assert!(answer());
        }
        assert!(!answer());
        assert_eq!(challenges.answered.lock().unwrap().len(), ANSWERED);
        tokio::time::advance(CHALLENGE_TIME).await;
        assert!(answer());
    }
}
