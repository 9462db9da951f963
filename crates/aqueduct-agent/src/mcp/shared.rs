use std::sync::Arc;

use aqueduct_model::client::Proxy;
use aqueduct_wire::json::Raw;
use serde_json::json;
use tokio::sync::mpsc;

use super::approval::Approvals;
use super::limits::Limits;
use super::search::Lookup;
use crate::environment::Environment;
use crate::host::Host;
use crate::session::proxy;
use crate::tool::Notice;

/// What all servers share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) environment: Arc<Environment>,
    pub(super) host: Arc<Host>,
    /// Whether the host reads requests.
    pub(super) host_listens: bool,
    pub(super) notices: mpsc::Sender<Notice>,
    pub(super) limits: Limits,
    /// When the model has to look tools up.
    pub(super) lookup: Lookup,
    /// What the user has said about servers of projects.
    pub(super) approvals: Approvals,
}

impl Shared {
    /// The host, if it can be asked something.
    pub(super) fn asked_host(&self) -> Option<Arc<Host>> {
        self.host_listens.then(|| self.host.clone())
    }

    /// The proxies on the way to servers on the network.
    pub(super) fn proxy(&self) -> Proxy {
        proxy(&self.environment)
    }

    /// The folder in which the agent works, as servers are told.
    pub(super) fn roots(&self) -> Raw<'static> {
        let cwd = &self.environment.cwd;
        let name = cwd.file_name().map(|name| name.to_string_lossy().into_owned());
        Raw::from(&json!({ "roots": [{ "uri": file_uri(&cwd.to_string_lossy()), "name": name }] }))
    }
}

/// A path as an address.
fn file_uri(path: &str) -> String {
    let mut uri = "file://".to_owned();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(byte as char)
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}
