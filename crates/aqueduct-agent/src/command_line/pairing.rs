//! Flags that only make sense together.

use aqueduct_rules::Mode;
use serde_json::Value;

use super::error::{AgentsFlagError, CommandLineError};
use crate::options::{AgentOptions, InputFormat, OutputFormat};

/// What is wrong with the combination, if anything.
pub(super) fn check(options: &AgentOptions) -> Result<(), CommandLineError> {
    let streams_in = options.input == InputFormat::StreamJson;
    let streams_out = options.output == OutputFormat::StreamJson;
    if streams_in && !streams_out {
        return needs("--input-format=stream-json requires output-format=stream-json.");
    }
    if streams_out && options.print && !options.verbose {
        return needs("When using --print, --output-format=stream-json requires --verbose");
    }
    if options.partial_messages && !streams_out {
        return needs("--include-partial-messages requires --print and --output-format=stream-json.");
    }
    if options.prompt_suggestions && !streams_out {
        return needs("--prompt-suggestions requires --print and --output-format=stream-json.");
    }
    if options.replay_user_messages && !(streams_in && streams_out) {
        return needs(
            "--replay-user-messages requires both --input-format=stream-json and --output-format=stream-json.",
        );
    }
    if options.session_id.as_deref().is_some_and(|id| uuid::Uuid::try_parse(id).is_err()) {
        return Err(CommandLineError::SessionId);
    }
    let goes_on = options.continue_newest || options.resume.is_some();
    if options.session_id.is_some() && goes_on && !options.fork {
        return Err(CommandLineError::SessionIdOfResumed);
    }
    if options.system_prompt.is_some() && options.system_prompt_file.is_some() {
        return Err(CommandLineError::TwoSystemPrompts);
    }
    if options.tmux {
        return Err(CommandLineError::Tmux);
    }
    if let Some(agents) = &options.agents {
        check_agents(agents).map_err(CommandLineError::Agents)?;
    }
    if options.task_budget == Some(0) {
        return Err(CommandLineError::TaskBudget);
    }
    if options.max_budget_usd.is_some_and(|budget| !budget.is_finite() || budget <= 0.0) {
        return Err(CommandLineError::Budget);
    }
    if let Some(mode) = &options.permission_mode {
        mode.parse::<Mode>()?;
    }
    Ok(())
}

fn needs(what: &'static str) -> Result<(), CommandLineError> {
    Err(CommandLineError::Needs(what))
}

/// What is wrong with kinds of subagents on the command line: a session without them would do something else than
/// was asked for.
fn check_agents(text: &str) -> Result<(), AgentsFlagError> {
    let agents: serde_json::Map<String, Value> =
        serde_json::from_str(text).map_err(|error| AgentsFlagError::Json(error.to_string()))?;
    let wrong: Vec<String> = agents
        .iter()
        .flat_map(|(name, agent)| {
            let is_missing = |member: &&str| !agent[*member].is_string();
            let missing = ["description", "prompt"].into_iter().filter(is_missing);
            missing.map(|member| format!("{name}.{member}")).collect::<Vec<_>>()
        })
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(AgentsFlagError::Members(wrong)) }
}
