//! The limits of a subscription.

use crate::json::Number;
use crate::table::{names, record};

record! {
    /// The state of one of a subscription's limits after a call of the model.
    RateLimitInfo<'a> {
        essential { status: RateLimitStatus<'a> }
        "2.1.74" {
            /// When the limit begins anew, in seconds since 1970.
            optional resets_at = "resetsAt": Number<'a>,
            optional rate_limit_type = "rateLimitType": RateLimitType<'a>,
            /// Whether calls beyond the limit, paid one by one, are let through.
            optional overage_status = "overageStatus": RateLimitStatus<'a>,
        }
        "2.1.325" {
            /// The used part of the limit.
            optional utilization: Number<'a>,
            optional overage_resets_at = "overageResetsAt": Number<'a>,
            optional overage_disabled_reason = "overageDisabledReason": OverageDisabledReason<'a>,
            optional is_using_overage = "isUsingOverage": bool,
            optional overage_in_use = "overageInUse": bool,
            optional overage_enabled = "overageEnabled": bool,
            /// The warning level that was passed, as a part of the limit.
            optional surpassed_threshold = "surpassedThreshold": Number<'a>,
            optional limit_scope = "limitScope": LimitScope<'a>,
            optional error_code = "errorCode": RateLimitErrorCode<'a>,
            optional can_user_purchase_credits = "canUserPurchaseCredits": bool,
            optional has_chargeable_saved_payment_method = "hasChargeableSavedPaymentMethod": bool,
        }
    }
}

names! {
    /// Whether calls are let through.
    RateLimitStatus<'a> {
        "allowed" => Allowed,
        /// Let through, but the limit is near.
        "allowed_warning" => AllowedWarning,
        "rejected" => Rejected,
    }
}

names! {
    /// Which limit it is.
    RateLimitType<'a> {
        "five_hour" => FiveHour,
        "seven_day" => SevenDay,
        "seven_day_opus" => SevenDayOpus,
        "seven_day_sonnet" => SevenDaySonnet,
        "seven_day_overage_included" => SevenDayOverageIncluded,
        "overage" => Overage,
    }
}

names! {
    /// Why calls beyond the limit are not let through.
    OverageDisabledReason<'a> {
        "overage_not_provisioned" => OverageNotProvisioned,
        "org_level_disabled" => OrgLevelDisabled,
        "org_level_disabled_until" => OrgLevelDisabledUntil,
        "out_of_credits" => OutOfCredits,
        "seat_tier_level_disabled" => SeatTierLevelDisabled,
        "member_level_disabled" => MemberLevelDisabled,
        "seat_tier_zero_credit_limit" => SeatTierZeroCreditLimit,
        "group_zero_credit_limit" => GroupZeroCreditLimit,
        "member_zero_credit_limit" => MemberZeroCreditLimit,
        "org_service_level_disabled" => OrgServiceLevelDisabled,
        "no_limits_configured" => NoLimitsConfigured,
        "fetch_error" => FetchError,
        "unknown" => Unknown,
    }
}

names! {
    /// Whose limit it is.
    LimitScope<'a> {
        "service" => Service,
        "channel" => Channel,
        "group_pool" => GroupPool,
    }
}

names! {
    /// What is needed to continue.
    RateLimitErrorCode<'a> {
        "credits_required" => CreditsRequired,
    }
}
