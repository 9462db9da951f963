/// What to do with a request that nobody handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unhandled {
    /// Answer with an error, so that the other side does not wait.
    Refuse,
    /// Answer with this payload, which says no.
    Decline(&'static str),
    /// Don't answer: another host may, or the agent has a way to go on without.
    StaySilent,
}

/// How a host denies a permission that it asks nobody about.
const DENIAL: &str = r#"{"behavior":"deny","message":"Permission was not granted: this host has nobody to ask. Continue without this tool, or tell the user to allow it by a rule or a permission mode."}"#;

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

/// What a host does with a request of an agent that it has no handler for. One it has never heard of is
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
