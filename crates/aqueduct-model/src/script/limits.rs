//! What the scripted model reports about the account's limits.

use super::error::ScriptLineError;
use super::line::{number, words};

/// The state of a subscription, as the API reports it in headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubscriptionLimits {
    /// Such as `allowed`, `allowed_warning` or `rejected`.
    pub status: String,
    /// Which limit it is about, such as `five_hour`.
    pub kind: Option<String>,
    /// When it begins anew, in seconds since 1970.
    pub resets_at: Option<u64>,
}

impl SubscriptionLimits {
    /// Reads what follows `@limits`.
    pub(super) fn parse(rest: &str) -> Result<Self, ScriptLineError> {
        let words = words(rest, 1, &["STATUS", "[TYPE", "[RESETS_AT]]"])?;
        let resets_at = words.get(2).map(|word| number(word, "RESETS_AT", 0, u64::MAX)).transpose()?;
        Ok(SubscriptionLimits {
            status: name(words[0], "STATUS")?,
            kind: words.get(1).map(|word| name(word, "TYPE")).transpose()?,
            resets_at,
        })
    }

    /// The headers of an answer.
    pub fn headers(&self) -> impl Iterator<Item = (&'static str, String)> {
        let all = [
            ("anthropic-ratelimit-unified-status", Some(self.status.clone())),
            ("anthropic-ratelimit-unified-reset", self.resets_at.map(|time| time.to_string())),
            ("anthropic-ratelimit-unified-representative-claim", self.kind.clone()),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }
}

/// A word that fits into a header.
fn name(word: &str, name: &'static str) -> Result<String, ScriptLineError> {
    if word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-') {
        Ok(word.to_owned())
    } else {
        Err(ScriptLineError::Name { name, found: word.to_owned() })
    }
}
