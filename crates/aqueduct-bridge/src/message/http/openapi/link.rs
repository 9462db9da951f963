use serde_json::{Map, Value, json};

use super::operation::operation_id;
use crate::message::http::{ROUTES, Route};

/// Where the values of parameters come from.
struct LinkSource {
    /// The operation whose answer has them.
    from: &'static str,
    /// The member of a path that is new with this answer, and the place of its value.
    key: (&'static str, &'static str),
    /// The other members.
    others: &'static [(&'static str, &'static str)],
}

const SESSION: (&str, &str) = ("sessionId", "$response.body#/sessionId");
const FORMAT: (&str, &str) = ("format", "markdown");

const SOURCES: &[LinkSource] = &[
    LinkSource { from: "start", key: SESSION, others: &[FORMAT] },
    LinkSource {
        from: "list_sessions",
        key: ("sessionId", "$response.body#/sessions/0/sessionId"),
        others: &[FORMAT],
    },
    LinkSource { from: "input", key: ("inputId", "$response.body#/inputId"), others: &[SESSION] },
    LinkSource {
        from: "get_session",
        key: ("inputId", "$response.body#/snapshot/queue/0/id"),
        others: &[SESSION],
    },
    LinkSource {
        from: "get_session",
        key: ("id", "$response.body#/snapshot/pending/0/id"),
        others: &[SESSION],
    },
    LinkSource {
        from: "get_session",
        key: ("toolUseId", "$response.body#/snapshot/pending/0/id"),
        others: &[SESSION],
    },
    LinkSource { from: "list_devices", key: ("deviceId", "$response.body#/devices/0/deviceId"), others: &[] },
];

/// The links of an operation's answer, by the operation that they lead to.
pub(super) fn links(operation: &str) -> Map<String, Value> {
    let mut links = Map::new();
    for source in SOURCES.iter().filter(|source| source.from == operation) {
        for route in ROUTES {
            if let Some(parameters) = source.parameters(route) {
                let id = operation_id(route);
                links.insert(id.to_owned(), json!({ "operationId": id, "parameters": parameters }));
            }
        }
    }
    links
}

impl LinkSource {
    /// The values of a route's path, if the answer has them all and the new one is among them.
    fn parameters(&self, route: &Route) -> Option<Map<String, Value>> {
        let value = |name: &str| {
            let mut known = self.others.iter().chain([&self.key]);
            known.find(|member| member.0 == name).map(|member| member.1)
        };
        let parameters: Option<Map<String, Value>> =
            route.path_members().map(|name| Some((name.to_owned(), value(name)?.into()))).collect();
        parameters.filter(|parameters| parameters.contains_key(self.key.0))
    }
}
