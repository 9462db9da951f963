//! All types with a name, and which of them are the bridge's own.

use aqueduct_bridge::message::http::BODIES;
use aqueduct_bridge::message::{BridgeMessage, ClientMessage};
use aqueduct_wire::control::{AGENT_REPLIES, HOST_REPLIES};
use aqueduct_wire::table::{Definition, reachable};
use aqueduct_wire::tool::{TOOL_INPUTS, TOOL_RESULTS};
use aqueduct_wire::transcript::{SubagentMeta, TranscriptLine};
use aqueduct_wire::{FromAgent, ToAgent};

/// Every definition that the messages and the other bodies of HTTP lead to, each once.
pub(crate) fn all() -> Vec<&'static Definition> {
    let messages = [ClientMessage::DEFINITION, BridgeMessage::DEFINITION];
    reachable(messages.iter().chain(BODIES).copied())
}

/// Those that are not the wire's, which docs/protocol.md and `stream-json.ts` have.
pub(crate) fn ours() -> Vec<&'static Definition> {
    let wire = wire();
    all().into_iter().filter(|definition| !wire.contains(&definition.name())).collect()
}

/// The names of the wire's definitions.
pub(crate) fn wire() -> Vec<&'static str> {
    let payloads = [AGENT_REPLIES, HOST_REPLIES, TOOL_INPUTS, TOOL_RESULTS].concat();
    let payloads = payloads.into_iter().map(|payload| payload.definition);
    let frames = [FromAgent::DEFINITION, ToAgent::DEFINITION];
    let files = [TranscriptLine::DEFINITION, SubagentMeta::DEFINITION];
    let wire = reachable(frames.into_iter().chain(files).chain(payloads));
    wire.iter().map(|definition| definition.name()).collect()
}
