use std::fs;

use serde_json::Value;

use crate::environment::Environment;

/// Whether the user has trusted the project folder, in the records of the reference CLI: this very folder,
/// not one above it. The records are in the home, or in the configuration folder where a variable names
/// that one. They are only read.
pub(super) fn is_trusted(environment: &Environment) -> bool {
    let folder = match environment.variable("CLAUDE_CONFIG_DIR") {
        Some(_) => &environment.config,
        None => &environment.home,
    };
    let text = fs::read_to_string(folder.join(".claude.json")).unwrap_or_default();
    let records: Value = serde_json::from_str(&text).unwrap_or_default();
    records["projects"][environment.cwd.to_string_lossy().as_ref()]["hasTrustDialogAccepted"] == true
}
