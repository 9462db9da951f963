use aqueduct_wire::FromAgent;
use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::error_name::ErrorName;
use aqueduct_wire::json::{Fault, IntoOwned, Json, Raw, Reader, Str};
use aqueduct_wire::message::AssistantMessage;
use aqueduct_wire::table::{Shape, record};

use crate::message::table::{live, stored};

stored! {
    /// A finished part of the model's answer. Parts of one answer share `message.id`, in order.
    Assistant<'a> {
        essential { message: Box<AssistantMessage<'a>> }
        "1" {
            /// The tool call that started the subagent; absent in the main conversation.
            optional parent_tool_use_id = "parentToolUseId": Str<'a>,
            /// The place of the first block here among the answer's blocks. Deltas with that `index` are replaced by it.
            optional index: u64,
            /// The agent's id of this part.
            optional uuid: Str<'a>,
            /// Parts, by `uuid`, that this one replaces.
            optional supersedes: Vec<Str<'a>>,
            /// Set where the text is an error and no answer.
            optional error: ErrorName<'a>,
            /// Whether an interruption cut it off.
            optional aborted: bool,
            /// The other members of the agent's frame, unchanged.
            optional meta: Raw<'a>,
        }
    }
}

stored! {
    /// What a tool gave back. Every result of a message comes on its own, in order.
    ToolOutput<'a> {
        essential {
            tool_use_id = "toolUseId": Str<'a>,
            /// The text of the result.
            content: Str<'a>,
        }
        "1" {
            optional tool_name = "toolName": Str<'a>,
            optional images: Vec<ImageContent<'a>>,
            optional is_error = "isError": bool,
            /// The call of the subagent that used the tool; absent in the main conversation.
            optional parent_tool_use_id = "parentToolUseId": Str<'a>,
            /// The result with its structure, as the tool has it.
            optional structured: Raw<'a>,
            /// The result as it came, where text and images alone would lose something of it.
            optional blocks: Vec<ContentBlock<'a>>,
            /// The agent's id of the frame.
            optional uuid: Str<'a>,
            /// The other members of the agent's frame, unchanged.
            optional meta: Raw<'a>,
        }
    }
}

record! {
    /// An image: its bytes, or where to get them.
    ImageContent<'a> {
        essential {
            /// Such as `image/png`.
            media_type = "mediaType": Str<'a>,
        }
        "1" {
            /// The bytes, in base64.
            optional data: Str<'a>,
            /// A path on this bridge that gives the bytes.
            optional url: Str<'a>,
            optional name: Str<'a>,
        }
    }
}

stored! {
    /// Any other frame of the agent, unchanged.
    AgentEvent<'a> {
        essential { event: AgentFrame<'a> }
    }
}

live! {
    /// A passing sign of how work continues, as it came: a tool that still runs, a subagent's progress.
    AgentProgress<'a> {
        essential { event: AgentFrame<'a> }
    }
}

/// Frames of agents that are passed on as `agent_progress` and not kept: type and subtype. Others that no
/// message exists are `agent_event`.
pub const PASSING_FRAMES: &[(&str, &str)] = &[
    ("auth_status", ""),
    ("autocompact_state", ""),
    ("command_lifecycle", ""),
    ("prompt_suggestion", ""),
    ("system", "background_tasks_changed"),
    ("system", "control_request_progress"),
    ("system", "hook_progress"),
    ("system", "hook_started"),
    ("system", "permission_check_status"),
    ("system", "session_state_changed"),
    ("system", "status"),
    ("system", "task_progress"),
    ("system", "thinking_tokens"),
    ("system", "ui_focus"),
    ("system", "ui_invalidate"),
    ("system", "ui_panes"),
    ("system", "ui_placed"),
    ("system", "ui_scroll"),
    ("system", "ui_status"),
    ("tool_progress", ""),
];

/// A frame of the agent as it came. [`FromAgent::parse`] types it.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentFrame<'a>(pub Raw<'a>);

impl<'a> Json<'a> for AgentFrame<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        match reader.peek() {
            Some(b'{') => Raw::read(reader).map(AgentFrame),
            _ => reader.skip().map_err(Fault::from).and(Err(Fault::Misfit("an object"))),
        }
    }

    fn write(&self, out: &mut String) {
        self.0.write(out);
    }

    fn shape() -> Shape {
        Shape::Defined(FromAgent::DEFINITION)
    }
}

impl IntoOwned for AgentFrame<'_> {
    type Owned = AgentFrame<'static>;

    fn into_owned(self) -> AgentFrame<'static> {
        AgentFrame(self.0.into_owned())
    }
}

impl<'a> From<Raw<'a>> for AgentFrame<'a> {
    fn from(frame: Raw<'a>) -> Self {
        AgentFrame(frame)
    }
}
