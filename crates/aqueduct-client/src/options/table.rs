//! The options of a session that are arguments of the agent's program, from one table.

use std::ffi::OsString;
use std::path::PathBuf;

use aqueduct_wire::json::Raw;
use aqueduct_wire::permission::PermissionMode;

use super::value::{Effort, SettingSource, Thinking};
use crate::profile::{Flag, Profile};
use crate::{Error, Version};

/// One option, as the table has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionRow {
    /// The method of the builder.
    pub name: &'static str,
    /// The flag on the command line.
    pub flag: &'static str,
    /// The first version of the reference that takes it.
    pub since: &'static str,
    /// What it does.
    pub doc: &'static str,
}

/// Makes the struct, the builder's methods, the arguments and the rows. A row is the method, the kind of
/// value, the flag, and the first version that knows it.
macro_rules! options {
    ($($(#[doc = $doc:literal])+ $name:ident: $kind:ident($ty:ty) = $flag:literal since $since:literal;)*) => {
        /// The command line of an agent, typed.
        #[derive(Debug, Clone, Default)]
        pub(crate) struct SessionOptions {
            $($(#[doc = $doc])+ pub(crate) $name: Option<$ty>,)*
        }

        /// Every option that is a flag of the agent's program.
        pub const OPTIONS: &[OptionRow] = &[
            $(OptionRow { name: stringify!($name), flag: $flag, since: $since, doc: concat!($($doc),+) },)*
        ];

        impl SessionOptions {
            /// The arguments, in the table's order and by the profile of the agent.
            pub(crate) fn arguments(&self, profile: Profile) -> Result<Vec<OsString>, Error> {
                let mut arguments = Vec::new();
                $(if let Some(value) = &self.$name {
                    match profile.flag(stringify!($name)) {
                        Flag::Same => super::argument::$kind(&mut arguments, $flag, value)?,
                        Flag::Named(flag) => super::argument::$kind(&mut arguments, flag, value)?,
                        Flag::Argument(argument) => {
                            let mut switch = Vec::new();
                            super::argument::$kind(&mut switch, $flag, value)?;
                            arguments.extend(switch.iter().map(|_| OsString::from(argument)));
                        }
                        Flag::Missing(instead) => {
                            let mut asked = Vec::new();
                            super::argument::$kind(&mut asked, $flag, value)?;
                            if !asked.is_empty() {
                                return Err(profile.lacks($flag, instead));
                            }
                        }
                    }
                })*
                Ok(arguments)
            }

            /// The newest version that an option needs, and that option.
            pub(crate) fn newest(&self) -> Option<(Version, &'static str)> {
                let mut newest: Option<(Version, &'static str)> = None;
                $(if self.$name.is_some()
                    && let Ok(version) = $since.parse::<Version>()
                    && version > Version::OLDEST
                    && newest.is_none_or(|(newest, _)| version > newest)
                {
                    newest = Some((version, $flag));
                })*
                newest
            }
        }

        /// Options of the agent's program.
        impl crate::Builder {
            $(method! {
                $(#[doc = $doc])+
                ///
                #[doc = concat!("Flag `", $flag, "`, since ", $since, ".")]
                ///
                /// ```
                #[doc = concat!(
                    "let builder = aqueduct_client::Session::builder().", stringify!($name), "(", example!($kind), ");"
                )]
                /// ```
                $name: $kind($ty)
            })*
        }
    };
}

/// Makes a method of the builder: lists take anything that can be iterated, numbers and switches a plain literal, and
/// the rest whatever converts into the value.
macro_rules! method {
    ($(#[$doc:meta])+ $name:ident: list($ty:ty)) => {
        method! { $(#[$doc])+ $name: each(String) }
    };
    ($(#[$doc:meta])+ $name:ident: paths($ty:ty)) => {
        method! { $(#[$doc])+ $name: each(PathBuf) }
    };
    ($(#[$doc:meta])+ $name:ident: sources($ty:ty)) => {
        method! { $(#[$doc])+ $name: each(SettingSource) }
    };
    ($(#[$doc:meta])+ $name:ident: number($ty:ty)) => {
        method! { $(#[$doc])+ $name: plain($ty) }
    };
    ($(#[$doc:meta])+ $name:ident: decimal($ty:ty)) => {
        method! { $(#[$doc])+ $name: plain($ty) }
    };
    ($(#[$doc:meta])+ $name:ident: switch($ty:ty)) => {
        method! { $(#[$doc])+ $name: plain($ty) }
    };
    ($(#[$doc:meta])+ $name:ident: plain($ty:ty)) => {
        $(#[$doc])+
        pub fn $name(mut self, value: $ty) -> Self {
            self.options.$name = Some(value);
            self
        }
    };
    ($(#[$doc:meta])+ $name:ident: each($ty:ty)) => {
        $(#[$doc])+
        pub fn $name<T: Into<$ty>>(mut self, values: impl IntoIterator<Item = T>) -> Self {
            self.options.$name = Some(values.into_iter().map(Into::into).collect());
            self
        }
    };
    ($(#[$doc:meta])+ $name:ident: $kind:ident($ty:ty)) => {
        $(#[$doc])+
        pub fn $name(mut self, value: impl Into<$ty>) -> Self {
            self.options.$name = Some(value.into());
            self
        }
    };
}

/// What a method of the builder is called with in its example, by the kind of its value.
macro_rules! example {
    (switch) => {
        "true"
    };
    (number) => {
        "20"
    };
    (decimal) => {
        "0.5"
    };
    (list) => {
        "[\"one\", \"two\"]"
    };
    (paths) => {
        "[\"/proj\"]"
    };
    (path) => {
        "\"/proj/file\""
    };
    (sources) => {
        "[\"user\"]"
    };
    (mode) => {
        "\"plan\""
    };
    (thinking) => {
        "\"adaptive\""
    };
    (effort) => {
        "\"high\""
    };
    (json) => {
        "serde_json::json!({\"type\": \"object\"})"
    };
    (text) => {
        "\"text\""
    };
}

options! {
    /// The model to begin with.
    model: text(String) = "--model" since "2.1.37";
    /// The model to fall back to when the first is overloaded.
    fallback_model: text(String) = "--fallback-model" since "2.1.37";
    /// How calls that no rule decides are treated.
    permission_mode: mode(PermissionMode<'static>) = "--permission-mode" since "2.1.37";
    /// Lets `bypassPermissions` be entered later.
    allow_dangerously_skip_permissions: switch(bool) = "--allow-dangerously-skip-permissions" since "2.1.37";
    /// Rules that allow, such as `Bash(git log:*)`.
    allowed_tools: list(Vec<String>) = "--allowedTools" since "2.1.37";
    /// Rules that deny. A bare name hides the tool from the model.
    disallowed_tools: list(Vec<String>) = "--disallowedTools" since "2.1.37";
    /// The built-in tools that there are; an empty list means none, `default` all.
    tools: list(Vec<String>) = "--tools" since "2.1.37";
    /// Who is asked for permission, where it is not this host: a tool of an MCP server.
    permission_prompt_tool: text(String) = "--permission-prompt-tool" since "2.1.37";
    /// The whole system prompt, in place of the agent's own.
    system_prompt: text(String) = "--system-prompt" since "2.1.37";
    /// Text behind the agent's own system prompt.
    append_system_prompt: text(String) = "--append-system-prompt" since "2.1.37";
    /// A file with the whole system prompt.
    system_prompt_file: path(PathBuf) = "--system-prompt-file" since "2.1.37";
    /// Further working directories.
    add_dirs: paths(Vec<PathBuf>) = "--add-dir" since "2.1.37";
    /// Settings: a file, or the JSON itself.
    settings: text(String) = "--settings" since "2.1.37";
    /// Which settings files are read. An empty list means none.
    setting_sources: sources(Vec<SettingSource>) = "--setting-sources" since "2.1.37";
    /// Folders of plugins.
    plugin_dirs: paths(Vec<PathBuf>) = "--plugin-dir" since "2.1.37";
    /// Where the project's own configuration is, if not in the working directory.
    project_config_root: path(PathBuf) = "--project-config-root" since "2.1.325";
    /// Only the MCP servers that are given here.
    strict_mcp_config: switch(bool) = "--strict-mcp-config" since "2.1.37";
    /// Which of the agents the main conversation is.
    agent: text(String) = "--agent" since "2.1.37";
    /// The session to continue with.
    resume: text(String) = "--resume" since "2.1.37";
    /// Resumes the newest session of the directory.
    continue_latest: switch(bool) = "--continue" since "2.1.37";
    /// Resumes into a session of its own: the old one stays as it is.
    fork_session: switch(bool) = "--fork-session" since "2.1.37";
    /// Resumes up to the message with this id.
    resume_at: text(String) = "--resume-session-at" since "2.1.37";
    /// Leaves out the turn of this prompt when resuming.
    resume_drops_turn: text(String) = "--resume-drops-turn" since "2.1.325";
    /// The id of a new session: a UUID that no other has.
    session_id: text(String) = "--session-id" since "2.1.37";
    /// Writes no transcript. Such a session can't be resumed.
    no_session_persistence: switch(bool) = "--no-session-persistence" since "2.1.37";
    /// How often the model may be asked for one prompt.
    max_turns: number(u32) = "--max-turns" since "2.1.37";
    /// What the session may cost, in US dollars.
    max_budget_usd: decimal(f64) = "--max-budget-usd" since "2.1.37";
    /// How many tokens a task may take.
    task_budget: number(u64) = "--task-budget" since "2.1.325";
    /// How many tokens the model may think with.
    max_thinking_tokens: number(u32) = "--max-thinking-tokens" since "2.1.37";
    /// Whether the model thinks.
    thinking: thinking(Thinking) = "--thinking" since "2.1.74";
    /// How much of the model's thinking is shown: `summarized`, `omitted`, `highlights`.
    thinking_display: text(String) = "--thinking-display" since "2.1.325";
    /// How hard the model tries.
    effort: effort(Effort) = "--effort" since "2.1.74";
    /// Events of the model's stream as they come: text, thinking and tool inputs piece by piece.
    partial_messages: switch(bool) = "--include-partial-messages" since "2.1.37";
    /// Repeats each prompt when it is taken up.
    replay_user_messages: switch(bool) = "--replay-user-messages" since "2.1.37";
    /// Reports command hooks.
    hook_events: switch(bool) = "--include-hook-events" since "2.1.325";
    /// The text of subagents, as it is generated.
    forward_subagent_text: switch(bool) = "--forward-subagent-text" since "2.1.325";
    /// The JSON Schema that the final answer has to fit.
    json_schema: json(Raw<'static>) = "--json-schema" since "2.1.37";
    /// Beta features of the model's API.
    betas: list(Vec<String>) = "--betas" since "2.1.37";
    /// Turns slash commands off.
    disable_slash_commands: switch(bool) = "--disable-slash-commands" since "2.1.37";
    /// Writes a log for debugging to this file.
    debug_file: path(PathBuf) = "--debug-file" since "2.1.37";
}
