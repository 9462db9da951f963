use crate::config::ServerRoute;
use crate::servers::Mcp;
use crate::state::ServerStatus;

/// A server and its state, for people at a terminal.
#[derive(Debug)]
pub struct ServerReport {
    /// Its name.
    pub name: String,
    /// Its command line or its address, as it is used.
    pub target: String,
    /// The name of its transport.
    pub transport: &'static str,
    /// Its state.
    pub health: Health,
    /// Whether there are tokens of the user for it.
    pub is_signed_in: bool,
}

/// The state of a server.
#[derive(Debug, PartialEq, Eq)]
pub enum Health {
    /// It answered.
    Connected,
    /// The user has to sign in.
    NeedsAuth,
    /// It can't be used, for this reason.
    Failed(String),
    /// The user switched it off.
    Disabled,
    /// A project brings it, and the user has not approved it.
    Unapproved,
}

impl Mcp {
    /// The servers in the order in which they were configured.
    pub fn report(&self) -> Vec<ServerReport> {
        let servers = self.all();
        let reports = servers.iter().map(|server| {
            let config = server.config();
            let target = match &config.route {
                ServerRoute::Program { command, arguments, .. } => {
                    format!("{command} {}", arguments.join(" "))
                }
                ServerRoute::Http { url, .. } | ServerRoute::Sse { url, .. } => url.clone(),
                ServerRoute::Host | ServerRoute::Wrong(_) => String::new(),
            };
            let health = match server.state() {
                ServerStatus::Connected(_) => Health::Connected,
                ServerStatus::Lost(_, why) | ServerStatus::Failed(why) => Health::Failed(why),
                ServerStatus::NeedsAuth(_) => Health::NeedsAuth,
                ServerStatus::Disabled => Health::Disabled,
                ServerStatus::Unapproved => Health::Unapproved,
                ServerStatus::Pending => {
                    let limit = self.shared.limits.connect.as_millis();
                    Health::Failed(format!(
                        "MCP server \"{}\" connection timed out after {limit}ms",
                        config.name
                    ))
                }
            };
            let (name, transport) = (config.name.clone(), config.route.transport());
            let store = self.shared.sign_ins.as_ref();
            let is_signed_in = match &config.route {
                ServerRoute::Http { url, .. } | ServerRoute::Sse { url, .. } => {
                    store.is_some_and(|store| store.is_signed_in(url))
                }
                _ => false,
            };
            ServerReport { name, target, transport, health, is_signed_in }
        });
        reports.collect()
    }
}
