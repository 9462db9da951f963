//! Lines that hang in the chain between the messages.

use super::chained::chained;
use crate::block::Content;
use crate::frame::{LocalCommandOutcome, LocalCommandRun};
use crate::hook::CompactTrigger;
use crate::json::{Number, Raw, Str};
use crate::origin::Origin;
use crate::table::{record, union};

chained! {
    /// Something that happened to the conversation.
    SystemLine<'a> {
        essential {
            /// What happened. A `compact_boundary` begins a new chain.
            subtype: Str<'a>,
        }
        "2.1.37" {
            /// The same for people.
            optional content: Str<'a>,
            /// `info`, `warning` or `error`.
            optional level: Str<'a>,
            /// Of a `compact_boundary`: what was compacted, and why.
            optional compact_metadata = "compactMetadata": Box<CompactionNote<'a>>,
        }
        "2.1.325" {
            /// Of a `local_command`: the command that printed it.
            optional command_run = "commandRun": Box<LocalCommandRun<'a>>,
            /// Of a `local_command`: why the command did not run.
            optional command_outcome = "commandOutcome": Box<LocalCommandOutcome<'a>>,
            /// Of a `compact_boundary` by `aqueduct-agent`: the lists that the model keeps. What they were made
            /// from is behind it.
            optional lists = "aqueductLists": Raw<'a>,
        }
    }
}

impl SystemLine<'_> {
    /// The subtype at which a chain begins anew.
    pub const BOUNDARY: &'static str = "compact_boundary";

    /// The subtype of what a slash command printed that no model answered.
    pub const LOCAL_COMMAND: &'static str = "local_command";

    /// Whether a compaction cut the conversation here.
    pub fn is_boundary(&self) -> bool {
        self.subtype == Self::BOUNDARY
    }
}

chained! {
    /// Something that the program added for the model between two messages.
    AttachmentLine<'a> {
        essential { attachment: Attachment<'a> }
        "2.1.325" {
            /// What the model got to read.
            optional rendered: Raw<'a>,
            optional rendered_role = "renderedRole": Str<'a>,
            optional rendered_beside_tool_result = "renderedBesideToolResult": bool,
        }
    }
}

chained! {
    /// Progress of a subagent.
    ProgressLine<'a> {
        "2.1.37" {
            always data: Raw<'a>,
            always tool_use_id = "toolUseID": Str<'a>,
            /// The call of the subagent.
            always parent_tool_use_id = "parentToolUseID": Str<'a>,
        }
    }
}

record! {
    /// What a compaction did, as a transcript has it.
    CompactionNote<'a> {
        "2.1.37" {
            always trigger: CompactTrigger<'a>,
            /// The context's size before.
            always pre_tokens = "preTokens": Number<'a>,
        }
        "2.1.325" {
            /// The context's size after.
            optional post_tokens = "postTokens": Number<'a>,
            optional duration_ms = "durationMs": Number<'a>,
            optional cumulative_dropped_tokens = "cumulativeDroppedTokens": Number<'a>,
            optional preserved_segment = "preservedSegment": Box<KeptSegment<'a>>,
            optional preserved_messages = "preservedMessages": Box<KeptMessages<'a>>,
        }
    }
}

record! {
    /// The messages that stay as they were, as a run from head to tail.
    KeptSegment<'a> {
        "2.1.325" {
            always head_uuid = "headUuid": Str<'a>,
            /// The line that the run now follows.
            always anchor_uuid = "anchorUuid": Str<'a>,
            always tail_uuid = "tailUuid": Str<'a>,
        }
    }
}

record! {
    /// The messages that stay as they were, one by one.
    KeptMessages<'a> {
        "2.1.325" {
            /// The line that the first of them now follows.
            always anchor_uuid = "anchorUuid": Str<'a>,
            always uuids: Vec<Str<'a>>,
            optional all_uuids = "allUuids": Vec<Str<'a>>,
        }
    }
}

union! {
    /// What the program added for the model between two messages. Most kinds are of interest to the model only.
    Attachment<'a> by "type" {
        "queued_command" => QueuedCommand(Box<QueuedCommand<'a>>) since "2.1.325",
    }
}

record! {
    /// An input of the user while the model was at work.
    QueuedCommand<'a> {
        essential { prompt: Content<'a> }
        "2.1.325" {
            /// The id that the host gave its message.
            optional source_uuid: Str<'a>,
            optional delivery_id: Str<'a>,
            /// `prompt` or `bash`.
            optional command_mode = "commandMode": Str<'a>,
            optional timestamp: Str<'a>,
            optional is_meta = "isMeta": bool,
            optional origin: Box<Origin<'a>>,
        }
    }
}
