//! Questions to a model beside the conversation.

use aqueduct_model::Request;
use aqueduct_tools::side_call::{SideCallError, ask, text_of};
use tokio_util::sync::CancellationToken;

use super::AgentSession;

impl AgentSession {
    /// Sends a request to a model and returns the text of its answer. Its cost counts for the session.
    pub(crate) async fn ask_aside(
        &self,
        request: Request,
        cancel: &CancellationToken,
    ) -> Result<String, SideCallError> {
        let (answer, spent) = ask(&self.models.get(&request.model), request, cancel).await;
        if let Some(spent) = spent {
            self.usage.count(&spent.model, &spent.usage, spent.took);
        }
        let text = text_of(&answer?);
        Some(text).filter(|text| !text.trim().is_empty()).ok_or(SideCallError::Silent)
    }
}
