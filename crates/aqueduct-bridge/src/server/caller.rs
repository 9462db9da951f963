use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hyper::body::Incoming;
use hyper::header::{HeaderValue, SET_COOKIE, TRANSFER_ENCODING, UPGRADE};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode};

use super::connection_limit::ConnectionSlot;
use super::handshake::{self, WebSocketHandshake};
use super::response::{self, HttpResponse};
use super::state::ServerState;
use super::{api, metrics, readiness, site};
use crate::Failure;
use crate::auth::Principal;
use crate::auth::{
    Authenticator, CheckedRequest, ConnectionInfo, Peer, RequestTarget, expired_cookie, has_old_cookie,
};
use crate::failures::{FailureKind, FailureSubject};
use crate::hub::ClientConnection;
use crate::message::http::{PLACES, RouteAccess};
use crate::message::{ErrorCode, Scope, WEBSOCKET_PATH};

/// Everything except the web UI requires authentication.
const API: &str = "/api";
const HEALTH: &str = "/healthz";
const READY: &str = "/readyz";
const METRICS: &str = "/metrics";

/// What can be done with a place that is only looked at.
const LOOK: &str = "GET, HEAD, OPTIONS";

/// The client of a connection, and the responses to its requests.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) server: Arc<ServerState>,
    pub(super) peer: Peer,
    pub(super) connection: ConnectionInfo,
    /// Whether it is the owner, by the socket that was used.
    pub(super) is_owner: bool,
    pub(super) place: Arc<ConnectionSlot>,
    /// Whether it has asked for something.
    pub(super) has_asked: Arc<AtomicBool>,
    /// The client, once it is one, for the WebSocket that the connection becomes.
    pub(super) client: Arc<Mutex<Option<ClientConnection>>>,
}

impl Caller {
    /// Answers a request.
    pub(super) async fn answer(self, request: Request<Incoming>) -> HttpResponse {
        let (head, body) = request.into_parts();
        self.has_asked.store(true, Ordering::Relaxed);
        self.server.tally.requests.add(1);
        let mut answer = match self.route(&head, body).await {
            Ok(answer) => answer,
            Err(failure) => self.refuse(&failure),
        };
        response::guard(&mut answer);
        // What follows such a head is not watched, so nothing may follow it.
        let is_unwatched = head.headers.contains_key(TRANSFER_ENCODING) || head.headers.contains_key(UPGRADE);
        if is_unwatched && answer.status() != StatusCode::SWITCHING_PROTOCOLS {
            response::last(&mut answer);
        }
        answer
    }

    fn refuse(&self, failure: &Failure) -> HttpResponse {
        if matches!(failure.code, ErrorCode::Unauthorized | ErrorCode::Forbidden | ErrorCode::TooManyRequests)
        {
            self.server.tally.refused.add(1);
            self.report(FailureKind::RequestRefused, failure);
        }
        if matches!(failure.code, ErrorCode::Internal | ErrorCode::StorageFailed) {
            self.report(FailureKind::RequestFailed, failure);
        }
        response::failure(failure)
    }

    fn report(&self, kind: FailureKind, failure: &Failure) {
        self.server.hub.failures().report(kind, FailureSubject::Peer(self.peer), &failure.message);
    }

    async fn route(&self, head: &Parts, body: Incoming) -> Result<HttpResponse, Failure> {
        let path = head.uri.path();
        let is_api = path == API || path.strip_prefix(API).is_some_and(|rest| rest.starts_with('/'));
        let target = match path {
            WEBSOCKET_PATH | METRICS => RequestTarget::Api,
            _ if is_api => RequestTarget::Api,
            _ => RequestTarget::Page,
        };
        let checked = self.server.origin_policy.check(target, head, self.connection);
        let checked = checked.inspect_err(|failure| {
            if failure.code == ErrorCode::Forbidden {
                self.report(FailureKind::ForeignOrigin, failure);
            }
        })?;
        if !is_api {
            return self.route_site(path, head).await;
        }
        let answer = api::answer(self, head, body, &checked).await;
        match has_old_cookie(&head.headers) {
            true => self.retire_cookie(head, &checked, answer).await,
            false => answer,
        }
    }

    /// Answers what is not of the API.
    async fn route_site(&self, path: &str, head: &Parts) -> Result<HttpResponse, Failure> {
        match path {
            WEBSOCKET_PATH => self.upgrade(head).await,
            HEALTH | READY | METRICS if head.method == Method::OPTIONS => Ok(response::options(LOOK)),
            HEALTH | READY | METRICS if !matches!(head.method, Method::GET | Method::HEAD) => {
                Ok(response::wrong_method(&head.method, LOOK))
            }
            HEALTH => Ok(response::of_type(StatusCode::OK, "text/plain; charset=utf-8", "ok\n")),
            READY => Ok(readiness::answer(&self.server).await),
            METRICS => {
                let principal = self.authenticate(head, access(path)).await?;
                // They count all sessions.
                if principal.grant.root.is_some() {
                    let message =
                        "the metrics are those of all projects, and this credential is limited to one folder";
                    return Err(Failure::new(ErrorCode::Forbidden, message));
                }
                Ok(metrics::answer(&self.server).await)
            }
            _ => Ok(site::page(self.server.options.assets.as_deref(), &head.method, &head.headers, path)),
        }
    }

    /// Who it is, if its credential has the access that is needed.
    pub(super) async fn authenticate(&self, head: &Parts, access: RouteAccess) -> Result<Principal, Failure> {
        let principal = match self.is_owner {
            true => Authenticator::owner(),
            false => self.server.auth().authenticate(&head.headers, self.peer).await?,
        };
        self.require(&principal, access)?;
        Ok(principal)
    }

    /// Who a ticket was issued to, if it is good for the path of this request.
    pub(super) async fn authenticate_ticket(
        &self,
        ticket: &str,
        head: &Parts,
        access: RouteAccess,
    ) -> Result<Principal, Failure> {
        let principal = self.server.auth().authenticate_ticket(ticket, head.uri.path(), self.peer).await?;
        self.require(&principal, access)?;
        Ok(principal)
    }

    fn require(&self, principal: &Principal, access: RouteAccess) -> Result<(), Failure> {
        if let RouteAccess::Scope(scope) = access {
            principal.grant.require(scope)?;
        }
        self.place.keep();
        Ok(())
    }

    /// Has the browser remove the cookie of an earlier version, and revokes the token in it. This happens where the page
    /// sees the answer: a page without a credential asks the API once, and learns why it has to be paired again.
    async fn retire_cookie(
        &self,
        head: &Parts,
        checked: &CheckedRequest,
        answer: Result<HttpResponse, Failure>,
    ) -> Result<HttpResponse, Failure> {
        self.server.hub.revoke_exposed(&head.headers).await?;
        let mut answer = answer.unwrap_or_else(|failure| self.refuse(&failure));
        if let Ok(cookie) = HeaderValue::from_str(&expired_cookie(checked.secure)) {
            answer.headers_mut().insert(SET_COOKIE, cookie);
        }
        Ok(answer)
    }

    /// Makes a WebSocket of the connection.
    async fn upgrade(&self, head: &Parts) -> Result<HttpResponse, Failure> {
        let handshake = match WebSocketHandshake::read(head) {
            Ok(handshake) => handshake,
            Err(failure) => return Ok(handshake::refuse(&failure)),
        };
        let principal = self.authenticate(head, access(WEBSOCKET_PATH)).await?;
        let client = self.server.hub.connect(principal.clone()).await?;
        self.check_again(&principal).await?;
        *self.client.lock().unwrap_or_else(PoisonError::into_inner) = Some(client);
        self.server.tally.sockets.add(1);
        Ok(handshake.accept())
    }

    /// A device that was revoked while it connected was not among those whose connections ended.
    pub(super) async fn check_again(&self, principal: &Principal) -> Result<(), Failure> {
        match self.is_owner || self.server.auth().is_still_authorized(principal).await? {
            true => Ok(()),
            false => Err(Failure::new(ErrorCode::Unauthorized, "this device was just revoked")),
        }
    }
}

/// Who may use a path that is not a route of the API. One that is not in the table needs all scopes.
fn access(path: &str) -> RouteAccess {
    PLACES.iter().find(|place| place.0 == path).map_or(RouteAccess::Scope(Scope::Admin), |place| place.1)
}
