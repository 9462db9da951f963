use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::credential::{self, Credential};
use crate::explained::advice;

/// What is known of the user and the environment.
#[derive(Debug, Clone, Default)]
pub(crate) struct UserEnvironment {
    /// The home folder.
    pub(crate) home: Option<PathBuf>,
    /// The current folder.
    pub(crate) cwd: PathBuf,
    /// The variables, and the credentials in the place of those that are not set.
    pub(crate) variables: BTreeMap<OsString, OsString>,
    /// The credentials: processes that this one starts do not inherit them.
    pub(crate) credentials: Vec<Credential>,
}

impl UserEnvironment {
    /// Those of this process.
    pub(crate) fn of_this_process() -> anyhow::Result<Self> {
        let mut variables: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
        let credentials = credential::read(&variables)?;
        variables.extend(credentials.iter().map(|found| (found.variable.into(), found.value.clone().into())));
        Ok(UserEnvironment {
            home: std::env::home_dir().filter(|home| !home.as_os_str().is_empty()),
            cwd: std::env::current_dir()
                .context(advice("cannot determine the current folder", "change to one that exists"))?,
            variables,
            credentials,
        })
    }

    /// A variable that is not empty.
    pub(crate) fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// A folder that a variable names, or one in the home folder.
    fn folder(&self, variable: &str, in_home: &str) -> Option<PathBuf> {
        let named = self.variable(variable).map(PathBuf::from).filter(|folder| folder.is_absolute());
        named.or_else(|| self.home.as_ref().map(|home| home.join(in_home)))
    }

    /// The default data folder of the bridge.
    pub(crate) fn data_folder(&self) -> Option<PathBuf> {
        self.folder("XDG_DATA_HOME", ".local/share").map(|data| data.join("aqueduct"))
    }

    /// The default configuration file.
    pub(crate) fn config_file(&self) -> Option<PathBuf> {
        self.folder("XDG_CONFIG_HOME", ".config").map(|config| config.join("aqueduct/config.toml"))
    }

    /// The folder of settings and transcripts that agents share.
    pub(crate) fn agents_folder(&self) -> Option<PathBuf> {
        let named = self.variable("CLAUDE_CONFIG_DIR").map(|folder| self.cwd.join(folder));
        named.or_else(|| self.home.as_ref().map(|home| home.join(".claude")))
    }

    /// A path as people write it: `~` is the home folder.
    pub(crate) fn path(&self, written: &OsStr, base: &Path) -> PathBuf {
        let path = Path::new(written);
        match (path.strip_prefix("~"), &self.home) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => base.join(path),
        }
    }

    /// A path for people: what is in their home begins with `~`.
    pub(crate) fn shown(&self, path: &Path) -> String {
        match self.home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
            Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
            Some(rest) => format!("~/{}", rest.display()),
            None => path.display().to_string(),
        }
    }
}
