use std::path::PathBuf;

use aqueduct_os::resources::system_release;
use jiff::Zoned;

use super::git;
use crate::environment::Environment;

/// Where the agent works, as the model receives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Surroundings {
    /// The working directory.
    pub(crate) cwd: PathBuf,
    /// The folders beside it.
    pub(crate) directories: Vec<PathBuf>,
    /// The folder belongs to a git repository.
    pub(crate) is_repository: bool,
    /// The operating system.
    pub(crate) platform: String,
    /// Its version.
    pub(crate) os_version: String,
    /// The shell that runs commands.
    pub(crate) shell: String,
    /// Today.
    pub(crate) date: String,
    /// The model.
    pub(crate) model: String,
}

impl Surroundings {
    /// Looks around.
    pub(crate) fn look(environment: &Environment, directories: Vec<PathBuf>, model: &str) -> Self {
        let shell = environment.variable("SHELL").unwrap_or("/bin/sh");
        Surroundings {
            cwd: environment.cwd.clone(),
            directories,
            is_repository: git::repository(&environment.cwd).is_some(),
            platform: std::env::consts::OS.to_owned(),
            os_version: system_release(),
            shell: shell.rsplit('/').next().unwrap_or(shell).to_owned(),
            date: Zoned::now().date().to_string(),
            model: model.to_owned(),
        }
    }

    /// The part of the prompt.
    pub(super) fn describe(&self) -> String {
        let mut part = format!("# Environment\n\nWorking directory: {}\n", self.cwd.display());
        for folder in &self.directories {
            part.push_str(&format!("Additional working directory: {}\n", folder.display()));
        }
        part.push_str(&format!(
            "Git repository: {}\nPlatform: {}\nOS version: {}\nShell: {}\nDate: {}\nModel: {}\n",
            if self.is_repository { "yes" } else { "no" },
            self.platform,
            self.os_version,
            self.shell,
            self.date,
            self.model,
        ));
        part
    }
}
