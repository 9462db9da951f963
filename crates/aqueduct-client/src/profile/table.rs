//! The profiles, one a row.

/// In what the dialect of an agent differs from the reference CLI's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// The agent's name for people.
    pub title: &'static str,
    /// Names of programs that have this profile.
    pub programs: &'static [&'static str],
    /// The arguments that turn the protocol on.
    pub fixed: &'static [&'static str],
    /// The options of the builder that are not the same flag as in the reference, by the name of the method.
    pub flags: &'static [(&'static str, Flag)],
    /// Permission modes: the reference's name and the agent's. Others don't exist; all are the same where it is
    /// empty.
    pub modes: &'static [(&'static str, &'static str)],
    /// The control requests that exist; `None` if the agent's version decides.
    pub requests: Option<&'static [&'static str]>,
    /// The tool by which the model asks the user.
    pub question_tool: &'static str,
    /// Arguments that keep the agent from what a folder provides.
    pub untrusted: Option<&'static [&'static str]>,
    /// The folder of a project from which the agent takes settings, servers and hooks.
    pub project_folder: &'static str,
    /// Whether `initialize` can name hooks, MCP servers of the host, agents and dialogs.
    pub(crate) initialize: bool,
    /// Whether permission requests suggest updates that can be sent back.
    pub(crate) suggests: bool,
    /// Whether a denial can end the run.
    pub(crate) denial_interrupts: bool,
    /// How answers to questions reach the model.
    pub(crate) answers: AnswersIn,
    /// What an interrupt does.
    pub(crate) interrupt: InterruptBehavior,
    /// Whether versions are those of the reference.
    pub(crate) is_versioned: bool,
}

/// What becomes of an option of the builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Flag {
    /// The flag of the reference.
    Same,
    /// Another flag with the same value.
    Named(&'static str),
    /// A whole argument in place of a switch.
    Argument(&'static str),
    /// There is none: what to do instead.
    Missing(&'static str),
}

/// How answers to questions reach the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswersIn {
    /// In the input of the call, which is allowed.
    Input,
    /// In the text of a denial: the agent drops answers of the host.
    Denial,
}

/// What an interrupt does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InterruptBehavior {
    /// The run ends with a result.
    EndsRun,
    /// The process ends, without a result.
    EndsAgent,
}

/// Every profile. The first is the one of programs that no other names.
pub const PROFILES: &[Profile] = &[REFERENCE, QWEN];

pub(super) const REFERENCE: Profile = Profile {
    name: "reference",
    title: "the reference CLI",
    programs: &["claude", "aqueduct-agent"],
    fixed: &["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"],
    flags: &[],
    modes: &[],
    requests: None,
    question_tool: "AskUserQuestion",
    untrusted: Some(&["--setting-sources", "user"]),
    project_folder: ".claude",
    initialize: true,
    suggests: true,
    denial_interrupts: true,
    answers: AnswersIn::Input,
    interrupt: InterruptBehavior::EndsRun,
    is_versioned: true,
};

const LEAVE_OUT: &str = "Leave it out, or use another agent";
const IN_SETTINGS: &str = "Set it in Qwen Code's settings.json instead";

/// Qwen Code, checked with 0.15.10.
pub(super) const QWEN: Profile = Profile {
    name: "qwen",
    title: "Qwen Code",
    programs: &["qwen", "qwen-code"],
    fixed: &["--output-format", "stream-json", "--input-format", "stream-json"],
    flags: &[
        ("fallback_model", Flag::Missing(LEAVE_OUT)),
        ("permission_mode", Flag::Named("--approval-mode")),
        (
            "allow_dangerously_skip_permissions",
            Flag::Missing("The mode bypassPermissions can be entered without it"),
        ),
        ("allowed_tools", Flag::Named("--allowed-tools")),
        ("disallowed_tools", Flag::Named("--exclude-tools")),
        ("tools", Flag::Named("--core-tools")),
        ("permission_prompt_tool", Flag::Missing("Qwen Code asks its host without it")),
        ("system_prompt_file", Flag::Missing("Give the text with --system-prompt")),
        ("add_dirs", Flag::Named("--include-directories")),
        ("settings", Flag::Missing(IN_SETTINGS)),
        ("setting_sources", Flag::Missing("Its option --bare reads no settings at all")),
        ("plugin_dirs", Flag::Missing("Its extensions are installed with `qwen extensions`")),
        ("project_config_root", Flag::Missing(LEAVE_OUT)),
        ("strict_mcp_config", Flag::Missing("Its option --allowed-mcp-server-names chooses servers")),
        ("agent", Flag::Missing(LEAVE_OUT)),
        ("fork_session", Flag::Missing("Resume without a copy, or start a new session")),
        ("resume_at", Flag::Missing(LEAVE_OUT)),
        ("resume_drops_turn", Flag::Missing(LEAVE_OUT)),
        ("no_session_persistence", Flag::Argument("--chat-recording=false")),
        ("max_turns", Flag::Named("--max-session-turns")),
        ("max_budget_usd", Flag::Missing("Limit the turns with --max-turns")),
        ("task_budget", Flag::Missing("Limit the turns with --max-turns")),
        ("max_thinking_tokens", Flag::Missing(IN_SETTINGS)),
        ("thinking", Flag::Missing(IN_SETTINGS)),
        ("thinking_display", Flag::Missing(LEAVE_OUT)),
        ("effort", Flag::Missing(IN_SETTINGS)),
        ("replay_user_messages", Flag::Missing(LEAVE_OUT)),
        ("hook_events", Flag::Missing(LEAVE_OUT)),
        ("forward_subagent_text", Flag::Missing(LEAVE_OUT)),
        ("betas", Flag::Missing(LEAVE_OUT)),
        ("disable_slash_commands", Flag::Missing("Its option --disabled-slash-commands takes names")),
        ("debug_file", Flag::Missing("Its option --debug writes to standard error")),
    ],
    modes: &[
        ("default", "default"),
        ("manual", "default"),
        ("plan", "plan"),
        ("acceptEdits", "auto-edit"),
        ("bypassPermissions", "yolo"),
    ],
    requests: Some(&[
        "initialize",
        "interrupt",
        "set_model",
        "set_permission_mode",
        "get_context_usage",
        "mcp_server_status",
        "supported_commands",
    ]),
    question_tool: "ask_user_question",
    // Without it Qwen Code starts the MCP servers of a project's settings without a question.
    untrusted: Some(&["--bare"]),
    project_folder: ".qwen",
    initialize: false,
    suggests: false,
    denial_interrupts: false,
    answers: AnswersIn::Denial,
    interrupt: InterruptBehavior::EndsAgent,
    is_versioned: false,
};
