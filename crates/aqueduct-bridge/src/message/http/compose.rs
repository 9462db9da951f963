use aqueduct_wire::json::{IntoOwned, Json, Map, Number, Raw, Reader, Str};
use aqueduct_wire::table::Shape;

use super::{Route, RouteAction};
use crate::message::{ErrorCode, Refusal};

impl Route {
    /// The client's message that a request represents, as JSON text: [`ClientMessage::parse`] reads it and
    /// returns what is wrong with it. `path` and `query` are decoded; `body` is that of a POST or PUT, and may be
    /// empty. `None` where the route has no message.
    ///
    /// [`ClientMessage::parse`]: crate::message::ClientMessage::parse
    pub fn compose<'a>(
        &self,
        path: impl IntoIterator<Item = (&'a str, &'a str)>,
        query: impl IntoIterator<Item = (&'a str, &'a str)>,
        body: &str,
    ) -> Option<Result<String, Refusal>> {
        let RouteAction::Message(name) = self.action else { return None };
        let mut members: Map<'_, Raw<'_>> = Map::default();
        if !self.method.has_query() && !body.trim().is_empty() {
            match read_body(body) {
                Ok(body) => members = self.in_plain_digits(body),
                Err(refusal) => return Some(Err(refusal)),
            }
        } else if self.method.has_query() {
            for (key, value) in query {
                members.push(key, self.query_value(key, value));
            }
        }
        for (key, value) in path {
            members.push(key, self.query_value(key, value));
        }
        // The last of a name counts, so neither body nor query can override it.
        members.push("type", text(name));
        let mut out = String::new();
        members.write(&mut out);
        Some(Ok(out))
    }

    /// The members of a body with whole numbers in plain digits: JSON does not distinguish `5` from `5.0`, and some
    /// languages write the latter.
    fn in_plain_digits<'t>(&self, body: Map<'t, Raw<'t>>) -> Map<'t, Raw<'t>> {
        let fields = self.record().map(|record| record.fields).unwrap_or_default();
        let is_whole = |key: &str| {
            fields.iter().any(|field| field.key == key && matches!((field.shape)(), Shape::Whole))
        };
        let plain = |(key, value): (&str, &Raw<'t>)| {
            let whole = is_whole(key).then(|| value.view::<Number<'_>>()?.as_u64()).flatten();
            let digits = whole.and_then(|whole| Raw::parse(&whole.to_string()).ok().map(Raw::into_owned));
            (key.to_owned(), digits.unwrap_or_else(|| value.clone()))
        };
        body.iter().map(plain).collect()
    }

    /// A value of a path or query as JSON: what its member wants, if it can be read as that.
    fn query_value(&self, key: &str, value: &str) -> Raw<'static> {
        let field = self.record().and_then(|record| record.fields.iter().find(|field| field.key == key));
        let literal = match field.map(|field| (field.shape)()) {
            // A query has no way to write `null` but to leave the member out.
            Some(Shape::Whole | Shape::Number | Shape::Bool) => {
                Raw::parse(value).ok().filter(|literal| *literal != Raw::NULL)
            }
            _ => None,
        };
        literal.map_or_else(|| text(value), IntoOwned::into_owned)
    }
}

fn text(value: &str) -> Raw<'static> {
    let mut out = String::with_capacity(value.len() + 2);
    Str::from(value).write(&mut out);
    Raw::parse(&out).map_or(Raw::NULL, IntoOwned::into_owned)
}

fn read_body(body: &str) -> Result<Map<'_, Raw<'_>>, Refusal> {
    let mut reader = Reader::new(body);
    let members = Map::read(&mut reader).ok().filter(|_| reader.end().is_ok());
    members.ok_or_else(|| Refusal {
        code: ErrorCode::InvalidJson,
        message: "the body must be a JSON object".to_owned(),
        hint: None,
        member: None,
        request_id: None,
        client_message_id: None,
    })
}
