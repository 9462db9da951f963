//! `Read`: files of all kinds, for the model to look at.

mod binary;
mod image;
mod notebook;
mod pdf;
mod text;

use std::path::Path;

use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::ReadInput;

use super::file_call::{FileCall, flag, input, integer};
use super::file_path::spelled_out;
use super::recall;
use super::row::{CallCheck, CallSummary, FileUse, ToolFacts};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};

/// The name of the tool.
pub const READ: &str = "Read";

pub(crate) const TOOL: BuiltInTool = BuiltInTool {
    name: READ,
    description: "Reads a file. Text comes with line numbers, each followed by a tab that is not part of the \
        line. Images (PNG, JPEG, GIF, WebP) and PDFs are shown visually, notebooks (.ipynb) as cells with \
        their outputs.\n\n\
        - `file_path` should be absolute. Directories can't be read: list them with Glob or `ls`.\n\
        - `offset` (first line, from 1) and `limit` (how many lines) read a part. A text file of more than \
        256 KB must be read in parts; `allow_large` raises the limit to 1 MB.\n\
        - `pages` renders pages of a PDF as images: \"3\" or \"1-5\", at most 20.\n\
        - Read a file before you change it with Edit, NotebookEdit or Write.",
    schema: r#"{
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "The file, as an absolute path"},
            "offset": {"type": "integer", "description": "The first line to read, counted from 1"},
            "limit": {"type": "integer", "description": "How many lines to read"},
            "pages": {"type": "string", "description": "PDF only: a page such as \"3\" or a range such as \"1-5\""},
            "allow_large": {"type": "boolean", "description": "Read a text file of up to 1 MB as a whole"}
        },
        "required": ["file_path"],
        "additionalProperties": false
    }"#,
    run,
    facts: ToolFacts {
        reads_only: true,
        files: Some(FileUse::Read),
        path: Some("file_path"),
        summary: Some(CallSummary { verb: "Reading ", members: &["file_path"] }),
        least: &[("limit", 1.0), ("offset", 0.0)],
        check: Some(CallCheck::File(check)),
        spell_out: Some(spell_out),
        replay: Some(recall::note_file),
        ..ToolFacts::NONE
    },
};

/// The input with its path from the root.
fn spell_out(tool_context: &ToolContext, input: &Raw<'_>) -> Option<Raw<'static>> {
    let mut typed = input.view::<ReadInput<'_>>()?;
    typed.file_path = spelled_out(tool_context, &typed.file_path)?;
    Some(Raw::written(&typed))
}

fn run<'a>(tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    let call = FileCall::new(tool_context, call);
    Box::pin(async move {
        let pages = {
            let input = parsed(&call)?;
            let is_pdf = kind(Path::new(input.file_path.as_str())) == ReadKind::Pdf;
            input
                .pages
                .as_ref()
                .filter(|pages| is_pdf && !pages.trim().is_empty())
                .map(|pages| pages.to_string())
        };
        match pages {
            Some(pages) => {
                pdf::read_pages(&tool_context.environment, &tool_context.commands.spool, call, &pages).await
            }
            None => call.work(read).await,
        }
    })
}

/// What a file is read as. The name decides; the contents are checked against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReadKind {
    Text,
    Image,
    Pdf,
    Notebook,
}

fn kind(path: &Path) -> ReadKind {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "png" | "jpg" | "jpeg" | "gif" | "webp" => ReadKind::Image,
        "pdf" => ReadKind::Pdf,
        "ipynb" => ReadKind::Notebook,
        _ => ReadKind::Text,
    }
}

fn parsed(call: &FileCall) -> Result<ReadInput<'_>, ToolFailure> {
    input(&call.input, "`file_path`, a string")
}

/// Checks that the file is not of a binary kind, before permission is requested.
pub(super) fn check(call: &FileCall) -> Result<(), ToolFailure> {
    let input = parsed(call)?;
    match binary::extension(Path::new(input.file_path.as_str())) {
        Some(extension) => Err(ToolFailure::Rejected(format!(
            "Read does not read binary files, and .{extension} files are binary. Use a skill for this kind of \
             file, if there is one, or a command that knows the format."
        ))),
        None => Ok(()),
    }
}

pub(super) fn read(call: &FileCall) -> Result<CallOutput, ToolFailure> {
    let input = parsed(call)?;
    let place = call.locate(&input.file_path)?;
    place.must_exist()?;
    match kind(&place.given) {
        ReadKind::Image => image::read(&place),
        ReadKind::Pdf => pdf::read(&place, &input.file_path),
        ReadKind::Notebook => notebook::read(call, &place, &input.file_path),
        ReadKind::Text => {
            let offset = integer("offset", input.offset.as_ref(), &input.extra)?;
            let limit = integer("limit", input.limit.as_ref(), &input.extra)?;
            let allow_large = flag("allow_large", input.allow_large, &input.extra)?;
            let range = text::Range::new(offset, limit, allow_large);
            text::read(call, &place, &input.file_path, &range)
        }
    }
}

#[cfg(test)]
mod tests;
