//! Errors with what to do about them: typed errors become text here, and nowhere before.

use std::error::Error;

use aqueduct_agent::diagnostic::{Diagnostic, Hint, HintedError};
use aqueduct_agent::trust::TrustError;

/// An error with its causes, and with the hint of the first one that has a hint.
pub(crate) fn explained(error: &anyhow::Error) -> String {
    let hint = error.chain().find_map(hint_of);
    Diagnostic { hint, ..Diagnostic::problem(format!("{error:#}")) }.to_string()
}

/// The hint of an error whose message has none.
fn hint_of(cause: &(dyn Error + 'static)) -> Option<Hint> {
    cause.downcast_ref::<TrustError>().and_then(HintedError::hint)
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
        assert_eq!(explained(&anyhow::anyhow!("no hint")), "no hint");
    }
}
