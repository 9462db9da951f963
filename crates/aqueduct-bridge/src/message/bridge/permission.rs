use aqueduct_wire::control::DecisionReasonType;
use aqueduct_wire::json::{Map, Raw, Str};
use aqueduct_wire::permission::{Destination, PermissionMode, PermissionPart, PermissionUpdate};
use aqueduct_wire::question::Answer;
use aqueduct_wire::table::{names, record};

use super::Actor;
use crate::message::table::stored;

// Not `stored!`: an open request is repeated in a snapshot and to a client that connects, without its place.
record! {
    /// A decision is needed. It stays open until `permission_resolved`, over restarts too.
    PermissionRequest<'a> {
        essential {
            /// The call, by the id that the agent has given it; for an elicitation or a budget the same as `id`.
            tool_use_id = "toolUseId": Str<'a>,
            tool_name = "toolName": Str<'a>,
            /// Exactly what would run. For a question its `questions`, for a plan its `plan`, for an elicitation its `message`, `requested_schema` and `url`, for a budget its `budgetUsd` and `spentUsd`.
            input: Raw<'a>,
        }
        "1" {
            /// What `approve` and the others take: random, made by the bridge, unique over all sessions.
            always id: Str<'a>,
            always kind: PermissionKind<'a>,
            /// SHA-256 of `input`, byte for byte as in this message, in hexadecimal.
            always input_hash = "inputHash": Str<'a>,
            /// A short line for people.
            optional title: Str<'a>,
            optional description: Str<'a>,
            /// Why it is asked.
            optional reason: Str<'a>,
            optional reason_type = "reasonType": DecisionReasonType<'a>,
            /// The path that the agent asks about, where it names one: what a command would write, in the project or outside it.
            optional blocked_path = "blockedPath": Str<'a>,
            /// The call of the subagent that asks; absent in the main conversation.
            optional parent_tool_use_id = "parentToolUseId": Str<'a>,
            /// The agent's name for the subagent that asks.
            optional agent_id = "agentId": Str<'a>,
            /// What the call consists of: each command of a shell line, with what it reads and writes. As the agent reports it; the
            /// bridge finds it out itself for agents that don't.
            optional parts: Vec<PermissionPart<'a>>,
            /// The rules that "always allow" would add, narrowest first; `rule` can be edited.
            optional rules: Vec<SuggestedRule<'a>>,
            /// What the agent suggests for "always allow".
            optional suggestions: Vec<PermissionUpdate<'a>>,
            /// Whether "always allow" is not to be offered.
            optional once_only = "onceOnly": bool,
            /// Whether "deny" is the button that Enter presses.
            optional default_to_no = "defaultToNo": bool,
            /// The MCP server that the tool belongs to, or that asks.
            optional mcp_server = "mcpServer": Str<'a>,
            /// Modes that a plan can be approved into.
            optional modes: Vec<PermissionMode<'a>>,
            always session_id = "sessionId": Str<'a>,
            /// The place in the session's sequence, from 1, without gaps. Absent in a snapshot, and where an open request is
            /// repeated to a client that connects.
            optional seq: u64,
            /// When it was stored, in milliseconds since 1970.
            always time: u64,
        }
    }
}

names! {
    /// What is to be decided, and how.
    PermissionKind<'a> {
        /// May a tool run? `approve`, `approve_always`, `reject`.
        "permission" => Permission,
        /// A question of the model: `answer`, `reject`.
        "question" => Question,
        /// A plan: `approve` with a `mode`, `reject` with what to change.
        "plan" => Plan,
        /// A form or a page of an MCP server: `answer` with `content`, or `approve` for a page; `reject`.
        "elicitation" => Elicitation,
        /// A call was denied because this agent can't ask: `approve` allows it, resumes and tries again; `approve_always`, `reject`.
        "retry" => Retry,
        /// The budget is spent: `approve` continues, with a new `budgetUsd`; `reject` leaves it paused.
        "budget" => Budget,
        /// The agent ended, and whether it had read an input can't be known: `approve` sends it again, `reject` drops it.
        /// `input` has the `inputId` and the `text`.
        "resend" => Resend,
    }
}

record! {
    /// A rule that "always allow" would add.
    SuggestedRule<'a> {
        essential {
            /// As people write it: `Bash(npm test)`.
            rule: Str<'a>,
            destination: Destination<'a>,
        }
        "1" {
            /// What it would let through, for people.
            optional description: Str<'a>,
        }
    }
}

stored! {
    /// It is decided: the first decision counts, and all clients are notified.
    PermissionResolved<'a> {
        essential {
            /// The request's.
            id: Str<'a>,
            decision: PermissionDecision<'a>,
        }
        "1" {
            always tool_use_id = "toolUseId": Str<'a>,
            /// Who decided.
            always by: Actor<'a>,
            /// What the model received.
            optional message: Str<'a>,
            /// The input that ran instead.
            optional updated_input = "updatedInput": Raw<'a>,
            /// The rules that were added.
            optional updates: Vec<PermissionUpdate<'a>>,
            /// The answers to questions.
            optional answers: Map<'a, Answer<'a>>,
            /// The mode that was entered with a plan.
            optional mode: PermissionMode<'a>,
        }
    }
}

names! {
    /// What was decided.
    PermissionDecision<'a> {
        "allowed" => Allowed,
        "allowed_always" => AllowedAlways,
        "denied" => Denied,
        "answered" => Answered,
        /// Not decided: the turn was interrupted, or the agent ended or withdrew its request.
        "cancelled" => Cancelled,
    }
}
