//! A call, read back from its HTTP body.

use aqueduct_wire::block::{ContentBlock, TextBlock};
use aqueduct_wire::json::{IntoOwned, Map, Raw, Str};

use crate::request::{Message, Request, Role, Tool};

/// A call and in which form its answer is wanted.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) request: Request,
    /// Whether the answer comes as a stream.
    pub(super) is_stream: bool,
}

impl Asked {
    /// Reads a body. The error states what is wrong, in the API's form.
    pub(super) fn parse(body: &str) -> Result<Self, String> {
        let body = Raw::parse(body).map_err(|error| format!("the body is not JSON: {error}"))?;
        let members: Map<'_, Raw<'_>> = body.view().ok_or("the body must be a JSON object")?;
        let member = |name: &str| members.get(name).filter(|value| **value != Raw::NULL);
        let list = |name: &str| match member(name) {
            Some(value) => value.view::<Vec<Raw<'_>>>().ok_or_else(|| format!("{name}: must be a list")),
            None => Ok(Vec::new()),
        };
        let model: Str<'_> = member("model").and_then(Raw::view).ok_or("model: Field required")?;
        if member("messages").is_none() {
            return Err("messages: Field required".to_owned());
        }
        let request = Request {
            model: model.into_string(),
            max_tokens: member("max_tokens").and_then(|tokens| tokens.to().ok()).unwrap_or_default(),
            system: member("system").map(system).unwrap_or_default(),
            messages: list("messages")?.iter().enumerate().filter_map(message).collect::<Result<_, _>>()?,
            tools: list("tools")?.into_iter().map(tool).collect(),
            ..Request::default()
        };
        let is_stream = member("stream").is_some_and(|stream| stream.as_str() == "true");
        Ok(Asked { request, is_stream })
    }
}

fn system(value: &Raw<'_>) -> Vec<String> {
    if let Some(text) = value.view::<Str<'_>>() {
        return vec![text.into_string()];
    }
    let parts: Vec<ContentBlock<'_>> = value.view().unwrap_or_default();
    let texts = parts.into_iter().filter_map(|part| match part {
        ContentBlock::Text(TextBlock { text, .. }) => Some(text.into_string()),
        _ => None,
    });
    texts.collect()
}

/// A message. Newer clients put parts of the system prompt between the messages: those have no role.
fn message((index, value): (usize, &Raw<'_>)) -> Option<Result<Message, String>> {
    let wrong = |what: &str| Some(Err(format!("messages.{index}{what}")));
    let Some(members) = value.view::<Map<'_, Raw<'_>>>() else { return wrong(": must be an object") };
    let role = members.get("role").and_then(Raw::view::<Str<'_>>).unwrap_or_default();
    let role = match role.as_str() {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "system" => return None,
        _ => return wrong(".role: must be user or assistant"),
    };
    let Some(content) = members.get("content") else { return wrong(".content: Field required") };
    Some(Ok(Message { role, content: content.clone().into_owned() }))
}

fn tool(value: Raw<'_>) -> Tool {
    let members: Map<'_, Raw<'_>> = value.view().unwrap_or_default();
    let text = |name: &str| members.get(name).and_then(Raw::view::<Str<'_>>).map(Str::into_string);
    match (text("name"), members.get("input_schema")) {
        (Some(name), Some(schema)) => Tool::Local {
            name,
            description: text("description").unwrap_or_default(),
            schema: schema.clone().into_owned(),
        },
        _ => Tool::Server(value.clone().into_owned()),
    }
}
