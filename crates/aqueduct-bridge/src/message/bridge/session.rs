use aqueduct_wire::control::{AgentInfo, ModelInfo, SlashCommand};
use aqueduct_wire::json::{Number, Str};
use aqueduct_wire::permission::PermissionMode;
use aqueduct_wire::table::{names, record};

use crate::message::table::{live, reply};

live! {
    /// The state of the session.
    StatusChange<'a> {
        essential { status: SessionStatus<'a> }
        "1" {
            /// Since when, in milliseconds since 1970.
            always since: u64,
            /// What it waits for or why it failed, for people.
            optional message: Str<'a>,
        }
    }
}

names! {
    /// The state of a session.
    SessionStatus<'a> {
        /// The agent is being started.
        "starting" => Starting,
        /// It waits for input.
        "idle" => Idle,
        /// A turn runs.
        "running" => Running,
        /// Something is to be decided: a permission, a question, a plan, a budget.
        "waiting_approval" => WaitingApproval,
        /// The conversation is being replaced by a summary.
        "compacting" => Compacting,
        /// No agent runs; the next input starts one.
        "stopped" => Stopped,
        /// The agent ended or could not be started; the next input tries again.
        "failed" => Failed,
        /// The process that holds the agent does not answer: it is frozen, or its storage is. Inputs wait, and the
        /// session continues when it answers. No other agent is started meanwhile.
        "unreachable" => Unreachable,
    }
}

record! {
    /// A session, for lists.
    SessionInfo<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            project_path = "projectPath": Str<'a>,
            status: SessionStatus<'a>,
        }
        "1" {
            always source: SessionSource<'a>,
            /// The name it was given, or one made from the first prompt.
            always title: Str<'a>,
            /// When it began, in milliseconds since 1970.
            always created_at = "createdAt": u64,
            /// When something last happened, in milliseconds since 1970.
            always updated_at = "updatedAt": u64,
            /// The newest number of its sequence.
            always last_seq = "lastSeq": u64,
            /// How many decisions it waits for.
            always pending: u64,
            /// How many inputs wait.
            always queued: u64,
            /// How many clients watch.
            always watchers: u64,
            optional agent: Str<'a>,
            optional agent_version = "agentVersion": Str<'a>,
            /// The agent's own id of the conversation, where it is another than `sessionId`.
            optional agent_session_id = "agentSessionId": Str<'a>,
            optional model: Str<'a>,
            optional permission_mode = "permissionMode": PermissionMode<'a>,
            /// The beginning of the first prompt.
            optional first_prompt = "firstPrompt": Str<'a>,
            /// The beginning of the newest text.
            optional last_text = "lastText": Str<'a>,
            optional git_branch = "gitBranch": Str<'a>,
            /// How many turns it had.
            optional turns: u64,
            /// What it has cost so far, in US dollars.
            optional cost_usd = "costUsd": Number<'a>,
            optional budget_usd = "budgetUsd": Number<'a>,
            /// How much of the model's context is filled.
            optional context_tokens = "contextTokens": u64,
            /// The size of the model's context.
            optional context_window = "contextWindow": u64,
            /// Since when the turn runs, in milliseconds since 1970.
            optional turn_since = "turnSince": u64,
            optional archived: bool,
            /// Why it failed, for people.
            optional error: Str<'a>,
        }
    }
}

names! {
    /// Where a session is from.
    SessionSource<'a> {
        "bridge" => Bridge,
        /// It was started in a terminal, and no message of it is in the log yet.
        "terminal" => Terminal,
    }
}

record! {
    /// A session is new, or something in its row of the list changed. Every client gets it, whatever it subscribed to.
    SessionUpdate<'a> {
        essential { session: SessionInfo<'a> }
    }
}

record! {
    /// A session was deleted. Every client gets it.
    SessionDeleted<'a> {
        essential { session_id = "sessionId": Str<'a> }
    }
}

reply! {
    /// The sessions that the bridge holds; those that wait for a user first, then the newest.
    SessionList<'a> {
        essential { sessions: Vec<SessionInfo<'a>> }
    }
}

reply! {
    /// Sessions of all times, newest first.
    RecentSessions<'a> {
        essential { sessions: Vec<SessionInfo<'a>> }
        "1" {
            always more: bool,
        }
    }
}

reply! {
    /// Slash commands, for completion.
    Commands<'a> {
        essential { commands: Vec<SlashCommand<'a>> }
        "1" {
            optional session_id = "sessionId": Str<'a>,
            /// Kinds of subagents, for completion after `@`.
            optional agents: Vec<AgentInfo<'a>>,
        }
    }
}

reply! {
    /// The models that a session can use. Others may work too.
    Models<'a> {
        essential { models: Vec<ModelInfo<'a>> }
        "1" {
            optional session_id = "sessionId": Str<'a>,
            /// The one in use.
            optional model: Str<'a>,
        }
    }
}

reply! {
    /// What fills the agent's context.
    ContextReport<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            /// How many tokens are used.
            tokens: u64,
        }
        "1" {
            /// The size of the model's context.
            optional window: u64,
            optional model: Str<'a>,
            /// What they are used for, if the agent reports it.
            optional shares: Vec<ContextShare<'a>>,
            /// At how many tokens the agent compacts by itself.
            optional compact_at = "compactAt": u64,
        }
    }
}

record! {
    /// A share of the context.
    ContextShare<'a> {
        essential {
            name: Str<'a>,
            tokens: u64,
        }
        "1" {
            /// Whether it is free, or held back, and not used.
            optional free: bool,
        }
    }
}
