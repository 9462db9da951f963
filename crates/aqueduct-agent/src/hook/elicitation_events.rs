//! Events around what MCP servers ask the user.

use aqueduct_mcp::Verdict;
use aqueduct_tools::{Consultation, ConsultationSubject};
use aqueduct_wire::hook::HookEvent;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::input::reported;
use super::occasion::HookOccurrence;
use super::outcome::HooksOutcome;
use crate::session::AgentSession;

impl AgentSession {
    /// Starts the hooks whose verdict an MCP elicitation waits for.
    pub(crate) fn consult(&self, consultation: Consultation) {
        let never = CancellationToken::new();
        let running = match consultation.about.clone() {
            ConsultationSubject::Question(question) => {
                let server = question.mcp_server_name.as_deref().unwrap_or_default().to_owned();
                let occasion = HookOccurrence::new(&HookEvent::Elicitation, Some(&server));
                self.fire_apart(occasion, &never, |base| reported!(base, Elicitation(*question)))
            }
            ConsultationSubject::Answer(answer) => {
                let server = answer.mcp_server_name.as_deref().unwrap_or_default().to_owned();
                let occasion = HookOccurrence::new(&HookEvent::ElicitationResult, Some(&server));
                self.fire_apart(occasion, &never, |base| reported!(base, ElicitationResult(*answer)))
            }
        };
        consultation.settle(running.map(|running| Box::pin(verdict(running)) as _));
    }
}

/// What hooks decide.
async fn verdict(running: oneshot::Receiver<HooksOutcome>) -> Verdict {
    match running.await {
        Ok(outcome) if !outcome.blocks.is_empty() => Verdict::Decline,
        Ok(HooksOutcome { elicited: Some(answer), .. }) => Verdict::Answer(answer),
        _ => Verdict::Continue,
    }
}
