//! The HTTP client.

use crate::request::Request;
use crate::stream::Stream;

/// Where a Messages API is and how to come in.
#[derive(Debug, Clone, Default)]
pub struct Endpoint {
    /// The address without `/v1/messages`; the public API if there is none.
    pub base_url: Option<String>,
    /// Sent as `x-api-key`.
    pub api_key: Option<String>,
    /// Sent as `Authorization: Bearer`.
    pub auth_token: Option<String>,
    /// Further headers.
    pub headers: Vec<(String, String)>,
    /// The proxy for `http` addresses, for `https` addresses, and the hosts that need none.
    pub proxy: Proxy,
}

/// Proxies, in the form of the usual environment variables.
#[derive(Debug, Clone, Default)]
pub struct Proxy {
    /// `HTTP_PROXY`.
    pub http: Option<String>,
    /// `HTTPS_PROXY`.
    pub https: Option<String>,
    /// `NO_PROXY`.
    pub none: Option<String>,
}

/// A client of a Messages API.
#[derive(Debug, Clone)]
pub struct Client {}

impl Client {
    /// Calls the model.
    pub fn stream(&self, _request: Request) -> Stream {
        Stream::spawn(|_| async {})
    }
}
