//! Servers that a project provides: they are not started before the user agrees.

use std::io;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::config::Route;
use crate::server::Server;
use crate::servers::Mcp;
use crate::state::{State, UNAPPROVED};

/// A server that waits for the user.
#[derive(Debug)]
pub struct Applicant {
    /// Its name.
    pub name: String,
    /// What would be started, or where it is.
    pub what: Value,
    /// Where it comes from, as hosts receive it.
    pub source: &'static str,
}

impl Mcp {
    /// Starts a server, unless the user has to agree first and has not.
    pub(crate) async fn admit(&self, server: &Arc<Server>) {
        let config = server.config();
        let asks = config.asks.as_ref();
        match asks.map(|entry| self.shared.approvals.is_allowed(&config.name, entry)) {
            None | Some(Some(true)) => server.start(None).await,
            Some(Some(false)) => server.stop(State::Disabled).await,
            Some(None) => server.stop(State::Unapproved).await,
        }
    }

    /// The servers that wait for the user.
    pub fn applicants(&self) -> Vec<Applicant> {
        let waiting = self.all().into_iter().filter(|server| matches!(server.state(), State::Unapproved));
        let applicant = |server: Arc<Server>| Applicant {
            name: server.config().name.clone(),
            what: described(&server.config().route),
            source: server.config().scope.source(),
        };
        waiting.map(applicant).collect()
    }

    /// The messages for users about servers that wait for approval, where no user can be asked.
    pub fn unapproved(&self) -> Vec<String> {
        let reported = |applicant: Applicant| {
            format!("the MCP server {:?} is not started: {UNAPPROVED}", applicant.name)
        };
        self.applicants().into_iter().map(reported).collect()
    }

    /// Takes the user's answer about a server. An answer that can't be stored is asked for again next time; the problem
    /// is reported.
    pub async fn decide(&self, name: &str, is_allowed: bool, is_kept: bool) -> io::Result<()> {
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
            Some(entry) => self.shared.approvals.keep(name, entry, is_allowed),
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
