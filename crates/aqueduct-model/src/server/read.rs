//! A call, read back from its HTTP body.

use aqueduct_wire::block::{ContentBlock, TextBlock};
use aqueduct_wire::json::{Map, ParseError, Raw, Str};

use crate::request::{ModelMessage, ModelTool, Request, RequestRole};

/// Why a body is not a call. The messages follow those of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum BodyError {
    #[error("the body is not UTF-8")]
    NotUtf8,
    #[error("the body is not JSON: {0}")]
    NotJson(ParseError),
    #[error("the body must be a JSON object")]
    NotAnObject,
    #[error("{0}: Field required")]
    Missing(&'static str),
    #[error("{0}: must be a list")]
    NotAList(&'static str),
    #[error("messages.{index}{problem}")]
    Message { index: usize, problem: &'static str },
}

/// A call and in which form its answer is wanted.
#[derive(Debug)]
pub(super) struct ApiCall {
    pub(super) request: Request,
    /// Whether the answer comes as a stream.
    pub(super) is_stream: bool,
}

impl ApiCall {
    /// Reads a body.
    pub(super) fn parse(body: &[u8]) -> Result<Self, BodyError> {
        let body = std::str::from_utf8(body).map_err(|_| BodyError::NotUtf8)?;
        let body = Raw::parse(body).map_err(BodyError::NotJson)?;
        let members: Map<'_, Raw<'_>> = body.view().ok_or(BodyError::NotAnObject)?;
        let member = |name: &str| members.get(name).filter(|value| **value != Raw::NULL);
        let list = |name: &'static str| match member(name) {
            Some(value) => value.view::<Vec<Raw<'_>>>().ok_or(BodyError::NotAList(name)),
            None => Ok(Vec::new()),
        };
        let model: Str<'_> = member("model").and_then(Raw::view).ok_or(BodyError::Missing("model"))?;
        if member("messages").is_none() {
            return Err(BodyError::Missing("messages"));
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
        Ok(ApiCall { request, is_stream })
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
fn message((index, value): (usize, &Raw<'_>)) -> Option<Result<ModelMessage, BodyError>> {
    let wrong = |problem: &'static str| Some(Err(BodyError::Message { index, problem }));
    let Some(members) = value.view::<Map<'_, Raw<'_>>>() else { return wrong(": must be an object") };
    let role = members.get("role").and_then(Raw::view::<Str<'_>>).unwrap_or_default();
    let role = match role.as_str() {
        "user" => RequestRole::User,
        "assistant" => RequestRole::Assistant,
        "system" => return None,
        _ => return wrong(".role: must be user or assistant"),
    };
    let Some(content) = members.get("content") else { return wrong(".content: Field required") };
    Some(Ok(ModelMessage { role, content: content.clone().into_owned() }))
}

fn tool(value: Raw<'_>) -> ModelTool {
    let members: Map<'_, Raw<'_>> = value.view().unwrap_or_default();
    let text = |name: &str| members.get(name).and_then(Raw::view::<Str<'_>>).map(Str::into_string);
    match (text("name"), members.get("input_schema")) {
        (Some(name), Some(schema)) => ModelTool::Local {
            name,
            description: text("description").unwrap_or_default(),
            schema: schema.clone().into_owned(),
        },
        _ => ModelTool::Server(value.clone().into_owned()),
    }
}
