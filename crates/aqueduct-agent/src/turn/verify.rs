//! The turn of an agent that verifies something for a hook.

use aqueduct_wire::json::Raw;

use super::failure::failure_text;
use super::{Turn, TurnEnd};
use crate::hook::VerifierError;

impl Turn<'_> {
    /// Works until there is a verdict; or why there is none.
    pub(crate) async fn verify(mut self, prompt: &str) -> Result<Raw<'static>, VerifierError> {
        let end = match self.begin(prompt).await {
            Ok(()) => self.run_steps().await,
            Err(end) => end,
        };
        if let Some(answer) = self.structured.answer.take() {
            return Ok(answer);
        }
        Err(match end {
            TurnEnd::Failed(error) => VerifierError::Model(failure_text(&error, &self.model())),
            TurnEnd::MaxTurns(max) => VerifierError::MaxTurns(max),
            _ => VerifierError::NoVerdict,
        })
    }
}
