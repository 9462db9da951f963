use super::WorkspaceTrust;
use crate::agent_definition::AgentDefinition;
use crate::json::{Map, Raw, Str};
use crate::permission::PermissionMode;
use crate::table::{names, record};

record! {
    /// Stop the turn.
    InterruptRequest<'a> {
        "2.1.325" {
            /// Whether the messages that wait are dropped as well.
            optional cancel_queued: bool,
        }
    }
}

record! {
    /// End the process. It answers, exits and reads no more.
    EndSessionRequest<'a> {
        "2.1.74" {
            optional reason: Str<'a>,
        }
    }
}

record! {
    /// Give a session a title.
    RenameSessionRequest<'a> {
        essential { title: Str<'a> }
        "2.1.325" {
            optional source: RenameSource<'a>,
            /// Another session than this one.
            optional session_id: Str<'a>,
        }
    }
}

names! {
    /// Who renamed a session.
    RenameSource<'a> {
        "remote" => Remote,
        "host" => Host,
    }
}

record! {
    /// Think of a title.
    GenerateSessionTitleRequest<'a> {
        "2.1.325" {
            always description: Str<'a>,
            /// Whether the title is kept as the session's.
            always persist: bool,
        }
    }
}

record! {
    /// Take over a process that was started ahead of time.
    ClaimSessionRequest<'a> {
        essential { cwd: Str<'a> }
        "2.1.325" {
            optional permission_mode: PermissionMode<'a>,
            optional env: Map<'a, Str<'a>>,
            optional additional_directories: Vec<Str<'a>>,
            optional append_system_prompt: Str<'a>,
            optional title: Str<'a>,
            optional agents: Map<'a, AgentDefinition<'a>>,
            optional workspace_trust: WorkspaceTrust<'a>,
            always sdk_mcp_servers: Vec<Str<'a>>,
            /// Whether the answer should hold what `initialize` would give.
            always include_initialize: bool,
        }
    }
}

record! {
    /// Ask something beside the conversation; nothing of it stays.
    SideQuestionRequest<'a> {
        essential { question: Str<'a> }
        "2.1.325" {
            optional history: Vec<Raw<'a>>,
        }
    }
}

record! {
    /// Drop a message that still waits for its turn.
    CancelAsyncMessageRequest<'a> {
        essential { message_uuid: Str<'a> }
    }
}

record! {
    /// End a task.
    StopTaskRequest<'a> {
        essential { task_id: Str<'a> }
    }
}

record! {
    /// Move what runs to the background.
    BackgroundTasksRequest<'a> {
        "2.1.325" {
            /// One call only; all if absent.
            optional tool_use_id: Str<'a>,
        }
    }
}

record! {
    /// The end of what a task has printed.
    GetTaskOutputRequest<'a> {
        essential { task_id: Str<'a> }
    }
}

record! {
    /// The conversation as text.
    ExportConversationRequest<'a> {}
}

record! {
    /// Whether anyone watches.
    SetHasSubscribersRequest<'a> {
        "2.1.325" {
            nullable has_subscribers: bool,
        }
    }
}

record! {
    /// Let the session be driven from elsewhere.
    RemoteControlRequest<'a> {}
}

record! {
    /// Start a long review.
    UltrareviewLaunchRequest<'a> {}
}
