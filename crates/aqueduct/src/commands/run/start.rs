//! From the command line to a session.

use std::path::Path;

use anyhow::Context;
use aqueduct_client::{Builder, Profile};
use aqueduct_wire::json::Raw;

use super::{Args, RunOutput};
use crate::agents::AgentProgram;
use crate::explained::advice;

/// Sets the agent's arguments. The handlers of its questions are added later.
pub(super) fn builder(args: &Args, agent: &AgentProgram) -> anyhow::Result<Builder> {
    let mut builder = agent.session().profile(profile(args, agent));
    if let Some(folder) = &args.cwd {
        builder = builder.directory(folder_of(folder)?);
    }
    // Text can only be streamed if it arrives in pieces.
    if args.output == RunOutput::Text || args.include_partial_messages {
        builder = builder.partial_messages(true);
    }
    macro_rules! pass {
        ($($option:ident),*) => { $(if let Some(value) = &args.$option {
            builder = builder.$option(value.clone());
        })* };
    }
    pass!(model, permission_mode, resume, session_id, system_prompt, append_system_prompt, settings);
    pass!(max_turns, max_budget_usd);
    if !args.allowed_tools.is_empty() {
        builder = builder.allowed_tools(args.allowed_tools.clone());
    }
    if !args.disallowed_tools.is_empty() {
        builder = builder.disallowed_tools(args.disallowed_tools.clone());
    }
    if let Some(tools) = &args.tools {
        builder = builder.tools(vec![tools.clone()]);
    }
    if args.continue_latest {
        builder = builder.continue_latest(true);
    }
    if args.fork_session {
        builder = builder.fork_session(true);
    }
    if !args.add_dir.is_empty() {
        builder = builder.add_dirs(args.add_dir.clone());
    }
    if let Some(schema) = &args.json_schema {
        let schema =
            Raw::parse(schema).context(advice("--json-schema is not JSON", "quote it for your shell"))?;
        builder = builder.json_schema(schema.into_owned());
    }
    for config in &args.mcp_config {
        builder = builder.argument("--mcp-config").argument(config);
    }
    for argument in &args.agent_arg {
        builder = builder.argument(argument);
    }
    Ok(builder)
}

/// The agent's dialect.
pub(super) fn profile(args: &Args, agent: &AgentProgram) -> Profile {
    args.profile.unwrap_or_else(|| match agent.is_builtin {
        true => Profile::REFERENCE,
        false => Profile::of_program(agent.program.as_os_str()),
    })
}

/// The working directory. Checked here, because the system's error would not name it.
fn folder_of(folder: &Path) -> anyhow::Result<&Path> {
    let data = folder.metadata().with_context(|| format!("can't work in {}", folder.display()))?;
    anyhow::ensure!(data.is_dir(), "can't work in {}: it is not a folder", folder.display());
    Ok(folder)
}
