//! What the host asks of the agent between and during turns.

mod initialize;
mod inspection;
mod mcp;
mod reload;
mod settings;
mod title;
mod turn;

use std::pin::Pin;

use aqueduct_wire::control::HostRequest;
use aqueduct_wire::json::{Json, Raw};
use aqueduct_wire::machine::{ControlError, RequestId};

use crate::session::AgentSession;

pub(crate) use turn::RunningWork;

/// What the session's loop has to do about a request.
pub(crate) enum ControlEffect<'s> {
    /// Nothing.
    None,
    /// End the process after the running turn is stopped.
    EndSession,
    /// Poll this beside everything else: it answers the request when it is done. It may have to wait for the host,
    /// whose answer the loop must be free to read.
    Later(DeferredAnswer<'s>),
}

/// A request that is being served beside the loop.
pub(crate) type DeferredAnswer<'s> = Pin<Box<dyn Future<Output = ()> + Send + 's>>;

/// An answer to a request: a payload, nothing but a yes, or why not.
type ControlAnswer = Result<Option<Raw<'static>>, ControlError>;

/// Nothing but a yes.
fn done() -> ControlAnswer {
    Ok(None)
}

/// A payload.
fn reply<'p>(payload: &impl Json<'p>) -> ControlAnswer {
    Ok(Some(Raw::written(payload)))
}

/// Serves a request of the host. `running` is what an interrupt stops.
pub(crate) async fn serve<'s>(
    session: &'s AgentSession,
    id: &RequestId,
    request: HostRequest<'static>,
    running: RunningWork<'_>,
) -> ControlEffect<'s> {
    let mut effect = ControlEffect::None;
    let answer = match request {
        HostRequest::Initialize(request) => initialize::initialize(session, *request).await,
        HostRequest::Interrupt(request) => turn::interrupt(session, &request, running).await,
        HostRequest::EndSession(_) => {
            effect = ControlEffect::EndSession;
            turn::stop(session, running).await;
            done()
        }
        HostRequest::CancelAsyncMessage(request) => turn::cancel_message(session, &request).await,
        HostRequest::StopTask(request) => turn::stop_task(session, &request).await,
        HostRequest::SetPermissionMode(request) => {
            let (answer, changed) = settings::set_permission_mode(session, &request);
            // The mode is sent after the answer, as hosts expect.
            respond(session, id, answer).await;
            if changed {
                session.send_mode().await;
            }
            return effect;
        }
        HostRequest::SetModel(request) => {
            return later(session, id, async move { settings::set_model(session, &request).await });
        }
        HostRequest::GenerateSessionTitle(request) => {
            return later(session, id, async move { title::generate(session, &request).await });
        }
        HostRequest::RenameSession(request) => title::rename(session, &request).await,
        HostRequest::SetMaxThinkingTokens(request) => settings::set_max_thinking_tokens(session, &request),
        HostRequest::ApplyFlagSettings(request) => settings::apply_flag_settings(session, &request).await,
        HostRequest::GetSettings(_) => settings::get_settings(session),
        HostRequest::GetHooksListing(_) => reply(&session.list_hooks()),
        HostRequest::ListPermissionRules(_) => settings::list_permission_rules(session),
        HostRequest::McpStatus(_) => mcp::status(session),
        HostRequest::McpSetServers(request) => {
            return later(session, id, async move { mcp::set_servers(session, &request).await });
        }
        HostRequest::McpReconnect(request) => {
            return later(session, id, async move { mcp::reconnect(session, &request).await });
        }
        HostRequest::McpToggle(request) => {
            return later(session, id, async move { mcp::toggle(session, &request).await });
        }
        HostRequest::McpAuthenticate(request) => {
            return later(session, id, async move { mcp::authenticate(session, &request).await });
        }
        HostRequest::McpOauthCallbackUrl(request) => {
            return later(session, id, async move { mcp::finish_sign_in(session, &request).await });
        }
        HostRequest::McpClearAuth(request) => {
            return later(session, id, async move { mcp::sign_out(session, &request).await });
        }
        HostRequest::McpCall(request) => {
            return later(session, id, async move { mcp::call(session, &request).await });
        }
        HostRequest::McpReadResource(request) => {
            return later(session, id, async move { mcp::read_resource(session, &request).await });
        }
        HostRequest::McpMessage(request) => mcp::message(session, &request),
        HostRequest::RewindFiles(request) => inspection::rewind_files(session, &request).await,
        HostRequest::ReadFile(request) => inspection::read_file(session, &request).await,
        HostRequest::ReloadPlugins(_) => reload::plugins(session).await,
        HostRequest::ReloadSkills(_) => reload::skills(session).await,
        HostRequest::SeedReadState(request) => reload::seed_read_state(session, &request),
        HostRequest::GetContextUsage(_) => inspection::context_usage(session),
        HostRequest::GetSessionCost(_) => inspection::session_cost(session),
        HostRequest::ListModels(_) => initialize::list_models(session),
        HostRequest::GetBinaryVersion(_) => inspection::binary_version(),
        _ => {
            session.host.decline(id).await;
            return effect;
        }
    };
    respond(session, id, answer).await;
    effect
}

/// Serves a request that takes its time.
fn later<'s>(
    session: &'s AgentSession,
    id: &RequestId,
    work: impl Future<Output = ControlAnswer> + Send + 's,
) -> ControlEffect<'s> {
    let id = id.clone();
    ControlEffect::Later(Box::pin(async move {
        let answer = work.await;
        respond(session, &id, answer).await;
    }))
}

async fn respond(session: &AgentSession, id: &RequestId, answer: ControlAnswer) {
    match answer {
        Ok(Some(payload)) => session.host.answer(id, &payload).await,
        Ok(None) => session.host.acknowledge(id).await,
        Err(error) => session.host.refuse(id, &error).await,
    }
}
