//! The table of flags: names, what follows them, what they do.

use super::error::FlagError;
use crate::options::{AgentOptions, InputFormat, OutputFormat, Setup, WorktreeChoice, split_list};

/// A flag: one row of [`FLAGS`].
pub(super) struct FlagRow {
    /// Its names, the usual one first. All but the one-letter ones are also known in camel case.
    pub(super) names: &'static [&'static str],
    /// What follows it.
    pub(super) takes: FlagValue,
    /// What it does, for `--help`; empty for flags that are taken and mean nothing here.
    pub(super) help: &'static str,
}

/// What follows a flag.
pub(super) enum FlagValue {
    /// Nothing.
    Nothing(fn(&mut AgentOptions)),
    /// A value, named so in the help.
    Value(&'static str, SetOption),
    /// A value, or nothing.
    Maybe(&'static str, fn(&mut AgentOptions, Option<&str>)),
    /// One value or more, up to the next flag.
    Several(&'static str, SetOption),
}

/// Sets an option to a value, or returns what is wrong with the value.
pub(super) type SetOption = fn(&mut AgentOptions, &str) -> Result<(), FlagError>;

macro_rules! text {
    ($field:ident) => {
        |options, value| {
            options.$field = Some(value.into());
            Ok(())
        }
    };
}

macro_rules! number {
    ($field:ident, $what:literal) => {
        |options, value| {
            let number = value.trim().parse();
            let wrong = |_| FlagError::Number { value: value.to_owned(), what: $what };
            options.$field = Some(number.map_err(wrong)?);
            Ok(())
        }
    };
}

macro_rules! several {
    ($field:ident) => {
        |options, value| {
            options.$field.push(value.into());
            Ok(())
        }
    };
}

/// Taken, because hosts pass it, and without a meaning here.
fn ignore(_: &mut AgentOptions, _: &str) -> Result<(), FlagError> {
    Ok(())
}

fn worktree(options: &mut AgentOptions, name: Option<&str>) {
    let named = name.map(|name| WorktreeChoice::Named(name.to_owned()));
    options.worktree = Some(named.unwrap_or(WorktreeChoice::Unnamed));
}

const fn flag(names: &'static [&'static str], takes: FlagValue, help: &'static str) -> FlagRow {
    FlagRow { names, takes, help }
}

use FlagValue::{Maybe, Nothing, Several, Value};

/// Every flag that is known.
pub(super) const FLAGS: &[FlagRow] = &[
    flag(&["-p", "--print"], Nothing(|o| o.print = true), "Answer and exit"),
    flag(&["--output-format"], Value("text|json|stream-json", output), "Output format"),
    flag(&["--input-format"], Value("text|stream-json", input), "Input format of prompts on stdin"),
    flag(
        &["--include-partial-messages"],
        Nothing(|o| o.partial_messages = true),
        "Send partial messages as they arrive",
    ),
    flag(&["--include-hook-events"], Nothing(|o| o.hook_events = true), "Send events of all hooks"),
    flag(
        &["--replay-user-messages"],
        Nothing(|o| o.replay_user_messages = true),
        "Send prompts back when their turn starts",
    ),
    flag(
        &["--prompt-suggestions"],
        Nothing(|o| o.prompt_suggestions = true),
        "Predict the next prompt after a turn, and send it",
    ),
    flag(
        &["--verbose"],
        Nothing(|o| o.verbose = true),
        "Required with -p and stream-json output; with json, print all frames",
    ),
    flag(
        &["--await-initialize"],
        Nothing(|o| o.await_initialize = true),
        "Require initialize as the first line",
    ),
    flag(
        &["--init"],
        Nothing(|o| o.setup = Some(Setup::Init)),
        "Run the Setup hooks before the session starts",
    ),
    flag(
        &["--init-only"],
        Nothing(|o| {
            o.setup = Some(Setup::Init);
            o.only_setup = true;
        }),
        "Run the Setup and SessionStart hooks, and exit",
    ),
    flag(
        &["--maintenance"],
        Nothing(|o| o.setup = Some(Setup::Maintenance)),
        "Like --init, with the trigger maintenance",
    ),
    flag(
        &["--session-mirror"],
        Nothing(|o| o.session_mirror = true),
        "Also send what is written to the session file",
    ),
    flag(
        &["-c", "--continue"],
        Nothing(|o| o.continue_newest = true),
        "Resume the most recent conversation in this directory",
    ),
    flag(
        &["-r", "--resume"],
        Maybe("ID", |o, id| o.resume = Some(id.unwrap_or_default().to_owned())),
        "Resume a conversation",
    ),
    flag(&["--fork-session"], Nothing(|o| o.fork = true), "With --resume or --continue: resume in a copy"),
    flag(&["--session-id"], Value("UUID", text!(session_id)), "The id of the conversation"),
    flag(&["--resume-session-at"], Value("UUID", text!(resume_at)), "With --resume: only up to this message"),
    flag(
        &["--resume-drops-turn"],
        Value("UUID", text!(resume_drops)),
        "With --resume-session-at: fail unless only this prompt's turn is removed",
    ),
    flag(
        &["--no-session-persistence"],
        Nothing(|o| o.unsaved = true),
        "Do not save the conversation to disk",
    ),
    flag(&["-w", "--worktree"], Maybe("NAME", worktree), "Work in a separate git worktree"),
    flag(&["--tmux"], Nothing(|o| o.tmux = true), "Not supported: there is no terminal"),
    flag(&["-n", "--name"], Value("TITLE", text!(name)), "A title for the conversation"),
    flag(
        &["--permission-mode"],
        Value("MODE", text!(permission_mode)),
        "default, acceptEdits, plan, bypassPermissions, delegate or dontAsk",
    ),
    flag(
        &["--dangerously-skip-permissions"],
        Nothing(|o| o.skip_permissions = true),
        "Allow everything that no rule denies",
    ),
    flag(
        &["--allow-dangerously-skip-permissions"],
        Nothing(|o| o.may_skip_permissions = true),
        "Allow the host to switch to bypassPermissions later",
    ),
    flag(
        &["--trust-workspace"],
        Nothing(|o| o.trust_workspace = true),
        "Trust everything that the project's files provide, for this run",
    ),
    flag(
        &["--allowed-tools"],
        Several("RULES", several!(allowed_tools)),
        "Allow rules: \"Bash(git:*) Edit\"",
    ),
    flag(&["--disallowed-tools"], Several("RULES", several!(disallowed_tools)), "Deny rules"),
    flag(
        &["--permission-prompt-tool"],
        Value("stdio", text!(permission_prompt_tool)),
        "Ask the host for permission with control requests",
    ),
    flag(
        &["--permission-prompts"],
        Value("host|none", text!(permission_prompts)),
        "Whether the host is asked for permission",
    ),
    flag(
        &["--tools"],
        Several("TOOLS", tools),
        "The built-in tools that exist; \"\" for none, default for all",
    ),
    flag(
        &["--model"],
        Value("MODEL", text!(model)),
        "A model's name or alias; scripted for the model without a network",
    ),
    flag(
        &["--fallback-model"],
        Value("MODEL", text!(fallback_model)),
        "The model to use while the first one is overloaded",
    ),
    flag(
        &["--max-turns"],
        Value("N", number!(max_turns, "a number of turns")),
        "Maximum number of model calls per prompt",
    ),
    flag(
        &["--max-budget-usd"],
        Value("USD", number!(max_budget_usd, "an amount in dollars")),
        "Maximum amount to spend",
    ),
    flag(
        &["--max-thinking-tokens"],
        Value("N", number!(max_thinking_tokens, "a number of tokens")),
        "Maximum number of thinking tokens",
    ),
    flag(&["--thinking"], Value("enabled|adaptive|disabled", thinking), "Whether the model thinks"),
    flag(
        &["--thinking-display"],
        Value("summarized|omitted|highlights", thinking_display),
        "How the model's thinking is shown",
    ),
    flag(
        &["--task-budget"],
        Value("TOKENS", number!(task_budget, "a number of tokens")),
        "Approximate token budget of the task, which the model sees",
    ),
    flag(&["--effort"], Value("LEVEL", text!(effort)), "low, medium, high, xhigh or max"),
    flag(&["--betas"], Several("NAMES", betas), "Beta features of the API"),
    flag(
        &["--autocompact"],
        Value("TOKENS", text!(autocompact)),
        "Size of the context at which it is compacted; off for never",
    ),
    flag(&["--system-prompt"], Value("TEXT", text!(system_prompt)), "Replace the built-in system prompt"),
    flag(&["--system-prompt-file"], Value("FILE", text!(system_prompt_file)), "The same, from a file"),
    flag(
        &["--append-system-prompt"],
        Value("TEXT", text!(append_system_prompt)),
        "Append to the system \
        prompt",
    ),
    flag(
        &["--append-system-prompt-file"],
        Value("FILE", text!(append_system_prompt_file)),
        "The same, from a file",
    ),
    flag(&["--add-dir"], Several("FOLDER", several!(directories)), "An additional working directory"),
    flag(&["--settings"], Value("FILE|JSON", text!(settings)), "Further settings"),
    flag(
        &["--managed-settings"],
        Value("JSON", text!(managed_settings)),
        "Managed settings, where the machine has none",
    ),
    flag(&["--mcp-config"], Several("FILE|JSON", several!(mcp_config)), "MCP servers to connect to"),
    flag(
        &["--strict-mcp-config"],
        Nothing(|o| o.strict_mcp_config = true),
        "Connect only to the MCP servers of --mcp-config",
    ),
    flag(&["--setting-sources"], Value("LIST", sources), "Settings files to load: user,project,local"),
    flag(
        &["--plugin-dir"],
        Value("FOLDER", several!(plugins)),
        "A directory with commands, skills, agents, hooks and MCP servers; may be repeated",
    ),
    flag(
        &["--plugin-dir-no-mcp"],
        Value("FOLDER", several!(plugins_without_mcp)),
        "The same without its MCP servers",
    ),
    flag(
        &["--disable-slash-commands"],
        Nothing(|o| o.no_commands = true),
        "Disable slash commands and skills",
    ),
    flag(&["--agent"], Value("NAME", text!(agent)), "The agent type of the main session"),
    flag(&["--agents"], Value("JSON", text!(agents)), "Subagent definitions, by name"),
    flag(&["--json-schema"], Value("JSON", text!(json_schema)), "A JSON Schema for structured output"),
    flag(
        &["--forward-subagent-text"],
        Nothing(|o| o.forward_subagent_text = true),
        "Also send the text of subagents, not only their tool calls",
    ),
    flag(
        &["-d", "--debug"],
        Maybe("FILTER", |o, _| o.debug = true),
        "Write the log to stderr, with all events of the agent",
    ),
    flag(&["--debug-file"], Value("FILE", text!(debug_file)), "Write that log to a file"),
    flag(&["--bare"], Nothing(|_| ()), ""),
    flag(&["--channels"], Value("NAME", ignore), ""),
    flag(&["--debug-to-stderr"], Nothing(|o| o.debug = true), ""),
    flag(&["--exclude-dynamic-system-prompt-sections"], Nothing(|_| ()), ""),
    flag(&["--from-pr"], Maybe("PR", |_, _| ()), ""),
    flag(&["--managed-settings-in-initialize"], Nothing(|_| ()), ""),
    flag(&["--mcp-debug"], Nothing(|_| ()), ""),
    flag(&["--project-config-root"], Value("FOLDER", ignore), ""),
    flag(&["--sdk-url"], Value("URL", ignore), ""),
    flag(&["--workload"], Value("NAME", ignore), ""),
];

/// The flag of a name.
pub(super) fn find(name: &str) -> Option<&'static FlagRow> {
    FLAGS.iter().find(|flag| flag.names.iter().any(|known| *known == name || is_camel(known, name)))
}

/// Whether `name` is `known` in camel case: `--allowedTools` is `--allowed-tools`.
fn is_camel(known: &str, name: &str) -> bool {
    let (Some(known), Some(name)) = (known.strip_prefix("--"), name.strip_prefix("--")) else { return false };
    let mut parts = known.split('-');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    for part in parts {
        let mut letters = part.chars();
        let capital = letters.next().map(|letter| letter.to_ascii_uppercase());
        let Some(after) = capital.and_then(|capital| rest.strip_prefix(capital)) else { return false };
        let Some(after) = after.strip_prefix(letters.as_str()) else { return false };
        rest = after;
    }
    rest.is_empty()
}

fn output(options: &mut AgentOptions, value: &str) -> Result<(), FlagError> {
    options.output = match value {
        "text" => OutputFormat::Text,
        "json" => OutputFormat::Json,
        "stream-json" => OutputFormat::StreamJson,
        _ => return Err(unknown("output format", value, "text, json or stream-json")),
    };
    Ok(())
}

fn input(options: &mut AgentOptions, value: &str) -> Result<(), FlagError> {
    options.input = match value {
        "text" => InputFormat::Text,
        "stream-json" => InputFormat::StreamJson,
        _ => return Err(unknown("input format", value, "text or stream-json")),
    };
    Ok(())
}

fn thinking(options: &mut AgentOptions, value: &str) -> Result<(), FlagError> {
    if !["enabled", "adaptive", "disabled"].contains(&value) {
        return Err(unknown("value", value, "enabled, adaptive, disabled"));
    }
    options.thinking = Some(value.to_owned());
    Ok(())
}

fn thinking_display(options: &mut AgentOptions, value: &str) -> Result<(), FlagError> {
    if !["summarized", "omitted", "highlights"].contains(&value) {
        return Err(unknown("value", value, "summarized, omitted, highlights"));
    }
    options.thinking_display = Some(value.to_owned());
    Ok(())
}

fn unknown(what: &'static str, value: &str, known: &'static str) -> FlagError {
    FlagError::Unknown { what, value: value.to_owned(), known }
}

fn tools(options: &mut AgentOptions, value: &str) -> Result<(), FlagError> {
    if value == "default" {
        options.tools = None;
        return Ok(());
    }
    options.tools.get_or_insert_default().extend(split_list(value));
    Ok(())
}

fn betas(options: &mut AgentOptions, value: &str) -> Result<(), FlagError> {
    options.betas.extend(split_list(value));
    Ok(())
}

fn sources(options: &mut AgentOptions, value: &str) -> Result<(), FlagError> {
    let named = split_list(value);
    if let Some(unknown) = named.iter().find(|name| !["user", "project", "local"].contains(&name.as_str())) {
        return Err(self::unknown("settings source", unknown, "user, project or local"));
    }
    options.setting_sources = Some(named);
    Ok(())
}
