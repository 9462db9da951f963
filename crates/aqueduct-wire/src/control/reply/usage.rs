use crate::json::{Number, Raw, Str};
use crate::table::record;
use crate::usage_report::{ExtraUsage, SessionUsage};

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
            always session: Box<SessionUsage<'a>>,
            nullable subscription_type: Str<'a>,
            always rate_limits_available: bool,
            nullable rate_limits: PlanLimits<'a>,
            nullable behaviors: Raw<'a>,
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
            optional extra_usage: Box<ExtraUsage<'a>>,
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
