//! Hooks that let a model with tools find a verdict.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::judge::{HookJudgment, RULES, VerdictError, is_stop};
use super::run::HookRun;
use super::substitute;
use crate::hook_config::AgentAction;
use crate::hook_config::ConfiguredHook;
use crate::session::AgentSession;

/// How long an agent may take for a verdict, where the hook does not say.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// Why an agent that verifies something has no verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum VerifierError {
    /// Its model could not be called, for this reason.
    #[error("the agent could not continue: {0}")]
    Model(String),
    /// It called its model as often as is allowed.
    #[error("the agent gave no verdict within {0} calls of its model")]
    MaxTurns(u32),
    /// It ended without one.
    #[error("the agent gave no verdict")]
    NoVerdict,
}

impl AgentSession {
    /// Lets an agent with tools find a verdict. Its permission mode denies whatever would be asked about.
    pub(super) async fn verify(
        &self,
        hook: &ConfiguredHook,
        action: &AgentAction,
        running: &HookRun,
        input: &str,
        cancel: &CancellationToken,
    ) -> Result<HookJudgment, VerdictError> {
        let base = self.hook_base(running.occasion.agent.clone());
        let task = match is_stop(hook) {
            true => {
                "You verify, for a stop hook of a coding agent, whether the agent has completed its task."
            }
            false => "You verify, for a hook of a coding agent, the condition in the user's message.",
        };
        let system = format!(
            "{task} The transcript of the conversation is in {}; read it if you need it. Check the project with the \
             tools that you have, in as few steps as possible. Then call StructuredOutput once with `ok` and \
             `reason`.\n\n{RULES}",
            base.transcript_path
        );
        let model = self.judging_model(action.model.as_deref());
        let agent = self.verifier(system, model, base.transcript_path);
        let prompt = substitute::arguments(&action.prompt, input);
        let answer = self.run_verifier(&agent, &prompt, cancel.child_token()).await?;
        let value = answer.to().map_err(|_| VerdictError::NoJson)?;
        HookJudgment::read(&value).map_err(VerdictError::OfAgent)
    }
}
