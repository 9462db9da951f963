//! The agents that sessions can be started with.

use std::ffi::OsString;
use std::path::Path;

use anyhow::bail;
use aqueduct_agent::trust::TRUST_WORKSPACE;
use aqueduct_bridge::settings::AgentSettings;
use aqueduct_bridge::trust::Untrusted;
use aqueduct_client::Profile;

use crate::agents::{AgentProgram, AgentSearchPath, AgentSelection, REFERENCE, STANDALONE};
use crate::config::{Config, NamedAgent, UserEnvironment};
use crate::explained::advice;

/// What the agent in this program is called.
pub(super) const BUILTIN: &str = "builtin";

/// What no agent gets: with the token it could answer its own questions, and the headers are for the bridge's collector.
const SECRETS: [&str; 2] = ["AQUEDUCT_OTLP_HEADERS", "AQUEDUCT_TOKEN"];

/// What concerns the bridge as a service: programs that an agent starts would answer for it, and the last lines of an
/// agent's stderr are shown where it crashes. An agent has a log if its own environment asks for one.
const OF_THE_SERVICE: [&str; 10] = [
    "AQUEDUCT_LOG",
    "AQUEDUCT_LOG_FORMAT",
    "CREDENTIALS_DIRECTORY",
    "INVOCATION_ID",
    "LISTEN_FDNAMES",
    "LISTEN_FDS",
    "LISTEN_PID",
    "NOTIFY_SOCKET",
    "WATCHDOG_PID",
    "WATCHDOG_USEC",
];

/// Keeps the reference CLI from everything that a folder provides: settings, hooks, MCP servers, skills, subagents,
/// commands and memory. It trusts every folder where it has no terminal to ask on.
const USER_SETTINGS_ALONE: [&str; 2] = ["--setting-sources", "user"];

/// All agents, and the name of the one that is meant where none is named.
pub(super) fn choose(
    config: &Config,
    environment: &UserEnvironment,
    places: &AgentSearchPath,
) -> anyhow::Result<(Vec<AgentSettings>, String)> {
    let mut agents: Vec<AgentSettings> =
        config.agents.iter().map(|agent| named(agent, environment, places)).collect();
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
            let agent = program_agent(program, environment, places);
            if let Some(problem) = &agent.problem {
                bail!(advice(
                    format!("{}: {problem}", config.origin("agent")),
                    "or name one of [agents.NAME], auto or builtin",
                ));
            }
            let name = agent.name.clone();
            // One of the file may have the name of the program's file.
            agents.retain(|other| other.name != name);
            agents.push(agent);
            name
        }
    };
    for agent in &mut agents {
        // Flags apply to agents too, and override the bridge's own environment.
        agent.set.retain(|(name, _)| name != TRUST_WORKSPACE);
        agent.trusts_workspace = config.trust_workspace;
        match config.trust_workspace {
            true => agent.set.push((TRUST_WORKSPACE.to_owned(), "1".to_owned())),
            false => agent.unset.push(TRUST_WORKSPACE.to_owned()),
        }
        let is_given = |name: &str| agent.set.iter().any(|(given, _)| given == name);
        let given_credentials: Vec<(String, String)> = environment
            .credentials
            .iter()
            .filter(|found| !SECRETS.contains(&found.variable) && !is_given(found.variable))
            .filter(|found| !agent.unset.iter().any(|name| name == found.variable))
            .map(|found| (found.variable.to_owned(), found.value.clone()))
            .collect();
        let kept_away: Vec<String> = SECRETS
            .iter()
            .chain(&OF_THE_SERVICE)
            .filter(|name| !is_given(name))
            .map(|name| (*name).to_owned())
            .collect();
        agent.set.extend(given_credentials);
        agent.unset.extend(kept_away);
    }
    Ok((agents, default))
}

/// An agent of the configuration file.
fn named(agent: &NamedAgent, environment: &UserEnvironment, places: &AgentSearchPath) -> AgentSettings {
    let mut settings = match &agent.program {
        None => found(&agent.name, places.builtin()),
        Some(program) if program.contains('/') => {
            let path = environment.path(program.as_ref(), &agent.base);
            checked(&agent.name, &places.choose(&AgentSelection::Program(path.into())))
        }
        Some(program) => checked(&agent.name, &places.choose(&AgentSelection::from(OsString::from(program)))),
    };
    settings.label = agent.label.clone();
    settings.arguments = agent.arguments.clone();
    settings.set = agent.environment.clone();
    settings.unset = agent.unset.clone();
    settings.asks = agent.prompt_tool;
    if let Some(profile) = agent.profile {
        settings.profile = Some(profile);
        let found = AgentProgram {
            program: settings.program.clone(),
            leading: Vec::new(),
            is_builtin: agent.program.is_none(),
        };
        settings.untrusted = untrusted(&found, profile);
    }
    settings
}

/// An agent that was named by its program.
fn program_agent(program: &str, environment: &UserEnvironment, places: &AgentSearchPath) -> AgentSettings {
    let path = match program.contains('/') {
        true => environment.path(program.as_ref(), &environment.cwd).into(),
        false => OsString::from(program),
    };
    let agent = places.choose(&AgentSelection::Program(path));
    let name =
        agent.program.file_name().map_or_else(|| program.into(), |name| name.to_string_lossy().into_owned());
    checked(&name, &agent)
}

/// What an agent does with what a folder provides that the user does not trust.
fn untrusted(agent: &AgentProgram, profile: Profile) -> Untrusted {
    let is_named = |name: &str| agent.program.file_name().is_some_and(|file| file == name);
    match agent.is_builtin || is_named(STANDALONE) {
        true => Untrusted::LeavesOut,
        false if is_named(REFERENCE) => Untrusted::Arguments(USER_SETTINGS_ALONE.map(str::to_owned).into()),
        false if profile != Profile::REFERENCE => match profile.untrusted {
            Some(arguments) => Untrusted::Arguments(arguments.iter().map(|&text| text.to_owned()).collect()),
            None => Untrusted::Refused,
        },
        // What another program makes of a folder is not known.
        false => Untrusted::Refused,
    }
}

fn found(name: &str, agent: AgentProgram) -> AgentSettings {
    let untrusted = untrusted(&agent, Profile::of_program(agent.program.as_os_str()));
    let mut settings = AgentSettings::new(name, agent.program);
    settings.untrusted = untrusted;
    settings.leading = agent.leading;
    settings
}

/// The same, with the error if the program does not exist.
fn checked(name: &str, agent: &AgentProgram) -> AgentSettings {
    let mut settings = found(name, agent.clone());
    if !is_there(&agent.program) {
        settings.problem = Some(match agent.program.is_absolute() {
            true => {
                format!("program {} does not exist; install it, or correct the path", agent.program.display())
            }
            false => {
                format!("no program {} is on PATH: install it, or give its path", agent.program.display())
            }
        });
    }
    settings
}

fn is_there(program: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    program.is_absolute()
        && program.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::config::ConfigLayer;

    struct World {
        folder: tempfile::TempDir,
        environment: UserEnvironment,
    }

    impl World {
        fn new(programs: &[&str], file: &str) -> World {
            let folder = tempfile::tempdir().unwrap();
            for program in programs {
                let path = folder.path().join(program);
                fs::write(&path, "").unwrap();
                fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
            }
            let config = folder.path().join(".config/aqueduct/config.toml");
            fs::create_dir_all(config.parent().unwrap()).unwrap();
            fs::write(config, file).unwrap();
            let home = folder.path().to_owned();
            let environment =
                UserEnvironment { home: Some(home.clone()), cwd: home, ..UserEnvironment::default() };
            World { folder, environment }
        }

        fn choose(&self, agent: &str) -> anyhow::Result<(Vec<AgentSettings>, String)> {
            let mut flags = ConfigLayer::default();
            flags.give("agent", vec![agent.into()], crate::config::SettingOrigin::Flag("agent".to_owned()));
            let config = Config::load(&self.environment, &flags, None)?;
            let places = AgentSearchPath::new(vec![self.folder.path().to_owned()], "/opt/aqueduct".into());
            choose(&config, &self.environment, &places)
        }

        fn default(&self, agent: &str) -> String {
            self.choose(agent).unwrap().1
        }
    }

    fn names(agents: &[AgentSettings]) -> Vec<&str> {
        agents.iter().map(|agent| agent.name.as_str()).collect()
    }

    #[test]
    fn auto_is_the_reference_if_it_is_there() {
        let (agents, default) = World::new(&["claude"], "").choose("auto").unwrap();
        assert_eq!((names(&agents), default.as_str()), (vec!["claude", "builtin"], "claude"));
        let (agents, default) = World::new(&[], "").choose("auto").unwrap();
        assert_eq!((names(&agents), default.as_str()), (vec!["builtin"], "builtin"));
        let broken = World::new(&[], "[agents.claude]\nprogram = \"missing\"");
        assert_eq!(broken.default("auto"), "builtin", "one that can't be started is not chosen by itself");
        let problem = broken.choose("claude").unwrap().0[0].problem.clone().unwrap();
        assert_eq!(problem, "no program missing is on PATH: install it, or give its path");
    }

    #[test]
    fn agents_of_the_file_and_programs_can_be_chosen() {
        let file = "[agents.mine]\nprogram = \"~/own\"\narguments = [\"-x\"]\nprompt_tool = false\n\
                    [agents.local]\nenvironment = { A = \"b\" }\nunset = [\"C\"]";
        let world = World::new(&["own", "other"], file);
        let (agents, default) = world.choose("mine").unwrap();
        assert_eq!((names(&agents), default.as_str()), (vec!["local", "mine", "builtin"], "mine"));
        assert_eq!(agents[1].program, world.folder.path().join("own"));
        assert_eq!((agents[1].arguments.as_slice(), agents[1].asks), (&["-x".to_owned()][..], false));
        assert_eq!(
            (agents[0].program.to_str(), agents[0].leading[0].to_str()),
            (Some("/opt/aqueduct"), Some("agent"))
        );
        assert_eq!((world.default("other").as_str(), world.default("./other").as_str()), ("other", "other"));
        let error = world.choose("missing").unwrap_err().to_string();
        assert!(error.starts_with("--agent: no program missing is on PATH"), "{error}");
        assert!(agents.iter().all(|agent| agent.unset.contains(&"AQUEDUCT_TOKEN".to_owned())));
    }

    #[test]
    fn no_agent_uses_what_an_untrusted_folder_provides() {
        let file = "[agents.mine]\nprogram = \"own\"\narguments = [\"--setting-sources\", \"project\"]\n\
                    [agents.old]\nprogram = \"~/claude\"\n[agents.local]\nenvironment = { AQUEDUCT_TRUST_WORKSPACE = \"1\" }";
        let (agents, _) = World::new(&["own", "claude"], file).choose("auto").unwrap();
        let untrusted: Vec<_> = agents.iter().map(|agent| (&*agent.name, &agent.untrusted)).collect();
        let user_alone = Untrusted::Arguments(vec!["--setting-sources".to_owned(), "user".to_owned()]);
        assert_eq!(
            untrusted,
            [
                ("local", &Untrusted::LeavesOut),
                ("mine", &Untrusted::Refused),
                ("old", &user_alone),
                ("claude", &user_alone),
                ("builtin", &Untrusted::LeavesOut)
            ]
        );
        for agent in agents {
            assert!(!agent.set.iter().any(|(name, _)| name == TRUST_WORKSPACE), "{}", agent.name);
            assert!(agent.unset.contains(&TRUST_WORKSPACE.to_owned()), "{}", agent.name);
        }
    }
}
