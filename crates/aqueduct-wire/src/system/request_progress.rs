use crate::json::{Number, Str};
use crate::table::{names, record};

record! {
    /// A host's control request takes a while.
    ControlRequestProgress<'a> {
        essential { request_id: Str<'a> }
        "2.1.325" {
            always status: RequestProgress<'a>,
            optional attempt: Number<'a>,
            optional max_retries: Number<'a>,
            optional retry_delay_ms: Number<'a>,
            optional error_status: Number<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

names! {
    /// How far a control request is.
    RequestProgress<'a> {
        "started" => Started,
        /// It asks the model, and that call is tried again.
        "api_retry" => ApiRetry,
    }
}
