//! What the host changes about servers while the session runs.

use crate::config::{ServerConfig, ServerRoute, ServerScope};
use crate::error::ServerError;
use crate::servers::Mcp;
use crate::state::ServerStatus;

/// What became of a new list of servers.
#[derive(Debug, Default)]
pub struct ServerListChange {
    /// Servers that were not there, or that are others now.
    pub added: Vec<String>,
    /// Servers that are not wanted any more.
    pub removed: Vec<String>,
    /// Why servers could not be connected.
    pub errors: Vec<(String, String)>,
}

impl Mcp {
    /// Puts servers in place of all that came from the command line or the host before. Those that are
    /// configured as before stay as they are.
    pub async fn set(&self, configs: Vec<ServerConfig>) -> ServerListChange {
        let mut change = ServerListChange::default();
        let is_set = |scope: ServerScope| matches!(scope, ServerScope::Dynamic | ServerScope::Sdk);
        for server in self.all().into_iter().filter(|server| is_set(server.config().scope)) {
            let name = &server.config().name;
            if configs.iter().any(|config| config.name == *name) {
                continue;
            }
            server.stop(ServerStatus::Disabled).await;
            self.lock().retain(|known| known.config().name != *name);
            change.removed.push(name.clone());
        }
        let mut started = Vec::new();
        for config in configs {
            let known = self.find(&config.name);
            if known.as_ref().is_some_and(|known| *known.config() == config) {
                continue;
            }
            if let Some(known) = known {
                known.stop(ServerStatus::Disabled).await;
            }
            change.added.push(config.name.clone());
            let server = self.put(config);
            server.start(None).await;
            started.push(server);
        }
        for server in started.iter().filter(|server| server.config().route != ServerRoute::Host) {
            let state = server.settled(self.shared.limits.connect).await;
            if let Some(error) = state.error() {
                change.errors.push((server.config().name.clone(), error.to_owned()));
            }
        }
        change
    }

    /// Connects to a server again, and waits for it.
    pub async fn reconnect(&self, name: &str) -> Result<(), ServerError> {
        let server = self.find(name).ok_or_else(|| ServerError::NotFound(name.to_owned()))?;
        if matches!(server.state(), ServerStatus::Disabled) {
            return Err(ServerError::SwitchedOff(name.to_owned()));
        }
        server.restart().await;
        match server.settled(self.shared.limits.connect).await.error() {
            Some(error) => Err(ServerError::NotConnected(error.to_owned())),
            None => Ok(()),
        }
    }

    /// Switches a server on, and waits for it, or off.
    pub async fn toggle(&self, name: &str, is_wanted: bool) -> Result<(), ServerError> {
        let server = self.find(name).ok_or_else(|| ServerError::NotFound(name.to_owned()))?;
        if !is_wanted {
            server.stop(ServerStatus::Disabled).await;
            return Ok(());
        }
        match server.state() {
            ServerStatus::Connected(_) => return Ok(()),
            // Who switches it on has agreed to it.
            ServerStatus::Unapproved => self.decide(name, true, true).await?,
            _ => server.restart().await,
        }
        match server.settled(self.shared.limits.connect).await.error() {
            Some(error) => Err(ServerError::NotConnected(error.to_owned())),
            None => Ok(()),
        }
    }
}
