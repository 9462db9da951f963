//! The agents that sessions can be started with.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::bail;
use aqueduct_bridge::settings::AgentSettings;

use crate::agents::{Agent, Choice, Places, REFERENCE};
use crate::config::{Config, NamedAgent, Surroundings};

/// What the agent in this program is called.
pub(super) const BUILTIN: &str = "builtin";

/// What no agent gets: with it an agent could answer its own questions.
const SECRETS: [&str; 1] = ["AQUEDUCT_TOKEN"];

/// All agents, and the name of the one that is meant where none is named.
pub(super) fn choose(
    config: &Config,
    surroundings: &Surroundings,
    places: &Places,
) -> anyhow::Result<(Vec<AgentSettings>, String)> {
    let mut agents: Vec<AgentSettings> =
        config.agents.iter().map(|agent| named(agent, surroundings, places)).collect();
    let is_new = |agents: &[AgentSettings], name: &str| !agents.iter().any(|agent| agent.name == name);
    if let Some(reference) = places.reference()
        && is_new(&agents, REFERENCE)
    {
        agents.push(found(REFERENCE, reference));
    }
    if is_new(&agents, BUILTIN) {
        let mut builtin = found(BUILTIN, places.builtin());
        builtin.label = Some("Built-in agent".to_owned());
        agents.push(builtin);
    }
    let works = |name: &str| agents.iter().any(|agent| agent.name == name && agent.problem.is_none());
    let default = match config.agent.as_str() {
        "auto" if works(REFERENCE) => REFERENCE.to_owned(),
        "auto" => BUILTIN.to_owned(),
        name if !is_new(&agents, name) => name.to_owned(),
        program => {
            let agent = program_agent(program, surroundings, places);
            if let Some(problem) = &agent.problem {
                bail!("{}: {problem}; or name one of [agents.NAME], auto or builtin", config.origin("agent"));
            }
            let name = agent.name.clone();
            // One of the file may have the name of the program's file.
            agents.retain(|other| other.name != name);
            agents.push(agent);
            name
        }
    };
    for agent in &mut agents {
        let is_given = |name: &str| agent.set.iter().any(|(given, _)| given == name);
        let kept_away: Vec<String> =
            SECRETS.iter().filter(|name| !is_given(name)).map(|name| (*name).to_owned()).collect();
        agent.unset.extend(kept_away);
    }
    Ok((agents, default))
}

/// An agent of the configuration file.
fn named(agent: &NamedAgent, surroundings: &Surroundings, places: &Places) -> AgentSettings {
    let mut settings = match &agent.program {
        None => found(&agent.name, places.builtin()),
        Some(program) if program.contains('/') => {
            let path = surroundings.path(program.as_ref(), &agent.base);
            checked(&agent.name, &places.choose(&Choice::Program(path.into())))
        }
        Some(program) => checked(&agent.name, &places.choose(&Choice::from(OsString::from(program)))),
    };
    settings.label = agent.label.clone();
    settings.arguments = agent.arguments.clone();
    settings.set = agent.environment.clone();
    settings.unset = agent.unset.clone();
    settings.asks = agent.prompt_tool;
    settings
}

/// An agent that was named by its program.
fn program_agent(program: &str, surroundings: &Surroundings, places: &Places) -> AgentSettings {
    let path = match program.contains('/') {
        true => surroundings.path(program.as_ref(), &surroundings.cwd).into(),
        false => OsString::from(program),
    };
    let agent = places.choose(&Choice::Program(path));
    let name =
        agent.program.file_name().map_or_else(|| program.into(), |name| name.to_string_lossy().into_owned());
    checked(&name, &agent)
}

fn found(name: &str, agent: Agent) -> AgentSettings {
    let mut settings = AgentSettings::new(name, agent.program);
    settings.leading = agent.leading;
    settings
}

/// The same, with what is wrong if there is no such program.
fn checked(name: &str, agent: &Agent) -> AgentSettings {
    let mut settings = found(name, agent.clone());
    if !is_there(&agent.program) {
        settings.problem = Some(match agent.program.is_absolute() {
            true => format!("there is no program {}: install it, or mend the path", agent.program.display()),
            false => {
                format!("no program {} is on PATH: install it, or give its path", agent.program.display())
            }
        });
    }
    settings
}

fn is_there(program: &PathBuf) -> bool {
    use std::os::unix::fs::PermissionsExt;
    program.is_absolute()
        && program.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
