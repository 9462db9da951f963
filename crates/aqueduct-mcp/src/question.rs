use std::sync::{Arc, Mutex, PoisonError};

use aqueduct_wire::control::{ElicitationAction, ElicitationMode, ElicitationReply, ElicitationRequest};
use aqueduct_wire::hook::{ElicitationInput, ElicitationResultInput};
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::mcp::McpId;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::host::{Elicited, Verdict};
use crate::object::Object;
use crate::shared::ServerContext;

/// What a server asks the user, and has no answer to yet.
#[derive(Debug, Default)]
pub(crate) struct ServerQuestions {
    open: Mutex<Vec<(McpId<'static>, CancellationToken)>>,
}

impl ServerQuestions {
    /// Asks the user in the name of a server; returns what the server is answered. Hooks have the first word, and the
    /// last one on the user's answer.
    pub(crate) async fn ask(
        self: Arc<Self>,
        shared: &ServerContext,
        server: &str,
        id: McpId<'static>,
        params: &Raw<'_>,
    ) -> Raw<'static> {
        let token = CancellationToken::new();
        self.lock().push((id.clone(), token.clone()));
        let result = put(shared, request(server, params), &token).await;
        self.lock().retain(|(open, _)| *open != id);
        result
    }

    /// The server does not want to know any more.
    pub(crate) fn take_back(&self, id: &McpId<'_>) {
        for (open, token) in self.lock().iter() {
            if open == id {
                token.cancel();
            }
        }
    }

    /// The receiver was dropped.
    pub(crate) fn take_back_all(&self) {
        for (_, token) in self.lock().iter() {
            token.cancel();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(McpId<'static>, CancellationToken)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn put(
    shared: &ServerContext,
    request: ElicitationRequest<'static>,
    token: &CancellationToken,
) -> Raw<'static> {
    let verdict = tokio::select! {
        verdict = shared.host.before_elicitation(question(&request)) => verdict,
        () = token.cancelled() => return cancelled(),
    };
    match verdict {
        Verdict::Decline => return declined(),
        Verdict::Answer(payload) => return reply_of(&payload),
        Verdict::Continue => (),
    }
    let about = request.clone();
    let elicited = match shared.asked_host() {
        Some(host) => match host.elicit(request, token).await {
            Elicited::Answered(payload) => reply_of(&payload),
            Elicited::Declined => declined(),
            Elicited::Cancelled => cancelled(),
        },
        None => declined(),
    };
    match shared.host.after_elicitation(answer(&about, &elicited)).await {
        Verdict::Decline => declined(),
        Verdict::Answer(payload) => reply_of(&payload),
        Verdict::Continue => elicited,
    }
}

/// What the server is answered by a payload of the host or of a hook.
fn reply_of(payload: &Raw<'_>) -> Raw<'static> {
    payload.view().map_or_else(declined, |reply| answered(&reply))
}

/// The server's question, as hooks receive it.
fn question(request: &ElicitationRequest<'static>) -> ElicitationInput<'static> {
    let mut input = ElicitationInput::new();
    input.mcp_server_name = Some(request.mcp_server_name.clone());
    input.message = Some(request.message.clone());
    input.mode = request.mode.clone();
    input.url = request.url.clone();
    input.elicitation_id = request.elicitation_id.clone();
    input.requested_schema = request.requested_schema.clone();
    input
}

/// The answer for the server, as hooks receive it.
fn answer(request: &ElicitationRequest<'static>, elicited: &Raw<'static>) -> ElicitationResultInput<'static> {
    let elicited = Object::of(elicited);
    let mut input = ElicitationResultInput::new();
    input.mcp_server_name = Some(request.mcp_server_name.clone());
    input.action = elicited.text("action").map(|action| Str::from(action).into());
    input.content = elicited.take("content");
    input.mode = request.mode.clone();
    input.elicitation_id = request.elicitation_id.clone();
    input
}

fn cancelled() -> Raw<'static> {
    Raw::from(&json!({ "action": "cancel" }))
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
