use aqueduct_wire::table::names;

/// Makes the list of error codes: name, HTTP status, and when it comes.
macro_rules! codes {
    ($( $(#[doc = $doc:literal])* $value:literal => $variant:ident $status:literal ),* $(,)?) => {
        names! {
            /// What sort of error it is, for programs.
            ErrorCode<'a> {
                $( $(#[doc = $doc])* $value => $variant ),*
            }
        }

        /// The error codes: name, HTTP status, and when it comes, as lines.
        pub const ERROR_CODES: &[(&str, u16, &[&str])] = &[$(($value, $status, &[$($doc),*])),*];

        impl ErrorCode<'_> {
            /// The status of an HTTP answer with this error.
            pub fn http_status(&self) -> u16 {
                match self {
                    $(ErrorCode::$variant => $status,)*
                    ErrorCode::Other(_) => 500,
                }
            }
        }
    };
}

codes! {
    /// The message is not JSON, or no object.
    "invalid_json" => InvalidJson 400,
    /// A member is missing or has a wrong value; `member` names it.
    "invalid_message" => InvalidMessage 400,
    /// No message has this `type`, and no route this path.
    "unknown_message" => UnknownMessage 404,
    /// The message is larger than `limits.messageBytes` of `hello`.
    "message_too_large" => MessageTooLarge 413,
    /// No token, or one that is not or no longer known, or has expired. Pair the device again.
    "unauthorized" => Unauthorized 401,
    /// The challenge has expired, was used, or is another device's or origin's. Request a new one and sign that.
    "challenge_expired" => ChallengeExpired 401,
    /// The browser has the cookie of an earlier version, which counts no more. Pair the browser again.
    "cookie_retired" => CookieRetired 401,
    /// A page of another origin, another host name, or more than the credential's scope or root allows; `scope` is what is needed.
    "forbidden" => Forbidden 403,
    /// The request has a consequence that must be confirmed; `message` names it. Send the same request again with the value of `confirm`.
    "confirmation_required" => ConfirmationRequired 409,
    /// The pairing code is unknown, was used or is too old. Make a new one.
    "pairing_failed" => PairingFailed 403,
    /// Too many attempts in too short a time; `retryAfterMs` is how long to wait.
    "too_many_requests" => TooManyRequests 429,
    /// No session has this id; or the message names none, and there is none to take for it.
    "session_not_found" => SessionNotFound 404,
    /// The session's folder is another one, or its id is taken by a session elsewhere.
    "session_conflict" => SessionConflict 409,
    /// No such input waits: it was sent or cancelled meanwhile.
    "input_not_found" => InputNotFound 404,
    /// As many inputs wait as may.
    "queue_full" => QueueFull 429,
    /// Nothing with this id is to be decided.
    "permission_not_found" => PermissionNotFound 404,
    /// Several questions are about a call of this id, which agents choose. Name the question by its `id`.
    "ambiguous_request" => AmbiguousRequest 409,
    /// Another client decided first. `permission_resolved` names it.
    "already_resolved" => AlreadyResolved 409,
    /// `inputHash` is not that of the pending input. Show the new one, and ask again.
    "input_changed" => InputChanged 409,
    /// The decision does not go with the request's `kind`, such as an answer to a permission.
    "wrong_decision" => WrongDecision 409,
    /// The path is not under one of the roots, symlinks resolved.
    "path_not_allowed" => PathNotAllowed 403,
    /// No file or folder is there.
    "path_not_found" => PathNotFound 404,
    /// The folder is in no git repository.
    "not_a_repository" => NotARepository 409,
    /// The repository can't be read safely as it is: git does not trust it, or it is too large to check. `message` has what to
    /// change.
    "repository_refused" => RepositoryRefused 409,
    /// The agent would use what the folder provides, and the user does not trust that. Show `get_trust`, then send
    /// `trust_folder`.
    "trust_required" => TrustRequired 403,
    /// What the folder provides has changed since it was shown. Show `get_trust` again.
    "trust_changed" => TrustChanged 409,
    /// The session is too large to be imported or to be one document.
    "session_too_large" => SessionTooLarge 409,
    /// The session's agent does not run. Send an input first, which starts it.
    "agent_not_running" => AgentNotRunning 409,
    /// No agent of this name is set up.
    "agent_not_found" => AgentNotFound 404,
    /// The agent could not be started or ended too early; `stderr` has its last words.
    "agent_failed" => AgentFailed 502,
    /// The agent did not answer in time.
    "agent_timeout" => AgentTimeout 504,
    /// This agent, or this bridge as it is set up, can't do that.
    "not_supported" => NotSupported 501,
    /// This device gets no notifications. Send `subscribe_push` first.
    "not_subscribed" => NotSubscribed 409,
    /// No device has this id.
    "device_not_found" => DeviceNotFound 404,
    /// The store can't be written: the disk is full or read-only. Nothing was taken.
    "storage_failed" => StorageFailed 507,
    /// The bridge is shutting down, or has too much to do. Connect again.
    "unavailable" => Unavailable 503,
    /// A fault of the bridge. Its log has more.
    "internal" => Internal 500,
}
