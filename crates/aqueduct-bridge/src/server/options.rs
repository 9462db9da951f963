use std::path::PathBuf;
use std::sync::Arc;

use super::{Assets, Listen, Pace, Tls};
use crate::auth::{KnownHost, Token};
use crate::message::Scope;

/// The options of the server.
#[derive(Clone)]
pub struct ServerOptions {
    /// The listening addresses.
    pub listen: Vec<Listen>,
    /// TLS for the network addresses.
    pub tls: Option<Tls>,
    /// Names by which the bridge is known, besides the addresses that it listens on.
    pub hosts: Vec<KnownHost>,
    /// A token for programs, in addition to those that the bridge issues.
    pub automation: Option<Token>,
    /// What that token allows.
    pub automation_scope: Scope,
    /// The address in pairing links; the first listening address if absent.
    pub address: Option<String>,
    /// The admin socket, for the owner of the bridge. A process with the same user id needs no token.
    pub admin: Option<PathBuf>,
    /// The most connections at once.
    pub connections: usize,
    /// The web UI, if it is built in.
    pub assets: Option<Arc<dyn Assets>>,
    /// Timeouts.
    pub pace: Pace,
}

impl Default for ServerOptions {
    fn default() -> Self {
        ServerOptions {
            listen: Vec::new(),
            tls: None,
            hosts: Vec::new(),
            automation: None,
            automation_scope: Scope::Admin,
            address: None,
            admin: None,
            connections: 4096,
            assets: None,
            pace: Pace::default(),
        }
    }
}
