use aqueduct_wire::table::{Definition, Record};

use super::Method;
use crate::message::{ClientMessage, Scope};

/// What a route does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteAction {
    /// What the client's message of this type does.
    Message(&'static str),
    /// Gives what `hello` gives.
    Hello,
    /// Stored messages after `Last-Event-ID`, or after the query's `sinceSeq`, and then everything as it
    /// happens, as server-sent events. Stored ones have their number as `id`.
    SessionEvents,
    /// Everything as it happens in all sessions, as server-sent events.
    Events,
    /// The bytes of an image of a stored message.
    Image,
    /// A session as a document to keep.
    Document,
    /// Lets a device in.
    Pair,
    /// Gives a challenge to sign.
    Challenge,
    /// Gives an access token for a signed challenge.
    AccessToken,
    /// Gives a ticket for a path.
    Ticket,
    /// This API as an OpenAPI document.
    OpenApi,
}

impl RouteAction {
    /// Whether a ticket can be issued for it: what a page shows or saves, and can't fetch with a header.
    pub fn takes_ticket(self) -> bool {
        matches!(self, RouteAction::Image | RouteAction::Document)
    }
}

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteAccess {
    /// All clients, without a credential.
    Public,
    /// Credentials with this scope or more.
    Scope(Scope),
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path behind [`PREFIX`](super::PREFIX). `{name}` is a member of the message.
    pub path: &'static str,
    /// What it does.
    pub action: RouteAction,
    /// The access that the table gives a route without a message.
    pub(super) own_access: Option<RouteAccess>,
    /// The group that it belongs to: one of [`TAGS`](super::TAGS).
    pub tag: &'static str,
    /// What it does, in a line for people.
    pub summary: &'static str,
}

impl Route {
    /// The names in the path, in order.
    pub fn path_members(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }

    /// Who may use it. A route with a message needs the message's least scope; its content may need more.
    pub fn access(&self) -> RouteAccess {
        let of_message = |name: &str| ClientMessage::SCOPES.iter().find(|row| row.0 == name).map(|row| row.1);
        match (self.own_access, self.action) {
            (Some(access), _) => access,
            (None, RouteAction::Message(name)) => {
                RouteAccess::Scope(of_message(name).unwrap_or(Scope::Admin))
            }
            (None, _) => RouteAccess::Scope(Scope::Admin),
        }
    }

    /// The members of the message of the route.
    pub fn record(&self) -> Option<&'static Record> {
        let RouteAction::Message(name) = self.action else { return None };
        let Definition::Union(union) = ClientMessage::DEFINITION else { return None };
        let variant = union.variants.iter().find(|variant| variant.tag == name)?;
        match (variant.definition)() {
            Definition::Record(record) => Some(record),
            _ => None,
        }
    }
}
