//! Requests of the agent to its host, and the callbacks that answer them: `permission.rs`, `question.rs`, `hook.rs`,
//! `elicitation.rs` (dialogs too). `hook_events` has the types of each event's hook. [`Handlers`] selects the callback;
//! `responder.rs` sends exactly one response, also when it is dropped.

mod elicitation;
mod hook;
pub mod hook_events;
mod permission;
mod question;
mod responder;

pub use elicitation::{Dialog, DialogRequest, Elicitation, ElicitationForm};
pub use hook::{Hook, HookCall};
pub use permission::{Permission, PermissionRequest};
pub use question::{Answers, Questions};
pub use responder::{Asked, Responder};
pub(crate) use responder::{ResponderReply, SentReply};

use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use aqueduct_wire::control::AgentRequest;

use crate::callback::{Answering, Callback};
use crate::mcp::ConnectedServer;
use crate::profile::Profile;

/// Who answers what. What has no entry is declined at once.
#[derive(Clone)]
pub(crate) struct Handlers {
    /// How the agent asks.
    pub(crate) profile: Profile,
    pub(crate) permission: Option<Callback<PermissionRequest, Permission>>,
    pub(crate) question: Option<Callback<Questions, Answers>>,
    pub(crate) elicitation: Option<Callback<ElicitationForm, Elicitation>>,
    pub(crate) dialog: Option<Callback<DialogRequest, Dialog>>,
    /// By callback id.
    pub(crate) hooks: HashMap<String, Hook>,
    /// By name.
    pub(crate) mcp: HashMap<String, ConnectedServer>,
    /// What the model receives where no handler decides about a permission.
    pub(crate) denial: Option<String>,
    /// For all requests without a handler above.
    pub(crate) rest: Option<Arc<dyn Fn(Asked) + Send + Sync>>,
}

impl Default for Handlers {
    fn default() -> Self {
        Handlers {
            profile: Profile::REFERENCE,
            permission: None,
            question: None,
            elicitation: None,
            dialog: None,
            hooks: HashMap::new(),
            mcp: HashMap::new(),
            denial: None,
            rest: None,
        }
    }
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers")
            .field("permission", &self.permission.is_some())
            .field("question", &self.question.is_some())
            .field("elicitation", &self.elicitation.is_some())
            .field("dialog", &self.dialog.is_some())
            .field("hooks", &self.hooks.len())
            .field("mcp", &self.mcp.keys())
            .field("rest", &self.rest.is_some())
            .finish()
    }
}

impl Handlers {
    /// Whether the agent shall ask about permissions at all.
    pub(crate) fn take_permissions(&self) -> bool {
        self.permission.is_some() || self.question.is_some() || self.rest.is_some()
    }

    /// Answers a request, now or with the future. A responder that is dropped answers for itself.
    pub(crate) fn serve(
        &self,
        request: AgentRequest<'static>,
        responder: Responder,
    ) -> Option<Answering<()>> {
        match request {
            AgentRequest::CanUseTool(mut request) => {
                self.profile.normalize(&mut request);
                if request.tool_name == self.profile.question_tool
                    && let Some(answer) = &self.question
                    && let Some(questions) = Questions::of(&request)
                {
                    let answer = answer(questions);
                    let way = self.profile.answers;
                    return Some(Box::pin(async move {
                        let reply = answer.await.into_reply(&request, way);
                        responder.decide(reply);
                    }));
                }
                if let Some(decide) = &self.permission {
                    let decision = decide(PermissionRequest::new(request.clone()));
                    return Some(Box::pin(async move {
                        let reply = decision.await.into_reply(&request);
                        responder.decide(reply);
                    }));
                }
                match &self.denial {
                    Some(message) if self.rest.is_none() => {
                        let reply = Permission::deny(message).into_reply(&request);
                        responder.decide(reply);
                        None
                    }
                    _ => self.pass_to_fallback(AgentRequest::CanUseTool(request), responder),
                }
            }
            AgentRequest::HookCallback(request) => match self.hooks.get(request.callback_id.as_str()) {
                Some(hook) => {
                    let output = hook.call(HookCall::new(*request));
                    Some(Box::pin(async move {
                        match output.await {
                            Ok(output) => responder.answer(&output),
                            Err(error) => responder.refuse(error),
                        }
                    }))
                }
                None => self.pass_to_fallback(AgentRequest::HookCallback(request), responder),
            },
            AgentRequest::McpMessage(request) => match self.mcp.get(request.server_name.as_str()) {
                Some(server) => {
                    let reply = server.serve(request.message);
                    Some(Box::pin(async move { responder.answer(&reply.await) }))
                }
                None => self.pass_to_fallback(AgentRequest::McpMessage(request), responder),
            },
            AgentRequest::Elicitation(request) => match &self.elicitation {
                Some(answer) => {
                    let answer = answer(ElicitationForm::new(*request));
                    Some(Box::pin(async move { responder.answer(&answer.await.into_reply()) }))
                }
                None => self.pass_to_fallback(AgentRequest::Elicitation(request), responder),
            },
            AgentRequest::UserDialog(request) => match &self.dialog {
                Some(answer) => {
                    let answer = answer(DialogRequest::new(request));
                    Some(Box::pin(async move { responder.answer(&answer.await.into_reply()) }))
                }
                None => self.pass_to_fallback(AgentRequest::UserDialog(request), responder),
            },
            other => self.pass_to_fallback(other, responder),
        }
    }

    /// Passes a request to the fallback handler. Without one, the responder is dropped and declines.
    fn pass_to_fallback(
        &self,
        request: AgentRequest<'static>,
        responder: Responder,
    ) -> Option<Answering<()>> {
        if let Some(rest) = &self.rest {
            // It runs here and now, so that requests are taken in their order. If it panics, the responder has
            // refused the request on its way out, and the session continues.
            let _ = catch_unwind(AssertUnwindSafe(|| rest(Asked { request, responder })));
        }
        None
    }
}
