//! Where servers are configured: the command line, files of the user and of the project.

mod entry;
mod expand;
mod file;

use std::path::PathBuf;

use file::{Found, Origin};

use super::config::{Config, Scope};
use crate::environment::Environment;

/// `--mcp-config` is of no use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SourceError {
    /// A file that can't be read.
    #[error("Invalid MCP configuration: {} can't be read: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A text that is none.
    #[error("Invalid MCP configuration: {0}")]
    Text(String),
}

/// The servers that are configured.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// Each name once.
    pub(super) servers: Vec<Config>,
    /// What is wrong in the files, for people.
    pub(crate) warnings: Vec<String>,
}

impl Sources {
    /// The servers of `--mcp-config`: files, or JSON texts.
    pub(crate) fn add_given(
        &mut self,
        environment: &Environment,
        given: &[String],
    ) -> Result<(), SourceError> {
        for given in given {
            let path = environment.cwd.join(given);
            let is_text = given.trim_start().starts_with('{');
            let (name, text) = if is_text {
                ("--mcp-config".to_owned(), given.clone())
            } else {
                let text = std::fs::read_to_string(&path);
                let text = text.map_err(|error| SourceError::File { path: path.clone(), error })?;
                (path.display().to_string(), text)
            };
            let origin = Origin { name: &name, scope: Scope::Dynamic, environment };
            self.add(origin.read(&text).map_err(SourceError::Text)?);
        }
        Ok(())
    }

    fn add(&mut self, found: Found) {
        for server in found.servers {
            self.servers.retain(|known| known.name != server.name);
            self.servers.push(server);
        }
        self.warnings.extend(found.warnings);
    }
}
