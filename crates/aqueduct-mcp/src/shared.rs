use std::path::PathBuf;
use std::sync::Arc;

use aqueduct_model::client::ProxySettings;
use aqueduct_os::environment::Environment;
use aqueduct_wire::json::Raw;
use serde_json::json;

use crate::approval::Approvals;
use crate::auth::SignInStore;
use crate::host::McpHost;
use crate::limits::ServerLimits;
use crate::lookup::Lookup;

/// Where the user's answers and sign-ins are kept; nowhere, for a session that keeps nothing.
#[derive(Debug, Clone, Default)]
pub struct McpFiles {
    /// The file with the user's answers about servers of the project.
    pub approvals: Option<PathBuf>,
    /// The folder with the user's sign-ins to servers on the network.
    pub sign_ins: Option<PathBuf>,
}

/// What all servers share.
#[derive(Debug)]
pub(crate) struct ServerContext {
    pub(crate) environment: Arc<Environment>,
    pub(crate) host: Arc<dyn McpHost>,
    /// Whether the host reads requests.
    pub(crate) host_listens: bool,
    /// The proxies on the way to servers on the network.
    pub(crate) proxy: ProxySettings,
    pub(crate) limits: ServerLimits,
    /// When the model has to look tools up.
    pub(crate) lookup: Lookup,
    /// The user's answers about servers of projects.
    pub(crate) approvals: Approvals,
    /// The user's sign-ins to servers on the network.
    pub(crate) sign_ins: Option<SignInStore>,
}

impl ServerContext {
    /// The host, if it can be asked something.
    pub(crate) fn asked_host(&self) -> Option<&dyn McpHost> {
        self.host_listens.then_some(&*self.host)
    }

    /// The working directory, as servers receive it.
    pub(crate) fn roots(&self) -> Raw<'static> {
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
