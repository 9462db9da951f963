use std::collections::VecDeque;
use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Response};

use super::auth;
use super::body::ResponseBody;
use super::caller::Caller;
use super::document::document;
use super::events::{SseBody, SseSource};
use super::find::{RouteMatch, find};
use super::image::image;
use super::response::{self, HttpResponse};
use super::{decode, intake};
use crate::Failure;
use crate::auth::Principal;
use crate::auth::{CheckedRequest, TICKET_KEY};
use crate::message::client::ExportSession;
use crate::message::http::{PREFIX, Route, RouteAccess, RouteAction};
use crate::message::{BridgeMessage, ClientMessage, ErrorCode};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The members in a path.
type PathMembers = Vec<(&'static str, String)>;

/// Answers a request to the API.
pub(super) async fn answer(
    caller: &Caller,
    head: &Parts,
    body: Incoming,
    checked: &CheckedRequest,
) -> Result<HttpResponse, Failure> {
    let path = head.uri.path();
    let found = path.strip_prefix(PREFIX).map_or(RouteMatch::Nothing, |path| find(&head.method, path));
    match found {
        RouteMatch::Route(route, _) if route.access() == RouteAccess::Public => {
            auth::answer_public(caller, route.action, head, body, checked.origin.as_deref()).await
        }
        RouteMatch::Route(route, members) => act(caller, route, &members, head, body).await,
        RouteMatch::OtherMethods(methods) if head.method == Method::OPTIONS => {
            Ok(response::options(&methods))
        }
        RouteMatch::OtherMethods(methods) => Ok(response::wrong_method(&head.method, &methods)),
        RouteMatch::Nothing => {
            Err(Failure::new(ErrorCode::UnknownMessage, format!("{path:.80} does not exist"))
                .clause(format!("{PREFIX}/openapi.json lists all routes")))
        }
    }
}

async fn act(
    caller: &Caller,
    route: &Route,
    members: &PathMembers,
    head: &Parts,
    body: Incoming,
) -> Result<HttpResponse, Failure> {
    let principal = match ticket(route, head)? {
        Some(ticket) => caller.authenticate_ticket(&ticket, head, route.access()).await?,
        None => caller.authenticate(head, route.access()).await?,
    };
    let member = |name: &str| members.iter().find(|member| member.0 == name).map_or("", |member| &*member.1);
    match route.action {
        RouteAction::Message(_) => request(caller, &principal, route, members, head, body).await,
        RouteAction::Hello => Ok(response::message(&caller.server.hub.hello(&principal).into())),
        RouteAction::SessionEvents => events(caller, principal, head, Some(member("sessionId"))).await,
        RouteAction::Events => events(caller, principal, head, None).await,
        RouteAction::Image => {
            caller.server.hub.check_visible(&principal, member("sessionId")).await?;
            image(&caller.server.hub, member("sessionId"), member("seq"), member("index")).await
        }
        RouteAction::Document => {
            let wanted = ExportSession::new(member("sessionId"), member("format"));
            let text = ClientMessage::from(wanted).to_json();
            match ask(caller, &principal, &text).await {
                BridgeMessage::Export(export) => Ok(document(*export)),
                other => Ok(response::message(&other)),
            }
        }
        RouteAction::Ticket => auth::ticket(caller, &principal, head, body).await,
        RouteAction::OpenApi | RouteAction::Pair | RouteAction::Challenge | RouteAction::AccessToken => {
            Err(Failure::new(ErrorCode::Internal, "this route needs no token"))
        }
    }
}

/// A client's message in the dress of a request.
async fn request(
    caller: &Caller,
    principal: &Principal,
    route: &Route,
    members: &PathMembers,
    head: &Parts,
    body: Incoming,
) -> Result<HttpResponse, Failure> {
    let server = &caller.server;
    let body = match route.method.has_query() {
        true => String::new(),
        false => {
            let pause = server.options.pace.body;
            intake::read(&head.method, &head.headers, body, server.message_bytes(), pause).await?
        }
    };
    let query = query(head)?;
    let composed = route.compose(
        members.iter().map(|(name, value)| (*name, &**value)),
        query.iter().map(|(name, value)| (&**name, &**value)),
        &body,
    );
    match composed {
        Some(Ok(text)) => Ok(response::message(&ask(caller, principal, &text).await)),
        Some(Err(refusal)) => Ok(response::message(&refusal.to_message())),
        None => Err(Failure::new(ErrorCode::Internal, "the route has no message")),
    }
}

async fn ask(caller: &Caller, principal: &Principal, text: &str) -> BridgeMessage<'static> {
    match ClientMessage::parse(text) {
        Ok(message) => caller.server.hub.request(principal, message).await,
        Err(refusal) => refusal.to_message(),
    }
}

/// What happens, as server-sent events.
async fn events(
    caller: &Caller,
    principal: Principal,
    head: &Parts,
    session_id: Option<&str>,
) -> Result<HttpResponse, Failure> {
    let server = &caller.server;
    let since = match session_id {
        Some(_) => since(head)?,
        None => None,
    };
    let mut answer = Response::new(ResponseBody::empty());
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    // A proxy that collects what comes would make it late.
    answer.headers_mut().insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    if head.method == Method::GET {
        let client = server.hub.connect_stream(principal.clone(), session_id, since).await?;
        caller.check_again(&principal).await?;
        server.tally.streams.add(1);
        let with_ids = session_id.is_some();
        let source = SseSource { client, with_ids, server: Arc::clone(server), ready: VecDeque::new() };
        *answer.body_mut() = ResponseBody::Events(SseBody::new(source));
    }
    Ok(answer)
}

/// The newest message that the client has. The header that a browser sends when it reconnects is newer than
/// the address.
fn since(head: &Parts) -> Result<Option<u64>, Failure> {
    let wrong =
        |name: &str| Failure::new(ErrorCode::InvalidMessage, format!("`{name}` must be a whole number"));
    if let Some(id) = head.headers.get(LAST_EVENT_ID) {
        let seq = id.to_str().ok().and_then(|id| id.trim().parse().ok());
        return seq.map(Some).ok_or_else(|| wrong("Last-Event-ID"));
    }
    let query = query(head)?;
    let given = query.iter().rev().find(|(name, _)| name == "sinceSeq");
    given.map(|(name, value)| value.parse().map_err(|_| wrong(name))).transpose()
}

/// The ticket of a request, on routes that take one. A token in a header counts for more.
fn ticket(route: &Route, head: &Parts) -> Result<Option<String>, Failure> {
    if !route.action.takes_ticket() || head.headers.contains_key(AUTHORIZATION) {
        return Ok(None);
    }
    let mut tickets =
        query(head)?.into_iter().filter(|(name, _)| name == TICKET_KEY).map(|(_, ticket)| ticket);
    match (tickets.next(), tickets.next()) {
        (ticket, None) => Ok(ticket),
        (_, Some(_)) => {
            Err(Failure::new(ErrorCode::Unauthorized, "the URL has two tickets").clause("send one"))
        }
    }
}

fn query(head: &Parts) -> Result<Vec<(String, String)>, Failure> {
    decode::query(head.uri.query().unwrap_or_default())
        .ok_or_else(|| Failure::new(ErrorCode::InvalidMessage, "the query is not encoded as it should be"))
}
