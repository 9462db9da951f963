use crate::hook::CompactTrigger;
use crate::json::{Number, Str};
use crate::table::record;

record! {
    /// The conversation before this was replaced by a summary, which follows as a `user` frame.
    CompactBoundary<'a> {
        essential { compact_metadata: Box<CompactMetadata<'a>> }
        "2.1.37" {
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
        "2.1.325" {
            /// The last message before the boundary.
            optional logical_parent_uuid: Str<'a>,
        }
    }
}

record! {
    /// What a compaction did.
    CompactMetadata<'a> {
        "2.1.37" {
            always trigger: CompactTrigger<'a>,
            /// The context's size before.
            always pre_tokens: Number<'a>,
        }
        "2.1.325" {
            /// The context's size after.
            optional post_tokens: Number<'a>,
            optional duration_ms: Number<'a>,
            optional preserved_segment: Box<PreservedSegment<'a>>,
            optional preserved_messages: Box<PreservedMessages<'a>>,
            /// What all compactions of the session have taken out together.
            optional cumulative_dropped_tokens: Number<'a>,
        }
    }
}

record! {
    /// The messages that stay as they were, as a run from head to tail.
    PreservedSegment<'a> {
        "2.1.325" {
            always head_uuid: Str<'a>,
            /// The message that the run now follows.
            always anchor_uuid: Str<'a>,
            always tail_uuid: Str<'a>,
        }
    }
}

record! {
    /// The messages that stay as they were, one by one.
    PreservedMessages<'a> {
        "2.1.325" {
            /// The message that the first of them now follows.
            always anchor_uuid: Str<'a>,
            always uuids: Vec<Str<'a>>,
            optional all_uuids: Vec<Str<'a>>,
        }
    }
}
