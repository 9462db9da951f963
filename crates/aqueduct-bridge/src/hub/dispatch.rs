//! What clients ask for, and who does it.

use std::future::Future;
use std::pin::Pin;

use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::{Number, Str};
use tokio::sync::oneshot;
use tracing::Instrument as _;

use super::decisions::{decision, require_names};
use super::{ClientConnection, Hub};
use crate::auth::Principal;
use crate::failure::Failure;
use crate::failures::{FailureKind, FailureSubject, Failures};
use crate::log::Time;
use crate::message::bridge::{Done, InputAck, InputRejected, PongMessage, SessionReply};
use crate::message::client::{InputPriority, SendInput};
use crate::message::{BridgeMessage, ClientMessage, ErrorCode};
use crate::session::{ReplySender, SessionCommand, WatchStart};
use crate::trace;

/// The messages that a request is answered with, once they are there.
pub(super) type ReplyFuture = Pin<Box<dyn Future<Output = Vec<BridgeMessage<'static>>> + Send>>;

/// What was asked for, once it is done.
type WorkFuture<T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + Send>>;

impl Hub {
    /// One request without a connection: the reply, which may be an error.
    pub async fn request(&self, principal: &Principal, message: ClientMessage<'_>) -> BridgeMessage<'static> {
        let mut replies = self.begin(None, principal, message).await.await;
        match replies.is_empty() {
            true => Done::new().into(),
            false => replies.swap_remove(0),
        }
    }

    /// Begins what is asked for. What is asked of a session is with it when this comes back.
    pub(super) async fn begin(
        &self,
        connection: Option<&ClientConnection>,
        principal: &Principal,
        message: ClientMessage<'_>,
    ) -> ReplyFuture {
        let span = trace::request_span(message.tag(), &principal.device_id);
        let reply = self.answer(connection, principal, message).instrument(span.clone()).await;
        let shared = self.shared.clone();
        let answering = async move {
            let replies = reply.await;
            replies.iter().for_each(|reply| report_failed(&shared.failures, reply));
            replies
        };
        Box::pin(answering.instrument(span))
    }

    async fn answer(
        &self,
        connection: Option<&ClientConnection>,
        principal: &Principal,
        message: ClientMessage<'_>,
    ) -> ReplyFuture {
        let request_id = message.request_id().map(str::to_owned);
        if let Err(failure) = self.permit(principal, &message).await {
            let refusal = match &message {
                ClientMessage::Input(input) => refuse_input(input, failure),
                _ => failure.to_message(request_id.as_deref(), None),
            };
            return Box::pin(async move { vec![refusal] });
        }
        let message = message.into_owned();
        match self.dispatch(connection, principal, message, request_id.clone()).await {
            Ok(reply) => reply,
            Err(failure) => {
                let message = failure.to_message(request_id.as_deref(), None);
                Box::pin(async move { vec![message] })
            }
        }
    }

    async fn dispatch(
        &self,
        connection: Option<&ClientConnection>,
        principal: &Principal,
        message: ClientMessage<'static>,
        request_id: Option<String>,
    ) -> Result<ReplyFuture, Failure> {
        use ClientMessage as M;
        let by = principal.actor();
        match message {
            M::Start(start) => return Ok(self.start(connection, principal, *start).await),
            M::ResumeSession(resume) => return self.resume(connection, principal, *resume).await,
            M::Input(input) => return Ok(self.input(connection, principal, *input).await),
            M::StopSession(stop) => {
                let id = self.resolve_session(connection, Some(&stop.session_id))?;
                return self.carry_out(id, request_id, |reply| SessionCommand::Stop { reply }).await;
            }
            M::Interrupt(message) => {
                let id = self.resolve_session(connection, message.session_id.as_deref())?;
                let hard = message.hard == Some(true);
                return self
                    .carry_out(id, request_id, move |reply| SessionCommand::Interrupt {
                        hard,
                        by: by.clone(),
                        reply,
                    })
                    .await;
            }
            M::Approve(_) | M::ApproveAlways(_) | M::Reject(_) | M::Answer(_) => {
                let decision = decision(message)?;
                if self.shared.settings.strict_decisions {
                    require_names(&decision)?;
                }
                let id = self.session_of_request(connection, decision.session(), decision.id()).await?;
                let scope = principal.grant.scope;
                let make = move |reply| SessionCommand::Decide {
                    decision: decision.clone(),
                    scope,
                    by: by.clone(),
                    reply,
                };
                return self.carry_out(id, request_id, make).await;
            }
            M::UpdateQueuedInput(message) => {
                let id = self.resolve_session(connection, Some(&message.session_id))?;
                let make = move |reply| SessionCommand::UpdateQueued {
                    id: message.input_id.as_str().to_owned(),
                    text: message.text.as_str().to_owned(),
                    images: message.images.clone(),
                    reply,
                };
                return self.carry_out(id, request_id, make).await;
            }
            M::CancelQueuedInput(message) => {
                let id = self.resolve_session(connection, Some(&message.session_id))?;
                let input = message.input_id.into_string();
                return self
                    .carry_out(id, request_id, move |reply| SessionCommand::CancelQueued {
                        id: input.clone(),
                        reply,
                    })
                    .await;
            }
            M::MoveQueuedInput(message) => {
                let id = self.resolve_session(connection, Some(&message.session_id))?;
                let position = usize::try_from(message.position).unwrap_or(usize::MAX);
                let input = message.input_id.into_string();
                return self
                    .carry_out(id, request_id, move |reply| SessionCommand::MoveQueued {
                        id: input.clone(),
                        position,
                        reply,
                    })
                    .await;
            }
            M::SendQueuedInput(message) => {
                let id = self.resolve_session(connection, Some(&message.session_id))?;
                let make = move |reply| SessionCommand::SendQueued {
                    id: message.input_id.as_str().to_owned(),
                    priority: message.priority.clone().unwrap_or(InputPriority::Interrupt),
                    by: by.clone(),
                    reply,
                };
                return self.carry_out(id, request_id, make).await;
            }
            M::Subscribe(message) => {
                let id = message.session_id.as_str().to_owned();
                let Some(connection) = connection else {
                    return Err(Failure::new(ErrorCode::NotSupported, "only a connection can subscribe")
                        .clause("read sessions as server-sent events"));
                };
                let watch = WatchStart::Since {
                    seq: message.since_seq,
                    limit: message.limit,
                    request_id: request_id.clone(),
                    plain: false,
                };
                connection.watch(&id, watch).await?;
                connection.stop_watching_all(&id).await;
                // The session itself answers, in order with its messages.
                return Ok(nothing());
            }
            M::Unsubscribe(message) => {
                if let Some(connection) = connection {
                    connection.unwatch(&message.session_id).await;
                    connection.stop_watching_all("").await;
                }
                return Ok(self.done(ready(()), message.session_id.into_string(), request_id));
            }
            M::SetPermissionMode(message) => {
                let id = self.resolve_session(connection, message.session_id.as_deref())?;
                let mode = message.mode.as_str().to_owned();
                let make = move |reply| SessionCommand::SetMode { mode: mode.clone(), by: by.clone(), reply };
                return self.carry_out(id, request_id, make).await;
            }
            M::SetModel(message) => {
                let id = self.resolve_session(connection, message.session_id.as_deref())?;
                let model = message.model.into_string();
                let make =
                    move |reply| SessionCommand::SetModel { model: model.clone(), by: by.clone(), reply };
                return self.carry_out(id, request_id, make).await;
            }
            M::SetBudget(message) => {
                let id = self.resolve_session(connection, Some(&message.session_id))?;
                let budget = message.budget_usd.as_ref().map(Number::as_f64);
                return self
                    .carry_out(id, request_id, move |reply| SessionCommand::SetBudget { budget, reply })
                    .await;
            }
            M::RenameSession(message) => {
                let id = self.resolve_session(connection, Some(&message.session_id))?;
                let title = Some(message.title.into_string()).filter(|title| !title.trim().is_empty());
                let make =
                    move |reply| SessionCommand::Rename { title: title.clone(), by: by.clone(), reply };
                return self.carry_out(id, request_id, make).await;
            }
            M::ArchiveSession(message) => {
                let id = self.resolve_session(connection, Some(&message.session_id))?;
                let archived = message.archived != Some(false);
                return self
                    .carry_out(id, request_id, move |reply| SessionCommand::Archive { archived, reply })
                    .await;
            }
            M::GetSession(message) => {
                let id = message.session_id.into_string();
                let work = self.order(&id, |reply| SessionCommand::Snapshot { reply }).await?;
                return Ok(reply(request_id, async move { Ok(SessionReply::new(id, work.await?).into()) }));
            }
            M::Ping(_) => {
                let pong = PongMessage::new(Time::now().0.unsigned_abs());
                return Ok(reply(request_id, async move { Ok(pong.into()) }));
            }
            _ => {}
        }
        let (hub, principal) = (self.clone(), principal.clone());
        let meant = match connection {
            Some(connection) => self.resolve_session(Some(connection), None).ok(),
            None => None,
        };
        Ok(reply(request_id, async move { hub.look(&principal, message, meant).await }))
    }

    /// Takes an input; a session that was started in a terminal is adopted by it.
    async fn input(
        &self,
        connection: Option<&ClientConnection>,
        principal: &Principal,
        input: SendInput<'static>,
    ) -> ReplyFuture {
        let request_id = input.request_id.as_deref().map(str::to_owned);
        let client_message_id = input.client_message_id.as_deref().map(str::to_owned);
        let named = input.session_id.as_deref().map(str::to_owned);
        let work = async {
            let id = self.resolve_session(connection, named.as_deref())?;
            self.adopt_if_needed(&id, None, principal).await?;
            let make = input_command(connection, principal, input);
            Ok((self.order(&id, make).await?, id))
        };
        let work: Result<_, Failure> = work.await;
        Box::pin(async move {
            let (failure, session_id) = match work {
                Ok((work, id)) => match work.await {
                    Ok(mut ack) => {
                        ack.request_id = request_id.map(Into::into);
                        return vec![ack.into()];
                    }
                    Err(failure) => (failure, Some(id)),
                },
                Err(failure) => (failure, named),
            };
            let mut rejected = InputRejected::new(failure.code.clone(), failure.advised());
            rejected.request_id = request_id.map(Into::into);
            rejected.session_id = session_id.map(Into::into);
            rejected.client_message_id = client_message_id.map(Into::into);
            vec![rejected.into()]
        })
    }

    /// Gives a session something to do that is answered with `ok`.
    async fn carry_out(
        &self,
        id: String,
        request_id: Option<String>,
        make: impl Fn(ReplySender<()>) -> SessionCommand + Send + Sync + 'static,
    ) -> Result<ReplyFuture, Failure> {
        let work = self.order(&id, make).await?;
        Ok(self.done(work, id, request_id))
    }

    /// Gives a session something to do. It has it when this comes back; what it gives is done when it is done.
    pub(super) async fn order<T: Send + 'static>(
        &self,
        id: &str,
        make: impl Fn(ReplySender<T>) -> SessionCommand + Send + Sync + 'static,
    ) -> Result<WorkFuture<T>, Failure> {
        let (reply, answer) = oneshot::channel();
        // One that has just left is asked again below.
        let _ = self.mailbox(id).await?.send(make(reply)).await;
        let (hub, id) = (self.clone(), id.to_owned());
        Ok(Box::pin(async move {
            match answer.await {
                Ok(answer) => answer,
                Err(_) => hub.ask(&id, make).await,
            }
        }))
    }

    /// `ok`, if the request expects it, or the error.
    pub(super) fn done(&self, work: WorkFuture<()>, id: String, request_id: Option<String>) -> ReplyFuture {
        let hub = self.clone();
        Box::pin(async move {
            match work.await {
                Ok(()) if request_id.is_none() => Vec::new(),
                Ok(()) => {
                    let mut done = Done::new();
                    done.seq = hub.last_seq(&id);
                    done.session_id = Some(id.into());
                    done.request_id = request_id.map(Into::into);
                    vec![done.into()]
                }
                Err(failure) => vec![failure.to_message(request_id.as_deref(), Some(&id))],
            }
        })
    }

    /// The newest number of a session that is held.
    pub(super) fn last_seq(&self, id: &str) -> Option<u64> {
        self.shared.registry().sessions.get(id).and_then(|held| held.info.as_ref()?.last_seq)
    }
}

/// An input that the credential may not send.
fn refuse_input(input: &SendInput<'_>, failure: Failure) -> BridgeMessage<'static> {
    let owned = |text: &Option<Str<'_>>| text.as_deref().map(|text| text.to_owned().into());
    let mut rejected = InputRejected::new(failure.code.clone(), failure.advised());
    rejected.request_id = owned(&input.request_id);
    rejected.session_id = owned(&input.session_id);
    rejected.client_message_id = owned(&input.client_message_id);
    rejected.into()
}

/// Reports a request that failed because of the bridge, not of the client or the agent.
fn report_failed(failures: &Failures, reply: &BridgeMessage<'_>) {
    let (code, session_id) = match reply {
        BridgeMessage::Error(error) => (&error.code, &error.session_id),
        BridgeMessage::InputRejected(rejected) => (&rejected.code, &rejected.session_id),
        _ => return,
    };
    if matches!(code, ErrorCode::Internal | ErrorCode::StorageFailed) {
        let subject = session_id.as_deref().map_or(FailureSubject::Bridge, FailureSubject::Session);
        failures.report(FailureKind::RequestFailed, subject, code.as_str());
    }
}

fn nothing() -> ReplyFuture {
    Box::pin(async { Vec::new() })
}

/// The command that queues an input of a client.
pub(super) fn input_command(
    connection: Option<&ClientConnection>,
    principal: &Principal,
    input: SendInput<'static>,
) -> impl Fn(ReplySender<InputAck<'static>>) -> SessionCommand + Send + Sync + use<> {
    let client = connection.map(ClientConnection::id);
    let by = principal.actor();
    move |reply| SessionCommand::Input { input: Box::new(input.clone()), client, by: by.clone(), reply }
}

/// Work that is done.
fn ready<T: Send + 'static>(value: T) -> WorkFuture<T> {
    Box::pin(async { Ok(value) })
}

/// One message, with the request's mark on it.
fn reply(
    request_id: Option<String>,
    work: impl Future<Output = Result<BridgeMessage<'static>, Failure>> + Send + 'static,
) -> ReplyFuture {
    Box::pin(async move {
        match work.await {
            Ok(mut message) => {
                message.mark(request_id);
                vec![message]
            }
            Err(failure) => vec![failure.to_message(request_id.as_deref(), None)],
        }
    })
}
