use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use serde_json::value::RawValue;

use super::members::Members;
use crate::environment::Environment;

/// What the reference CLI keeps about the user's projects, in the home, or in the configuration folder where a
/// variable names that one. It is only read.
#[derive(Debug, Default)]
pub(crate) struct Records {
    /// The file.
    pub(crate) path: PathBuf,
    /// What it holds.
    pub(crate) text: String,
    /// The folder that is asked about.
    project: String,
}

impl Records {
    /// Reads the records. Where there are none, nothing is known.
    pub(super) fn read(environment: &Environment) -> Self {
        let folder = match environment.variable("CLAUDE_CONFIG_DIR") {
            Some(_) => &environment.config,
            None => &environment.home,
        };
        let path = folder.join(".claude.json");
        let text = fs::read_to_string(&path).unwrap_or_default();
        Records { path, text, project: environment.cwd.to_string_lossy().into_owned() }
    }

    /// Whether the user has trusted the project folder: this very folder, not one above it.
    pub(super) fn is_trusted(&self) -> bool {
        self.of_project("hasTrustDialogAccepted").is_some_and(|value| value.get() == "true")
    }

    /// What is kept under a name for all projects.
    pub(crate) fn of_user(&self, name: &str) -> Option<&RawValue> {
        Members::of(&self.text).get(name)
    }

    /// What is kept under a name for this project.
    pub(crate) fn of_project(&self, name: &str) -> Option<&RawValue> {
        let projects = Members::of(&self.text).get("projects")?;
        let project = Members::of(projects.get()).get(&self.project)?;
        Members::of(project.get()).get(name)
    }

    /// The texts in a list of this project.
    pub(crate) fn list_of_project(&self, name: &str) -> Vec<String> {
        let list = self.of_project(name).and_then(|list| serde_json::from_str::<Vec<Value>>(list.get()).ok());
        let texts = list.into_iter().flatten().filter_map(|entry| entry.as_str().map(str::to_owned));
        texts.collect()
    }
}
