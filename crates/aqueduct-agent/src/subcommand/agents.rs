//! `agents`: the kinds of subagents that are configured.

use super::context::{Console, SubcommandContext};
use super::error::{SubcommandError, UsageError};
use super::parse::GivenArguments;
use crate::subagent::{DefinitionOwner, SubagentDefinition, SubagentRegistry, SubagentSources};

/// `agents`. With `--json` hosts ask for sessions in the background, of which there are none.
pub(super) fn list(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    if !given.operands.is_empty() {
        let count = given.operands.len();
        return Err(UsageError::TooManyArguments { command: "agents", count }.into());
    }
    if given.has("--json") {
        console.print("[]\n");
        return Ok(0);
    }
    if let Some(option) = ["--all", "--cwd"].into_iter().find(|option| given.has(option)) {
        return Err(SubcommandError::BackgroundOnly { option });
    }
    let sources = given.value("--setting-sources").map(crate::options::split_list);
    let is_source = |name: &&String| ["user", "project", "local"].contains(&name.as_str());
    if let Some(unknown) = sources.iter().flatten().find(|name| !is_source(name)) {
        return Err(SubcommandError::SettingSource { name: unknown.clone() });
    }
    let sources = sources.as_ref().or(context.options.setting_sources.as_ref());
    let counts = |name: &str| sources.is_none_or(|names| names.iter().any(|known| known == name));
    let plugins = context.plugins();
    let sources = SubagentSources { user: counts("user"), project: counts("project") };
    let subagent_registry = SubagentRegistry::read(&context.environment, sources, &[], &plugins.all);
    let all = subagent_registry.all();
    console.print(&format!("{} active agents\n", all.len()));
    for (title, whose) in [
        ("User", DefinitionOwner::User),
        ("Project", DefinitionOwner::Project),
        ("Built-in", DefinitionOwner::BuiltIn),
    ] {
        let of: Vec<_> = all.iter().filter(|agent| agent.whose == whose).collect();
        if of.is_empty() {
            continue;
        }
        console.print(&format!("\n{title} agents:\n"));
        for agent in of {
            console.print(&row(agent));
        }
    }
    Ok(0)
}

fn row(agent: &SubagentDefinition) -> String {
    format!("  {} · {}\n", agent.name, agent.model.as_deref().unwrap_or("inherit"))
}
