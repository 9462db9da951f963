//! What is wrong with a client's message, with what to change.

use aqueduct_wire::hint::{Hint, HintedError};
use aqueduct_wire::json::{LeftoverKind, Map, ParseError, Raw, Str};
use aqueduct_wire::table::{Definition, Presence, Record, Shape, Union, UnknownReason};
use thiserror::Error;

use super::{BridgeMessage, ClientMessage, ErrorCode, ErrorReply, demand};

/// Lists of names that agents add to, so that one the bridge does not know is passed on.
pub(super) const OPEN_LISTS: &[&str] = &["PermissionMode"];

/// Why a client's message is not taken.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{message}")]
pub struct Refusal {
    /// What sort of error it is.
    pub code: ErrorCode<'static>,
    /// What is wrong, for people.
    pub message: String,
    /// What to do about it. Clients receive it behind the message.
    pub hint: Option<Box<Hint>>,
    /// The member that is wrong, as a path.
    pub member: Option<Box<str>>,
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
            hint: None,
            member: None,
            request_id: None,
            client_message_id: None,
        }
    }

    /// The refusal as a message to the client.
    pub fn to_message(&self) -> BridgeMessage<'static> {
        let mut reply = ErrorReply::new(self.code.clone(), self.advised());
        reply.member = self.member.as_deref().map(|member| member.to_owned().into());
        reply.request_id = self.request_id.clone().map(Into::into);
        reply.client_message_id = self.client_message_id.clone().map(Into::into);
        reply.into()
    }
}

impl HintedError for Refusal {
    fn hint(&self) -> Option<Hint> {
        self.hint.as_deref().cloned()
    }
}

/// Refuses a message that has no type, or a member of another shape than its type has.
pub(super) fn check(message: &ClientMessage<'_>, text: &str) -> Result<(), Refusal> {
    let (code, problem) = match message {
        ClientMessage::Unknown(unknown) if unknown.why == UnknownReason::Tag => {
            (ErrorCode::UnknownMessage, Some(unknown_type(unknown.tag.as_deref())))
        }
        ClientMessage::Unknown(_) => (ErrorCode::InvalidMessage, None),
        _ if has_faults(message) => (ErrorCode::InvalidMessage, None),
        _ => match demand::unmet(message, text) {
            Some((member, demand)) => {
                (ErrorCode::InvalidMessage, Some(Problem::at(member.to_owned(), &demand)))
            }
            None => return Ok(()),
        },
    };
    // Only what is refused is looked at a second time, slowly.
    let value = Raw::parse(text).unwrap_or(Raw::NULL);
    let problem = problem.unwrap_or_else(|| find(&value));
    let members: Map<'_, Raw<'_>> = value.view().unwrap_or_default();
    let text_of = |key: &str| members.get(key)?.view::<Str<'_>>().map(Str::into_string);
    Err(Refusal {
        code,
        message: problem.message,
        hint: problem.hint,
        member: problem.member.map(Into::into),
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
    hint: Option<Box<Hint>>,
    member: Option<String>,
}

impl Problem {
    fn at(path: String, what: &str) -> Self {
        Problem { message: format!("`{path}` {what}"), hint: None, member: Some(path) }
    }
}

fn unknown_type(tag: Option<&str>) -> Problem {
    let (message, hint) = match tag {
        Some(tag) => (
            format!("unknown message type `{tag:.80}`"),
            Some(Box::new(Hint::clause("docs/bridge-api.md lists them"))),
        ),
        None => ("the message has no member `type`, or it is not a string".to_owned(), None),
    };
    Problem { message, hint, member: Some("type".to_owned()) }
}

fn find(value: &Raw<'_>) -> Problem {
    let Err((path, wanted)) = look_definition(ClientMessage::DEFINITION, value, String::new()) else {
        return Problem {
            message: "a member has a value that is not taken".to_owned(),
            hint: None,
            member: None,
        };
    };
    Problem::at(path, &wanted)
}

/// The first place that is wrong, and what would be right there.
type CheckResult = Result<(), (String, String)>;

fn look_definition(definition: &Definition, value: &Raw<'_>, path: String) -> CheckResult {
    match definition {
        Definition::Record(record) => look_record(record, value, &path),
        Definition::Union(union) => look_union(union, value, path),
        Definition::Names(names) => {
            let Some(name) = value.view::<Str<'_>>() else { return misfit(path, "a string", value) };
            if names.values.contains(&name.as_str()) || OPEN_LISTS.contains(&names.name) {
                return Ok(());
            }
            Err((path, format!("must be one of {}, and is `{name:.80}`", names.values.join(", "))))
        }
        _ => Ok(()),
    }
}

fn look_record(record: &Record, value: &Raw<'_>, path: &str) -> CheckResult {
    let Some(members) = value.view::<Map<'_, Raw<'_>>>() else {
        return misfit(path.to_owned(), "an object", value);
    };
    for field in record.fields {
        let path = below(path, field.key);
        match members.get(field.key) {
            None if field.presence == Presence::Essential => return Err((path, "is missing".to_owned())),
            None => {}
            Some(member) if *member == Raw::NULL && field.presence != Presence::Essential => {}
            Some(member) => look_shape(&(field.shape)(), member, path)?,
        }
    }
    Ok(())
}

fn look_union(union: &Union, value: &Raw<'_>, path: String) -> CheckResult {
    let Some(members) = value.view::<Map<'_, Raw<'_>>>() else { return misfit(path, "an object", value) };
    let Some(tag) = members.get(union.tag).and_then(|tag| tag.view::<Str<'_>>()) else {
        return Err((below(&path, union.tag), "is missing, or is not a string".to_owned()));
    };
    match union.variants.iter().find(|variant| tag == variant.tag) {
        Some(variant) => look_definition((variant.definition)(), value, path),
        None => {
            let tags: Vec<&str> = union.variants.iter().map(|variant| variant.tag).collect();
            Err((below(&path, union.tag), format!("must be one of {}", tags.join(", "))))
        }
    }
}

fn look_shape(shape: &Shape, value: &Raw<'_>, path: String) -> CheckResult {
    let fits = match shape {
        Shape::Whole => value.view::<u64>().is_some(),
        Shape::List(item) => {
            let Some(items) = value.view::<Vec<Raw<'_>>>() else {
                return misfit(path, &wanted(shape), value);
            };
            for (index, value) in items.iter().enumerate() {
                look_shape(item, value, format!("{path}[{index}]"))?;
            }
            true
        }
        Shape::Map(item) => {
            let Some(members) = value.view::<Map<'_, Raw<'_>>>() else {
                return misfit(path, &wanted(shape), value);
            };
            for (name, value) in members.iter() {
                look_shape(item, value, below(&path, name))?;
            }
            true
        }
        Shape::Either(shapes) => match shapes.iter().find(|shape| takes(shape, value)) {
            Some(shape) => return look_shape(shape, value, path),
            None => false,
        },
        Shape::Defined(definition) => return look_definition(definition, value, path),
        shape => takes(shape, value),
    };
    if fits { Ok(()) } else { misfit(path, &wanted(shape), value) }
}

/// Whether a shape takes values of this one's JSON type.
fn takes(shape: &Shape, value: &Raw<'_>) -> bool {
    let kind = kind(value);
    match shape {
        Shape::Text | Shape::Defined(Definition::Names(_)) => kind == "a string",
        Shape::Number | Shape::Whole => kind == "a number",
        Shape::Bool => kind == "a boolean",
        Shape::List(_) => kind == "an array",
        Shape::Map(_) | Shape::Defined(_) => kind == "an object",
        Shape::Either(shapes) => shapes.iter().any(|shape| takes(shape, value)),
        _ => true,
    }
}

fn wanted(shape: &Shape) -> String {
    match shape {
        Shape::Text | Shape::Defined(Definition::Names(_)) => "a string".to_owned(),
        Shape::Number => "a number".to_owned(),
        Shape::Whole => "a whole number, not negative and in plain digits".to_owned(),
        Shape::Bool => "true or false".to_owned(),
        Shape::List(_) => "an array".to_owned(),
        Shape::Map(_) | Shape::Defined(_) => "an object".to_owned(),
        Shape::Either(shapes) => shapes.iter().map(wanted).collect::<Vec<_>>().join(" or "),
        _ => "a value".to_owned(),
    }
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn misfit(path: String, wanted: &str, value: &Raw<'_>) -> CheckResult {
    Err((path, format!("must be {wanted}, and is {}", kind(value))))
}

/// The JSON type of a value.
fn kind(value: &Raw<'_>) -> &'static str {
    match value.as_str().as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'[') => "an array",
        Some(b'{') => "an object",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}
