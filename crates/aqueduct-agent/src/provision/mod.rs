//! Provisions: what the files of a project folder run or widen once the folder is trusted.
//!
//! Each reader of project files names its provisions here: settings (`configuration`), MCP servers (`mcp_config`), custom
//! commands and skills (`custom command`) and subagents (`subagent`). The same value is shown to the user, hashed into the
//! digest that trust is bound to (`trust`), and looked up by the code that puts it into effect.
//!
//! `kind.rs` is the table of kinds, `digest.rs` hashes unambiguous encodings, `accepted.rs` is what is in effect.

mod accepted;
mod digest;
mod kind;
mod server;

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

pub(crate) use accepted::AcceptedProvisions;
pub(crate) use digest::{FieldEncoding, ProvisionDigest};
pub use kind::ProvisionKind;
pub(crate) use server::provided_server;

/// One thing that a project folder provides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Provision {
    /// What it is.
    pub(crate) kind: ProvisionKind,
    /// A short name: a rule, a variable, a server, an event with its matcher.
    pub(crate) name: String,
    /// What it does, for people: a command, a value, an address.
    pub(crate) detail: String,
    /// The file that provides it.
    pub(crate) file: PathBuf,
    /// The line in that file, from 1.
    pub(crate) line: usize,
    /// The digest of what it is, independent of its line and of the formatting of its file.
    pub(crate) digest: ProvisionDigest,
}

impl Provision {
    /// A provision. `content` is everything that decides what it does; `detail` shows it to people.
    pub(crate) fn new(kind: ProvisionKind, file: &Path, name: &str, content: &Value, detail: String) -> Self {
        let mut encoding = FieldEncoding::new("aqueduct provision 1");
        encoding.text(kind.name());
        encoding.bytes(file.as_os_str().as_bytes());
        encoding.text(name);
        encoding.value(content);
        let digest = encoding.digest();
        Provision { kind, name: name.to_owned(), detail, file: file.to_owned(), line: 1, digest }
    }

    /// The same, with its line.
    pub(crate) fn at(mut self, line: usize) -> Self {
        self.line = line;
        self
    }

    /// File and line.
    pub(crate) fn source(&self) -> String {
        format!("{}:{}", self.file.display(), self.line)
    }
}

/// The digest of several provisions. Their order means nothing; how often each occurs does.
pub(crate) fn digest_of(provisions: impl IntoIterator<Item = ProvisionDigest>) -> ProvisionDigest {
    let mut digests: Vec<ProvisionDigest> = provisions.into_iter().collect();
    digests.sort();
    let mut encoding = FieldEncoding::new("aqueduct inventory 1");
    encoding.number(digests.len() as u64);
    for digest in digests {
        encoding.bytes(digest.as_bytes());
    }
    encoding.digest()
}

#[cfg(test)]
mod tests;
