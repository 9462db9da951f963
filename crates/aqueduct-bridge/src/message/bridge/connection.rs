use aqueduct_wire::json::Str;
use aqueduct_wire::permission::PermissionMode;
use aqueduct_wire::table::{names, record};

use super::{DeviceInfo, TrustState};
use crate::message::table::reply;
use crate::message::{AccessScope, ErrorCode};

reply! {
    /// The first message of every connection.
    Hello<'a> {
        essential {
            /// The bridge's version.
            version: Str<'a>,
            /// The version of this API. Additions don't change it.
            protocol: u64,
            /// The store's id. When it changes, what a client remembers of sequence numbers means nothing.
            server_id = "serverId": Str<'a>,
            /// The bridge's clock, in milliseconds since 1970.
            time: u64,
            /// Who the bridge takes this client for.
            device: DeviceInfo<'a>,
            agents: Vec<AgentChoice<'a>>,
            default_agent = "defaultAgent": Str<'a>,
            /// The folders under which projects may be.
            roots: Vec<Str<'a>>,
            permission_modes = "permissionModes": Vec<PermissionMode<'a>>,
            features: Vec<Feature<'a>>,
            limits: Limits<'a>,
        }
        "1" {
            /// The name of the machine.
            optional host: Str<'a>,
            /// The key that a browser needs to subscribe to notifications.
            optional push_key = "pushKey": Str<'a>,
        }
    }
}

names! {
    /// What this bridge can do that another may not.
    Feature<'a> {
        /// Notifications by Web Push.
        "push" => Push,
        /// Full-text search.
        "search" => Search,
        /// Sessions that were started in a terminal are listed and can be resumed.
        "adopt" => Adopt,
        /// The permission mode `bypassPermissions` may be chosen.
        "bypass" => Bypass,
        /// The user decides whether what a folder provides takes effect: `get_trust`, `trust_folder`, `distrust_folder`.
        "trust" => Trust,
    }
}

record! {
    /// What a client may send.
    Limits<'a> {
        essential {
            /// Bytes of one message.
            message_bytes = "messageBytes": u64,
            /// Inputs that can wait in one session's queue.
            queued_inputs = "queuedInputs": u64,
            /// Messages in one page of history.
            history_page = "historyPage": u64,
        }
    }
}

record! {
    /// An agent that a session can be started with.
    AgentChoice<'a> {
        essential {
            /// What `start` takes.
            name: Str<'a>,
            /// Whether its program was found.
            available: bool,
        }
        "1" {
            /// For people.
            optional label: Str<'a>,
            optional program: Str<'a>,
            optional version: Str<'a>,
            /// Why it can't be used, and what to do about it.
            optional problem: Str<'a>,
            /// Whether it can't start in a folder that provides something that the user does not trust. Others leave that out.
            optional needs_trust = "needsTrust": bool,
        }
    }
}

reply! {
    /// The agents that a session can be started with.
    Agents<'a> {
        essential {
            agents: Vec<AgentChoice<'a>>,
            default_agent = "defaultAgent": Str<'a>,
        }
    }
}

reply! {
    /// It is done. The reply to a request that has no other, sent where the request had a `requestId`.
    Done<'a> {
        "1" {
            /// The session that was started, resumed or changed.
            optional session_id = "sessionId": Str<'a>,
            /// The newest number of the session's sequence then.
            optional seq: u64,
            /// For a session that was started or resumed: set if the agent leaves out what the folder provides, because the
            /// user has not trusted that.
            optional trust: TrustState<'a>,
            /// Set if it is in effect but could not be saved yet, such as on a full disk: why. The bridge keeps trying to save
            /// it; if it ends before that works, it is lost.
            optional unsaved: Str<'a>,
        }
    }
}

reply! {
    /// Something went wrong. With a `requestId`, or right after a request without one, it is the answer to it.
    ErrorReply<'a> {
        essential {
            code: ErrorCode<'a>,
            /// What is wrong and what to do, for people.
            message: Str<'a>,
        }
        "1" {
            optional session_id = "sessionId": Str<'a>,
            /// The member of the request that is wrong, as a path: `images[0].data`.
            optional member: Str<'a>,
            /// The input, where one was refused.
            optional client_message_id = "clientMessageId": Str<'a>,
            /// The end of what the agent wrote to stderr.
            optional stderr: Str<'a>,
            /// After how many milliseconds it is worth another try.
            optional retry_after_ms = "retryAfterMs": u64,
            /// The scope that the request needs, where the credential has less.
            optional scope: AccessScope<'a>,
            /// What to repeat the request with, as `confirm`, where it has to be confirmed.
            optional confirm: Str<'a>,
        }
    }
}

reply! {
    /// The answer to `ping`.
    PongMessage<'a> {
        essential {
            /// The bridge's clock, in milliseconds since 1970.
            time: u64,
        }
    }
}
