use std::sync::{Arc, Mutex, PoisonError};

use aqueduct_wire::control::{
    AgentRequest, ElicitationAction, ElicitationMode, ElicitationReply, ElicitationRequest,
};
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::mcp::McpId;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::object::Object;
use crate::host::{Host, Unanswered};

/// What a server asks the user, and has no answer to yet.
#[derive(Debug, Default)]
pub(super) struct Questions {
    open: Mutex<Vec<(McpId<'static>, CancellationToken)>>,
}

impl Questions {
    /// Asks the user in the name of a server; gives what the server is answered. `host` is nobody where the
    /// host does not read requests.
    pub(super) async fn ask(
        self: Arc<Self>,
        host: Option<Arc<Host>>,
        server: &str,
        id: McpId<'static>,
        params: &Raw<'_>,
    ) -> Raw<'static> {
        let Some(host) = host else { return declined() };
        let token = CancellationToken::new();
        self.lock().push((id.clone(), token.clone()));
        let result = put(&host, request(server, params), &token).await;
        self.lock().retain(|(open, _)| *open != id);
        result
    }

    /// The server does not want to know any more.
    pub(super) fn take_back(&self, id: &McpId<'_>) {
        for (open, token) in self.lock().iter() {
            if open == id {
                token.cancel();
            }
        }
    }

    /// Nobody wants to know any more.
    pub(super) fn take_back_all(&self) {
        for (_, token) in self.lock().iter() {
            token.cancel();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(McpId<'static>, CancellationToken)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn put(host: &Host, request: ElicitationRequest<'static>, token: &CancellationToken) -> Raw<'static> {
    let cancelled = || Raw::from(&json!({ "action": "cancel" }));
    let mut posted = match host.post(AgentRequest::Elicitation(Box::new(request))).await {
        Ok(posted) => posted,
        Err(_) => return cancelled(),
    };
    let answer = tokio::select! {
        answer = posted.answer() => Some(answer),
        () = token.cancelled() => None,
    };
    match answer {
        None => {
            host.take_back(posted).await;
            cancelled()
        }
        Some(Ok(payload)) => payload.view().map_or_else(declined, |reply| answered(&reply)),
        Some(Err(Unanswered::Refused(_))) => declined(),
        Some(Err(Unanswered::Withdrawn | Unanswered::Gone | Unanswered::Late)) => cancelled(),
    }
}

fn answered(reply: &ElicitationReply<'_>) -> Raw<'static> {
    let mut result = json!({ "action": reply.action.as_str() });
    if reply.action == ElicitationAction::Accept
        && let Some(content) = reply.content.as_ref().and_then(|content| content.to::<Value>().ok())
    {
        result["content"] = content;
    }
    Raw::from(&result)
}

fn declined() -> Raw<'static> {
    Raw::from(&json!({ "action": "decline" }))
}

/// The server's question as hosts are asked it.
fn request(server: &str, params: &Raw<'_>) -> ElicitationRequest<'static> {
    let params = Object::of(params);
    let message = params.text("message").unwrap_or_default();
    let mut request = ElicitationRequest::new(server.to_owned(), message);
    let mode = params.text("mode").unwrap_or_else(|| "form".to_owned());
    request.mode = Some(ElicitationMode::from(Str::from(mode)));
    request.url = params.text("url").map(Into::into);
    request.elicitation_id = params.text("elicitationId").map(Into::into);
    if let Some(schema) = params.take("requestedSchema") {
        let form = Object::of(&schema);
        let fields = form.object("properties");
        let order: Vec<Str<'static>> = fields.names().map(|name| name.to_owned().into()).collect();
        request.property_order = (!order.is_empty()).then_some(order);
        request.requested_schema = Some(schema.clone());
    }
    request
}
