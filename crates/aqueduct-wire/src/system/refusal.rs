use crate::json::Str;
use crate::table::{names, record};

record! {
    /// A model refused to answer, and another one takes over or gives back.
    ModelRefusalFallback<'a> {
        essential {
            original_model: Str<'a>,
            fallback_model: Str<'a>,
        }
        "2.1.325" {
            always trigger: RefusalTrigger<'a>,
            always direction: RefusalDirection<'a>,
            optional scope: RefusalScope<'a>,
            nullable request_id: Str<'a>,
            optional api_refusal_category: Str<'a>,
            optional api_refusal_explanation: Str<'a>,
            /// Frames that are to be taken back.
            optional retracted_message_uuids: Vec<Str<'a>>,
            optional refused_user_message_uuid: Str<'a>,
            /// The notice for the user.
            always content: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

names! {
    /// What made another model take over.
    RefusalTrigger<'a> {
        "refusal" => Refusal,
    }
}

names! {
    /// Which way the conversation changes models.
    RefusalDirection<'a> {
        "retry" => Retry,
        "revert" => Revert,
        "sticky" => Sticky,
    }
}

names! {
    /// How far the change reaches.
    RefusalScope<'a> {
        "session" => Session,
        "local" => Local,
    }
}

record! {
    /// A model refused to answer and there is none to take over.
    ModelRefusalNoFallback<'a> {
        essential { original_model: Str<'a> }
        "2.1.325" {
            nullable request_id: Str<'a>,
            optional api_refusal_category: Str<'a>,
            optional api_refusal_explanation: Str<'a>,
            optional refused_user_message_uuid: Str<'a>,
            /// The notice for the user.
            always content: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}
