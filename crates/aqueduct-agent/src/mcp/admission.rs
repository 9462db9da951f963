//! Servers that a project brings: nobody starts them before the user agrees.

use std::sync::Arc;

use serde_json::{Value, json};

use super::config::Route;
use super::server::Server;
use super::servers::Mcp;
use super::state::{State, UNAPPROVED};

/// A server that waits for the user.
#[derive(Debug)]
pub(crate) struct Applicant {
    /// Its name.
    pub(crate) name: String,
    /// What would be started, or where it is.
    pub(crate) what: Value,
    /// Who brings it, as hosts are told.
    pub(crate) source: &'static str,
}

impl Mcp {
    /// Starts a server, unless the user has to agree first and has not.
    pub(super) async fn admit(&self, server: &Arc<Server>) {
        let config = server.config();
        let asks = config.asks.as_ref();
        match asks.map(|entry| self.shared.approvals.verdict(&config.name, entry)) {
            None | Some(Some(true)) => server.start(None).await,
            Some(Some(false)) => server.stop(State::Disabled).await,
            Some(None) => server.stop(State::Unapproved).await,
        }
    }

    /// The servers that wait for the user.
    pub(crate) fn applicants(&self) -> Vec<Applicant> {
        let waiting = self.all().into_iter().filter(|server| matches!(server.state(), State::Unapproved));
        let applicant = |server: Arc<Server>| Applicant {
            name: server.config().name.clone(),
            what: described(&server.config().route),
            source: server.config().scope.source(),
        };
        waiting.map(applicant).collect()
    }

    /// What people are told of servers that wait, where nobody can be asked.
    pub(crate) fn unapproved(&self) -> Vec<String> {
        let told = |applicant: Applicant| {
            format!("Warning: the MCP server {:?} is not started: {UNAPPROVED}", applicant.name)
        };
        self.applicants().into_iter().map(told).collect()
    }

    /// Takes the user's answer about a server. What can't be kept is asked again next time; the problem is told.
    pub(crate) async fn decide(&self, name: &str, is_allowed: bool, is_kept: bool) -> Result<(), String> {
        let Some(server) = self.find(name).filter(|server| matches!(server.state(), State::Unapproved))
        else {
            return Ok(());
        };
        if is_allowed {
            server.start(None).await;
        } else {
            server.stop(State::Disabled).await;
        }
        match server.config().asks.as_ref().filter(|_| is_kept) {
            Some(entry) => {
                self.shared.approvals.keep(name, entry, is_allowed).map_err(|error| error.to_string())
            }
            None => Ok(()),
        }
    }
}

fn described(route: &Route) -> Value {
    match route {
        Route::Program { command, arguments, .. } => json!({ "command": command, "args": arguments }),
        Route::Http { url, .. } => json!({ "type": "http", "url": url }),
        Route::Sse { url, .. } => json!({ "type": "sse", "url": url }),
        Route::Host | Route::Wrong(_) => json!({}),
    }
}
