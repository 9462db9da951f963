use crate::json::{Raw, Str};
use crate::table::record;

record! {
    /// A new access token is wanted.
    OauthTokenRefreshRequest<'a> {
        "2.1.325" {
            optional kind: Str<'a>,
            optional token_state: Raw<'a>,
            optional refused_call: Raw<'a>,
        }
    }
}

record! {
    /// The host's own credential was refused; another one is wanted.
    HostAuthTokenRefreshRequest<'a> {
        "2.1.325" {
            always status: Raw<'a>,
        }
    }
}

record! {
    /// The secret of a session that is driven from elsewhere.
    RemoteControlWorkSecretRequest<'a> {
        "2.1.325" {
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// Put something on the clipboard.
    UiCopyRequest<'a> {}
}

record! {
    /// Return the content of the input field.
    UiPromptReadRequest<'a> {}
}

record! {
    /// Put something into the input field.
    UiPromptFillRequest<'a> {}
}

record! {
    /// Mark something in the input field.
    UiPromptPaintRequest<'a> {}
}

record! {
    /// Suggest something in the input field.
    UiPromptSuggestRequest<'a> {}
}

record! {
    /// What has the user selected?
    UiReadSelectionRequest<'a> {}
}

record! {
    /// Run a tool on the host's machine.
    RemoteToolCallRequest<'a> {}
}

record! {
    /// Housekeeping between an agent and tools on the host's machine.
    RemotePlumbingCallRequest<'a> {}
}

record! {
    /// Are the tools on the host's machine still there?
    RemoteToolsProbeRequest<'a> {}
}

record! {
    /// Name the tools on the host's machine again.
    RemoteToolsReannounceRequest<'a> {}
}
