use aqueduct_wire::json::{Json, Map, Raw, Reader, Str};

/// The member that every line has.
const SESSION_ID: &str = "sessionId";

/// The members of every line that identify where it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineStamp {
    /// The session, which is the file's name too.
    pub(crate) session_id: String,
    /// The working directory.
    pub(crate) cwd: String,
    /// The protocol version that this program implements: readers use it to determine the format of a line.
    pub(crate) version: String,
    /// The branch that is checked out, if the folder is in a repository.
    pub(crate) git_branch: Option<String>,
    /// How the program was started, such as `sdk-py`.
    pub(crate) entrypoint: String,
    /// `external`.
    pub(crate) user_type: String,
    /// The subagent whose conversation it is, beside the session's.
    pub(crate) agent_id: Option<String>,
}

impl LineStamp {
    /// The branch as lines have it: outside a repository it is `HEAD`, as git itself calls a branch without a
    /// name.
    pub(super) fn branch(&self) -> &str {
        self.git_branch.as_deref().unwrap_or("HEAD")
    }
}

/// An object with another session's id in it; `None` where the text is no object.
pub(super) fn restamped(object: &str, session_id: &str) -> Option<String> {
    let members: Map<'_, Raw<'_>> = Map::read(&mut Reader::new(object)).ok()?;
    let mut out = Map::default();
    for (key, value) in members.iter().filter(|(key, _)| *key != SESSION_ID) {
        out.push(key, value.borrowed());
    }
    let mut id = String::new();
    Str::from(session_id).write(&mut id);
    out.push(SESSION_ID, Raw::parse(&id).ok()?);
    let mut text = String::with_capacity(object.len());
    out.write(&mut text);
    Some(text)
}
