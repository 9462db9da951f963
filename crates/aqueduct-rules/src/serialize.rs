//! Types of the wire in the JSON of a decision.

use aqueduct_wire::control::DecisionReasonType;
use aqueduct_wire::permission::{PermissionUpdate, RuleValue};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// A reason's type, by its name.
pub(crate) fn reason_type<S: Serializer>(
    kind: &DecisionReasonType<'static>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.as_str())
}

/// Permission updates, as on the wire.
pub(crate) fn updates<S: Serializer>(
    updates: &[PermissionUpdate<'static>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(updates.iter().map(UpdateJson))
}

struct UpdateJson<'u>(&'u PermissionUpdate<'static>);

impl Serialize for UpdateJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.0.tag())?;
        match self.0 {
            PermissionUpdate::AddRules(update)
            | PermissionUpdate::ReplaceRules(update)
            | PermissionUpdate::RemoveRules(update) => {
                map.serialize_entry("rules", &update.rules.iter().map(RuleValueJson).collect::<Vec<_>>())?;
                map.serialize_entry("behavior", &update.behavior.as_ref().map(|name| name.as_str()))?;
            }
            PermissionUpdate::SetMode(update) => map.serialize_entry("mode", update.mode.as_str())?,
            PermissionUpdate::AddDirectories(update) | PermissionUpdate::RemoveDirectories(update) => {
                let directories: Vec<&str> = update.directories.iter().map(|path| path.as_str()).collect();
                map.serialize_entry("directories", &directories)?;
            }
            _ => {}
        }
        map.serialize_entry("destination", &self.0.destination().map(|name| name.as_str()))?;
        map.end()
    }
}

struct RuleValueJson<'r>(&'r RuleValue<'static>);

impl Serialize for RuleValueJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("toolName", self.0.tool_name.as_str())?;
        if let Some(content) = self.0.rule_content.as_deref() {
            map.serialize_entry("ruleContent", content)?;
        }
        map.end()
    }
}
