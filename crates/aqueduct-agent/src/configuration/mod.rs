//! Settings files of all scopes, and the permission context that follows from them.
//!
//! A [`Configuration`] holds the settings of every scope. In order of precedence, these are the organisation's
//! policy, the command line, the project's local file, the project's shared file, and the user's file. Files are
//! written only by [`Configuration::save`], when the user has granted something.
//!
//! | file | contents |
//! |---|---|
//! | `scope.rs`, `plain.rs`, `members.rs` | the settings of a scope; JSON with comments; members in their order |
//! | `hooks.rs`, `servers.rs`, `records.rs` | settings about hooks and MCP servers; what the reference CLI stores about projects |
//! | `check.rs`, `known.rs`, `error.rs`, `listing.rs` | errors in settings; known keys; errors of this module; settings as hosts see them |
//! | `rules.rs`, `save.rs` | makes a permission context; writes what a person granted |
//! | `provided.rs` | the table of settings that need trust, and how each is withheld |

mod check;
mod error;
mod hooks;
mod known;
mod listing;
mod members;
mod plain;
mod provided;
mod records;
mod rules;
mod save;
mod scope;
mod servers;

pub(crate) use error::ConfigurationError;
pub(crate) use known::{diagnostics_in, misfits, unknown_setting};
pub(crate) use members::ObjectMembers;
pub(crate) use plain::plain;
pub(crate) use provided::{allow_rule, default_mode, directory};
pub(crate) use records::ProjectRecords;
pub(crate) use rules::StartOptions;
pub(crate) use scope::{Configuration, SettingsSources, file_of as settings_file};
pub(crate) use servers::ServerSettings;

/// Where an organisation's settings are on this system.
pub(crate) const MANAGED_SETTINGS: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/managed-settings.json"
} else {
    "/etc/claude-code/managed-settings.json"
};

#[cfg(test)]
mod tests;
