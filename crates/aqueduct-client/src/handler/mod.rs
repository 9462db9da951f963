//! What the agent asks its host, and who answers.

mod elicitation;
mod hook;
mod permission;
mod question;
mod responder;

pub use elicitation::{Dialog, DialogRequest, Elicitation, ElicitationForm};
pub use hook::{Hook, HookCall};
pub use permission::{Permission, PermissionRequest};
pub use question::{Answers, Questions};
pub use responder::{Asked, Responder};
pub(crate) use responder::{Reply, Responded};

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;

use aqueduct_wire::control::AgentRequest;

use crate::mcp::Connected;
use crate::profile::Profile;

/// A future that a callback gives.
pub type Answering<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A callback: what is asked goes in, a future of the answer comes out.
pub(crate) type Callback<Q, A> = Arc<dyn Fn(Q) -> Answering<A> + Send + Sync>;

/// Makes a callback of an async function. All of that function runs where the future does, also what stands
/// before its first await: it may take its time, and it may panic.
pub(crate) fn callback<Q, A, F>(answer: impl Fn(Q) -> F + Send + Sync + 'static) -> Callback<Q, A>
where
    Q: Send + 'static,
    F: Future<Output = A> + Send + 'static,
{
    let answer = Arc::new(answer);
    Arc::new(move |question| {
        let answer = answer.clone();
        Box::pin(async move { answer(question).await })
    })
}

/// Who answers what. What has no entry is declined at once.
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
    pub(crate) mcp: HashMap<String, Connected>,
    /// What the model receives where nobody decides about a permission.
    pub(crate) denial: Option<String>,
    /// For all that nobody above answers.
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
                    _ => self.leave(AgentRequest::CanUseTool(request), responder),
                }
            }
            AgentRequest::HookCallback(request) => match self.hooks.get(request.callback_id.as_str()) {
                Some(hook) => {
                    let output = hook.call(HookCall::new(*request));
                    Some(Box::pin(async move { responder.answer(&output.await) }))
                }
                None => self.leave(AgentRequest::HookCallback(request), responder),
            },
            AgentRequest::McpMessage(request) => match self.mcp.get(request.server_name.as_str()) {
                Some(server) => {
                    let reply = server.serve(request.message);
                    Some(Box::pin(async move { responder.answer(&reply.await) }))
                }
                None => self.leave(AgentRequest::McpMessage(request), responder),
            },
            AgentRequest::Elicitation(request) => match &self.elicitation {
                Some(answer) => {
                    let answer = answer(ElicitationForm::new(*request));
                    Some(Box::pin(async move { responder.answer(&answer.await.into_reply()) }))
                }
                None => self.leave(AgentRequest::Elicitation(request), responder),
            },
            AgentRequest::UserDialog(request) => match &self.dialog {
                Some(answer) => {
                    let answer = answer(DialogRequest::new(request));
                    Some(Box::pin(async move { responder.answer(&answer.await.into_reply()) }))
                }
                None => self.leave(AgentRequest::UserDialog(request), responder),
            },
            other => self.leave(other, responder),
        }
    }

    /// Gives a request to whoever takes the rest. Where nobody does, the responder is dropped and declines.
    fn leave(&self, request: AgentRequest<'static>, responder: Responder) -> Option<Answering<()>> {
        if let Some(rest) = &self.rest {
            // It runs here and now, so that requests are taken in their order. If it panics, the responder has
            // refused the request on its way out, and the session goes on.
            let _ = catch_unwind(AssertUnwindSafe(|| rest(Asked { request, responder })));
        }
        None
    }
}
