//! Events around what MCP servers ask the user.

use aqueduct_mcp::Verdict;
use aqueduct_tools::{Consultation, Consulted};
use aqueduct_wire::hook::HookEvent;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::input::reported;
use super::occasion::Occasion;
use super::outcome::Outcome;
use crate::session::Session;

impl Session {
    /// Sets off the hooks that somebody waits for.
    pub(crate) fn consult(&self, consultation: Consultation) {
        let never = CancellationToken::new();
        let running = match consultation.about.clone() {
            Consulted::Question(question) => {
                let server = question.mcp_server_name.as_deref().unwrap_or_default().to_owned();
                let occasion = Occasion::new(&HookEvent::Elicitation, Some(&server));
                self.fire_apart(occasion, &never, |base| reported!(base, Elicitation(*question)))
            }
            Consulted::Answer(answer) => {
                let server = answer.mcp_server_name.as_deref().unwrap_or_default().to_owned();
                let occasion = Occasion::new(&HookEvent::ElicitationResult, Some(&server));
                self.fire_apart(occasion, &never, |base| reported!(base, ElicitationResult(*answer)))
            }
        };
        consultation.settle(running.map(|running| Box::pin(verdict(running)) as _));
    }
}

/// What hooks decide.
async fn verdict(running: oneshot::Receiver<Outcome>) -> Verdict {
    match running.await {
        Ok(outcome) if !outcome.blocks.is_empty() => Verdict::Decline,
        Ok(Outcome { elicited: Some(answer), .. }) => Verdict::Answer(answer),
        _ => Verdict::Continue,
    }
}
