use crate::json::Str;
use crate::table::{names, record};

record! {
    /// Whether a turn runs. Only sent where the host asks for it; then `idle` and not the first `result` is
    /// the end of a run.
    SessionStateChanged<'a> {
        essential { state: SessionState<'a> }
        "2.1.325" {
            /// Meant for the library between agent and host, and not to be passed on.
            optional sdk_host_only: bool,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

names! {
    /// Whether a turn runs.
    SessionState<'a> {
        "idle" => Idle,
        "running" => Running,
        /// It waits for an answer to a permission request, a question or a dialog.
        "requires_action" => RequiresAction,
    }
}

record! {
    /// The session has another title.
    SessionTitleChanged<'a> {
        essential { title: Str<'a> }
        "2.1.325" {
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// Something could not be written to disk. Reported at exit only.
    SessionWritesLost<'a> {
        essential { error_code: WriteErrorCode<'a> }
        "2.1.325" {
            always lost: Vec<LostWrite<'a>>,
            optional transcript_session_ids: Vec<Str<'a>>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

names! {
    /// Why something could not be written.
    WriteErrorCode<'a> {
        /// The disk is full.
        "ENOSPC" => NoSpace,
        /// The user's quota is used up.
        "EDQUOT" => Quota,
    }
}

names! {
    /// What could not be written.
    LostWrite<'a> {
        "transcript" => Transcript,
        "global_config" => GlobalConfig,
    }
}

record! {
    /// Something about the session changed. What it holds is not documented.
    SessionMetadata<'a> {
        "2.1.325" {
            optional uuid: Str<'a>,
            optional session_id: Str<'a>,
        }
    }
}

record! {
    /// The process is about to end.
    WorkerShuttingDown<'a> {
        "2.1.325" {
            always reason: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// A copy of the transcript could not be kept. Made by the library on the host's side, never by an agent.
    MirrorError<'a> {
        essential { error: Str<'a> }
        "2.1.325" {
            always key: Box<MirrorKey<'a>>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// The place of a transcript in a host's store.
    MirrorKey<'a> {
        essential {
            project_key = "projectKey": Str<'a>,
            session_id = "sessionId": Str<'a>,
        }
        "2.1.325" {
            /// A subagent's transcript.
            optional subpath: Str<'a>,
        }
    }
}
