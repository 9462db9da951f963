use std::path::PathBuf;

pub(crate) const USAGE: &str = "\
usage: crash --aqueduct PROGRAM --folder DIR --agent own|plain|reference… [--seed N] [--kills N]
             [--at-once N] [--reference PROGRAM --api URL] [--json]";

/// The agent of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agent {
    /// `aqueduct agent` with the scripted model.
    Own,
    /// The program in `plain_agent.rs`: it runs every input that it receives.
    Plain,
    /// The reference CLI.
    Reference,
}

impl Agent {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Agent::Own => "own",
            Agent::Plain => "plain",
            Agent::Reference => "reference",
        }
    }

    fn parse(name: &str) -> Option<Agent> {
        [Agent::Own, Agent::Plain, Agent::Reference].into_iter().find(|agent| agent.name() == name)
    }

    /// How many sessions a round has.
    pub(crate) fn sessions(self) -> usize {
        match self {
            Agent::Own | Agent::Plain => 4,
            // Each one needs about 200 MB.
            Agent::Reference => 2,
        }
    }

    /// How many kills a round has at most.
    pub(crate) fn kills(self) -> usize {
        match self {
            Agent::Own | Agent::Plain => 40,
            Agent::Reference => 20,
        }
    }

    /// The factor by which faults are further apart: an agent that never finishes its start tests little.
    pub(crate) fn pace(self) -> u32 {
        match self {
            Agent::Own | Agent::Plain => 1,
            Agent::Reference => 5,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) aqueduct: PathBuf,
    /// Where rounds have their folders, and failed ones keep them.
    pub(crate) folder: PathBuf,
    pub(crate) agents: Vec<Agent>,
    pub(crate) seed: u64,
    pub(crate) kills: usize,
    /// How many rounds run at the same time.
    pub(crate) at_once: usize,
    /// The reference CLI, and the address of the scripted model that it calls.
    pub(crate) reference: Option<(PathBuf, String)>,
    pub(crate) json: bool,
}

impl Options {
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut arguments = arguments;
        let (mut aqueduct, mut folder, mut reference, mut api) = (None, None, None, None);
        let (mut agents, mut seed, mut kills, mut at_once, mut json) = (Vec::new(), None, 1000, 3, false);
        while let Some(name) = arguments.next() {
            if name == "--json" {
                json = true;
                continue;
            }
            let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
            let number = || value.parse::<u64>().map_err(|_| format!("{name} needs a number, not {value}"));
            match name.as_str() {
                "--aqueduct" => aqueduct = Some(PathBuf::from(value)),
                "--folder" => folder = Some(PathBuf::from(value)),
                "--agent" => {
                    agents.push(Agent::parse(&value).ok_or_else(|| format!("unknown agent {value}"))?)
                }
                "--seed" => seed = Some(number()?),
                "--kills" => kills = number()? as usize,
                "--at-once" => at_once = (number()? as usize).max(1),
                "--reference" => reference = Some(PathBuf::from(value)),
                "--api" => api = Some(value),
                _ => return Err(format!("unknown option {name}")),
            }
        }
        let reference = reference.zip(api);
        if agents.is_empty() || (agents.contains(&Agent::Reference) && reference.is_none()) {
            return Err("--agent is missing, or --reference and --api for the reference CLI".to_owned());
        }
        Ok(Options {
            aqueduct: aqueduct.ok_or("--aqueduct is missing")?,
            folder: folder.ok_or("--folder is missing")?,
            agents,
            seed: seed.unwrap_or_else(|| fastrand::u64(..1_000_000)),
            kills,
            at_once,
            reference,
            json,
        })
    }
}
