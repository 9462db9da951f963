use aqueduct_wire::json::Str;

use crate::message::table::request;

request! {
    /// Return the state of the bridge: whether it works, what waits, and what it uses.
    GetStatus<'a> {}
}

request! {
    /// Return what a session's agent wrote to its stderr.
    GetStderr<'a> {
        essential { session_id = "sessionId": Str<'a> }
        "1" {
            /// The `run` of the reply that `sinceOffset` is from: with another one, all lines of the agent are returned.
            optional run: Str<'a>,
            /// The `nextOffset` of the last reply.
            optional since_offset = "sinceOffset": u64,
        }
    }
}
