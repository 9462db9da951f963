use std::path::{Path, PathBuf};

use crate::environment::Environment;

/// The variable that makes the agent trust the folder it is started in, for machines without a person.
pub const TRUST_WORKSPACE: &str = "AQUEDUCT_TRUST_WORKSPACE";

/// Where the user's trust is kept, and what else decides what a folder provides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustPlaces {
    /// The user's home.
    pub home: PathBuf,
    /// The folder of the user's settings: `CLAUDE_CONFIG_DIR`, or `.claude` in the home.
    pub config: PathBuf,
    /// What the reference CLI keeps about the user's projects.
    pub records: PathBuf,
    /// The trust store.
    pub store: PathBuf,
}

impl TrustPlaces {
    /// The places of a user. `config_dir` is `CLAUDE_CONFIG_DIR` and `data_home` is `XDG_DATA_HOME`, if they are set.
    pub fn new(home: &Path, config_dir: Option<&Path>, data_home: Option<&Path>) -> Self {
        let config_dir = config_dir.filter(|folder| !folder.as_os_str().is_empty());
        let data_home = data_home.filter(|folder| folder.is_absolute());
        TrustPlaces {
            home: home.to_owned(),
            config: config_dir.map_or_else(|| home.join(".claude"), Path::to_owned),
            records: config_dir.unwrap_or(home).join(".claude.json"),
            store: data_home
                .map_or_else(|| home.join(".local/share"), Path::to_owned)
                .join("aqueduct/trust.json"),
        }
    }

    /// The places that an environment names.
    pub fn of(environment: &Environment) -> Self {
        let named = environment.variable("CLAUDE_CONFIG_DIR").map(|_| environment.config.as_path());
        let data_home = environment.variable("XDG_DATA_HOME").map(Path::new);
        TrustPlaces {
            config: environment.config.clone(),
            ..TrustPlaces::new(&environment.home, named, data_home)
        }
    }

    /// The environment in which a folder is inspected: nothing but these places counts.
    pub(super) fn environment(&self, folder: &Path) -> Environment {
        let is_named = self.records.parent() != Some(self.home.as_path());
        let variable = || ("CLAUDE_CONFIG_DIR".into(), self.config.clone().into());
        Environment {
            cwd: folder.to_owned(),
            home: self.home.clone(),
            config: self.config.clone(),
            temporary: PathBuf::new(),
            variables: is_named.then(variable).into_iter().collect(),
            guard: Vec::new(),
        }
    }
}
