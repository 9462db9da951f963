//! What a person is asked on the terminal: permissions, questions, plans.

mod input;
mod permission;
mod plan;
mod question;
mod rule;
mod tty;

pub(super) use self::tty::Tty;

use aqueduct_client::view::Run;
use aqueduct_client::{Answers, Builder, Permission, PermissionRequest, Questions};
use tokio::sync::{mpsc, oneshot};

use crate::terminal::Ink;

/// How many questions wait for the person at most; further ones wait with those who ask.
const ASKS_BOUND: usize = 64;

/// What the model receives if no user can answer any more.
const NO_USER: &str = "No user is available to answer.";

/// A request that the user has to answer.
#[derive(Debug)]
pub(super) enum Ask {
    /// Whether a tool may be used. A plan is asked about in the same way.
    Permission(PermissionRequest, oneshot::Sender<Permission>),
    /// What the model wants to know.
    Question(Questions, oneshot::Sender<Answers>),
}

/// Lets a session ask. What it asks comes out at the other end, one after the other.
pub(super) fn listen(builder: Builder) -> (Builder, mpsc::Receiver<Ask>) {
    let (asks, asked) = mpsc::channel(ASKS_BOUND);
    let questions = asks.clone();
    let builder = builder
        .on_permission(move |request| {
            let asks = asks.clone();
            async move {
                let (reply, answer) = oneshot::channel();
                let is_received = asks.send(Ask::Permission(request, reply)).await.is_ok();
                match answer.await {
                    Ok(permission) if is_received => permission,
                    _ => Permission::deny(NO_USER),
                }
            }
        })
        .on_question(move |request| {
            let asks = questions.clone();
            async move {
                let (reply, answer) = oneshot::channel();
                let is_received = asks.send(Ask::Question(request, reply)).await.is_ok();
                match answer.await {
                    Ok(answers) if is_received => answers,
                    _ => Answers::declined(NO_USER),
                }
            }
        });
    (builder, asked)
}

impl Ask {
    /// The plan that is asked about, where it is one and the request does not hold it.
    pub(super) fn plan(&self, run: &Run) -> Option<String> {
        match self {
            Ask::Permission(request, _) if request.tool() == permission::PLAN => plan::find(request, run),
            _ => None,
        }
    }

    /// The call that is asked about.
    pub(super) fn call(&self) -> Option<&str> {
        match self {
            Ask::Permission(request, _) => request.tool_use_id(),
            Ask::Question(..) => None,
        }
    }

    /// Asks the person, and passes the answer on. Gives up when the agent no longer wants to know: then it is
    /// `false`.
    pub(super) async fn put(
        self,
        plan: Option<String>,
        cwd: Option<String>,
        tty: &mut Tty,
        ink: Ink,
    ) -> bool {
        match self {
            Ask::Permission(request, mut reply) => {
                let answer = tokio::select! {
                    answer = permission::ask(&request, plan.as_deref(), cwd.as_deref(), tty, ink) => answer,
                    () = reply.closed() => return false,
                };
                // An agent that has just withdrawn its question ignores the answer.
                let _ = reply.send(answer.unwrap_or_else(|_| Permission::deny(NO_USER)));
            }
            Ask::Question(questions, mut reply) => {
                let answer = tokio::select! {
                    answer = question::ask(&questions, tty, ink) => answer,
                    () = reply.closed() => return false,
                };
                let _ = reply.send(answer.unwrap_or_else(|_| Answers::declined(NO_USER)));
            }
        }
        true
    }
}
