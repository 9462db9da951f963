//! The MCP servers of a subagent: those of the session, and its own.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::config::{Config, Route};
use super::server::Server;
use super::servers::Mcp;
use super::source::{forbidden, read_one};
use super::state::State;
use crate::configuration::ServerSettings;

/// Servers that one subagent starts. They end with it.
#[derive(Debug, Default)]
pub(crate) struct OwnServers {
    servers: Vec<Arc<Server>>,
}

impl OwnServers {
    /// Ends them.
    pub(crate) async fn end(&self) {
        for server in &self.servers {
            server.stop(State::Disabled).await;
        }
    }

    /// The servers that could not be started, and why.
    pub(crate) fn failures(&self) -> Vec<String> {
        let failed = self.servers.iter().filter_map(|server| {
            let why = server.state().error()?.to_owned();
            Some(format!("the MCP server {:?} of a subagent can't be used: {why}", server.config().name))
        });
        failed.collect()
    }
}

/// Servers that are configured and not started.
#[derive(Debug)]
pub(crate) struct PlannedServers(Vec<Config>);

impl Mcp {
    /// Reads the definitions of servers. Those that settings forbid are not started, and say so.
    pub(crate) fn plan<'e>(
        &self,
        entries: impl Iterator<Item = (&'e str, &'e Value)>,
        settings: ServerSettings<'_>,
    ) -> PlannedServers {
        let configs = entries.map(|(name, entry)| {
            let mut config = read_one(&self.shared.environment, name, entry);
            if let Some(why) = forbidden(settings, &config) {
                config.route = Route::Wrong(why);
            }
            config
        });
        PlannedServers(configs.collect())
    }

    /// Starts servers beside those of the session, for a subagent. Of two with the same name its own one counts. Returns
    /// when each is connected or has failed.
    pub(crate) async fn start_beside(
        &self,
        planned: PlannedServers,
        cancel: &CancellationToken,
    ) -> (Mcp, OwnServers) {
        let mcp = Mcp {
            shared: self.shared.clone(),
            servers: Arc::new(Mutex::new(self.all())),
            loaded: Arc::default(),
        };
        let mut own = OwnServers::default();
        for config in planned.0 {
            let server = mcp.put(config);
            server.start(None).await;
            own.servers.push(server);
        }
        for server in &own.servers {
            tokio::select! {
                _ = server.settled(self.shared.limits.connect) => (),
                () = cancel.cancelled() => break,
            }
        }
        (mcp, own)
    }
}
