use super::RuleBehavior;
use crate::json::Str;
use crate::table::record;

record! {
    /// What an agent found when it decided to ask about a call: its parts, and what was decided about each. The reference
    /// sends none; where there is one, it is what counts, and a host has nothing to compute again.
    PermissionExplanation<'a> {
        "2.1.325" {
            /// Each command of a shell line, in its order; empty for tools whose calls have no parts.
            always parts: Vec<PermissionPart<'a>>,
        }
    }
}

record! {
    /// A part of what would run.
    PermissionPart<'a> {
        essential {
            /// The part as it appears in the input.
            text: Str<'a>,
        }
        "2.1.325" {
            /// The program that it calls.
            optional program: Str<'a>,
            optional reads: Vec<Str<'a>>,
            optional writes: Vec<Str<'a>>,
            /// Hosts that it connects to.
            optional connects: Vec<Str<'a>>,
            /// The decision of the rules about it.
            optional behavior = "verdict": RuleBehavior<'a>,
            /// The rule that decided, or what could not be understood.
            optional reason: Str<'a>,
        }
    }
}
