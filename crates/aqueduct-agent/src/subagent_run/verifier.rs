//! Agents that verify something for a hook.

use std::sync::{Arc, Mutex};

use aqueduct_rules::Mode;
use aqueduct_tools::subagent::{ParentSubagent, SubagentIdentity};
use aqueduct_tools::{AnswerForm, Audience, BuiltInTool};
use aqueduct_wire::json::Raw;
use tokio_util::sync::CancellationToken;

use crate::history::History;
use crate::hook::VerifierError;
use crate::session::{AgentSession, Dialogue};
use crate::subagent::{DefinitionOwner, RunningSubagent, SubagentDefinition};
use crate::transcript::TranscriptWriter;
use crate::turn::Turn;

/// What they are called in frames about their calls.
const KIND: &str = "hook-agent";

/// How often their model may be called.
const MOST_TURNS: u32 = 50;

/// The form of a verdict.
const FORM: &str = r#"{"type":"object","properties":{"ok":{"type":"boolean","description":"Whether the condition is met"},"reason":{"type":"string","description":"Why"}},"required":["ok"],"additionalProperties":false}"#;

impl AgentSession {
    /// An agent that verifies something. It may read the transcript.
    pub(crate) fn verifier(&self, system: String, model: String, transcript: String) -> RunningSubagent {
        let identity = Arc::new(SubagentIdentity {
            id: SubagentIdentity::fresh_id(),
            run_id: aqueduct_tools::fresh_run_id(),
            kind: KIND.to_owned(),
            description: "Verify for a hook".to_owned(),
            name: None,
            tool_use_id: String::new(),
            shown_under: String::new(),
            depth: 1,
            parent: None,
            is_background: false,
            is_isolated: false,
            is_verifier: true,
        });
        let mut definition = SubagentDefinition::new(KIND, "", &system, DefinitionOwner::BuiltIn);
        definition.refused_tools = BuiltInTool::names_for(&[Audience::NotReaders, Audience::NotVerifiers]);
        definition.mode = Some(Mode::DontAsk);
        definition.is_without_memory = true;
        let owner = ParentSubagent { identity: identity.clone(), model: model.clone() };
        RunningSubagent {
            tool_context: self.tool_context.for_subagent(owner, self.tool_context.mcp.clone()),
            identity,
            definition: Arc::new(definition),
            max_turns: Some(MOST_TURNS),
            member: None,
            is_continued: false,
            transcript: transcript.into(),
            worktree: None,
            form: AnswerForm::new(FORM).ok().map(Arc::new),
            model: Mutex::new(model),
        }
    }

    /// Lets it work, and gives its verdict; or why there is none.
    pub(crate) async fn run_verifier(
        &self,
        agent: &RunningSubagent,
        prompt: &str,
        cancel: CancellationToken,
    ) -> Result<Raw<'static>, VerifierError> {
        let mut dialogue = Dialogue::new(History::default(), TranscriptWriter::unsaved(self.stamp.clone()));
        Turn::of(self, &mut dialogue, agent, cancel).verify(prompt).await
    }
}
