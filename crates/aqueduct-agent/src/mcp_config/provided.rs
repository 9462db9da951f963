//! The servers that a project folder provides.

use std::path::Path;

use aqueduct_rules::settings::{PathStep, line_of};
use serde_json::Value;

use super::PROJECT_FILE;
use super::file::SERVERS;
use crate::configuration::plain;
use crate::diagnostic::Diagnostic;
use crate::front_matter::read_settings;
use crate::provision::{Provision, provided_server};

/// The servers of the `.mcp.json` files of a folder and of the folders above it, and what is wrong with these files.
pub(crate) fn provided_servers(folder: &Path) -> (Vec<Provision>, Vec<Diagnostic>) {
    let (mut servers, mut problems) = (Vec::new(), Vec::new());
    for file in folder.ancestors().map(|folder| folder.join(PROJECT_FILE)) {
        let text = match read_settings(&file) {
            Ok(text) => plain(&text),
            Err(error) if error.is_absent => continue,
            Err(error) => {
                problems.push(error.describe(&file));
                continue;
            }
        };
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => {
                for (name, entry) in value.get(SERVERS).and_then(Value::as_object).into_iter().flatten() {
                    let line = line_of(&text, &[PathStep::Member(SERVERS), PathStep::Member(name)]);
                    servers.push(provided_server(&file, name, entry).at(line));
                }
            }
            Err(error) => {
                let what = Diagnostic::problem(format!("is not valid JSON: {error}"));
                problems.push(what.in_file(&file).at_line(error.line()));
            }
        }
    }
    (servers, problems)
}
