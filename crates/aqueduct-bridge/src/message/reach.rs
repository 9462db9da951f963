use aqueduct_wire::json::Str;

/// What a message is about, and so how a credential's project root limits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageReach {
    /// One session. One outside the root does not exist for the credential.
    Session,
    /// Files of a session or a folder. Both must be in the root.
    Files,
    /// A folder, which must be in the root.
    Folder,
    /// Many sessions. Those outside the root are left out.
    Many,
    /// Credentials. Only those with a root in the same root are visible.
    Access,
    /// The bridge itself; no session and no folder.
    Bridge,
}

/// A member `sessionId`, whether the message needs it or not.
pub(super) trait NamesSession {
    fn named(&self) -> Option<&str>;
}

impl NamesSession for Str<'_> {
    fn named(&self) -> Option<&str> {
        Some(self)
    }
}

impl NamesSession for Option<Str<'_>> {
    fn named(&self) -> Option<&str> {
        self.as_deref()
    }
}
