//! Servers that a project provides: they are not started before the user agrees.

use std::io;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::config::ServerRoute;
use crate::server::ConfiguredServer;
use crate::servers::Mcp;
use crate::state::{ServerStatus, UNAPPROVED};

/// A server that waits for the user.
#[derive(Debug)]
pub struct UnapprovedServer {
    /// Its name.
    pub name: String,
    /// What would be started, or where it is.
    pub what: Value,
    /// Where it comes from, as hosts receive it.
    pub source: &'static str,
}

impl Mcp {
    /// Starts a server, unless the user has to agree first and has not.
    pub(crate) async fn admit(&self, server: &Arc<ConfiguredServer>) {
        let config = server.config();
        let asks = config.asks.as_ref();
        match asks.map(|entry| self.shared.approvals.is_allowed(&config.name, entry)) {
            None | Some(Some(true)) => server.start(None).await,
            Some(Some(false)) => server.stop(ServerStatus::Disabled).await,
            Some(None) => server.stop(ServerStatus::Unapproved).await,
        }
    }

    /// The servers that wait for the user.
    pub fn applicants(&self) -> Vec<UnapprovedServer> {
        let waiting =
            self.all().into_iter().filter(|server| matches!(server.state(), ServerStatus::Unapproved));
        let applicant = |server: Arc<ConfiguredServer>| UnapprovedServer {
            name: server.config().name.clone(),
            what: described(&server.config().route),
            source: server.config().scope.source(),
        };
        waiting.map(applicant).collect()
    }

    /// The messages for users about servers that wait for approval, where no user can be asked.
    pub fn unapproved(&self) -> Vec<String> {
        let reported = |applicant: UnapprovedServer| {
            format!("the MCP server {:?} is not started: {UNAPPROVED}", applicant.name)
        };
        self.applicants().into_iter().map(reported).collect()
    }

    /// Takes the user's answer about a server. An answer that can't be stored is asked for again next time; the problem
    /// is reported.
    pub async fn decide(&self, name: &str, is_allowed: bool, is_kept: bool) -> io::Result<()> {
        let Some(server) =
            self.find(name).filter(|server| matches!(server.state(), ServerStatus::Unapproved))
        else {
            return Ok(());
        };
        if is_allowed {
            server.start(None).await;
        } else {
            server.stop(ServerStatus::Disabled).await;
        }
        match server.config().asks.as_ref().filter(|_| is_kept) {
            Some(entry) => self.shared.approvals.keep(name, entry, is_allowed),
            None => Ok(()),
        }
    }
}

fn described(route: &ServerRoute) -> Value {
    match route {
        ServerRoute::Program { command, arguments, .. } => json!({ "command": command, "args": arguments }),
        ServerRoute::Http { url, .. } => json!({ "type": "http", "url": url }),
        ServerRoute::Sse { url, .. } => json!({ "type": "sse", "url": url }),
        ServerRoute::Host | ServerRoute::Wrong(_) => json!({}),
    }
}
