use std::path::PathBuf;

use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use super::members::ObjectMembers;
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::front_matter::read_settings;

/// What the reference CLI keeps about the user's projects, in the home, or in the configuration folder where a
/// variable names that one. Only the subcommands `mcp` change it.
#[derive(Debug, Default)]
pub(crate) struct ProjectRecords {
    /// The file.
    pub(crate) path: PathBuf,
    /// What it holds.
    pub(crate) text: String,
    /// The folder that is asked about.
    project: String,
    /// Why it could not be read.
    unread: Option<Diagnostic>,
}

impl ProjectRecords {
    /// Reads the records. Where there are none, nothing is known.
    pub(super) fn read(environment: &Environment) -> Self {
        let path = ProjectRecords::file(environment);
        let (text, unread) = match read_settings(&path) {
            Ok(text) => (text, None),
            Err(error) => (String::new(), (!error.is_absent).then(|| error.describe(&path))),
        };
        ProjectRecords { path, text, project: environment.cwd.to_string_lossy().into_owned(), unread }
    }

    /// Where the records are.
    pub(crate) fn file(environment: &Environment) -> PathBuf {
        let folder = match environment.variable("CLAUDE_CONFIG_DIR") {
            Some(_) => &environment.config,
            None => &environment.home,
        };
        folder.join(".claude.json")
    }

    /// The name of the project in the records.
    pub(crate) fn project(&self) -> &str {
        &self.project
    }

    /// What is wrong with the file: then nothing of it counts.
    pub(super) fn diagnostic(&self) -> Option<Diagnostic> {
        if let Some(error) = &self.unread {
            return Some(error.clone());
        }
        let error = serde_json::from_str::<IgnoredAny>(&self.text).err()?;
        let diagnostic = Diagnostic::problem(format!("is not valid JSON: {error}"))
            .clause("it is ignored, including trust and MCP servers");
        (!self.text.trim().is_empty()).then(|| diagnostic.in_file(&self.path).at_line(error.line()))
    }

    /// Whether the user has trusted the project folder in the reference CLI: this very folder, not one above it.
    pub(crate) fn is_trusted(&self) -> bool {
        self.of_project("hasTrustDialogAccepted").is_some_and(|value| value.get() == "true")
    }

    /// What is kept under a name for all projects.
    pub(crate) fn of_user(&self, name: &str) -> Option<&RawValue> {
        ObjectMembers::of(&self.text).get(name)
    }

    /// What is kept under a name for this project.
    pub(crate) fn of_project(&self, name: &str) -> Option<&RawValue> {
        let projects = ObjectMembers::of(&self.text).get("projects")?;
        let project = ObjectMembers::of(projects.get()).get(&self.project)?;
        ObjectMembers::of(project.get()).get(name)
    }

    /// The texts in a list of this project.
    pub(crate) fn list_of_project(&self, name: &str) -> Vec<String> {
        let list = self.of_project(name).and_then(|list| serde_json::from_str::<Vec<Value>>(list.get()).ok());
        let texts = list.into_iter().flatten().filter_map(|entry| entry.as_str().map(str::to_owned));
        texts.collect()
    }
}
