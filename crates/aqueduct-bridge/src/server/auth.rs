//! Routes by which devices get their credentials: pairing, signing in, tickets.

use aqueduct_wire::json::{Json, Raw};
use hyper::body::Incoming;
use hyper::http::request::Parts;

use super::caller::Caller;
use super::intake;
use super::response::{self, HttpResponse};
use crate::Failure;
use crate::auth::Principal;
use crate::auth::TICKET_KEY;
use crate::log::Time;
use crate::message::ErrorCode;
use crate::message::bridge::CredentialKind;
use crate::message::http::{
    AccessToken, AccessTokenRequest, Challenge, ChallengeRequest, PairRequest, Paired, RouteAction, Ticket,
    TicketRequest, is_ticket_path,
};

/// What a client may send that has no token.
const REQUEST_BYTES: usize = 4096;

/// Answers a route that needs no token. `origin` is that of the page, where a page asks.
pub(super) async fn answer_public(
    caller: &Caller,
    action: RouteAction,
    head: &Parts,
    body: Incoming,
    origin: Option<&str>,
) -> Result<HttpResponse, Failure> {
    if action == RouteAction::OpenApi {
        return Ok(response::json(caller.server.openapi()));
    }
    let text = read(caller, head, body).await?;
    match action {
        RouteAction::Pair => pair(caller, &text).await,
        RouteAction::Challenge => challenge(caller, &text, page(origin)?),
        RouteAction::AccessToken => access_token(caller, &text, page(origin)?).await,
        _ => Err(Failure::new(ErrorCode::Internal, "this route needs a token")),
    }
}

/// Issues a ticket for a path of a route that takes one.
pub(super) async fn ticket(
    caller: &Caller,
    principal: &Principal,
    head: &Parts,
    body: Incoming,
) -> Result<HttpResponse, Failure> {
    let text = read(caller, head, body).await?;
    let raw = parse(&text)?;
    let request: TicketRequest<'_> = view(&raw, "`path`, a string")?;
    let path: &str = &request.path;
    if !is_ticket_path(path) {
        let message = "`path` must be the path of an image or of an exported session, without a query";
        return Err(Failure::new(ErrorCode::InvalidMessage, message));
    }
    let (ticket, time) = caller.server.auth().ticket(principal, path)?;
    Ok(json(&Ticket::new(format!("{path}?{TICKET_KEY}={ticket}"), milliseconds(time))))
}

/// Lets a device in that has a pairing code.
async fn pair(caller: &Caller, text: &str) -> Result<HttpResponse, Failure> {
    let raw = parse(text)?;
    let request: PairRequest<'_> = view(&raw, "`code`, a string")?;
    let (principal, token) = caller.server.auth().pair(&request, caller.peer, Time::now()).await?;
    let mut device = principal.info();
    device.current = None;
    device.credential = Some(match token {
        Some(_) => CredentialKind::Bearer,
        None => CredentialKind::Key,
    });
    let mut paired = Paired::new(device);
    paired.token = token.as_ref().map(|token| token.reveal().into());
    Ok(json(&paired))
}

fn challenge(caller: &Caller, text: &str, origin: &str) -> Result<HttpResponse, Failure> {
    let raw = parse(text)?;
    let request: ChallengeRequest<'_> = view(&raw, "`deviceId`, a string")?;
    let (challenge, time) = caller.server.auth().challenge(&request.device_id, origin)?;
    Ok(json(&Challenge::new(challenge, milliseconds(time))))
}

async fn access_token(caller: &Caller, text: &str, origin: &str) -> Result<HttpResponse, Failure> {
    let raw = parse(text)?;
    let request: AccessTokenRequest<'_> = view(&raw, "`deviceId`, `challenge` and `signature`, strings")?;
    let (token, time) = caller.server.auth().sign_in(&request, origin, caller.peer).await?;
    Ok(json(&AccessToken::new(token.reveal(), milliseconds(time))))
}

/// A signature counts for one origin, so a device that signs in has to be on a page that has one.
fn page(origin: Option<&str>) -> Result<&str, Failure> {
    origin.ok_or_else(|| {
        Failure::new(ErrorCode::InvalidMessage, "signing in with a key needs the header Origin")
    })
}

async fn read(caller: &Caller, head: &Parts, body: Incoming) -> Result<String, Failure> {
    let pause = caller.server.options.pace.body;
    intake::read(&head.method, &head.headers, body, REQUEST_BYTES, pause).await
}

fn parse(text: &str) -> Result<Raw<'_>, Failure> {
    Raw::parse(text)
        .map_err(|error| Failure::new(ErrorCode::InvalidJson, format!("the body is not JSON: {error}")))
}

fn view<'a, T: Json<'a>>(raw: &'a Raw<'a>, members: &str) -> Result<T, Failure> {
    raw.view().ok_or_else(|| {
        Failure::new(ErrorCode::InvalidMessage, format!("the body must be an object with {members}"))
    })
}

fn json<'a>(value: &impl Json<'a>) -> HttpResponse {
    let mut text = String::new();
    value.write(&mut text);
    response::json(text)
}

fn milliseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
