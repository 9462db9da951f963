//! The table of events: what each is, what a matcher is compared with, what a hook can do about it.

/// A point of a conversation at which hooks run: one row of [`EVENTS`].
#[derive(Debug)]
pub(crate) struct HookEventRow {
    /// Its name.
    pub(crate) name: &'static str,
    /// When it happens, for people.
    pub(crate) summary: &'static str,
    /// The member that a matcher is compared with; `None` if all hooks of the event run.
    pub(crate) subject: Option<&'static str>,
    /// Whether a hook can block it, with exit code 2 or a decision.
    pub(crate) can_block: bool,
    /// Whether only the event's own `decision` decides: exit code 2 and `"decision": "block"` leave it to others.
    pub(crate) has_own_decision: bool,
    /// Whether output of a hook that is not JSON is passed to the model.
    pub(crate) adds_output: bool,
    /// Whether it happens in this agent.
    pub(crate) happens: bool,
    /// Whether frames name its hooks without the subject.
    is_plain: bool,
}

/// Every event there is.
pub(crate) const EVENTS: &[HookEventRow] = &[
    blockable("PreToolUse", Some("tool_name"), "Before a tool runs"),
    blockable("PostToolUse", Some("tool_name"), "After a tool has run"),
    blockable("PostToolUseFailure", Some("tool_name"), "After a tool has failed"),
    blockable("PostToolBatch", None, "After all tools that the model called at once"),
    with_own_decision(blockable(
        "PermissionRequest",
        Some("tool_name"),
        "When the user would be asked for permission",
    )),
    notifies("PermissionDenied", Some("tool_name"), "After a call was denied without a permission request"),
    adds_context(blockable("UserPromptSubmit", None, "Before a prompt reaches the model")),
    plain(adds_context(blockable(
        "UserPromptExpansion",
        Some("command_name"),
        "When a slash command becomes a prompt",
    ))),
    adds_context(notifies(
        "SessionStart",
        Some("source"),
        "When a session starts, resumes, or was compacted",
    )),
    notifies("SessionEnd", Some("reason"), "When a session ends"),
    blockable("Stop", None, "When the model is done"),
    notifies("StopFailure", Some("error"), "When a turn ends with an error of the API"),
    notifies("SubagentStart", Some("agent_type"), "When a subagent starts"),
    plain(blockable("SubagentStop", Some("agent_type"), "When a subagent is done")),
    adds_context(blockable("PreCompact", Some("trigger"), "Before the conversation is compacted")),
    notifies("PostCompact", Some("trigger"), "After the conversation was compacted"),
    blockable("PreModelSwitch", Some("to_model"), "Before the model changes"),
    notifies("PostModelSwitch", Some("to_model"), "After the model has changed"),
    notifies("Notification", Some("notification_type"), "When the user's attention is needed"),
    blockable("TaskCreated", None, "When the model adds a task to its list"),
    blockable("TaskCompleted", None, "When the model completes a task"),
    notifies("InstructionsLoaded", Some("load_reason"), "When a memory file was read"),
    notifies("CwdChanged", None, "After the working directory has changed"),
    notifies("DirectoryAdded", Some("source"), "After a working directory was added"),
    notifies("ConfigChange", Some("source"), "When commands or skills have changed"),
    blockable("Elicitation", Some("mcp_server_name"), "When an MCP server asks the user for input"),
    blockable("ElicitationResult", Some("mcp_server_name"), "When the user has answered an MCP server"),
    adds_context(notifies("Setup", Some("trigger"), "When a project is set up")),
    unsupported("TeammateIdle", None, "When a member of a team has nothing to do"),
    notifies("WorktreeCreate", None, "When a worktree is needed: the hook creates it"),
    notifies("WorktreeRemove", None, "When a worktree that a hook created is to be removed"),
    notifies("FileChanged", Some("file_path"), "When a watched file has changed"),
    notifies("MessageDisplay", None, "Before an answer is shown"),
];

const fn notifies(name: &'static str, subject: Option<&'static str>, summary: &'static str) -> HookEventRow {
    HookEventRow {
        name,
        summary,
        subject,
        can_block: false,
        has_own_decision: false,
        adds_output: false,
        happens: true,
        is_plain: false,
    }
}

const fn blockable(name: &'static str, subject: Option<&'static str>, summary: &'static str) -> HookEventRow {
    HookEventRow { can_block: true, ..notifies(name, subject, summary) }
}

const fn unsupported(
    name: &'static str,
    subject: Option<&'static str>,
    summary: &'static str,
) -> HookEventRow {
    HookEventRow { happens: false, ..notifies(name, subject, summary) }
}

const fn with_own_decision(event: HookEventRow) -> HookEventRow {
    HookEventRow { has_own_decision: true, ..event }
}

const fn adds_context(event: HookEventRow) -> HookEventRow {
    HookEventRow { adds_output: true, ..event }
}

const fn plain(event: HookEventRow) -> HookEventRow {
    HookEventRow { is_plain: true, ..event }
}

impl HookEventRow {
    /// The event of this name.
    pub(crate) fn named(name: &str) -> Option<&'static HookEventRow> {
        EVENTS.iter().find(|event| event.name == name)
    }

    /// The event with what it was about, as frames and people name its hooks.
    pub(crate) fn label(&self, subject: Option<&str>) -> String {
        match subject {
            Some(subject) if self.subject.is_some() && !self.is_plain => format!("{}:{subject}", self.name),
            _ => self.name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::hook::HookEvent;
    use aqueduct_wire::table::Definition;

    use super::*;

    #[test]
    fn every_event_of_the_wire_is_in_the_table() {
        let Definition::Names(names) = HookEvent::DEFINITION else { panic!("a list of names") };
        for name in names.values {
            assert!(HookEventRow::named(name).is_some(), "{name}");
        }
        assert_eq!(EVENTS.len(), names.values.len());
    }
}
