use crate::hook::HookEvent;
use crate::json::{Number, Str};
use crate::table::{names, record};

record! {
    /// A command hook begins. Hooks that live in the host have no such frames: they are called.
    HookStarted<'a> {
        essential { hook_id: Str<'a> }
        "2.1.37" {
            /// The event and what it was matched with, joined with `:`.
            always hook_name: Str<'a>,
            always hook_event: HookEvent<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// What a command hook has printed so far.
    HookProgress<'a> {
        essential { hook_id: Str<'a> }
        "2.1.50" {
            always hook_name: Str<'a>,
            always hook_event: HookEvent<'a>,
            always stdout: Str<'a>,
            always stderr: Str<'a>,
            /// Both, as they came.
            always output: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// A command hook ended.
    HookResponse<'a> {
        essential { hook_id: Str<'a> }
        "2.1.37" {
            always hook_name: Str<'a>,
            always hook_event: HookEvent<'a>,
            /// What it printed, stdout and stderr as they came.
            always output: Str<'a>,
            always stdout: Str<'a>,
            always stderr: Str<'a>,
            /// 2 of a hook that runs before a tool forbids the call.
            optional exit_code: Number<'a>,
            always outcome: HookOutcome<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

names! {
    /// How a hook ended.
    HookOutcome<'a> {
        "success" => Success,
        "error" => Error,
        "cancelled" => Cancelled,
    }
}
