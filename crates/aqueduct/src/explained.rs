//! Errors with what to do about them: typed errors become text here, and nowhere before.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use aqueduct_agent::trust::TrustError;
use aqueduct_bridge::Failure;
use aqueduct_bridge::auth::AuthError;
use aqueduct_bridge::backup::BackupError;
use aqueduct_bridge::log::LogError;
use aqueduct_bridge::push::PushError;
use aqueduct_bridge::server::ServerStartError;
use aqueduct_client::transcript::TranscriptError;
use aqueduct_os::privacy::PrivacyError;
use aqueduct_rules::ModeError;
use aqueduct_wire::hint::{Hint, HintedError};

/// A message and what to do about it: an error of a command, or the context of one.
#[derive(Debug)]
pub(crate) struct HintedMessage {
    message: Cow<'static, str>,
    hint: Cow<'static, str>,
}

/// A message and the hint that follows it and its causes.
pub(crate) fn advice(
    message: impl Into<Cow<'static, str>>,
    hint: impl Into<Cow<'static, str>>,
) -> HintedMessage {
    HintedMessage { message: message.into(), hint: hint.into() }
}

impl fmt::Display for HintedMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for HintedMessage {}

impl HintedError for HintedMessage {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::clause(self.hint.as_ref()))
    }
}

/// An error with its causes, and with the hint of the first one that has a hint.
pub(crate) fn explained(error: &anyhow::Error) -> String {
    let text = format!("{error:#}");
    // A context is not in the chain as its own type, but can be found by it.
    let of_command = error.downcast_ref::<HintedMessage>().and_then(HintedError::hint);
    match of_command.or_else(|| error.chain().find_map(hint_of)) {
        Some(hint) => hint.after(text),
        None => text,
    }
}

/// The hint of an error whose message has none.
fn hint_of(cause: &(dyn Error + 'static)) -> Option<Hint> {
    #[cfg(feature = "otlp")]
    if let Some(hint) = hint_as::<aqueduct_otlp::OtlpError>(cause) {
        return Some(hint);
    }
    hint_as::<TrustError>(cause)
        .or_else(|| hint_as::<LogError>(cause))
        .or_else(|| hint_as::<BackupError>(cause))
        .or_else(|| hint_as::<AuthError>(cause))
        .or_else(|| hint_as::<Failure>(cause))
        .or_else(|| hint_as::<PushError>(cause))
        .or_else(|| hint_as::<ServerStartError>(cause))
        .or_else(|| hint_as::<aqueduct_client::Error>(cause))
        .or_else(|| hint_as::<aqueduct_rules::Error>(cause))
        .or_else(|| hint_as::<ModeError>(cause))
        .or_else(|| hint_as::<TranscriptError>(cause))
        .or_else(|| cause.downcast_ref::<PrivacyError>()?.hint().map(Hint::Clause))
}

/// The hint, if the error is of this type.
fn hint_as<E: HintedError + 'static>(cause: &(dyn Error + 'static)) -> Option<Hint> {
    cause.downcast_ref::<E>()?.hint()
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn a_hint_follows_the_causes() {
        let failed: Result<(), TrustError> = Err(TrustError::Changed);
        let error = failed.context("can't trust /p").unwrap_err();
        assert_eq!(
            explained(&error),
            "can't trust /p: what the folder provides has changed since it was shown; look at it again"
        );
        let error = anyhow::Error::new(ServerStartError::NoPlace("x".to_owned())).context("--listen");
        assert_eq!(
            explained(&error),
            "--listen: `x` is not an address to listen on; give ADDRESS:PORT, such as 127.0.0.1:8765, or unix:PATH"
        );
        assert_eq!(explained(&anyhow::anyhow!("no hint")), "no hint");
    }

    #[test]
    fn the_hint_of_a_command_follows_the_causes() {
        assert_eq!(explained(&anyhow::anyhow!(advice("no prompt", "give one"))), "no prompt; give one");
        let failed: Result<(), std::io::Error> = Err(std::io::ErrorKind::NotFound.into());
        let error = failed.context(advice("can't read a", "give another")).context("--script").unwrap_err();
        assert_eq!(explained(&error), "--script: can't read a: entity not found; give another");
    }
}
