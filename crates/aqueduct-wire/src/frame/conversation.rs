//! The frames a conversation is made of.

use crate::block::Content;
use crate::context_usage::ContextUsage;
use crate::error_name::ErrorName;
use crate::event::StreamEvent;
use crate::json::{Number, Raw, Str};
use crate::message::{AssistantMessage, UserMessage};
use crate::origin::Origin;
use crate::permission::PermissionMode;
use crate::table::{names, record};
use crate::usage_report::UsageReport;

record! {
    /// A finished block of the model's answer. With partial messages it comes before the block's
    /// `content_block_stop`.
    AssistantFrame<'a> {
        essential { message: Box<AssistantMessage<'a>> }
        "2.1.37" {
            /// The call of the subagent that sends it; `null` for the main conversation.
            nullable parent_tool_use_id: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
            /// Set where the message's text is an error and no answer.
            optional error: ErrorName<'a>,
        }
        "2.1.325" {
            /// The API's id of the call that gave this answer.
            optional request_id: Str<'a>,
            /// The user message this answers.
            optional user_message_uuid: Str<'a>,
            /// All user messages this answers, where several were taken together; at most 64.
            optional user_message_uuids: Vec<Str<'a>>,
            optional resume_reason: Str<'a>,
            optional resumed_from_incomplete_thinking: bool,
            /// Frames that this one replaces: they are to be taken back.
            optional supersedes: Vec<Str<'a>>,
            /// The answer was cut off by an interruption.
            optional aborted: bool,
            optional agent_id: Str<'a>,
            optional subagent_type: Str<'a>,
            /// What the subagent was asked to do, in a few words.
            optional task_description: Str<'a>,
            optional timestamp: Str<'a>,
            /// The numbers behind the text that `/context` prints.
            optional context_usage: Box<ContextUsage<'a>>,
            /// The numbers behind the text that `/usage` prints.
            optional usage_report: Box<UsageReport<'a>>,
            optional is_api_error_message: bool,
            /// The HTTP status of the failed call.
            optional api_error_status: Number<'a>,
            /// The API's own word for the error, such as `invalid_request_error`.
            optional api_error_type: Str<'a>,
            optional thinking_duration_ms: Number<'a>,
            optional thinking_display: Str<'a>,
            /// The slash command that was run here, without a model.
            optional local_command_run: Box<LocalCommandRun<'a>>,
            /// The command's output as the transcript keeps it.
            optional local_command_source: Str<'a>,
            optional local_command_outcome: Box<LocalCommandOutcome<'a>>,
            /// How the tools called here are named for people.
            optional tool_use_meta: Vec<ToolUseMeta<'a>>,
            optional advisor_model: Str<'a>,
            optional api_error: Raw<'a>,
            optional api_error_code: Raw<'a>,
            optional api_error_origin: Raw<'a>,
            optional api_error_params: Raw<'a>,
            optional attribution_agent: Str<'a>,
            optional attribution_mcp_server: Str<'a>,
            optional attribution_mcp_tool: Str<'a>,
            optional attribution_plugin: Str<'a>,
            optional attribution_skill: Str<'a>,
            optional batch_tool_uses: Raw<'a>,
            optional error_details: Raw<'a>,
            optional historical: bool,
            optional is_meta: bool,
            optional is_virtual: bool,
            optional narration_hint: Raw<'a>,
            optional narration_block_indexes: Raw<'a>,
            optional refused_message_id: Str<'a>,
            optional wire_ingest_context: Raw<'a>,
            optional wire_tool_inputs: Raw<'a>,
        }
    }
}

record! {
    /// A slash command that the agent answered itself.
    LocalCommandRun<'a> {
        essential { command: Str<'a> }
        "2.1.325" {
            always args: Str<'a>,
        }
    }
}

record! {
    /// How a slash command ended.
    LocalCommandOutcome<'a> {
        "2.1.325" {
            /// Such as `unavailable_headless`, for a command that needs a terminal.
            always kind: Str<'a>,
        }
    }
}

record! {
    /// How a called tool is named for people.
    ToolUseMeta<'a> {
        essential {
            /// The call.
            id: Str<'a>,
        }
        "2.1.325" {
            optional display_name: Str<'a>,
            optional server_display_name: Str<'a>,
            /// The tool's name on its server.
            optional tool_name: Str<'a>,
        }
    }
}

record! {
    /// A message of the user, or what tools gave back. The same frame goes both ways: a host sends it to
    /// begin a turn; an agent sends tool results, notices and, where asked, the host's messages again.
    UserFrame<'a> {
        essential { message: UserMessage<'a> }
        "2.1.37" {
            /// The call of the subagent that this belongs to; `null` for the main conversation.
            nullable parent_tool_use_id: Str<'a>,
            /// A host's message that has one gets `command_lifecycle` frames and can be cancelled.
            optional uuid: Str<'a>,
            /// An agent takes its own, whatever a host sends here.
            optional session_id: Str<'a>,
            /// Written by the program and not by a person.
            optional is_synthetic = "isSynthetic": bool,
            /// A host's message that comes back, or one that was already part of the conversation.
            optional is_replay = "isReplay": bool,
            /// The tool's output with its structure: see `aqueduct_wire::tool`. A string where the tool failed.
            optional tool_use_result: Raw<'a>,
        }
        "2.1.248" {
            /// The text is to be taken literally: no slash command, no path expansion.
            optional client_composed: bool,
        }
        "2.1.325" {
            /// When a message that comes during a turn is served.
            optional priority: Priority<'a>,
            /// The sender; it is repeated on the turn's `result`.
            optional origin: Box<Origin<'a>>,
            /// `false` adds the message to the conversation without a turn.
            optional should_query = "shouldQuery": bool,
            optional timestamp: Str<'a>,
            optional agent_id: Str<'a>,
            optional subagent_type: Str<'a>,
            /// What the subagent was asked to do, in a few words.
            optional task_description: Str<'a>,
            optional file_attachments: Vec<Raw<'a>>,
            /// How each tool call was decided.
            optional tool_result_meta: Vec<ToolResultMeta<'a>>,
            /// Pasted parts that the message's text refers to.
            optional pasted_content: Vec<Content<'a>>,
            optional inline_pastes: Vec<Str<'a>>,
            optional mcp_meta: Raw<'a>,
            optional is_compact_summary: bool,
            optional is_meta: bool,
            optional is_virtual: bool,
            optional is_visible_in_transcript_only: bool,
            optional source_tool_use_id: Str<'a>,
            optional source_tool_assistant_uuid: Str<'a>,
            optional interrupted_message_id: Str<'a>,
            /// The message of the model that its safeguards stopped.
            optional refused_message_id: Str<'a>,
            /// Frames of the model that are not part of the conversation any more.
            optional retracted_message_uuids: Vec<Str<'a>>,
            optional permission_mode: PermissionMode<'a>,
            optional plan_content: Str<'a>,
            optional summarize_metadata: Raw<'a>,
            optional image_paste_ids: Vec<Raw<'a>>,
            optional historical: bool,
            optional initiator: Raw<'a>,
            optional requeue_if_interrupted_within_ms: Number<'a>,
        }
    }
}

names! {
    /// When a message that comes during a turn is served.
    Priority<'a> {
        "now" => Now,
        "next" => Next,
        "later" => Later,
    }
}

record! {
    /// How a tool call was decided.
    ToolResultMeta<'a> {
        essential {
            /// The call.
            id: Str<'a>,
        }
        "2.1.325" {
            optional permission_decision: Box<ToolDecision<'a>>,
            /// Why the tool did not run, such as `permission-rule` or `user-rejected`.
            optional non_execution_kind: Str<'a>,
        }
    }
}

record! {
    /// What was decided about a tool call, and by whom.
    ToolDecision<'a> {
        "2.1.325" {
            always decision: ToolDecisionKind<'a>,
            /// Such as `config`, `hook`, `user_temporary` or `user_reject`.
            always source: Str<'a>,
            /// Such as `mode`, `rule`, `hook` or `subcommandResults`.
            optional reason_type: Str<'a>,
        }
    }
}

names! {
    /// Whether a tool call was let through.
    ToolDecisionKind<'a> {
        "accept" => Accept,
        "reject" => Reject,
    }
}

record! {
    /// An event of the model's stream. Only sent where partial messages are asked for.
    StreamEventFrame<'a> {
        essential { event: StreamEvent<'a> }
        "2.1.37" {
            nullable parent_tool_use_id: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
        "2.1.325" {
            /// The message that the event belongs to, also if the event itself does not contain it.
            optional api_message_id: Str<'a>,
            /// On `message_start`: how long the first token took.
            optional ttft_ms: Number<'a>,
            optional user_message_uuid: Str<'a>,
            optional user_message_uuids: Vec<Str<'a>>,
            optional resume_reason: Str<'a>,
            optional thinking_display: Str<'a>,
            /// Blocks that were begun and will never be completed.
            optional abandoned_blocks: Box<AbandonedBlocks<'a>>,
            optional owed_rows: Raw<'a>,
            optional text_runs_joined: Raw<'a>,
        }
    }
}

record! {
    /// The end of a stream that broke off: the blocks from here on are not to come.
    AbandonedBlocks<'a> {
        essential { api_message_id: Str<'a> }
        "2.1.325" {
            always from_block_index: Number<'a>,
        }
    }
}
