use aqueduct_wire::json::Str;
use aqueduct_wire::table::record;

use crate::message::table::request;
use crate::message::{AccessScope, Scope};

request! {
    /// Return the usage by day, project and model.
    GetUsage<'a> {
        "1" {
            /// The first day, as `2026-01-31`; 30 days ago if absent.
            optional from: Str<'a>,
            /// The last day; today if absent.
            optional to: Str<'a>,
            /// Only sessions of this folder.
            optional project_path = "projectPath": Str<'a>,
            /// Only this session.
            optional session_id = "sessionId": Str<'a>,
        }
    }
}

request! {
    /// List the devices that have access.
    ListDevices<'a> {}
}

request! {
    /// Revoke a device. Its connections end at once.
    RevokeDevice<'a> {
        essential { device_id = "deviceId": Str<'a> }
    }
}

request! {
    /// Rename a device. From its next connection on, its actions have the new name.
    RenameDevice<'a> {
        essential {
            device_id = "deviceId": Str<'a>,
            /// At most 80 characters of it are kept.
            name: Str<'a>,
        }
    }
}

request! {
    /// Make a link that lets one more device in: once, and soon.
    PairDevice<'a> {
        "1" {
            /// What to call the device.
            optional name: Str<'a>,
            /// What the device may do: `operate` if absent. Not more than the credential that asks.
            optional scope: AccessScope<'a>,
            /// When its access ends, in milliseconds since 1970; with that of the credential that asks if absent.
            optional expires_at = "expiresAt": u64,
            /// The folder that it is limited to: it sees and starts sessions there only. That of the credential that asks if absent.
            optional root: Str<'a>,
            /// The value of `confirmation_required`, in the repeated request.
            optional confirm: Str<'a>,
        }
    }
}

impl PairDevice<'_> {
    /// What the device may do.
    pub fn granted_scope(&self) -> Scope {
        match &self.scope {
            // A name that is not a scope was refused before.
            Some(name) => name.scope().unwrap_or(Scope::Watch),
            None => Scope::Operate,
        }
    }
}

request! {
    /// Notify this device, by Web Push, when a session needs a user or is done.
    SubscribePush<'a> {
        essential {
            endpoint: Str<'a>,
            keys: PushKeys<'a>,
        }
        "1" {
            /// Whether a notification may hold the session's title and its text. Without it, a notification only reports that a session waits, is done or has failed.
            optional content: bool,
        }
    }
}

record! {
    /// The keys of a push subscription, as the browser gives them.
    PushKeys<'a> {
        essential {
            p256dh: Str<'a>,
            auth: Str<'a>,
        }
    }
}

request! {
    /// Notify this device no more.
    UnsubscribePush<'a> {
        essential { endpoint: Str<'a> }
    }
}

request! {
    /// Send this device a notification now.
    TestPush<'a> {}
}

request! {
    /// Check the connection. `pong` is the answer.
    PingMessage<'a> {}
}
