//! What "always" would change, in words.

use aqueduct_wire::permission::{Destination, PermissionUpdate, RuleBehavior, RulesUpdate};

/// What an update does, and for how long.
pub(super) fn describe(update: &PermissionUpdate<'_>) -> String {
    match update {
        PermissionUpdate::AddRules(update) => rules("", update),
        PermissionUpdate::ReplaceRules(update) => rules("instead of all such rules: ", update),
        PermissionUpdate::RemoveRules(update) => rules("no more: ", update),
        PermissionUpdate::SetMode(update) => {
            format!("mode {}{}", update.mode, place(update.destination.as_ref()))
        }
        PermissionUpdate::AddDirectories(update) => {
            let folders: Vec<&str> = update.directories.iter().map(|folder| folder.as_str()).collect();
            format!("work in {} too{}", folders.join(", "), place(update.destination.as_ref()))
        }
        PermissionUpdate::RemoveDirectories(update) => {
            let folders: Vec<&str> = update.directories.iter().map(|folder| folder.as_str()).collect();
            format!("no longer work in {}{}", folders.join(", "), place(update.destination.as_ref()))
        }
        // What is not understood is shown as it is.
        other => {
            let mut json = String::new();
            aqueduct_wire::json::Json::write(other, &mut json);
            json
        }
    }
}

fn rules(before: &str, update: &RulesUpdate<'_>) -> String {
    let behavior = update.behavior.as_ref().unwrap_or(&RuleBehavior::Allow);
    let rules: Vec<String> = update
        .rules
        .iter()
        .map(|rule| match &rule.rule_content {
            Some(content) => format!("{}({content})", rule.tool_name),
            None => rule.tool_name.to_string(),
        })
        .collect();
    format!("{before}{behavior} {}{}", rules.join(", "), place(update.destination.as_ref()))
}

/// Where an update is kept, and so for how long it holds.
fn place(destination: Option<&Destination<'_>>) -> String {
    let place = match destination {
        Some(Destination::Session) | None => "until this session ends",
        Some(Destination::LocalSettings) => "for you in this project, in .claude/settings.local.json",
        Some(Destination::ProjectSettings) => "for all users of this project, in .claude/settings.json",
        Some(Destination::UserSettings) => "for you everywhere, in the user's settings.json",
        Some(other) => return format!(" ({other})"),
    };
    format!(" ({place})")
}
