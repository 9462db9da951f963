use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a session is started with, as the log keeps it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct StoredOptions {
    /// The requested model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    /// Rules that were allowed by hand, for agents that can't ask.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) allowed: Vec<String>,
}

/// What else the log keeps of a session, together with each message that changes it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Details {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agent_version: Option<String>,
    /// The beginning of the newest text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) last_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) context_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) context_window: Option<u64>,
    /// What the agent's process has used so far, by model: agents report sums.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) used: BTreeMap<String, RecordedUsage>,
    /// The calls that have no result yet, with the names of their tools.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) calls: BTreeMap<String, String>,
    /// Where the oldest answer begins in the keeper's output that is not complete. What comes from there on is read
    /// again after a restart, so that the answer is whole again.
    pub(super) anchor: u64,
    /// The agent has written something down that it can resume.
    pub(super) can_resume: bool,
    /// The agent that runs reports when it is idle.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) reports_state: bool,
    /// The session was stopped: what waits continues on request.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) held: bool,
    /// The digest of what the folder provides and the agent leaves out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) untrusted: Option<String>,
}

/// What the log keeps of a session that an agent has begun elsewhere and written down.
pub(crate) fn adopted(agent_version: Option<String>, last_text: Option<String>) -> Option<String> {
    write(&Details { agent_version, last_text, can_resume: true, ..Details::default() })
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Dollars; tokens read, written, read from the cache and written to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct RecordedUsage(pub(super) f64, pub(super) [f64; 4]);

/// What the log kept, or nothing where it can't be read: then it is found out anew.
pub(super) fn read<T: Default + for<'de> Deserialize<'de>>(text: Option<&str>) -> T {
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// As the log keeps it.
pub(super) fn write<T: Serialize>(value: &T) -> Option<String> {
    serde_json::to_string(value).ok()
}
