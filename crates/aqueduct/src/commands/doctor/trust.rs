//! Whether the folder is trusted with what its files provide.

use std::path::Path;

use aqueduct_agent::trust::{self, FolderTrust};
use serde_json::json;

use super::check::DoctorCheck;
use crate::commands::trust::{places, shown_folder};
use crate::config::UserEnvironment;
use crate::explained::explained;

/// What the check is called.
const SUBJECT: &str = "trust";

pub(super) fn check(folder: &Path, known: &UserEnvironment) -> DoctorCheck {
    let report = match places(known).and_then(|places| Ok(trust::inspect(&known.cwd.join(folder), &places)?))
    {
        Ok(report) => report,
        Err(error) => {
            return DoctorCheck::fail(
                SUBJECT,
                explained(&error),
                "until then no folder's hooks and rules take effect",
            );
        }
    };
    let folder = shown_folder(&report, known);
    let count = report.items.len();
    let things = if count == 1 { "1 thing".to_owned() } else { format!("{count} things") };
    let next = format!("aqueduct trust {folder} shows it and asks");
    let check = match report.state {
        FolderTrust::Nothing => {
            DoctorCheck::ok(SUBJECT, format!("{folder} provides nothing that needs trust"))
        }
        FolderTrust::Trusted => {
            DoctorCheck::ok(SUBJECT, format!("{folder} is trusted with what it provides: {things}"))
        }
        FolderTrust::Untrusted => DoctorCheck::warn(
            SUBJECT,
            format!("{folder} is not trusted: {things} that it provides not in effect"),
            next,
        ),
        FolderTrust::Changed => DoctorCheck::warn(
            SUBJECT,
            format!("{folder} has changed what it provides since you trusted it: nothing of it is in effect"),
            next,
        ),
    };
    check.with_detail(json!({ "state": report.state.name(), "digest": report.digest, "items": count }))
}
