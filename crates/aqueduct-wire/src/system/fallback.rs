use crate::json::Str;
use crate::table::{names, record};

record! {
    /// A model could not be called, and another one takes over for the rest of the turn.
    ModelFallback<'a> {
        essential {
            original_model: Str<'a>,
            fallback_model: Str<'a>,
        }
        "2.1.325" {
            always trigger: FallbackTrigger<'a>,
            /// The notice for the user.
            always content: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

names! {
    /// Why a model could not be called.
    FallbackTrigger<'a> {
        "overloaded" => Overloaded,
        "model_not_found" => ModelNotFound,
    }
}
