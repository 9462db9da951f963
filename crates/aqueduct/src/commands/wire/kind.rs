//! What kind of frame a frame is, in the words of the wire.

use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::control::{AgentRequest, ControlResponse, ControlResponseFrame};
use aqueduct_wire::event::StreamEvent;
use aqueduct_wire::json::Raw;
use aqueduct_wire::{FromAgent, ToAgent};

/// Which side a frame comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Side {
    Agent,
    Host,
}

impl Side {
    pub(super) fn name(self) -> &'static str {
        match self {
            Side::Agent => "agent",
            Side::Host => "host",
        }
    }
}

/// A frame's type, with its subtype and what is inside where that has kinds of its own: `system/init`,
/// `control_request/hook_callback/PreToolUse`, `stream_event/content_block_delta/text_delta`.
#[derive(Debug, Default)]
pub(super) struct FrameKind<'f> {
    pub(super) parts: [&'f str; 3],
    pub(super) control: Option<Control<'f>>,
}

/// The part of a frame that belongs to a request or its answer.
#[derive(Debug)]
pub(super) enum Control<'f> {
    Request { id: &'f str, subtype: &'f str },
    Answer { id: &'f str, payload: Option<&'f Raw<'f>> },
}

impl<'f> FrameKind<'f> {
    pub(super) fn of_agent(frame: &'f FromAgent<'_>) -> Self {
        let kind = frame.tag();
        match frame {
            FromAgent::StreamEvent(frame) => {
                let inner = match &frame.event {
                    StreamEvent::ContentBlockDelta(event) => event.delta.tag(),
                    StreamEvent::ContentBlockStart(event) => event.content_block.tag(),
                    _ => "",
                };
                FrameKind { parts: [kind, frame.event.tag(), inner], control: None }
            }
            FromAgent::System(frame) => FrameKind { parts: [kind, frame.tag(), ""], control: None },
            FromAgent::Result(frame) => {
                FrameKind { parts: [kind, frame.subtype.as_str(), ""], control: None }
            }
            FromAgent::ControlRequest(frame) => {
                let inner = match &frame.request {
                    AgentRequest::HookCallback(request) => request.input.tag(),
                    _ => "",
                };
                let subtype = frame.request.tag();
                let control = Some(Control::Request { id: &frame.request_id, subtype });
                FrameKind { parts: [kind, subtype, inner], control }
            }
            FromAgent::ControlResponse(frame) => FrameKind::of_answer(kind, frame),
            _ => FrameKind { parts: [kind, "", ""], control: None },
        }
    }

    pub(super) fn of_host(frame: &'f ToAgent<'_>) -> Self {
        let kind = frame.tag();
        match frame {
            ToAgent::ControlRequest(frame) => {
                let subtype = frame.request.tag();
                let control = Some(Control::Request { id: &frame.request_id, subtype });
                FrameKind { parts: [kind, subtype, ""], control }
            }
            ToAgent::ControlResponse(frame) => FrameKind::of_answer(kind, frame),
            _ => FrameKind { parts: [kind, "", ""], control: None },
        }
    }

    fn of_answer(kind: &'f str, frame: &'f ControlResponseFrame<'_>) -> Self {
        let control = match &frame.response {
            ControlResponse::Success(answer) => {
                Some(Control::Answer { id: &answer.request_id, payload: answer.response.as_ref() })
            }
            ControlResponse::Error(answer) => Some(Control::Answer { id: &answer.request_id, payload: None }),
            _ => None,
        };
        FrameKind { parts: [kind, frame.response.tag(), ""], control }
    }

    /// Writes the kind with slashes, in place of what `out` held.
    pub(super) fn write(&self, out: &mut String) {
        out.clear();
        out.push_str(if self.parts[0].is_empty() { "(no type)" } else { self.parts[0] });
        for part in &self.parts[1..] {
            if !part.is_empty() {
                out.push('/');
                out.push_str(part);
            }
        }
    }
}

/// Visits the tool calls of a frame: id, name and input.
pub(super) fn each_tool_call<'f>(frame: &'f FromAgent<'_>, mut visit: impl FnMut(&'f str, &'f str, &'f str)) {
    match frame {
        FromAgent::Assistant(frame) => {
            for block in &frame.message.content {
                if let ContentBlock::ToolUse(block) = block {
                    visit(&block.id, &block.name, block.input.as_str());
                }
            }
        }
        FromAgent::ControlRequest(frame) => {
            if let AgentRequest::CanUseTool(request) = &frame.request {
                visit("", &request.tool_name, request.input.as_str());
            }
        }
        _ => {}
    }
}

/// The structured result in a frame: the tool call's id, and what the tool gave back.
pub(super) fn tool_result<'f>(frame: &'f FromAgent<'_>) -> Option<(&'f str, &'f str)> {
    let FromAgent::User(frame) = frame else { return None };
    let result = frame.tool_use_result.as_ref()?;
    match frame.message.content.blocks() {
        [ContentBlock::ToolResult(block)] => Some((&block.tool_use_id, result.as_str())),
        _ => None,
    }
}
