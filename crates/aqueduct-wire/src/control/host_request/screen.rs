use crate::json::Str;
use crate::table::record;

record! {
    /// Use a colour for the session. A headless agent refuses.
    SetColorRequest<'a> {
        "2.1.325" {
            always color: Str<'a>,
        }
    }
}

record! {
    /// Hold back suggestions for the next prompt.
    SetPromptSuggestionsPausedRequest<'a> {}
}

record! {
    /// What the memory dialog shows.
    GetMemoryDialogRequest<'a> {}
}

record! {
    /// What the skills dialog shows.
    GetSkillsDialogRequest<'a> {}
}

record! {
    /// What the sandbox dialog shows.
    GetSandboxDialogRequest<'a> {}
}

record! {
    /// What the browser dialog shows.
    GetChromeDialogRequest<'a> {}
}

record! {
    /// Which browsers are there?
    GetChromeBrowsersRequest<'a> {}
}

record! {
    /// Use this browser.
    SelectChromeBrowserRequest<'a> {}
}

record! {
    /// What the host knows about the browsers.
    SetChromeBrowserHintsRequest<'a> {}
}
