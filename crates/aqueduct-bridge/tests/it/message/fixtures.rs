//! A message of every kind, with every member: all typed, all lossless, and none forgotten.

use std::collections::BTreeSet;
use std::fmt::Write;

use aqueduct_bridge::message::{BridgeMessage, ClientMessage};
use aqueduct_wire::control::{AGENT_REPLIES, HOST_REPLIES};
use aqueduct_wire::table::{Definition, Shape, reachable};
use aqueduct_wire::tool::TOOL_INPUTS;
use aqueduct_wire::{FromAgent, ToAgent};
use serde_json::Value;

use super::exact::exact;

/// The messages of clients, one a line.
pub(crate) const CLIENT: &str = include_str!("../../fixtures/client.jsonl");
/// The messages of the bridge, one a line.
pub(crate) const BRIDGE: &str = include_str!("../../fixtures/bridge.jsonl");

#[test]
fn every_message_is_typed_and_lossless() {
    let mut faults = String::new();
    for line in CLIENT.lines() {
        let message = ClientMessage::parse(line).unwrap_or_else(|refusal| panic!("{refusal}: {line}"));
        message.leftovers(&mut |leftover| writeln!(faults, "{leftover:?} in {line}").unwrap());
        assert_eq!(exact(&message.to_json()), exact(line));
    }
    for line in BRIDGE.lines() {
        let message = BridgeMessage::parse(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        message.leftovers(&mut |leftover| writeln!(faults, "{leftover:?} in {line}").unwrap());
        assert_eq!(exact(&message.to_json()), exact(line));
    }
    assert!(faults.is_empty(), "{faults}");
}

/// What of the tables was shown: `Union/tag` and `Record.member`.
type Seen = BTreeSet<String>;

fn cover(definition: &'static Definition, value: &Value, seen: &mut Seen) {
    match definition {
        Definition::Record(record) => {
            for field in record.fields {
                if let Some(member) = value.get(field.key) {
                    seen.insert(format!("{}.{}", record.name, field.key));
                    cover_shape(&(field.shape)(), member, seen);
                }
            }
        }
        Definition::Union(union) => {
            let tag = value.get(union.tag).and_then(Value::as_str).unwrap_or_default();
            if let Some(variant) = union.variants.iter().find(|variant| variant.tag == tag) {
                seen.insert(format!("{}/{tag}", union.name));
                cover((variant.definition)(), value, seen);
            }
        }
        _ => {}
    }
}

fn cover_shape(shape: &Shape, value: &Value, seen: &mut Seen) {
    match (shape, value) {
        (Shape::Defined(definition), _) => cover(definition, value, seen),
        (Shape::Either(shapes), _) => shapes.iter().for_each(|shape| cover_shape(shape, value, seen)),
        (Shape::List(item), Value::Array(items)) => {
            items.iter().for_each(|value| cover_shape(item, value, seen));
        }
        (Shape::Map(item), Value::Object(members)) => {
            members.values().for_each(|value| cover_shape(item, value, seen));
        }
        _ => {}
    }
}

/// Everything there is to show. What the wire has types for has its fixtures there.
fn expected() -> Seen {
    let payloads =
        [AGENT_REPLIES, HOST_REPLIES, TOOL_INPUTS].concat().into_iter().map(|payload| payload.definition);
    let wire = reachable([FromAgent::DEFINITION, ToAgent::DEFINITION].into_iter().chain(payloads));
    let mut expected = Seen::new();
    for definition in reachable([ClientMessage::DEFINITION, BridgeMessage::DEFINITION]) {
        if wire.iter().any(|known| known.name() == definition.name()) {
            continue;
        }
        match definition {
            Definition::Record(record) => {
                expected.extend(record.fields.iter().map(|field| format!("{}.{}", record.name, field.key)));
            }
            Definition::Union(union) => {
                expected.extend(union.variants.iter().map(|kind| format!("{}/{}", union.name, kind.tag)));
            }
            _ => {}
        }
    }
    expected
}

#[test]
fn every_kind_and_every_member_has_a_fixture() {
    let mut seen = Seen::new();
    for (lines, definition) in [(CLIENT, ClientMessage::DEFINITION), (BRIDGE, BridgeMessage::DEFINITION)] {
        for line in lines.lines() {
            cover(definition, &serde_json::from_str(line).unwrap(), &mut seen);
        }
    }
    let missing: Vec<String> = expected().difference(&seen).cloned().collect();
    assert!(missing.is_empty(), "no fixture shows {}", missing.join(", "));
}
