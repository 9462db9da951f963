use crate::table::record;

record! {
    /// Log in.
    ClaudeAuthenticateRequest<'a> {}
}

record! {
    /// What the login page gave back.
    ClaudeOauthCallbackRequest<'a> {}
}

record! {
    /// Wait until the login is done.
    ClaudeOauthWaitRequest<'a> {}
}

record! {
    /// Tell the vendor what the user thinks.
    SubmitFeedbackRequest<'a> {}
}

record! {
    /// Tell the vendor what the user answered in a survey.
    SubmitSurveyFeedbackRequest<'a> {}
}

record! {
    /// Tell the vendor what the user thinks of one message.
    MessageRatedRequest<'a> {}
}
