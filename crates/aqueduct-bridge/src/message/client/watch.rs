use aqueduct_wire::json::Str;

use crate::message::table::request;

request! {
    /// Subscribe to this session: what was stored since, then everything as it happens. A client that has
    /// subscriptions receives those sessions and the ones it starts; one that has none receives all.
    Subscribe<'a> {
        essential { session_id = "sessionId": Str<'a> }
        "1" {
            /// The newest sequence number that the client has; 0 for everything. If absent, stored messages come only as far as `limit` asks for them.
            optional since_seq = "sinceSeq": u64,
            /// At most this many stored messages, the newest.
            optional limit: u64,
        }
    }
}

request! {
    /// Unsubscribe from this session.
    Unsubscribe<'a> {
        essential { session_id = "sessionId": Str<'a> }
    }
}

request! {
    /// Get the state of one session: its open requests and its queue.
    GetSession<'a> {
        essential { session_id = "sessionId": Str<'a> }
    }
}

request! {
    /// Give stored messages: the newest, those before a place, or those after one.
    GetHistory<'a> {
        essential { session_id = "sessionId": Str<'a> }
        "1" {
            /// Only messages with a smaller number; the newest of them.
            optional before_seq = "beforeSeq": u64,
            /// Only messages with a larger number; the oldest of them.
            optional since_seq = "sinceSeq": u64,
            /// At most this many. The bridge may give fewer: then `more` is set.
            optional limit: u64,
        }
    }
}

request! {
    /// Search the text of all sessions.
    Search<'a> {
        essential {
            /// Words that all have to occur; `"in quotes"` in this order; a last `*` for any ending.
            query: Str<'a>,
        }
        "1" {
            /// At most this many hits; 20 if absent.
            optional limit: u64,
            /// How many to pass over.
            optional offset: u64,
            /// Only sessions of this folder.
            optional project_path = "projectPath": Str<'a>,
            /// Only this session.
            optional session_id = "sessionId": Str<'a>,
        }
    }
}

request! {
    /// Return what fills the agent's context.
    GetContext<'a> {
        "1" {
            optional session_id = "sessionId": Str<'a>,
        }
    }
}
