use std::path::PathBuf;
use std::sync::Arc;

use super::{Assets, Listen, Pace, Tls};
use crate::Journal;
use crate::door::{KnownHost, Token};
use crate::message::Scope;

/// What the server is told.
#[derive(Clone)]
pub struct Options {
    /// Where it listens.
    pub listen: Vec<Listen>,
    /// TLS for all of them that are on a network.
    pub tls: Option<Tls>,
    /// Names by which the bridge is known, besides the addresses that it listens on.
    pub hosts: Vec<KnownHost>,
    /// A token that programs may come in with, besides those that the bridge makes.
    pub automation: Option<Token>,
    /// What that token allows.
    pub automation_scope: Scope,
    /// Where pairing links lead; the first place that is listened on if absent.
    pub address: Option<String>,
    /// The socket for the person whose bridge it is. Whoever has the same user id comes in without a token.
    pub admin: Option<PathBuf>,
    /// Connections at once.
    pub connections: usize,
    /// The web UI, if it is built in.
    pub assets: Option<Arc<dyn Assets>>,
    /// How long things may take.
    pub pace: Pace,
    /// Where it tells what happens.
    pub journal: Journal,
}

impl Default for Options {
    fn default() -> Self {
        Options {
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
            journal: Journal::silent(),
        }
    }
}
