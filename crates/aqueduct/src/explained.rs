//! Errors with what to do about them: typed errors become text here, and nowhere before.

use std::error::Error;

use aqueduct_agent::trust::TrustError;
use aqueduct_bridge::Failure;
use aqueduct_bridge::auth::AuthError;
use aqueduct_bridge::log::LogError;
use aqueduct_bridge::push::PushError;
use aqueduct_bridge::server::ServerStartError;
use aqueduct_client::transcript::TranscriptError;
use aqueduct_os::privacy::PrivacyError;
use aqueduct_rules::ModeError;
use aqueduct_wire::hint::{Hint, HintedError};

/// An error with its causes, and with the hint of the first one that has a hint.
pub(crate) fn explained(error: &anyhow::Error) -> String {
    let text = format!("{error:#}");
    match error.chain().find_map(hint_of) {
        Some(hint) => hint.after(text),
        None => text,
    }
}

/// The hint of an error whose message has none.
fn hint_of(cause: &(dyn Error + 'static)) -> Option<Hint> {
    hint_as::<TrustError>(cause)
        .or_else(|| hint_as::<LogError>(cause))
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
}
