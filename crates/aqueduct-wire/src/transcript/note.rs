//! Lines beside the chain: notes about the session. Of several of a kind the last one counts.

use crate::json::{Map, Number, Raw, Str};
use crate::table::record;

record! {
    /// The title that the user gave the conversation.
    CustomTitleLine<'a> {
        essential { custom_title = "customTitle": Str<'a> }
        "2.1.37" {
            always session_id = "sessionId": Str<'a>,
        }
        "2.1.325" {
            optional uuid: Str<'a>,
            optional timestamp: Str<'a>,
        }
    }
}

record! {
    /// The title that a model gave the conversation.
    AiTitleLine<'a> {
        essential { ai_title = "aiTitle": Str<'a> }
        "2.1.74" {
            always session_id = "sessionId": Str<'a>,
        }
    }
}

record! {
    /// The conversation in a few words, as older versions kept it.
    SummaryLine<'a> {
        essential { summary: Str<'a> }
        "2.1.37" {
            /// The message that was the last one then.
            optional leaf_uuid = "leafUuid": Str<'a>,
        }
    }
}

record! {
    /// The user's mark on the conversation; an empty one takes it away.
    TagLine<'a> {
        essential { tag: Str<'a> }
        "2.1.37" {
            always session_id = "sessionId": Str<'a>,
        }
        "2.1.325" {
            optional uuid: Str<'a>,
            optional timestamp: Str<'a>,
        }
    }
}

record! {
    /// The user's last message.
    LastPromptLine<'a> {
        "2.1.74" {
            /// Absent where no prompt had words.
            optional last_prompt = "lastPrompt": Str<'a>,
            always session_id = "sessionId": Str<'a>,
        }
        "2.1.325" {
            optional leaf_uuid = "leafUuid": Str<'a>,
        }
    }
}

record! {
    /// What the session has spent so far.
    CostStateLine<'a> {
        essential { total_cost_usd = "totalCostUSD": Number<'a> }
        "2.1.325" {
            always session_id = "sessionId": Str<'a>,
            always total_api_duration = "totalAPIDuration": Number<'a>,
            always total_api_duration_without_retries = "totalAPIDurationWithoutRetries": Number<'a>,
            always total_tool_duration = "totalToolDuration": Number<'a>,
            always total_lines_added = "totalLinesAdded": Number<'a>,
            always total_lines_removed = "totalLinesRemoved": Number<'a>,
            always total_duration = "totalDuration": Number<'a>,
            always start_time = "startTime": Number<'a>,
            always model_usage = "modelUsage": Map<'a, Raw<'a>>,
            always has_unknown_model_cost = "hasUnknownModelCost": bool,
        }
    }
}

record! {
    /// A prompt came into the queue or left it.
    QueueOperationLine<'a> {
        essential {
            /// `enqueue`, `dequeue` or `remove`.
            operation: Str<'a>,
        }
        "2.1.37" {
            always timestamp: Str<'a>,
            always session_id = "sessionId": Str<'a>,
        }
        "2.1.325" {
            optional content: Raw<'a>,
            /// Why it left, such as `absorbed_mid_turn`.
            optional reason: Str<'a>,
            optional command_uuid = "commandUuid": Str<'a>,
            optional delivery_id = "deliveryId": Str<'a>,
        }
    }
}

record! {
    /// The mode of the program's screen.
    ModeLine<'a> {
        essential { mode: Str<'a> }
        "2.1.325" {
            always session_id = "sessionId": Str<'a>,
        }
    }
}

record! {
    /// The project's folder was moved.
    RelocatedLine<'a> {
        essential {
            /// Where it is now.
            relocated_cwd = "relocatedCwd": Str<'a>,
        }
        "2.1.325" {
            always session_id = "sessionId": Str<'a>,
        }
    }
}

record! {
    /// Large contents that the model gets to see in a shorter form.
    ContentReplacementLine<'a> {
        essential { replacements: Vec<Raw<'a>> }
        "2.1.74" {
            always session_id = "sessionId": Str<'a>,
            optional agent_id = "agentId": Str<'a>,
        }
        "2.1.325" {
            optional uuid: Str<'a>,
            optional timestamp: Str<'a>,
        }
    }
}

record! {
    /// Which files can be restored.
    FileHistoryLine<'a> {
        essential {
            /// The prompt before which they were so.
            message_id = "messageId": Str<'a>,
        }
        "2.1.37" {
            always snapshot: Raw<'a>,
            always is_snapshot_update = "isSnapshotUpdate": bool,
        }
    }
}

record! {
    /// What is known of a subagent: `agent-ID.meta.json` beside its transcript.
    SubagentMeta<'a> {
        "2.1.74" {
            always agent_type = "agentType": Str<'a>,
        }
        "2.1.325" {
            /// What it was asked to do, in a few words.
            optional description: Str<'a>,
            /// The call that started it.
            optional tool_use_id = "toolUseId": Str<'a>,
            /// The subagent that started it; absent where the main conversation did.
            optional parent_agent_id = "parentAgentId": Str<'a>,
            optional spawn_depth = "spawnDepth": Number<'a>,
            optional is_built_in = "isBuiltIn": bool,
            optional finished: bool,
        }
    }
}
