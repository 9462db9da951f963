//! What is wrong with a client's message, said so that its author can mend it.

use aqueduct_wire::json::{LeftoverKind, ParseError};
use aqueduct_wire::table::{Definition, Presence, Record, Shape, Union, Why};
use serde_json::Value;
use thiserror::Error;

use super::{BridgeMessage, ClientMessage, ErrorCode, ErrorReply};

/// Lists of names that agents add to, so that one the bridge does not know is passed on.
const OPEN_LISTS: &[&str] = &["PermissionMode"];

/// Why a client's message is not taken.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{message}")]
pub struct Refusal {
    /// What sort of error it is.
    pub code: ErrorCode<'static>,
    /// What is wrong, for people.
    pub message: String,
    /// The member that is wrong, as a path.
    pub member: Option<String>,
    /// The message's `requestId`, as far as it could be read.
    pub request_id: Option<String>,
    /// The message's `clientMessageId`, as far as it could be read.
    pub client_message_id: Option<String>,
}

impl Refusal {
    pub(super) fn not_json(error: &ParseError) -> Self {
        let message = match error {
            ParseError::NotAnObject => "a message is a JSON object with a member `type`".to_owned(),
            error => error.to_string(),
        };
        Refusal {
            code: ErrorCode::InvalidJson,
            message,
            member: None,
            request_id: None,
            client_message_id: None,
        }
    }

    /// The refusal as a message to the client.
    pub fn to_message(&self) -> BridgeMessage<'static> {
        let mut reply = ErrorReply::new(self.code.clone(), self.message.clone());
        reply.member = self.member.clone().map(Into::into);
        reply.request_id = self.request_id.clone().map(Into::into);
        reply.client_message_id = self.client_message_id.clone().map(Into::into);
        reply.into()
    }
}

/// Refuses a message that has no type, or a member of another shape than its type has.
pub(super) fn check(message: &ClientMessage<'_>, text: &str) -> Result<(), Refusal> {
    let (code, problem) = match message {
        ClientMessage::Unknown(unknown) if unknown.why == Why::Tag => {
            (ErrorCode::UnknownMessage, Some(unknown_type(unknown.tag.as_deref())))
        }
        ClientMessage::Unknown(_) => (ErrorCode::InvalidMessage, None),
        _ if has_faults(message) => (ErrorCode::InvalidMessage, None),
        _ => return Ok(()),
    };
    // Only what is refused is looked at a second time, slowly.
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let problem = problem.unwrap_or_else(|| find(&value));
    let text_of = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    Err(Refusal {
        code,
        message: problem.message,
        member: problem.member,
        request_id: text_of("requestId"),
        client_message_id: text_of("clientMessageId"),
    })
}

fn has_faults(message: &ClientMessage<'_>) -> bool {
    let mut found = false;
    message.leftovers(&mut |leftover| {
        found |= match leftover.kind {
            LeftoverKind::Shape(_) | LeftoverKind::Misfit { .. } | LeftoverKind::Tag { .. } => true,
            LeftoverKind::Name { family } => !OPEN_LISTS.contains(&family),
            _ => false,
        };
    });
    found
}

struct Problem {
    message: String,
    member: Option<String>,
}

fn unknown_type(tag: Option<&str>) -> Problem {
    let message = match tag {
        Some(tag) => format!("there is no message of type `{tag:.80}`; docs/bridge-api.md lists them"),
        None => "the message has no member `type`, or it is no string".to_owned(),
    };
    Problem { message, member: Some("type".to_owned()) }
}

fn find(value: &Value) -> Problem {
    let Err((path, wanted)) = look_definition(ClientMessage::DEFINITION, value, String::new()) else {
        return Problem { message: "a member has a value that is not taken".to_owned(), member: None };
    };
    Problem { message: format!("`{path}` {wanted}"), member: Some(path) }
}

/// The first place that is wrong, and what would be right there.
type Look = Result<(), (String, String)>;

fn look_definition(definition: &Definition, value: &Value, path: String) -> Look {
    match definition {
        Definition::Record(record) => look_record(record, value, &path),
        Definition::Union(union) => look_union(union, value, path),
        Definition::Names(names) => {
            let Some(name) = value.as_str() else { return misfit(path, "a string", value) };
            if names.values.contains(&name) || OPEN_LISTS.contains(&names.name) {
                return Ok(());
            }
            Err((path, format!("must be one of {}, and is {value}", names.values.join(", "))))
        }
        _ => Ok(()),
    }
}

fn look_record(record: &Record, value: &Value, path: &str) -> Look {
    let Some(members) = value.as_object() else { return misfit(path.to_owned(), "an object", value) };
    for field in record.fields {
        let path = match path {
            "" => field.key.to_owned(),
            path => format!("{path}.{}", field.key),
        };
        match members.get(field.key) {
            None if field.presence == Presence::Essential => return Err((path, "is missing".to_owned())),
            None => {}
            Some(Value::Null) if field.presence != Presence::Essential => {}
            Some(member) => look_shape(&(field.shape)(), member, path)?,
        }
    }
    Ok(())
}

fn look_union(union: &Union, value: &Value, path: String) -> Look {
    let below =
        |path: &str| if path.is_empty() { union.tag.to_owned() } else { format!("{path}.{}", union.tag) };
    let Some(tag) = value.get(union.tag).and_then(Value::as_str) else {
        return Err((below(&path), "is missing, or is no string".to_owned()));
    };
    match union.variants.iter().find(|variant| variant.tag == tag) {
        Some(variant) => look_definition((variant.definition)(), value, path),
        None => {
            let tags: Vec<&str> = union.variants.iter().map(|variant| variant.tag).collect();
            Err((below(&path), format!("must be one of {}", tags.join(", "))))
        }
    }
}

fn look_shape(shape: &Shape, value: &Value, path: String) -> Look {
    let (fits, wanted) = match shape {
        Shape::Text => (value.is_string(), "a string"),
        Shape::Number => (value.is_number(), "a number"),
        Shape::Whole => (value.is_u64(), "a whole number, not negative and in plain digits"),
        Shape::Bool => (value.is_boolean(), "true or false"),
        Shape::List(item) => {
            let Some(items) = value.as_array() else { return misfit(path, "an array", value) };
            for (index, value) in items.iter().enumerate() {
                look_shape(item, value, format!("{path}[{index}]"))?;
            }
            return Ok(());
        }
        Shape::Map(item) => {
            let Some(members) = value.as_object() else { return misfit(path, "an object", value) };
            for (name, value) in members {
                look_shape(item, value, format!("{path}.{name}"))?;
            }
            return Ok(());
        }
        Shape::Either(shapes) => {
            let looks: Vec<Look> =
                shapes.iter().map(|shape| look_shape(shape, value, path.clone())).collect();
            // The last shape is the richest: what it says leads deepest.
            return match looks.iter().any(Result::is_ok) {
                true => Ok(()),
                false => looks.into_iter().next_back().unwrap_or(Ok(())),
            };
        }
        Shape::Defined(definition) => return look_definition(definition, value, path),
        _ => return Ok(()),
    };
    if fits { Ok(()) } else { misfit(path, wanted, value) }
}

fn misfit(path: String, wanted: &str, value: &Value) -> Look {
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    Err((path, format!("must be {wanted}, and is {found}")))
}
