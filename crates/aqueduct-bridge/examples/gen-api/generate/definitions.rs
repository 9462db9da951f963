//! All types with a name, and which of them are the bridge's own.

use aqueduct_bridge::message::http::BODIES;
use aqueduct_bridge::message::{BridgeMessage, ClientMessage};
use aqueduct_wire::control::{AGENT_REPLIES, HOST_REPLIES};
use aqueduct_wire::table::{Definition, reachable};
use aqueduct_wire::tool::TOOL_INPUTS;
use aqueduct_wire::{FromAgent, ToAgent};

/// Every definition that the messages and the other bodies of HTTP lead to, each once.
pub(crate) fn all() -> Vec<&'static Definition> {
    let messages = [ClientMessage::DEFINITION, BridgeMessage::DEFINITION];
    reachable(messages.iter().chain(BODIES).copied())
}

/// Those that are not the wire's, which docs/protocol.md has.
pub(crate) fn ours() -> Vec<&'static Definition> {
    let payloads =
        [AGENT_REPLIES, HOST_REPLIES, TOOL_INPUTS].concat().into_iter().map(|payload| payload.definition);
    let wire = reachable([FromAgent::DEFINITION, ToAgent::DEFINITION].into_iter().chain(payloads));
    let is_wire = |name: &str| wire.iter().any(|definition| definition.name() == name);
    all().into_iter().filter(|definition| !is_wire(definition.name())).collect()
}
