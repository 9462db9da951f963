//! The MCP servers of a subagent: those of the session, and its own.

use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use crate::config::ServerConfig;
use crate::server::ConfiguredServer;
use crate::servers::Mcp;
use crate::state::ServerStatus;

/// Servers that one subagent starts. They end with it.
#[derive(Debug, Default)]
pub struct OwnServers {
    servers: Vec<Arc<ConfiguredServer>>,
}

impl OwnServers {
    /// Ends them.
    pub async fn end(&self) {
        for server in &self.servers {
            server.stop(ServerStatus::Disabled).await;
        }
    }

    /// The servers that could not be started, and why.
    pub fn failures(&self) -> Vec<String> {
        let failed = self.servers.iter().filter_map(|server| {
            let why = server.state().error()?.to_owned();
            Some(format!("the MCP server {:?} of a subagent can't be used: {why}", server.config().name))
        });
        failed.collect()
    }
}

impl Mcp {
    /// Starts servers beside those of the session, for a subagent. Of two with the same name its own one counts. Returns
    /// when each is connected or has failed.
    pub async fn start_beside(
        &self,
        configs: Vec<ServerConfig>,
        cancel: &CancellationToken,
    ) -> (Mcp, OwnServers) {
        let mcp = Mcp {
            shared: self.shared.clone(),
            servers: Arc::new(Mutex::new(self.all())),
            loaded: Arc::default(),
            sign_ins: Arc::default(),
        };
        let mut own = OwnServers::default();
        for config in configs {
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
