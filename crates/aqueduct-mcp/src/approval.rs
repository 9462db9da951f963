use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use aqueduct_os::private_dir::make_private;

/// The user's answers about servers that a project provides. An answer holds for a server as it was
/// configured then: a project that changes what is started is asked about again.
#[derive(Debug, Default)]
pub(crate) struct Approvals {
    /// Where answers are kept; nowhere for a session that keeps nothing.
    file: Option<PathBuf>,
    given: Mutex<BTreeMap<String, Approval>>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Approval {
    /// What was asked about.
    entry: String,
    /// The user's answer.
    allowed: bool,
}

impl Approvals {
    /// The answers that are kept in a file. One that is not there, or can't be read, has none.
    pub(crate) fn read(file: PathBuf) -> Self {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let given = serde_json::from_str(&text).unwrap_or_default();
        Approvals { file: Some(file), given: Mutex::new(given) }
    }

    /// The user's answer about a server in its current configuration.
    pub(crate) fn is_allowed(&self, name: &str, entry: &str) -> Option<bool> {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        given.get(name).filter(|approval| approval.entry == entry).map(|approval| approval.allowed)
    }

    /// Keeps an answer.
    pub(crate) fn keep(&self, name: &str, entry: &str, allowed: bool) -> io::Result<()> {
        let text = {
            let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
            given.insert(name.to_owned(), Approval { entry: entry.to_owned(), allowed });
            serde_json::to_string_pretty(&*given)?
        };
        let Some(file) = &self.file else { return Ok(()) };
        if let Some(folder) = file.parent() {
            make_private(folder)?;
        }
        let part = file.with_extension(format!("json.{}.part", Uuid::new_v4().simple()));
        let mut out = File::options().write(true).create_new(true).mode(0o600).open(&part)?;
        out.write_all(text.as_bytes()).and_then(|()| fs::rename(&part, file)).inspect_err(|_| {
            // The first error is the one that matters.
            let _ = fs::remove_file(&part);
        })
    }
}

/// What an answer is about: a name for the whole entry of a server.
pub fn entry_id(entry: &Value) -> String {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, entry.to_string().as_bytes()).simple().to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Approvals, entry_id};

    #[test]
    fn an_answer_holds_for_what_was_asked() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/approvals.json");
        let (old, new) = (entry_id(&json!({ "command": "a" })), entry_id(&json!({ "command": "b" })));
        Approvals::read(file.clone()).keep("x", &old, true).unwrap();
        let approvals = Approvals::read(file.clone());
        assert_eq!(approvals.is_allowed("x", &old), Some(true));
        assert_eq!(approvals.is_allowed("x", &new), None);
        assert_eq!(approvals.is_allowed("y", &old), None);
        approvals.keep("x", &new, false).unwrap();
        assert_eq!(Approvals::read(file).is_allowed("x", &new), Some(false));
    }
}
