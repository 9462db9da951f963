use aqueduct_wire::hook::CompactTrigger;
use aqueduct_wire::json::{Number, Raw, Str};
use aqueduct_wire::permission::PermissionMode;
use aqueduct_wire::system::InitMcpServer;
use aqueduct_wire::table::{names, record};

use crate::message::table::stored;

stored! {
    /// Something about the session changed. Which members there are depends on `subtype`.
    SystemNote<'a> {
        essential { subtype: SystemSubtype<'a> }
        "1" {
            /// Who changed it.
            optional by: Actor<'a>,
            optional model: Str<'a>,
            optional permission_mode = "permissionMode": PermissionMode<'a>,
            optional title: Str<'a>,
            /// The agent's name, as in `hello`.
            optional agent: Str<'a>,
            optional agent_version = "agentVersion": Str<'a>,
            /// The agent's own id of the conversation, where it is another than `sessionId`.
            optional agent_session_id = "agentSessionId": Str<'a>,
            optional project_path = "projectPath": Str<'a>,
            /// The tools that the model may call.
            optional tools: Vec<Str<'a>>,
            optional mcp_servers = "mcpServers": Vec<InitMcpServer<'a>>,
            /// Commands without their slash.
            optional slash_commands = "slashCommands": Vec<Str<'a>>,
            /// Kinds of subagents.
            optional agents: Vec<Str<'a>>,
            optional skills: Vec<Str<'a>>,
            /// For people.
            optional message: Str<'a>,
            optional exit_code = "exitCode": Number<'a>,
            /// The signal that ended the agent, such as `SIGKILL`.
            optional signal: Str<'a>,
            /// The end of what the agent wrote to stderr.
            optional stderr: Str<'a>,
            /// Whether the end was requested.
            optional expected: bool,
            /// What made the conversation be compacted.
            optional trigger: CompactTrigger<'a>,
            /// The context's size before compaction.
            optional pre_tokens = "preTokens": Number<'a>,
            /// The context's size after compaction.
            optional post_tokens = "postTokens": Number<'a>,
            /// The other members of the agent's frame, unchanged.
            optional meta: Raw<'a>,
        }
    }
}

names! {
    /// What about the session changed.
    SystemSubtype<'a> {
        /// The session exists: `projectPath`, `agent`, `by`.
        "session_created" => SessionCreated,
        /// The session continues after it was stopped, or was adopted from a terminal.
        "session_resumed" => SessionResumed,
        /// The agent is ready: `model`, `permissionMode`, `tools`, `slashCommands` and more. Again only where something differs.
        "init" => Init,
        /// The agent's process ended: `exitCode` or `signal`, `stderr`, `expected`.
        "agent_exited" => AgentExited,
        /// A client interrupted the turn.
        "interrupted" => Interrupted,
        /// The conversation before this was replaced by a summary: `trigger`, `preTokens`, `postTokens`.
        "compact_boundary" => CompactBoundary,
        /// The conversation began anew: `agentSessionId`.
        "conversation_reset" => ConversationReset,
        "permission_mode_changed" => PermissionModeChanged,
        "model_changed" => ModelChanged,
        "title_changed" => TitleChanged,
        /// The agent leaves out what the folder provides, because the user has not trusted it: `projectPath`, `message`.
        "trust_needed" => TrustNeeded,
        /// A notice for the user: `message`.
        "notice" => Notice,
    }
}

record! {
    /// Who did something.
    Actor<'a> {
        essential { kind: ActorKind<'a> }
        "1" {
            optional device_id = "deviceId": Str<'a>,
            /// The device's name.
            optional name: Str<'a>,
        }
    }
}

names! {
    /// The kind of principal.
    ActorKind<'a> {
        /// A paired device.
        "device" => Device,
        /// A program with a token of its own.
        "token" => Token,
        /// The agent itself, such as by a cancelled request.
        "agent" => Agent,
        /// The bridge itself, such as by a budget or an idle time.
        "bridge" => Bridge,
    }
}
