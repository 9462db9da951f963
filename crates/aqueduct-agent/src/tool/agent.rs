//! `Agent`: the model sends a subagent.

use aqueduct_wire::tool::{AgentInput, AgentIsolation};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::{Call, Failure, Output, Running, Tool, Workshop};
use crate::subagent::{Errand, MAX_DEPTH, Order};

/// The tool's name.
pub(crate) const AGENT: &str = "Agent";

/// The kind of subagent where the model names none.
pub(crate) const USUAL_AGENT: &str = "general-purpose";

/// The tool.
pub(super) const TOOL: Tool = Tool {
    name: AGENT,
    description: "Send a subagent: another agent with a conversation of its own, which does one task and reports. Use \
        it for work of several steps whose details you do not need, and for several things at once: make several calls \
        in one message. Do small things yourself. The kinds of subagents there are stand in the system prompt.\n\n\
        The subagent knows nothing of this conversation: tell it in `prompt` everything that it needs, what exactly it \
        should do, whether it may change files, and what its report must say. SendMessage with its agentId continues it \
        with its conversation; another call of this tool starts a new one. \
        The user does not see the report: pass on what matters.\n\n\
        A subagent works in the background, and you are told when it is done. With `run_in_background: false` the call \
        waits for the report: use that where you can't go on without it.",
    schema: r#"{"type":"object","properties":{"description":{"type":"string","description":"The task in three to five words, for the user"},"prompt":{"type":"string","description":"The task, with everything that the subagent must know"},"subagent_type":{"type":"string","description":"The kind of subagent; general-purpose if you name none"},"name":{"type":"string","description":"A name to send messages to"},"model":{"type":"string","description":"Another model than the kind's own: sonnet, opus or haiku"},"run_in_background":{"type":"boolean","description":"false: wait for the report"},"isolation":{"type":"string","enum":["worktree"],"description":"worktree: let it work in a git worktree of its own, which is removed afterwards if nothing in it has changed"},"max_turns":{"type":"integer","description":"How often its model may be called"}},"required":["description","prompt"]}"#,
    reads_only: false,
    run: |workshop, call| Box::pin(send(workshop, call)) as Running<'_>,
};

async fn send(workshop: &Workshop, call: Call<'_>) -> Result<Output, Failure> {
    let order = order(workshop, &call)?;
    workshop.send(order, &call.cancel).await
}

impl Workshop {
    /// Sends a subagent; gives its report, or that it has begun where nobody waits for it.
    pub(crate) async fn send(&self, order: Order, cancel: &CancellationToken) -> Result<Output, Failure> {
        if order.sender.as_ref().is_some_and(|sender| sender.identity.depth >= MAX_DEPTH) {
            return Err(Failure::Rejected(format!(
                "Subagents are {MAX_DEPTH} deep already: do it yourself."
            )));
        }
        if !self.crew.has_room() {
            let what = "Too many subagents are at work. Wait until one is done, or stop one with TaskStop.";
            return Err(Failure::Rejected(what.to_owned()));
        }
        let (reply, answer) = oneshot::channel();
        let gone = || Failure::Interrupted(String::new());
        self.errands.send(Errand { order, cancel: cancel.clone(), reply }).await.map_err(|_| gone())?;
        // An interruption reaches the subagent, which then reports how far it came.
        answer.await.unwrap_or_else(|_| Err(gone()))
    }
}

fn order(workshop: &Workshop, call: &Call<'_>) -> Result<Order, Failure> {
    let Some(input) = call.input.view::<AgentInput<'_>>() else {
        return Err(Failure::Rejected("InputValidationError: Agent needs `prompt`, a string.".to_owned()));
    };
    let kind = input.subagent_type.as_deref().filter(|kind| !kind.is_empty()).unwrap_or(USUAL_AGENT);
    let found = workshop.roster.find(kind).or_else(|| {
        // Its file may be new.
        workshop.roster.refresh().and_then(|_| workshop.roster.find(kind))
    });
    let Some(definition) = found else {
        let names: Vec<String> = workshop.roster.all().iter().map(|known| known.name.clone()).collect();
        let what = format!("Agent type '{kind}' not found. Available agents: {}", names.join(", "));
        return Err(Failure::Failed(what));
    };
    let is_isolated = match &input.isolation {
        None => definition.is_isolated,
        Some(AgentIsolation::Worktree) => true,
        Some(_) => {
            let what = "InputValidationError: `isolation` must be \"worktree\", or left out.";
            return Err(Failure::Rejected(what.to_owned()));
        }
    };
    let sender = workshop.owner.clone();
    // Nobody could tell a subagent what its own subagent has found once it has reported.
    let is_background =
        sender.is_none() && (definition.is_background || input.run_in_background.unwrap_or(true));
    let description = input.description.as_deref().unwrap_or(kind).to_owned();
    let max_turns =
        input.max_turns.as_ref().and_then(|max| max.as_u64()).and_then(|max| u32::try_from(max).ok());
    Ok(Order {
        definition,
        prompt: input.prompt.to_string(),
        description,
        name: input.name.as_ref().map(|name| name.to_string()).filter(|name| !name.is_empty()),
        continues: None,
        model: input.model.as_ref().map(|model| model.to_string()).filter(|model| model != "inherit"),
        max_turns: max_turns.filter(|max| *max > 0),
        is_background,
        is_isolated,
        tool_use_id: call.id.to_owned(),
        sender,
    })
}
