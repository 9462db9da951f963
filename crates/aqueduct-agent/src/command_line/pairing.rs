//! Flags that only make sense together.

use aqueduct_rules::Mode;
use serde_json::Value;

use crate::options::{InputFormat, Options, OutputFormat};

/// What is wrong with the combination, if anything.
pub(super) fn check(options: &Options) -> Result<(), String> {
    let streams_in = options.input == InputFormat::StreamJson;
    let streams_out = options.output == OutputFormat::StreamJson;
    if streams_in && !streams_out {
        return Err("--input-format=stream-json requires output-format=stream-json.".to_owned());
    }
    if streams_out && options.print && !options.verbose {
        return Err("When using --print, --output-format=stream-json requires --verbose".to_owned());
    }
    if options.partial_messages && !streams_out {
        return Err("--include-partial-messages requires --print and --output-format=stream-json.".to_owned());
    }
    if options.prompt_suggestions && !streams_out {
        return Err("--prompt-suggestions requires --print and --output-format=stream-json.".to_owned());
    }
    if options.replay_user_messages && !(streams_in && streams_out) {
        let needs = "--input-format=stream-json and --output-format=stream-json";
        return Err(format!("--replay-user-messages requires both {needs}."));
    }
    if options.session_id.as_deref().is_some_and(|id| uuid::Uuid::try_parse(id).is_err()) {
        return Err("Invalid session ID. Must be a valid UUID.".to_owned());
    }
    let goes_on = options.continue_newest || options.resume.is_some();
    if options.session_id.is_some() && goes_on && !options.fork {
        let only =
            "--session-id can only be used with --continue or --resume if --fork-session is also given";
        return Err(format!("{only}."));
    }
    if options.system_prompt.is_some() && options.system_prompt_file.is_some() {
        return Err("--system-prompt and --system-prompt-file can't be used together.".to_owned());
    }
    if options.tmux {
        return Err(
            "--tmux is not supported: there is no terminal here. Use --worktree without it.".to_owned()
        );
    }
    if let Some(agents) = &options.agents {
        check_agents(agents).map_err(|wrong| format!("Invalid --agents configuration: {wrong}"))?;
    }
    if options.task_budget == Some(0) {
        return Err("--task-budget must be at least 1.".to_owned());
    }
    if options.max_budget_usd.is_some_and(|budget| !budget.is_finite() || budget <= 0.0) {
        return Err("--max-budget-usd must be more than 0.".to_owned());
    }
    if let Some(mode) = &options.permission_mode {
        mode.parse::<Mode>().map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// What is wrong with kinds of subagents on the command line: a session without them would do something else than
/// was asked for.
fn check_agents(text: &str) -> Result<(), String> {
    let agents: serde_json::Map<String, Value> =
        serde_json::from_str(text).map_err(|error| format!("invalid JSON: {error}"))?;
    let wrong: Vec<String> = agents
        .iter()
        .flat_map(|(name, agent)| {
            let is_missing = |member: &&str| !agent[*member].is_string();
            let missing = ["description", "prompt"].into_iter().filter(is_missing);
            missing.map(|member| format!("{name}.{member} must be a string")).collect::<Vec<_>>()
        })
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}
