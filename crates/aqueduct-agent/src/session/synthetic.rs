//! Messages that no model wrote.

use aqueduct_wire::block::{ContentBlock, TextBlock};
use aqueduct_wire::json::Raw;
use aqueduct_wire::message::{AssistantMessage, StopReason};
use aqueduct_wire::usage::Usage;

use super::TurnTotals;
use crate::clock::fresh_uuid;

/// The model's name in messages that no model wrote.
pub(crate) const SYNTHETIC: &str = "<synthetic>";

/// The usage of a message that no model wrote: what was not measured is `null`.
fn nothing_used() -> Usage<'static> {
    let mut usage = TurnTotals::default().to_usage();
    usage.service_tier = None;
    usage.inference_geo = None;
    usage.iterations = None;
    usage.speed = None;
    usage.output_tokens_details = None;
    for name in ["service_tier", "inference_geo", "iterations", "speed", "output_tokens_details"] {
        usage.extra.push(name, Raw::NULL);
    }
    usage
}

/// A message that no model wrote.
pub(crate) fn synthetic(text: &str, stop_reason: StopReason<'static>) -> AssistantMessage<'static> {
    let block = ContentBlock::Text(TextBlock::new(text.to_owned()));
    let mut message = AssistantMessage::new(vec![block]);
    message.id = Some(fresh_uuid().into());
    message.kind = Some("message".into());
    message.role = Some("assistant".into());
    message.model = Some(SYNTHETIC.into());
    message.stop_reason = Some(stop_reason);
    message.stop_sequence = Some("".into());
    message.context_management = Some(Raw::NULL);
    message.stop_details = Some(Raw::NULL);
    message.diagnostics = Some(Raw::NULL);
    message.extra.push("container", Raw::NULL);
    message.usage = Some(Box::new(nothing_used()));
    message
}
