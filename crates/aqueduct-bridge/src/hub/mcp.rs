//! The MCP servers of a session's agent, and signing in to them.

use aqueduct_wire::control::{
    HostRequest, McpAuthenticateReply, McpAuthenticateRequest, McpClearAuthRequest,
    McpOauthCallbackUrlRequest, McpStatusReply, McpStatusRequest,
};
use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::{McpServerState, McpServerStatus};

use super::Hub;
use crate::failure::Failure;
use crate::message::bridge::{McpServerInfo, McpServers, McpSignIn};
use crate::session::SessionCommand;

impl Hub {
    pub(super) async fn mcp_servers(&self, session: String) -> Result<McpServers<'static>, Failure> {
        let answer = self.ask_agent(&session, || HostRequest::McpStatus(McpStatusRequest::new())).await?;
        let status: McpStatusReply<'_> = answer
            .view()
            .ok_or_else(|| Failure::agent("the agent's answer about its MCP servers can't be read"))?;
        let servers: Vec<_> = status.mcp_servers.iter().flatten().map(described).collect();
        Ok(McpServers::new(session, servers))
    }

    pub(super) async fn sign_in_mcp_server(
        &self,
        session: String,
        server: String,
    ) -> Result<McpSignIn<'static>, Failure> {
        let request = || HostRequest::McpAuthenticate(McpAuthenticateRequest::new(server.clone()));
        let answer = self.ask_agent(&session, request).await?;
        let reply = answer.view::<McpAuthenticateReply<'_>>().and_then(|reply| reply.auth_url);
        // A page opens what comes from here, and an agent is not trusted with more than a link.
        let url = reply.filter(|url| url.starts_with("https://") || url.starts_with("http://"));
        let url = url.ok_or_else(|| Failure::agent("the agent named no page for the sign-in"))?;
        Ok(McpSignIn::new(session, server, url.into_string()))
    }

    pub(super) async fn finish_mcp_sign_in(
        &self,
        session: &str,
        server: String,
        callback_url: String,
    ) -> Result<(), Failure> {
        let request = || {
            let request = McpOauthCallbackUrlRequest::new(server.clone(), callback_url.clone());
            HostRequest::McpOauthCallbackUrl(request)
        };
        self.ask_agent(session, request).await.map(drop)
    }

    pub(super) async fn sign_out_mcp_server(&self, session: &str, server: String) -> Result<(), Failure> {
        let request = || HostRequest::McpClearAuth(McpClearAuthRequest::new(server.clone()));
        self.ask_agent(session, request).await.map(drop)
    }

    /// Asks the agent of a session something.
    async fn ask_agent(
        &self,
        session: &str,
        request: impl Fn() -> HostRequest<'static> + Send + Sync,
    ) -> Result<Raw<'static>, Failure> {
        self.ask(session, |reply| SessionCommand::Request { request: Box::new(request()), reply }).await
    }
}

fn described(status: &McpServerStatus<'_>) -> McpServerInfo<'static> {
    let state = status.status.clone().map_or(McpServerState::Failed, |state| state.into_owned());
    let mut info = McpServerInfo::new(status.name.clone().into_owned(), state);
    info.error = status.error.clone().map(|error| error.into_owned());
    info.transport = status.transport.clone().map(|transport| transport.into_owned());
    info.tools = status.tools.as_ref().map(|tools| tools.len() as u64);
    info
}
