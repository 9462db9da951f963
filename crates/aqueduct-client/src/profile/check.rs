//! What a profile refuses before an agent is started.

use aqueduct_wire::permission::PermissionMode;

use super::Profile;
use crate::{Builder, Error};

impl Profile {
    /// The error of something that the agent does not have.
    pub(crate) fn lacks(&self, what: impl Into<String>, instead: &str) -> Error {
        Error::NotInProfile { what: what.into(), profile: self.title, instead: instead.to_owned() }
    }

    /// The agent's name of a permission mode.
    pub(crate) fn mode(&self, mode: &PermissionMode<'static>) -> Result<PermissionMode<'static>, Error> {
        if self.modes.is_empty() {
            return Ok(mode.clone());
        }
        let found = self.modes.iter().find(|(known, own)| mode.as_str() == *known || mode.as_str() == *own);
        match found {
            Some((_, own)) => Ok(PermissionMode::from(*own)),
            None => {
                let known: Vec<&str> = self.modes.iter().map(|(known, _)| *known).collect();
                let instead = format!("Its modes are {}", known.join(", "));
                Err(self.lacks(format!("permission mode {}", mode.as_str()), &instead))
            }
        }
    }

    /// Refuses what `initialize` can't express.
    pub(crate) fn check_initialize(&self, builder: &Builder) -> Result<(), Error> {
        if self.initialize {
            return Ok(());
        }
        let instead = "Leave them out, or use another agent";
        if !builder.hooks.is_empty() {
            return Err(self.lacks("hooks of its host", "Set hooks up in its own settings"));
        }
        if !builder.handlers.mcp.is_empty() {
            let instead = "Run the server as a program and name it with `mcp_server`";
            return Err(
                self.lacks("MCP servers in the process of its host that this crate can serve", instead)
            );
        }
        if !builder.agents.is_empty() {
            return Err(self.lacks("subagents that its host defines in this form", instead));
        }
        if !builder.dialog_kinds.is_empty() {
            return Err(self.lacks("dialogs", instead));
        }
        Ok(())
    }
}
