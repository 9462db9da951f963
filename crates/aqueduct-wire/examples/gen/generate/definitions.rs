//! All types with a name, in the order in which the frames lead to them.

use aqueduct_wire::control::{AGENT_REPLIES, HOST_REPLIES};
use aqueduct_wire::table::{self, Definition, Payload};
use aqueduct_wire::tool::{TOOL_INPUTS, TOOL_RESULTS};
use aqueduct_wire::transcript::{SubagentMeta, TranscriptLine};
use aqueduct_wire::{FromAgent, ToAgent};

/// Payload tables: what each holds, and the table.
pub(crate) const PAYLOADS: &[(&str, &[Payload])] = &[
    ("The agent's answers to the host's control requests", HOST_REPLIES),
    ("The host's answers to the agent's control requests", AGENT_REPLIES),
    ("Tool inputs", TOOL_INPUTS),
    ("Tool results (`tool_use_result`)", TOOL_RESULTS),
];

/// Every definition, each once.
pub(crate) fn all() -> Vec<&'static Definition> {
    let payloads =
        PAYLOADS.iter().flat_map(|(_, payloads)| payloads.iter().map(|payload| payload.definition));
    let frames = [FromAgent::DEFINITION, ToAgent::DEFINITION];
    let files = [TranscriptLine::DEFINITION, SubagentMeta::DEFINITION];
    table::reachable(frames.into_iter().chain(payloads).chain(files))
}

/// The names of everything that a definition leads to.
pub(crate) fn reachable(from: &'static Definition) -> Vec<&'static str> {
    table::reachable([from]).iter().map(|definition| definition.name()).collect()
}
