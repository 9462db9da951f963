use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hyper::body::Incoming;
use hyper::header::{HeaderValue, SET_COOKIE, TRANSFER_ENCODING, UPGRADE};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode};

use super::answer::{self, Answer};
use super::crowd::Place;
use super::handshake::{self, Handshake};
use super::house::House;
use super::{api, metrics, site};
use crate::Failure;
use crate::door::{Checked, Door, Errand, Ground, Peer, expired_cookie, has_old_cookie};
use crate::hub::{Visit, Visitor};
use crate::message::http::{Access, PLACES};
use crate::message::{ErrorCode, Scope, WEBSOCKET_PATH};

/// Everything but the web UI is for who may come in.
const API: &str = "/api";
const HEALTH: &str = "/healthz";
const METRICS: &str = "/metrics";

/// What can be done with a place that is only looked at.
const LOOK: &str = "GET, HEAD, OPTIONS";

/// Who is at the other end of a connection, and what it is answered.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) house: Arc<House>,
    pub(super) peer: Peer,
    pub(super) ground: Ground,
    /// Whether it is the person whose bridge it is, by the socket that was used.
    pub(super) is_owner: bool,
    pub(super) place: Arc<Place>,
    /// Whether it has asked for something.
    pub(super) has_asked: Arc<AtomicBool>,
    /// The client, once it is one, for the WebSocket that the connection becomes.
    pub(super) visit: Arc<Mutex<Option<Visit>>>,
}

impl Caller {
    /// Answers a request.
    pub(super) async fn answer(self, request: Request<Incoming>) -> Answer {
        let (head, body) = request.into_parts();
        self.has_asked.store(true, Ordering::Relaxed);
        self.house.tally.requests.add(1);
        let mut answer = match self.route(&head, body).await {
            Ok(answer) => answer,
            Err(failure) => self.refuse(&failure),
        };
        answer::guard(&mut answer);
        // What follows such a head is not watched, so nothing may follow it.
        let is_unwatched = head.headers.contains_key(TRANSFER_ENCODING) || head.headers.contains_key(UPGRADE);
        if is_unwatched && answer.status() != StatusCode::SWITCHING_PROTOCOLS {
            answer::last(&mut answer);
        }
        answer
    }

    fn refuse(&self, failure: &Failure) -> Answer {
        if matches!(failure.code, ErrorCode::Unauthorized | ErrorCode::Forbidden | ErrorCode::TooManyRequests)
        {
            self.house.tally.refused.add(1);
            self.house.note_refusal(self.peer, failure);
        }
        answer::failure(failure)
    }

    async fn route(&self, head: &Parts, body: Incoming) -> Result<Answer, Failure> {
        let path = head.uri.path();
        let is_api = path == API || path.strip_prefix(API).is_some_and(|rest| rest.starts_with('/'));
        let errand = match path {
            WEBSOCKET_PATH | METRICS => Errand::Api,
            _ if is_api => Errand::Api,
            _ => Errand::Page,
        };
        let checked = self.house.gate.check(errand, head, self.ground)?;
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
    async fn route_site(&self, path: &str, head: &Parts) -> Result<Answer, Failure> {
        match path {
            WEBSOCKET_PATH => self.upgrade(head).await,
            HEALTH | METRICS if head.method == Method::OPTIONS => Ok(answer::options(LOOK)),
            HEALTH | METRICS if !matches!(head.method, Method::GET | Method::HEAD) => {
                Ok(answer::wrong_method(&head.method, LOOK))
            }
            HEALTH => Ok(answer::of_type(StatusCode::OK, "text/plain; charset=utf-8", "ok\n")),
            METRICS => {
                let visitor = self.admit(head, access(path)).await?;
                // They count all sessions.
                if visitor.grant.root.is_some() {
                    let message =
                        "the metrics are those of all projects, and this credential is limited to one folder";
                    return Err(Failure::new(ErrorCode::Forbidden, message));
                }
                Ok(metrics::answer(&self.house))
            }
            _ => Ok(site::page(self.house.options.assets.as_deref(), &head.method, &head.headers, path)),
        }
    }

    /// Who it is, if its credential has the access that is needed.
    pub(super) async fn admit(&self, head: &Parts, access: Access) -> Result<Visitor, Failure> {
        let visitor = match self.is_owner {
            true => Door::owner(),
            false => self.house.door().admit(&head.headers, self.peer).await?,
        };
        self.require(&visitor, access)?;
        Ok(visitor)
    }

    /// Who a ticket was issued to, if it is good for the path of this request.
    pub(super) async fn admit_ticket(
        &self,
        ticket: &str,
        head: &Parts,
        access: Access,
    ) -> Result<Visitor, Failure> {
        let visitor = self.house.door().admit_ticket(ticket, head.uri.path(), self.peer).await?;
        self.require(&visitor, access)?;
        Ok(visitor)
    }

    fn require(&self, visitor: &Visitor, access: Access) -> Result<(), Failure> {
        if let Access::Scope(scope) = access {
            visitor.grant.require(scope)?;
        }
        self.place.keep();
        Ok(())
    }

    /// Has the browser remove the cookie of an earlier version, and revokes the token in it. This happens where the page
    /// sees the answer: a page without a credential asks the API once, and learns why it has to be paired again.
    async fn retire_cookie(
        &self,
        head: &Parts,
        checked: &Checked,
        answer: Result<Answer, Failure>,
    ) -> Result<Answer, Failure> {
        self.house.hub.revoke_exposed(&head.headers).await?;
        let mut answer = answer.unwrap_or_else(|failure| self.refuse(&failure));
        if let Ok(cookie) = HeaderValue::from_str(&expired_cookie(checked.secure)) {
            answer.headers_mut().insert(SET_COOKIE, cookie);
        }
        Ok(answer)
    }

    /// Makes a WebSocket of the connection.
    async fn upgrade(&self, head: &Parts) -> Result<Answer, Failure> {
        let handshake = match Handshake::read(head) {
            Ok(handshake) => handshake,
            Err(problem) => return Ok(handshake::refuse(problem)),
        };
        let visitor = self.admit(head, access(WEBSOCKET_PATH)).await?;
        let visit = self.house.hub.enter(visitor.clone()).await?;
        self.check_again(&visitor).await?;
        *self.visit.lock().unwrap_or_else(PoisonError::into_inner) = Some(visit);
        self.house.tally.sockets.add(1);
        Ok(handshake.accept())
    }

    /// A device that was revoked while it came in was not among those whose connections ended.
    pub(super) async fn check_again(&self, visitor: &Visitor) -> Result<(), Failure> {
        match self.is_owner || self.house.door().is_still_welcome(visitor).await? {
            true => Ok(()),
            false => Err(Failure::new(ErrorCode::Unauthorized, "this device was just revoked")),
        }
    }
}

/// Who may use a path that is no route of the API. One that is not in the table needs everything.
fn access(path: &str) -> Access {
    PLACES.iter().find(|place| place.0 == path).map_or(Access::Scope(Scope::Admin), |place| place.1)
}
