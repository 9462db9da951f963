use aqueduct_wire::json::Str;
use aqueduct_wire::table::record;

record! {
    /// Requests a challenge for a device that has a key. Needs no token.
    ChallengeRequest<'a> {
        essential { device_id = "deviceId": Str<'a> }
    }
}

record! {
    /// A challenge to sign. It is good for one use. A device that is not known gets one as well.
    Challenge<'a> {
        essential {
            challenge: Str<'a>,
            /// How long it can be answered, in milliseconds.
            expires_in_ms = "expiresInMs": u64,
        }
    }
}

record! {
    /// Signs a device in with its key. Needs no token, but the header `Origin`.
    AccessTokenRequest<'a> {
        essential {
            device_id = "deviceId": Str<'a>,
            challenge: Str<'a>,
            /// ECDSA with SHA-256 over four lines joined by LF: `aqueduct sign-in v1`, the page's origin, the device's id and
            /// the challenge. Both numbers one after the other (IEEE P1363), in base64url without padding.
            signature: Str<'a>,
        }
    }
}

record! {
    /// A token for a while. It belongs to the device, and to pages of the origin that it was issued for.
    AccessToken<'a> {
        essential {
            token: Str<'a>,
            /// How long it is good for, in milliseconds. A WebSocket that was opened with it stays open.
            expires_in_ms = "expiresInMs": u64,
        }
    }
}

record! {
    /// Requests a ticket for a path: an image of a message, or a session as a document.
    TicketRequest<'a> {
        essential {
            /// The path, such as `/api/v1/sessions/ID/export/html`, without a query.
            path: Str<'a>,
        }
    }
}

record! {
    /// A ticket: it reads one path once, for pages that can set no header, such as for a download.
    Ticket<'a> {
        essential {
            /// The path with the ticket in its query.
            url: Str<'a>,
            /// How long it can be used, in milliseconds.
            expires_in_ms = "expiresInMs": u64,
        }
    }
}
