use super::InitializeReply;
use crate::json::{Number, Raw, Str};
use crate::table::record;

record! {
    /// The turn was stopped.
    InterruptReply<'a> {
        "2.1.325" {
            /// Messages that still wait, by uuid.
            optional still_queued: Vec<Str<'a>>,
            /// Messages that were dropped, by uuid.
            optional cancelled: Vec<Str<'a>>,
        }
    }
}

record! {
    /// A title.
    GenerateSessionTitleReply<'a> {
        "2.1.325" {
            nullable title: Str<'a>,
        }
    }
}

record! {
    /// The process that was taken over.
    ClaimSessionReply<'a> {
        "2.1.325" {
            always cwd: Str<'a>,
            always session_id: Str<'a>,
            /// How long it had waited.
            always parked_ms: Number<'a>,
            always sdk_mcp_settled: bool,
            optional initialize: Box<InitializeReply<'a>>,
        }
    }
}

record! {
    /// The answer to a question beside the conversation.
    SideQuestionReply<'a> {
        "2.1.325" {
            nullable response: Str<'a>,
            /// Whether no model was asked.
            always synthetic: bool,
            optional refusal_fallback: Raw<'a>,
        }
    }
}

record! {
    /// Whether the message could still be dropped.
    CancelAsyncMessageReply<'a> {
        "2.1.325" {
            always cancelled: bool,
        }
    }
}

record! {
    /// Whether something went to the background; yes, if absent.
    BackgroundTasksReply<'a> {
        "2.1.325" {
            optional backgrounded: bool,
        }
    }
}

record! {
    /// The end of what a task has printed.
    GetTaskOutputReply<'a> {
        "2.1.325" {
            always output: Str<'a>,
            always total_bytes: Number<'a>,
            always truncated: bool,
        }
    }
}

record! {
    /// What rewinding changed or would change.
    RewindFilesReply<'a> {
        "2.1.37" {
            always can_rewind = "canRewind": bool,
            /// Why it can't be done.
            optional error: Str<'a>,
        }
        "2.1.50" {
            optional files_changed = "filesChanged": Vec<Str<'a>>,
            optional insertions: Number<'a>,
            optional deletions: Number<'a>,
        }
        "2.1.325" {
            optional skipped_links = "skippedLinks": Raw<'a>,
        }
    }
}

record! {
    /// A file.
    ReadFileReply<'a> {
        "2.1.325" {
            always contents: Str<'a>,
            always abs_path = "absPath": Str<'a>,
            optional truncated: bool,
            optional encoding: super::super::FileEncoding<'a>,
            /// Whether bytes that are not text were replaced.
            optional lossy: bool,
        }
    }
}

record! {
    /// Files whose names match.
    FileSuggestionsReply<'a> {
        "2.1.325" {
            always suggestions: Vec<Raw<'a>>,
            always cwd: Str<'a>,
        }
    }
}
