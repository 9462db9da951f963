//! What a session has cost, and what is left of the subscription.

use crate::json::{Map, Number, Str};
use crate::table::record;
use crate::usage::ModelUsage;

record! {
    /// What a session has cost, and what is left of the subscription: the numbers behind `/usage`.
    UsageReport<'a> {
        essential { session: Box<SessionUsage<'a>> }
        "2.1.325" {
            /// `null` without a subscription.
            nullable rate_limits: Box<RateLimits<'a>>,
        }
    }
}

record! {
    /// What a session has used so far.
    SessionUsage<'a> {
        "2.1.325" {
            always total_cost_usd: Number<'a>,
            always total_api_duration_ms: Number<'a>,
            always total_duration_ms: Number<'a>,
            always total_lines_added: Number<'a>,
            always total_lines_removed: Number<'a>,
            always model_usage: Map<'a, ModelUsage<'a>>,
        }
    }
}

record! {
    /// All limits of a subscription.
    RateLimits<'a> {
        "2.1.325" {
            nullable limits: Vec<UsageLimit<'a>>,
            optional extra_usage: Box<ExtraUsage<'a>>,
        }
    }
}

record! {
    /// One limit of a subscription.
    UsageLimit<'a> {
        essential { kind: Str<'a> }
        "2.1.325" {
            always group: Str<'a>,
            always percent: Number<'a>,
            nullable resets_at: Str<'a>,
            optional scope: Box<UsageLimitScope<'a>>,
            always severity: Str<'a>,
            always is_active: bool,
        }
    }
}

record! {
    /// What a limit counts, where it does not count everything.
    UsageLimitScope<'a> {
        "2.1.325" {
            optional model: ScopeName<'a>,
            optional surface: ScopeName<'a>,
        }
    }
}

record! {
    /// A model or a program, for people.
    ScopeName<'a> {
        essential { display_name: Str<'a> }
    }
}

record! {
    /// What may be bought beyond the limits, and what of it was.
    ExtraUsage<'a> {
        essential { is_enabled: bool }
        "2.1.325" {
            nullable monthly_limit: Number<'a>,
            nullable used_credits: Number<'a>,
            nullable utilization: Number<'a>,
            optional currency: Str<'a>,
        }
    }
}
