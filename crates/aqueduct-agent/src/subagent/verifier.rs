//! Agents that verify something for a hook.

use std::sync::{Arc, Mutex};

use aqueduct_rules::Mode;
use aqueduct_wire::json::Raw;
use tokio_util::sync::CancellationToken;

use super::definition::{Definition, Whose};
use super::errand::Sender;
use super::identity::Identity;
use super::run::Subagent;
use crate::history::History;
use crate::session::{Dialogue, Session};
use crate::tool::{AGENT, Form};
use crate::transcript::Transcript;
use crate::turn::Turn;

/// What they are called in frames about their calls.
const KIND: &str = "hook-agent";

/// How often their model may be called.
const MOST_TURNS: u32 = 50;

/// Tools that they don't have: they look at things and change nothing.
const REFUSED: &[&str] = &[AGENT, "Write", "Edit", "NotebookEdit", "Skill", "TodoWrite"];

/// The form of a verdict.
const FORM: &str = r#"{"type":"object","properties":{"ok":{"type":"boolean","description":"Whether the condition is met"},"reason":{"type":"string","description":"Why"}},"required":["ok"],"additionalProperties":false}"#;

impl Session {
    /// An agent that verifies something. It may read the transcript.
    pub(crate) fn verifier(&self, system: String, model: String, transcript: String) -> Subagent {
        let identity = Arc::new(Identity {
            id: Identity::fresh_id(),
            run_id: Identity::fresh_run_id(),
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
        let mut definition = Definition::new(KIND, "", &system, Whose::BuiltIn);
        definition.refused_tools = REFUSED.iter().map(|name| (*name).to_owned()).collect();
        definition.mode = Some(Mode::DontAsk);
        definition.is_without_memory = true;
        let owner = Sender { identity: identity.clone(), model: model.clone() };
        Subagent {
            workshop: self.workshop.for_subagent(owner, self.workshop.mcp.clone()),
            identity,
            definition: Arc::new(definition),
            max_turns: Some(MOST_TURNS),
            member: None,
            is_continued: false,
            transcript: transcript.into(),
            worktree: None,
            form: Form::new(FORM).ok().map(Arc::new),
            model: Mutex::new(model),
        }
    }

    /// Lets it work, and gives its verdict; or why there is none.
    pub(crate) async fn run_verifier(
        &self,
        agent: &Subagent,
        prompt: &str,
        cancel: CancellationToken,
    ) -> Result<Raw<'static>, String> {
        let mut dialogue = Dialogue::new(History::default(), Transcript::unsaved(self.stamp.clone()));
        Turn::of(self, &mut dialogue, agent, cancel).verify(prompt).await
    }
}
