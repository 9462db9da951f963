use std::path::Path;

use aqueduct_model::image::{self, Image};
use aqueduct_os::spool;
use aqueduct_wire::block::{Content, ContentBlock, TextBlock};
use aqueduct_wire::control::McpCallReply;
use aqueduct_wire::json::{Json as _, Raw, Str};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::error::ToolError;
use crate::name::of_file;
use crate::object::Object;

/// How much of a long result the model gets to see, to know what is in the file.
const PREVIEW: usize = 2000;

/// The result of a call of a tool.
#[derive(Debug, Clone)]
pub struct McpToolResult {
    /// For the model.
    pub content: Content<'static>,
    /// For hosts: the parts, or an object where there is more than parts.
    pub result: Raw<'static>,
}

/// What a call of a tool gave.
#[derive(Debug)]
pub(crate) struct ToolAnswer {
    content: Vec<ContentBlock<'static>>,
    structured: Option<Raw<'static>>,
    meta: Option<Raw<'static>>,
    links: Vec<Raw<'static>>,
}

/// Who keeps what does not go to the model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SpoolTarget<'r> {
    pub(crate) server: &'r str,
    pub(crate) spool: &'r Path,
    /// How many characters the model gets.
    pub(crate) limit: usize,
}

impl SpoolTarget<'_> {
    /// Reads the result of `tools/call`.
    pub(crate) fn answer(self, result: &Raw<'_>) -> Result<ToolAnswer, ToolError> {
        let seen = Object::of(result);
        let mut answer = ToolAnswer {
            content: Vec::new(),
            structured: seen.take("structuredContent"),
            meta: seen.take("_meta"),
            links: Vec::new(),
        };
        for raw in seen.list("content") {
            let item = Object::of(&raw);
            if item.text("type").as_deref() == Some("resource_link") {
                answer.links.push(link(&item));
            }
            answer.content.extend(self.blocks(&raw, &item));
        }
        if seen.flag("isError") == Some(true) {
            let text_of_result = texts(&answer.content);
            let text_of_result = if text_of_result.trim().is_empty() {
                format!("the tool failed: {result}")
            } else {
                text_of_result
            };
            return Err(ToolError::Reported(text_of_result));
        }
        if let Some(structured) = &answer.structured {
            answer.content = vec![text(structured.as_str().to_owned())];
        }
        self.shorten(&mut answer);
        Ok(answer)
    }

    /// What the model gets of a part.
    fn blocks(self, raw: &Raw<'_>, item: &Object<'_>) -> Vec<ContentBlock<'static>> {
        let kind = item.text("type").unwrap_or_default();
        match kind.as_str() {
            "text" => vec![text(item.text("text").unwrap_or_default())],
            "image" | "audio" => {
                let data = item.text("data").unwrap_or_default();
                let media_type = item.text("mimeType").unwrap_or_default();
                self.media(&format!("{kind} of {}", self.server), &media_type, data)
            }
            "resource" => self.resource(&item.object("resource")),
            "resource_link" => vec![text(described_link(item))],
            _ => vec![text(raw.as_str().to_owned())],
        }
    }

    /// A message of a prompt.
    pub(crate) fn message(self, message: &Object<'_>) -> Vec<ContentBlock<'static>> {
        let Some(content) = message.get("content") else { return Vec::new() };
        // Older servers send one part, newer ones may send several.
        match aqueduct_wire::json::read::<Vec<Raw<'_>>>(content.as_str()) {
            Some(parts) => parts.iter().flat_map(|part| self.blocks(part, &Object::of(part))).collect(),
            None => self.blocks(content, &Object::of(content)),
        }
    }

    /// A resource that came with the result.
    pub(crate) fn resource(self, resource: &Object<'_>) -> Vec<ContentBlock<'static>> {
        let uri = resource.text("uri").unwrap_or_default();
        let what = format!("resource {uri} of {}", self.server);
        match (resource.text("text"), resource.text("blob")) {
            (Some(found), _) => vec![text(format!("[{what}]\n{found}"))],
            (None, Some(blob)) => self.media(&what, &resource.text("mimeType").unwrap_or_default(), blob),
            (None, None) => vec![text(format!("[{what}: empty]"))],
        }
    }

    /// Bytes: an image that the model can see, or a file.
    fn media(self, what: &str, media_type: &str, data: String) -> Vec<ContentBlock<'static>> {
        let Ok(bytes) = STANDARD.decode(data.as_bytes()) else {
            return vec![text(format!("[{what}: not base64, so it can't be used]"))];
        };
        if media_type.starts_with("image/") && Image::is_accepted(&bytes) {
            return vec![image::block(data, media_type)];
        }
        let size = bytes.len();
        let text_of_result =
            match spool::save(self.spool, &of_file(self.server), spool::extension(media_type), &bytes) {
                Ok(path) => format!("[{what}: {size} bytes of {media_type}, kept in {}]", path.display()),
                Err(error) => format!("[{what}: {size} bytes of {media_type}, which can't be kept: {error}]"),
            };
        vec![text(text_of_result)]
    }

    /// Puts a result that is too long into a file.
    fn shorten(self, answer: &mut ToolAnswer) {
        let length: usize = answer.content.iter().filter_map(text_of).map(str::len).sum();
        if length <= self.limit {
            return;
        }
        let whole = texts(&answer.content);
        let ending = if Raw::parse(&whole).is_ok() { "json" } else { "txt" };
        let reported = match spool::save(self.spool, &of_file(self.server), ending, whole.as_bytes()) {
            Ok(path) => format!(
                "The result has {length} bytes, too many to show. All of it is in {}: read it in parts, or search \
                 it. It begins:\n\n{}",
                path.display(),
                beginning(&whole)
            ),
            Err(error) => format!(
                "The result has {length} bytes, too many to show, and can't be kept in a file: {error}. Ask for \
                 less. It begins:\n\n{}",
                beginning(&whole)
            ),
        };
        answer.content.retain(|block| text_of(block).is_none());
        answer.content.insert(0, text(reported));
        answer.structured = None;
    }
}

impl ToolAnswer {
    /// The answer for the model and for hosts.
    pub(crate) fn into_result(self, name: &str) -> McpToolResult {
        let has_content = self.content.iter().any(|block| text_of(block).is_none_or(|text| !text.is_empty()));
        let result = self.result();
        let content = match (has_content, &self.structured) {
            (false, _) => Content::Text(format!("({name} gave no output)").into()),
            (true, Some(structured)) => Content::Text(structured.as_str().to_owned().into()),
            (true, None) => Content::Blocks(self.content),
        };
        McpToolResult { content, result }
    }

    /// The answer for a host that called the tool itself.
    pub(crate) fn reply(self) -> McpCallReply<'static> {
        let mut reply = McpCallReply::new();
        reply.content = Some(self.content.iter().map(Raw::written).collect());
        reply.structured_content = self.structured;
        reply.meta = self.meta;
        reply
    }

    /// What hosts get: the parts, or an object where there is more than parts.
    fn result(&self) -> Raw<'static> {
        if self.structured.is_none() && self.meta.is_none() && self.links.is_empty() {
            return Raw::written(&self.content);
        }
        let mut members = match &self.structured {
            Some(structured) => {
                let mut text = String::new();
                Str::from(structured.as_str()).write(&mut text);
                vec![format!("\"content\":{text}"), format!("\"structuredContent\":{structured}")]
            }
            None => vec![format!("\"content\":{}", Raw::written(&self.content))],
        };
        members.extend(self.meta.as_ref().map(|meta| format!("\"_meta\":{meta}")));
        if !self.links.is_empty() {
            members.push(format!("\"resourceLinks\":{}", Raw::written(&self.links)));
        }
        let text = format!("{{{}}}", members.join(","));
        Raw::parse(&text).map_or(Raw::NULL, aqueduct_wire::IntoOwned::into_owned)
    }
}

/// Whether a tool's result ends the turn.
pub fn ends_turn(result: &Raw<'_>) -> bool {
    Object::of(result).object("_meta").flag("claude/endTurn") == Some(true)
}

fn text(text: String) -> ContentBlock<'static> {
    ContentBlock::Text(TextBlock::new(text))
}

fn text_of<'b>(block: &'b ContentBlock<'_>) -> Option<&'b str> {
    match block {
        ContentBlock::Text(block) => Some(&block.text),
        _ => None,
    }
}

fn texts(blocks: &[ContentBlock<'_>]) -> String {
    blocks.iter().filter_map(text_of).collect::<Vec<_>>().join("\n")
}

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(PREVIEW)]
}

fn described_link(item: &Object<'_>) -> String {
    let name = item.text("title").or_else(|| item.text("name")).unwrap_or_default();
    let mut text_of_result =
        format!("[link to the resource {name}: {}", item.text("uri").unwrap_or_default());
    if let Some(description) = item.text("description") {
        text_of_result.push_str(&format!(" ({description})"));
    }
    text_of_result.push(']');
    text_of_result
}

/// A link as hosts get it.
fn link(item: &Object<'_>) -> Raw<'static> {
    const MEMBERS: [&str; 6] = ["uri", "name", "title", "description", "mimeType", "size"];
    let members: Vec<String> =
        MEMBERS.iter().filter_map(|name| item.get(name).map(|value| format!("\"{name}\":{value}"))).collect();
    Raw::parse(&format!("{{{}}}", members.join(","))).map_or(Raw::NULL, aqueduct_wire::IntoOwned::into_owned)
}
