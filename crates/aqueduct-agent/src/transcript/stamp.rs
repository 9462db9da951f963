use aqueduct_wire::json::{Json, Map, Raw, Reader, Str};

/// What every line of a conversation says about where it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// The session, which is the file's name too.
    pub(crate) session_id: String,
    /// The working directory.
    pub(crate) cwd: String,
    /// The protocol version that this program speaks: readers look at it to know a line's form.
    pub(crate) version: String,
    /// The branch that is checked out, if the folder is in a repository.
    pub(crate) git_branch: Option<String>,
    /// How the program was started, such as `sdk-py`.
    pub(crate) entrypoint: String,
    /// `external`.
    pub(crate) user_type: String,
}

impl Stamp {
    /// Appends the members that stand at the end of a line. Outside a repository the branch is `HEAD`, as
    /// git itself calls a branch without a name.
    pub(super) fn write(&self, out: &mut String) {
        let branch = self.git_branch.as_deref().unwrap_or("HEAD");
        for (key, value) in [
            ("userType", self.user_type.as_str()),
            ("entrypoint", &self.entrypoint),
            ("cwd", &self.cwd),
            ("sessionId", &self.session_id),
            ("version", &self.version),
            ("gitBranch", branch),
        ] {
            member(out, key, value);
        }
    }
}

/// Appends a member whose value is a string, behind a comma unless it is the object's first.
pub(super) fn member(out: &mut String, key: &str, value: &str) {
    raw_member(out, key, "");
    Str::from(value).write(out);
}

/// Appends a member with its value as JSON.
pub(super) fn raw_member(out: &mut String, key: &str, value: &str) {
    if !out.ends_with('{') {
        out.push(',');
    }
    Str::from(key).write(out);
    out.push(':');
    out.push_str(value);
}

/// An object with another session's id in it; `None` where the text is no object.
pub(super) fn restamped(object: &str, session_id: &str) -> Option<String> {
    let members: Map<'_, Raw<'_>> = Map::read(&mut Reader::new(object)).ok()?;
    let mut out = "{".to_owned();
    for (key, value) in members.iter().filter(|(key, _)| *key != "sessionId") {
        raw_member(&mut out, key, value.as_str());
    }
    member(&mut out, "sessionId", session_id);
    out.push('}');
    Some(out)
}
