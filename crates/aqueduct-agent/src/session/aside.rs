//! Questions to a model beside the conversation.

use aqueduct_model::Request;
use aqueduct_tools::side_call::{SideCallError, ask, text_of};
use tokio_util::sync::CancellationToken;

use super::Session;

impl Session {
    /// Asks a model something, and gives its words, or why there are none. What it costs counts as the session's.
    pub(crate) async fn ask_aside(
        &self,
        request: Request,
        cancel: &CancellationToken,
    ) -> Result<String, String> {
        let (answer, spent) = ask(&self.models.get(&request.model), request, cancel).await;
        if let Some(spent) = spent {
            self.count(&spent.model, &spent.usage, spent.took);
        }
        let text = text_of(&answer.map_err(|error| error.to_string())?);
        Some(text).filter(|text| !text.trim().is_empty()).ok_or_else(|| SideCallError::Silent.to_string())
    }
}
