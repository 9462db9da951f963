/// What to do with a request without a handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unhandled {
    /// Answer with an error, so that the other side does not wait.
    Refuse,
    /// Answer with this payload, which declines.
    Decline(&'static str),
    /// Don't answer: another host may, or the agent can continue without.
    StaySilent,
}

/// How a host denies a permission without asking a user.
const DENIAL: &str = r#"{"behavior":"deny","message":"Permission was not granted: this host cannot ask the user. Continue without this tool, or ask the user to allow it by a rule or a permission mode."}"#;

/// What a host does with each request of an agent that it has no handler for.
pub const UNHANDLED_AGENT_REQUESTS: &[(&str, Unhandled)] = &[
    ("can_use_tool", Unhandled::Decline(DENIAL)),
    ("hook_callback", Unhandled::Refuse),
    ("mcp_message", Unhandled::Refuse),
    ("elicitation", Unhandled::Decline(r#"{"action":"decline"}"#)),
    ("request_user_dialog", Unhandled::StaySilent),
    ("oauth_token_refresh", Unhandled::Refuse),
    ("host_auth_token_refresh", Unhandled::Refuse),
    ("remote_control_work_secret", Unhandled::Refuse),
    ("ui_copy", Unhandled::Refuse),
    ("ui_prompt_read", Unhandled::Refuse),
    ("ui_prompt_fill", Unhandled::Refuse),
    ("ui_prompt_paint", Unhandled::Refuse),
    ("ui_prompt_suggest", Unhandled::Refuse),
    ("ui_read_selection", Unhandled::Refuse),
    ("remote_tool_call", Unhandled::StaySilent),
    ("remote_plumbing_call", Unhandled::StaySilent),
    ("remote_tools_probe", Unhandled::StaySilent),
    ("remote_tools_reannounce", Unhandled::StaySilent),
];

/// What a host does with a request of an agent that it has no handler for. An unknown one is
/// refused.
pub fn unhandled_agent_request(subtype: &str) -> Unhandled {
    UNHANDLED_AGENT_REQUESTS
        .iter()
        .find(|(name, _)| *name == subtype)
        .map_or(Unhandled::Refuse, |(_, unhandled)| *unhandled)
}

/// What an agent does with a request of a host that it has no handler for: it is always refused.
pub fn unhandled_host_request(_subtype: &str) -> Unhandled {
    Unhandled::Refuse
}
