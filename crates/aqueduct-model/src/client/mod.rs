//! The HTTP client.
//!
//! | file | contents |
//! |---|---|
//! | `endpoint.rs`, `address.rs`, `key_helper.rs` | where the API is, what is sent with each call; addresses and how they are shown; keys from a command |
//! | `service/` | Bedrock, Vertex and Foundry: addresses, model ids, bodies, credentials |
//! | `call.rs`, `decode.rs`, `refusal.rs` | one attempt; the framing of its answer; answers that are not a stream |
//! | `transport.rs`, `no_proxy.rs` | connections; hosts that bypass a proxy |

mod address;
mod call;
mod decode;
mod endpoint;
mod key_helper;
mod no_proxy;
mod refusal;
mod service;
mod transport;

use std::sync::{Arc, OnceLock};

pub use endpoint::{BadHeader, Endpoint, PATIENCE, PUBLIC_API, ProxySettings, parse_headers};
pub use key_helper::{KeyError, KeyFuture, KeyHelper};
pub use service::{Bedrock, BedrockAuth, Service, Variables, Vertex, VertexAuth};
pub use transport::{connections, connections_to, needs_proxy, reason};

use crate::error::Error;
use crate::request::Request;
pub use crate::stream::SILENCE;
use crate::stream::Stream;

/// A client of a Messages API. Clones share their connections.
#[derive(Debug, Clone)]
pub struct ModelClient {
    shared: Arc<ModelClientState>,
}

#[derive(Debug)]
struct ModelClientState {
    endpoint: Endpoint,
    credentials: service::ServiceCredentials,
    http: OnceLock<Result<reqwest::Client, Error>>,
}

impl ModelClientState {
    /// The connections, which are made ready for the first call: a program that makes none does not pay.
    fn http(&self, model: &str) -> Result<&reqwest::Client, Error> {
        self.http.get_or_init(|| transport::build(&self.endpoint, model)).as_ref().map_err(Error::clone)
    }
}

impl ModelClient {
    /// A client of the API at this endpoint. Nothing is connected before the first call.
    pub fn new(endpoint: Endpoint) -> Self {
        ModelClient {
            shared: Arc::new(ModelClientState {
                endpoint,
                credentials: service::ServiceCredentials::default(),
                http: OnceLock::new(),
            }),
        }
    }

    /// Calls the model.
    ///
    /// Failures that pass are waited out, each one reported as [`ModelEvent::Retry`](crate::ModelEvent::Retry). Of an attempt
    /// that is made again no block of the model's answer was complete, except for thinking.
    pub fn stream(&self, request: Request) -> Stream {
        let shared = Arc::clone(&self.shared);
        Stream::spawn(|events| call::run(shared, request, events))
    }

    /// How many tokens the prompt has, by the API's own count. It is asked once: a count that fails can be
    /// estimated.
    pub async fn count_tokens(&self, request: &Request) -> Result<u64, Error> {
        call::count_tokens(&self.shared, request).await
    }
}
