//! The table of events: what each is, what a matcher is held against, what a hook can do about it.

/// A point of a conversation at which hooks run: one row of [`EVENTS`].
#[derive(Debug)]
pub(crate) struct HookEventRow {
    /// Its name.
    pub(crate) name: &'static str,
    /// When it happens, for people.
    pub(crate) summary: &'static str,
    /// What a matcher is held against; nothing, where all hooks of the event run.
    pub(crate) subject: Option<&'static str>,
    /// Whether a hook can block it, with exit code 2 or a decision.
    pub(crate) can_block: bool,
    /// Whether output of a hook that is not JSON is passed to the model.
    pub(crate) is_heard: bool,
    /// Whether it happens in this agent.
    pub(crate) happens: bool,
    /// Whether frames name its hooks without the subject.
    is_plain: bool,
}

/// Every event there is.
pub(crate) const EVENTS: &[HookEventRow] = &[
    asks("PreToolUse", Some("tool_name"), "Before a tool runs"),
    asks("PostToolUse", Some("tool_name"), "After a tool has run"),
    asks("PostToolUseFailure", Some("tool_name"), "After a tool has failed"),
    asks("PostToolBatch", None, "After all tools that the model called at once"),
    asks("PermissionRequest", Some("tool_name"), "When the user would be asked for permission"),
    tells("PermissionDenied", Some("tool_name"), "After a call was denied and nobody was asked"),
    hears(asks("UserPromptSubmit", None, "Before a prompt reaches the model")),
    plain(hears(asks("UserPromptExpansion", Some("command_name"), "When a slash command becomes a prompt"))),
    hears(tells("SessionStart", Some("source"), "When a session begins, goes on, or was summed up")),
    tells("SessionEnd", Some("reason"), "When a session ends"),
    asks("Stop", None, "When the model is done"),
    tells("StopFailure", Some("error"), "When a turn ends with an error of the API"),
    tells("SubagentStart", Some("agent_type"), "When a subagent begins"),
    plain(asks("SubagentStop", Some("agent_type"), "When a subagent is done")),
    hears(asks("PreCompact", Some("trigger"), "Before the conversation is summed up")),
    tells("PostCompact", Some("trigger"), "After the conversation was summed up"),
    asks("PreModelSwitch", Some("to_model"), "Before another model takes over"),
    tells("PostModelSwitch", Some("to_model"), "After another model has taken over"),
    tells("Notification", Some("notification_type"), "When the user should look"),
    asks("TaskCreated", None, "When the model puts a task on its list"),
    asks("TaskCompleted", None, "When the model ticks a task off"),
    tells("InstructionsLoaded", Some("load_reason"), "When a memory file was read"),
    tells("CwdChanged", None, "After the working directory has changed"),
    tells("DirectoryAdded", Some("source"), "After a working directory was added"),
    tells("ConfigChange", Some("source"), "When commands or skills have changed"),
    asks("Elicitation", Some("mcp_server_name"), "When an MCP server asks the user something"),
    asks("ElicitationResult", Some("mcp_server_name"), "When the user has answered an MCP server"),
    hears(tells("Setup", Some("trigger"), "When a project is set up")),
    never("TeammateIdle", None, "When a member of a team has nothing to do"),
    tells("WorktreeCreate", None, "When a worktree is wanted: the hook makes it"),
    tells("WorktreeRemove", None, "When a worktree that a hook made is to be removed"),
    tells("FileChanged", Some("file_path"), "When a watched file has changed"),
    tells("MessageDisplay", None, "Before an answer is shown"),
];

const fn tells(name: &'static str, subject: Option<&'static str>, summary: &'static str) -> HookEventRow {
    HookEventRow { name, summary, subject, can_block: false, is_heard: false, happens: true, is_plain: false }
}

const fn asks(name: &'static str, subject: Option<&'static str>, summary: &'static str) -> HookEventRow {
    HookEventRow { can_block: true, ..tells(name, subject, summary) }
}

const fn never(name: &'static str, subject: Option<&'static str>, summary: &'static str) -> HookEventRow {
    HookEventRow { happens: false, ..tells(name, subject, summary) }
}

const fn hears(event: HookEventRow) -> HookEventRow {
    HookEventRow { is_heard: true, ..event }
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
