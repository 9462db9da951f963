//! The turn of an agent that verifies something for a hook.

use aqueduct_wire::json::Raw;

use super::failure::failure_text;
use super::{End, Turn};

impl Turn<'_> {
    /// Works until there is a verdict; or why there is none.
    pub(crate) async fn verify(mut self, prompt: &str) -> Result<Raw<'static>, String> {
        let end = match self.begin(prompt).await {
            Ok(()) => self.go_on().await,
            Err(end) => end,
        };
        if let Some(answer) = self.structured.answer.take() {
            return Ok(answer);
        }
        Err(match end {
            End::Failed(error) => {
                format!("the agent could not continue: {}", failure_text(&error, &self.model()))
            }
            End::MaxTurns(max) => format!("the agent gave no verdict within {max} calls of its model"),
            _ => "the agent gave no verdict".to_owned(),
        })
    }
}
