//! Files that searches skip.

use std::path::Path;
use std::sync::Arc;

use aqueduct_os::real_path::real_path;
use aqueduct_rules::tool::{ToolKind, kind};
use aqueduct_rules::{Behavior, Context, Entry, Mode, decide};
use aqueduct_wire::control::DecisionReasonType;
use serde_json::json;

mod screen;

pub(crate) use screen::HiddenFilter;

/// The files that a search passes over in silence: they hold credentials, or a rule keeps them from being read. A
/// search that was allowed would else show by the way what the model may not see.
#[derive(Debug, Clone, Default)]
pub struct Hidden {
    rules: Option<Arc<Context>>,
    /// Whether a rule is about files. Most sessions have none, and their searches look at credentials alone.
    by_rule: bool,
}

impl Hidden {
    /// What is hidden under these rules.
    pub fn by(rules: &Context, cwd: &Path) -> Self {
        let hides = |entry: &Entry| {
            let is_about_files = |name: &str| matches!(kind(name), ToolKind::Read(_) | ToolKind::Edit(_));
            entry.behavior != Behavior::Allow
                && entry.rule.as_ref().is_ok_and(|rule| is_about_files(&rule.tool_name))
        };
        let by_rule = rules.rules().any(hides);
        let mut rules = rules.clone();
        rules.set_cwd(cwd.to_string_lossy());
        Hidden { rules: Some(Arc::new(rules)), by_rule }
    }

    /// Whether a file is hidden. A file that needs a permission prompt is: a search does not ask about each file.
    /// [`HiddenFilter`] is faster for many files.
    pub(crate) fn hides(&self, path: &Path) -> bool {
        let Some(rules) = &self.rules else { return false };
        let path = path.to_string_lossy();
        let is_credential = rules.mode() != Mode::BypassPermissions && rules.credential(&path).is_some();
        if !is_credential && !self.by_rule {
            return false;
        }
        let resolved = [(path.to_string(), real_path(&path))];
        let input = json!({ "file_path": path });
        let decision = decide(rules, &aqueduct_rules::Call::new("Read", &input).with_resolved(&resolved));
        decision.behavior == Behavior::Deny
            || is_credential && decision.behavior != Behavior::Allow
            || (decision.behavior == Behavior::Ask && decision.reason_type == DecisionReasonType::Rule)
    }
}
