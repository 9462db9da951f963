use aqueduct_wire::frame::{PermissionDenial, ResultSubtype, TerminalReason};
use aqueduct_wire::json::{Map, Number, Raw, Str};
use aqueduct_wire::table::names;
use aqueduct_wire::usage::{ModelUsage, Usage};

use crate::message::table::{live, stored};

stored! {
    /// The end of a turn.
    TurnResult<'a> {
        essential {
            /// `success`, or how it ended instead. `isError` is true if it failed.
            subtype: ResultSubtype<'a>,
        }
        "1" {
            always is_error = "isError": bool,
            /// The last text of the turn.
            optional result: Str<'a>,
            /// What went wrong.
            optional error: Str<'a>,
            /// What the turn cost, in US dollars.
            optional cost: Number<'a>,
            /// How long the turn took, in milliseconds.
            optional duration: Number<'a>,
            /// How much of that the model took.
            optional duration_api = "durationApi": Number<'a>,
            /// What the session has cost so far, in US dollars.
            optional total_cost = "totalCost": Number<'a>,
            /// How often the model was asked.
            optional num_turns = "numTurns": Number<'a>,
            optional usage: Box<Usage<'a>>,
            /// What each model has used since the agent's process started.
            optional model_usage = "modelUsage": Map<'a, ModelUsage<'a>>,
            /// Tool calls that were not allowed.
            optional permission_denials = "permissionDenials": Vec<PermissionDenial<'a>>,
            /// Whether the turn was interrupted.
            optional interrupted: bool,
            /// Why the turn ended, in the agent's words.
            optional terminal_reason = "terminalReason": TerminalReason<'a>,
            /// The other members of the agent's frame, unchanged.
            optional meta: Raw<'a>,
        }
    }
}

live! {
    /// A call of the model failed and is tried again.
    Retry<'a> {
        essential {
            /// Which try failed, from 1.
            attempt: u64,
        }
        "1" {
            optional max_retries = "maxRetries": u64,
            /// How long until the next try, in milliseconds.
            optional delay_ms = "delayMs": Number<'a>,
            /// Why it failed, such as `overloaded`.
            optional error: Str<'a>,
            /// The HTTP status, where there was an answer.
            optional http_status = "httpStatus": u64,
            /// The call of the subagent whose model failed; absent in the main conversation.
            optional parent_tool_use_id = "parentToolUseId": Str<'a>,
        }
    }
}

live! {
    /// The session's cost compared with its budget. Where it is reached, a `permission_request` asks what to do.
    Budget<'a> {
        essential {
            /// What the session has cost so far, in US dollars.
            spent_usd = "spentUsd": Number<'a>,
            state: BudgetState<'a>,
        }
        "1" {
            /// What it may cost; absent if there is no limit.
            optional budget_usd = "budgetUsd": Number<'a>,
        }
    }
}

names! {
    /// A session's cost compared with its budget.
    BudgetState<'a> {
        "ok" => Ok,
        /// Four fifths are spent.
        "near" => Near,
        /// The session pauses.
        "reached" => Reached,
    }
}
