use crate::table::{names, record};

record! {
    /// What fills the context?
    GetContextUsageRequest<'a> {
        "2.1.325" {
            optional detail: ContextDetail<'a>,
        }
    }
}

names! {
    /// The level of detail.
    ContextDetail<'a> {
        "summary" => Summary,
        "full" => Full,
    }
}

record! {
    /// What has the session cost, as text?
    GetSessionCostRequest<'a> {}
}

record! {
    /// What has been used of the plan's limits?
    GetUsageRequest<'a> {
        "2.1.325" {
            optional skip_behaviors: bool,
        }
    }
}

record! {
    /// Which version runs?
    GetBinaryVersionRequest<'a> {}
}

record! {
    /// Which models are there?
    ListModelsRequest<'a> {}
}

record! {
    /// Which slash commands are there?
    SupportedCommandsRequest<'a> {}
}

record! {
    /// What is the state of the session?
    GetStatusRequest<'a> {}
}

record! {
    /// What is the plan?
    GetPlanRequest<'a> {}
}
