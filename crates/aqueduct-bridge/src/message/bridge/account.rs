use aqueduct_wire::json::{Number, Str};
use aqueduct_wire::rate_limit::RateLimitInfo;
use aqueduct_wire::table::{names, record};

use super::ActorKind;
use crate::message::AccessScope;
use crate::message::table::reply;

reply! {
    /// What was used.
    UsageSummary<'a> {
        essential {
            from: Str<'a>,
            to: Str<'a>,
            /// One for each day, project and model.
            rows: Vec<UsageRow<'a>>,
        }
        "1" {
            /// All together, in US dollars.
            always cost_usd = "costUsd": Number<'a>,
            /// The newest state of each limit.
            always rate_limits = "rateLimits": Vec<RateLimitInfo<'a>>,
        }
    }
}

record! {
    /// What one model used in one project on one day.
    UsageRow<'a> {
        essential {
            /// As `2026-01-31`, in the bridge's time zone.
            day: Str<'a>,
            project_path = "projectPath": Str<'a>,
            model: Str<'a>,
        }
        "1" {
            always cost_usd = "costUsd": Number<'a>,
            always input_tokens = "inputTokens": u64,
            always output_tokens = "outputTokens": u64,
            always cache_read_tokens = "cacheReadTokens": u64,
            always cache_write_tokens = "cacheWriteTokens": u64,
            always turns: u64,
        }
    }
}

record! {
    /// One of the limits of a subscription changed its state. Every client gets it.
    RateLimitChange<'a> {
        essential { limit: RateLimitInfo<'a> }
        "1" {
            /// The session whose agent reported it.
            optional session_id = "sessionId": Str<'a>,
            optional agent: Str<'a>,
        }
    }
}

reply! {
    /// The devices that have access.
    Devices<'a> {
        essential { devices: Vec<DeviceInfo<'a>> }
    }
}

record! {
    /// A device or program that has access.
    DeviceInfo<'a> {
        essential {
            device_id = "deviceId": Str<'a>,
            name: Str<'a>,
            kind: ActorKind<'a>,
        }
        "1" {
            /// When it was paired, in milliseconds since 1970.
            optional created_at = "createdAt": u64,
            /// When it was last seen, in milliseconds since 1970.
            optional seen_at = "seenAt": u64,
            /// How many connections it has now.
            optional connections: u64,
            /// Whether it is the one that asks.
            optional current: bool,
            /// Whether it gets notifications.
            optional push: bool,
            /// How it proves who it is.
            optional credential: CredentialKind<'a>,
            /// What it may do.
            optional scope: AccessScope<'a>,
            /// When its access ends, in milliseconds since 1970; never if absent.
            optional expires_at = "expiresAt": u64,
            /// The folder that it is limited to; none if absent.
            optional root: Str<'a>,
        }
    }
}

names! {
    /// How a device or program proves who it is.
    CredentialKind<'a> {
        /// With a key that never leaves the device and belongs to one origin.
        "key" => Key,
        /// With a token that it sends along.
        "bearer" => Bearer,
    }
}

reply! {
    /// A link that pairs one device, once.
    Pairing<'a> {
        essential {
            /// Open it on the device. The code is behind the `#`, so that it is sent to no server.
            link: Str<'a>,
            code: Str<'a>,
            /// Until when, in milliseconds since 1970.
            expires_at = "expiresAt": u64,
        }
        "1" {
            /// The link as a QR code, in SVG.
            optional qr: Str<'a>,
            /// What the device may do.
            optional scope: AccessScope<'a>,
        }
    }
}
