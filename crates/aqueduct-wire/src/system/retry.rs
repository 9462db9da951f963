use crate::error_name::ErrorName;
use crate::json::{Number, Str};
use crate::table::record;

record! {
    /// A call of the model failed and is tried again after a wait.
    ApiRetry<'a> {
        essential { attempt: Number<'a> }
        "2.1.74" {
            always max_retries: Number<'a>,
            always retry_delay_ms: Number<'a>,
            /// The HTTP status; `null` if there was no answer.
            nullable error_status: Number<'a>,
            always error: ErrorName<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
        "2.1.325" {
            /// Set where the model's side was silent for too long.
            optional no_response: Box<NoResponse<'a>>,
        }
    }
}

record! {
    /// How long an answer was waited for.
    NoResponse<'a> {
        "2.1.325" {
            always waited_ms: Number<'a>,
            /// How long the next try will be waited for.
            always retry_wait_ms: Number<'a>,
        }
    }
}
