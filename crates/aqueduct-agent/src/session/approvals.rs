//! MCP servers of the project: the user is asked about each of them once.

use aqueduct_mcp::UnapprovedServer;
use aqueduct_rules::Mode;
use aqueduct_wire::control::{AgentRequest, CanUseToolRequest, DecisionReasonType, ToolMcpServer};
use aqueduct_wire::json::Raw;
use aqueduct_wire::system::SessionState;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::AgentSession;
use crate::host::HostRequestError;
use crate::wait_report::reported;

impl AgentSession {
    /// Asks about the servers that wait for an approval. If no user can be asked, they keep waiting.
    pub(crate) async fn approve_servers(&self, cancel: &CancellationToken) {
        for applicant in self.tool_context.mcp.applicants() {
            if cancel.is_cancelled() {
                return;
            }
            let is_bypassed = self.permissions.mode() == Mode::BypassPermissions;
            let verdict = match (is_bypassed, self.asks_host()) {
                (true, _) => Some(true),
                (false, true) => self.ask_about(&applicant, cancel).await,
                (false, false) => None,
            };
            let Some(is_allowed) = verdict else { continue };
            // Only an answer of the user is stored, not that of a mode.
            let decided = self.tool_context.mcp.decide(&applicant.name, is_allowed, !is_bypassed).await;
            if let Err(error) = decided {
                let note =
                    format!("The answer about the MCP server {} can't be kept: {error}", applicant.name);
                self.send_note(&note, "warning").await;
            }
        }
    }

    /// Waits for the servers that are connecting, and reports which of them take long. An interrupt gives up on these.
    pub(crate) async fn settle_servers(&self, cancel: &CancellationToken) {
        let mcp = &self.tool_context.mcp;
        let settled = mcp.settled(cancel);
        reported(settled, |waited| async move {
            let (names, seconds) = (mcp.awaited().join(", "), waited.as_secs());
            let text = format!(
                "Waiting for the MCP server {names} for {seconds} s. Interrupt to continue without \
                    it."
            );
            self.send_slow(text, "mcp_server_slow", None).await;
        })
        .await;
        if cancel.is_cancelled() {
            mcp.give_up().await;
        }
    }

    /// Whether the user wants a server; `None` where there is no answer.
    async fn ask_about(&self, applicant: &UnapprovedServer, cancel: &CancellationToken) -> Option<bool> {
        let mut request =
            CanUseToolRequest::new(format!("mcp__{}", applicant.name), Raw::from(&applicant.what));
        request.tool_use_id = Some(format!("toolu_mcp_server_{}", Uuid::new_v4().simple()).into());
        request.display_name = Some(format!("Connect to the MCP server {}", applicant.name).into());
        let why = "The project provides this MCP server. It starts now and whenever you work here.";
        request.decision_reason = Some(why.into());
        request.decision_reason_type = Some(DecisionReasonType::SafetyCheck);
        request.default_to_no = Some(true);
        request.suppress_always_allow_rule = Some(true);
        let mut server = ToolMcpServer::new();
        server.name = Some(applicant.name.clone().into());
        server.source = Some(applicant.source.into());
        request.mcp_server = Some(server);
        self.send_state(SessionState::RequiresAction).await;
        let asked = self.host.ask(AgentRequest::CanUseTool(Box::new(request)));
        let answer = tokio::select! {
            answer = asked => answer,
            () = cancel.cancelled() => Err(HostRequestError::Withdrawn),
        };
        self.send_state(SessionState::Running).await;
        let answer = answer.ok()?.to::<Value>().ok()?;
        match answer["behavior"].as_str() {
            Some("allow") => Some(true),
            Some("deny") => Some(false),
            _ => None,
        }
    }
}
