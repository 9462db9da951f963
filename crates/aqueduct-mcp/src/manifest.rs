use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::control::{ManifestFate, SdkServerManifest};
use aqueduct_wire::json::Raw;

use crate::client::McpClient;
use crate::config::ServerConfig;
use crate::connection::{ServerConnection, VERSION};
use crate::error::ConnectError;
use crate::object::Object;
use crate::question::ServerQuestions;
use crate::served_tool::ServedTool;

/// What a server in the host would answer, provided by the host, so that the server need not be asked.
#[derive(Debug)]
pub(crate) struct ServerManifest {
    about: Raw<'static>,
    tools: Option<Raw<'static>>,
}

impl ServerManifest {
    /// How many requests it spares. Their numbers are left out, as if they had been sent.
    pub(crate) const REQUESTS: u64 = 2;

    /// Reads a manifest; what becomes of it, where it can't be used.
    pub(crate) fn read(manifest: &SdkServerManifest<'_>) -> Result<Self, ManifestFate<'static>> {
        let about = manifest.initialize_result.clone().ok_or(ManifestFate::Malformed)?.into_owned();
        let seen = Object::of(&about);
        match seen.text("protocolVersion") {
            Some(version) if version == VERSION => (),
            Some(_) => return Err(ManifestFate::ProtocolVersionMismatch),
            None => return Err(ManifestFate::Malformed),
        }
        if seen.get("capabilities").is_none() || seen.get("serverInfo").is_none() {
            return Err(ManifestFate::Malformed);
        }
        let tools = manifest.tools_list_result.clone().map(|tools| tools.into_owned());
        if tools.as_ref().is_some_and(|tools| Object::of(tools).get("tools").is_none()) {
            return Err(ManifestFate::Malformed);
        }
        Ok(ServerManifest { about, tools })
    }

    /// The connection that it describes. Tools that it does not list are requested.
    pub(crate) async fn connect(
        self,
        config: &ServerConfig,
        client: Arc<McpClient>,
        limit: Duration,
        questions: Arc<ServerQuestions>,
    ) -> Result<ServerConnection, ConnectError> {
        let connection = ServerConnection::with(client, self.about, questions);
        match &self.tools {
            Some(tools) => {
                let (tools, unfit) = ServedTool::list(config, tools);
                connection.set_tools(tools, unfit);
            }
            None => connection.list_tools(config, limit).await?,
        }
        Ok(connection)
    }
}
