use crate::json::{Map, Number, Raw, Str};
use crate::table::record;
use crate::usage::ModelUsage;

record! {
    /// What the session has cost, as text.
    SessionCostReply<'a> {
        "2.1.325" {
            always text: Str<'a>,
        }
    }
}

record! {
    /// The version that runs.
    BinaryVersionReply<'a> {
        "2.1.325" {
            always version: Str<'a>,
            always build_time = "buildTime": Str<'a>,
        }
    }
}

record! {
    /// What the session and the plan have used.
    UsageReply<'a> {
        "2.1.325" {
            always session: SessionTotals<'a>,
            nullable subscription_type: Str<'a>,
            always rate_limits_available: bool,
            nullable rate_limits: PlanLimits<'a>,
            nullable behaviors: Raw<'a>,
        }
    }
}

record! {
    /// What the session has used.
    SessionTotals<'a> {
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
    /// What the plan allows.
    PlanLimits<'a> {
        "2.1.325" {
            optional five_hour: PlanWindow<'a>,
            optional seven_day: PlanWindow<'a>,
            optional seven_day_oauth_apps: PlanWindow<'a>,
            optional seven_day_opus: PlanWindow<'a>,
            optional seven_day_sonnet: PlanWindow<'a>,
            optional model_scoped: Vec<Raw<'a>>,
            optional extra_usage: PlanExtraUsage<'a>,
        }
    }
}

record! {
    /// How much of a window is used, and when it begins anew.
    PlanWindow<'a> {
        "2.1.325" {
            nullable utilization: Number<'a>,
            nullable resets_at: Str<'a>,
        }
    }
}

record! {
    /// What may be used beyond the plan.
    PlanExtraUsage<'a> {
        "2.1.325" {
            always is_enabled: bool,
            nullable monthly_limit: Number<'a>,
            nullable used_credits: Number<'a>,
            nullable utilization: Number<'a>,
            optional currency: Str<'a>,
        }
    }
}
