use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use tokio_util::sync::CancellationToken;

use super::ServerOptions;
use super::connection_limit::ConnectionLimit;
use super::metrics::Tally;
use crate::auth::{Authenticator, OriginPolicy};
use crate::hub::Hub;
use crate::message::http::openapi;

/// The state that all connections share.
pub(super) struct ServerState {
    pub(super) hub: Hub,
    pub(super) origin_policy: OriginPolicy,
    pub(super) options: ServerOptions,
    pub(super) connection_limit: Arc<ConnectionLimit>,
    pub(super) tally: Tally,
    /// Whether the server shuts down.
    pub(super) stop: CancellationToken,
    pub(super) openapi: OnceLock<Bytes>,
}

impl ServerState {
    /// Authentication and devices.
    pub(super) fn auth(&self) -> &Authenticator {
        self.hub.auth()
    }

    /// Bytes of one message of a client.
    pub(super) fn message_bytes(&self) -> usize {
        self.hub.settings().limits.message_bytes
    }

    /// This API as a document. It is made once.
    pub(super) fn openapi(&self) -> Bytes {
        self.openapi.get_or_init(|| Bytes::from(openapi().to_string())).clone()
    }
}
