//! All types with a name, in the order in which the frames lead to them.

use aqueduct_wire::control::{AGENT_REPLIES, HOST_REPLIES};
use aqueduct_wire::table::{Definition, Payload, Shape};
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
    let mut found = Vec::new();
    visit(FromAgent::DEFINITION, &mut found);
    visit(ToAgent::DEFINITION, &mut found);
    for (_, payloads) in PAYLOADS {
        for payload in *payloads {
            visit(payload.definition, &mut found);
        }
    }
    visit(TranscriptLine::DEFINITION, &mut found);
    visit(SubagentMeta::DEFINITION, &mut found);
    found
}

/// The names of everything that a definition leads to.
pub(crate) fn reachable(from: &'static Definition) -> Vec<&'static str> {
    let mut found = Vec::new();
    visit(from, &mut found);
    found.iter().map(|definition| definition.name()).collect()
}

fn visit(definition: &'static Definition, found: &mut Vec<&'static Definition>) {
    if found.iter().any(|known| known.name() == definition.name()) {
        return;
    }
    found.push(definition);
    match definition {
        Definition::Record(record) => {
            record.fields.iter().for_each(|field| visit_shape(&(field.shape)(), found))
        }
        Definition::Union(union) => {
            union.variants.iter().for_each(|variant| visit((variant.definition)(), found));
        }
        _ => {}
    }
}

fn visit_shape(shape: &Shape, found: &mut Vec<&'static Definition>) {
    match shape {
        Shape::List(item) | Shape::Map(item) => visit_shape(item, found),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| visit_shape(shape, found)),
        Shape::Defined(definition) => visit(definition, found),
        _ => {}
    }
}
