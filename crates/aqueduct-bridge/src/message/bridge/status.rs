use aqueduct_wire::json::Str;
use aqueduct_wire::table::{names, record};

use super::{PermissionKind, SessionInfo};
use crate::message::table::reply;

reply! {
    /// The state of the bridge: whether it works, what waits, and what it uses.
    BridgeStatus<'a> {
        essential {
            /// The bridge's version.
            version: Str<'a>,
            /// When it was started, in milliseconds since 1970.
            started_at = "startedAt": u64,
            /// The bridge's clock, in milliseconds since 1970.
            time: u64,
            readiness: Readiness<'a>,
            /// The sessions that the bridge holds; those that wait for a user first, then the newest.
            sessions: Vec<SessionInfo<'a>>,
            /// What sessions wait for, oldest first.
            waiting: Vec<PendingDecision<'a>>,
            /// The connected clients, by kind.
            clients: Vec<ClientCount<'a>>,
            load: BridgeLoad<'a>,
            storage: BridgeStorage<'a>,
        }
        "1" {
            /// How often each kind of failure happened since the bridge was started. Kinds that did not happen are left out.
            always failures: Vec<FailureTotal<'a>>,
            /// The latest failures, oldest first.
            always recent_failures = "recentFailures": Vec<FailureNote<'a>>,
        }
    }
}

record! {
    /// How often a kind of failure happened.
    FailureTotal<'a> {
        essential {
            /// As in the metric `aqueduct_failures_total`.
            kind: Str<'a>,
            count: u64,
        }
        "1" {
            /// What happened and what was done about it, for people.
            optional message: Str<'a>,
        }
    }
}

record! {
    /// A failure.
    FailureNote<'a> {
        essential {
            /// When it happened, in milliseconds since 1970.
            time: u64,
            kind: Str<'a>,
            /// Why it happened, for people.
            error: Str<'a>,
        }
        "1" {
            /// The session that it is about.
            optional session_id = "sessionId": Str<'a>,
        }
    }
}

record! {
    /// Whether the bridge can do its work. `GET /readyz` returns this too.
    Readiness<'a> {
        essential {
            /// Whether all checks passed.
            ready: bool,
            checks: Vec<ReadinessCheck<'a>>,
        }
    }
}

record! {
    /// A check of readiness.
    ReadinessCheck<'a> {
        essential {
            check: ReadinessSubject<'a>,
            ok: bool,
        }
        "1" {
            /// What is wrong, for people.
            optional message: Str<'a>,
        }
    }
}

names! {
    /// What is checked.
    ReadinessSubject<'a> {
        /// The event log accepts writes.
        "log" => Log,
        /// The listeners accept connections.
        "listener" => Listener,
        /// The disk of the data folder has space.
        "disk" => Disk,
    }
}

record! {
    /// A decision that a session waits for.
    PendingDecision<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            /// What `approve` and the others take.
            id: Str<'a>,
            kind: PermissionKind<'a>,
            tool_name = "toolName": Str<'a>,
            /// Since when, in milliseconds since 1970.
            since: u64,
        }
        "1" {
            /// A short line for people.
            optional title: Str<'a>,
        }
    }
}

record! {
    /// How many clients of a kind are connected.
    ClientCount<'a> {
        essential {
            /// A paired device or a program.
            kind: Str<'a>,
            /// `websocket` or `events`.
            transport: Str<'a>,
            count: u64,
        }
    }
}

record! {
    /// What the bridge's process uses, and what waits in it.
    BridgeLoad<'a> {
        essential {
            /// Bytes that wait to be written to the log.
            log_waiting_bytes = "logWaitingBytes": u64,
            /// Inputs that wait in the queues of sessions.
            queued_inputs = "queuedInputs": u64,
        }
        "1" {
            /// Memory of the bridge's process, in bytes; absent where the system does not report it.
            optional memory_bytes = "memoryBytes": u64,
            /// Open files of the bridge's process, sockets included.
            optional open_files = "openFiles": u64,
            /// How many files it may open.
            optional open_files_limit = "openFilesLimit": u64,
        }
    }
}

record! {
    /// What the data folder takes of its disk.
    BridgeStorage<'a> {
        essential {
            /// Bytes of the event log's database.
            database_bytes = "databaseBytes": u64,
            /// Bytes of agents' output that is not in the log yet, or not deleted since.
            spool_bytes = "spoolBytes": u64,
        }
        "1" {
            /// Bytes that the bridge can still write.
            optional available_bytes = "availableBytes": u64,
            /// Bytes that the disk has.
            optional total_bytes = "totalBytes": u64,
        }
    }
}

reply! {
    /// What the session's agent wrote to its stderr. The newest lines are kept, at least 256 KiB, as long as the agent runs;
    /// `agent_exited` has the end of it afterwards.
    AgentStderr<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            /// Whole lines, oldest first.
            lines: Vec<StderrLine<'a>>,
            /// What `sinceOffset` takes to continue.
            next_offset = "nextOffset": u64,
        }
        "1" {
            /// The agent's process, by a name of the bridge; absent if none runs.
            optional run: Str<'a>,
            /// Whether more is there already.
            always more: bool,
        }
    }
}

record! {
    /// A line of stderr.
    StderrLine<'a> {
        essential {
            /// When it was written, in milliseconds since 1970.
            time: u64,
            text: Str<'a>,
        }
    }
}
