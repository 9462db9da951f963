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
    /// Send the user's feedback to the vendor.
    SubmitFeedbackRequest<'a> {}
}

record! {
    /// Send the user's answer to a survey to the vendor.
    SubmitSurveyFeedbackRequest<'a> {}
}

record! {
    /// Send the user's feedback on one message to the vendor.
    MessageRatedRequest<'a> {}
}
