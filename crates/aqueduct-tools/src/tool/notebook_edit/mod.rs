//! `NotebookEdit`: one cell of a notebook, all other bytes as they were.

mod layout;
mod span;

use aqueduct_wire::block::Content;
use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::{CellType, NotebookEditInput, NotebookEditMode, NotebookEditResult};
use serde_json::{Value, json};

use super::file_call::{FileCall, input, output, unreadable};
use super::file_path::spelled_out;
use super::recall;
use super::row::{Audience, CallCheck, CallSummary, FileUse, ToolFacts};
use super::write::{change, existing};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};
use crate::file::{FileLocation, FileStamp, FileText, Precondition};
use layout::NotebookLayout;

pub(crate) const TOOL: BuiltInTool = BuiltInTool {
    name: "NotebookEdit",
    description: "Edits a cell of a Jupyter notebook (.ipynb).\n\n\
        - The notebook must have been read in this conversation, and not have changed since.\n\
        - `edit_mode` is replace (the default), insert or delete. Cells are identified by the ids that Read \
        shows, or by `cell-N`, counted from 0.\n\
        - insert adds a new cell after `cell_id`, or at the beginning without one, and needs `cell_type`.\n\
        - replace clears the outputs of a code cell.",
    schema: r#"{
        "type": "object",
        "properties": {
            "notebook_path": {"type": "string", "description": "The notebook, as an absolute path"},
            "cell_id": {"type": "string", "description": "The cell; for insert the one before the new cell"},
            "new_source": {"type": "string", "description": "The source of the cell"},
            "cell_type": {"type": "string", "enum": ["code", "markdown"], "description": "What the cell holds"},
            "edit_mode": {"type": "string", "enum": ["replace", "insert", "delete"], "description": "What to do"}
        },
        "required": ["notebook_path", "new_source"],
        "additionalProperties": false
    }"#,
    run,
    facts: ToolFacts {
        files: Some(FileUse::Change),
        path: Some("notebook_path"),
        audience: Audience::NotReaders,
        is_rare: true,
        summary: Some(CallSummary { verb: "Editing ", members: &["notebook_path"] }),
        check: Some(CallCheck::File(check)),
        spell_out: Some(spell_out),
        replay: Some(recall::note_file),
        ..ToolFacts::NONE
    },
};

/// The input with its path from the root.
fn spell_out(tool_context: &ToolContext, input: &Raw<'_>) -> Option<Raw<'static>> {
    let mut typed = input.view::<NotebookEditInput<'_>>()?;
    typed.notebook_path = spelled_out(tool_context, &typed.notebook_path)?;
    Some(Raw::written(&typed))
}

fn run<'a>(tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(FileCall::new(tool_context, call).work(edit))
}

/// What is done to which cell.
enum Edit<'a> {
    Replace { index: usize, kind: Option<&'a str> },
    Insert { index: usize, kind: &'a str },
    Delete { index: usize },
}

/// A notebook that is to be changed.
struct OpenedNotebook<'c> {
    input: NotebookEditInput<'c>,
    place: FileLocation,
    before: FileText,
    stamp: FileStamp,
    notebook: Value,
}

/// Checks whether the notebook can be changed this way, before permission is requested.
pub(super) fn check(call: &FileCall) -> Result<(), ToolFailure> {
    let OpenedNotebook { input, notebook, .. } = open(call)?;
    wanted(&input, cells(&notebook)).map(drop)
}

fn open(call: &FileCall) -> Result<OpenedNotebook<'_>, ToolFailure> {
    let input: NotebookEditInput<'_> = input(&call.input, "`notebook_path` and `new_source`, both strings")?;
    let given = input.notebook_path.as_str();
    let place = call.locate(given).map_err(unreadable)?;
    if !place.given.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb")) {
        return Err(ToolFailure::Rejected(format!("{given} is not a notebook (.ipynb): use Edit.")));
    }
    place.must_exist().map_err(unreadable)?;
    let (before, stamp) = existing(call, &place)?.read()?.decoded()?;
    let notebook: Value = serde_json::from_str(&before.text)
        .map_err(|error| ToolFailure::Rejected(format!("{given} is not valid JSON: {error}.")))?;
    if !notebook["cells"].is_array() {
        return Err(ToolFailure::Rejected(format!("{given} has no list of cells.")));
    }
    Ok(OpenedNotebook { input, place, before, stamp, notebook })
}

fn cells(notebook: &Value) -> &[Value] {
    notebook["cells"].as_array().map(Vec::as_slice).unwrap_or_default()
}

pub(super) fn edit(call: &FileCall) -> Result<CallOutput, ToolFailure> {
    let OpenedNotebook { input, place, before, stamp, notebook } = open(call)?;
    let (given, cells) = (input.notebook_path.as_str(), cells(&notebook));
    let edit = wanted(&input, cells)?;
    let old = match edit {
        Edit::Replace { index, .. } | Edit::Delete { index } => Some(&cells[index]),
        Edit::Insert { .. } => None,
    };
    let new_id = matches!(edit, Edit::Insert { .. }).then(|| new_id(&notebook)).flatten();
    let layout = NotebookLayout::of(&before.text, before.ends_with_crlf());
    let text = applied(&layout, &edit, cells, input.new_source.as_str(), new_id.as_deref())
        .ok_or_else(|| ToolFailure::Failed(format!("The cells of {given} could not be identified.")))?;
    let after = FileText { encoding: before.encoding, text };
    change(call, &place, &after, Precondition::File(stamp), true)?;

    let kind = match edit {
        Edit::Insert { kind, .. } | Edit::Replace { kind: Some(kind), .. } => kind,
        Edit::Replace { .. } | Edit::Delete { .. } => old.map_or("code", cell_type),
    };
    let id = new_id.or_else(|| old.and(input.cell_id.as_ref()).map(|id| id.to_string()));
    let name = id.as_deref().unwrap_or("a new cell");
    let (mode, result_text) = match edit {
        Edit::Replace { .. } => {
            (NotebookEditMode::Replace, format!("Replaced the source of {name} in {given}."))
        }
        Edit::Insert { .. } => (NotebookEditMode::Insert, format!("Inserted {name} into {given}.")),
        Edit::Delete { .. } => (NotebookEditMode::Delete, format!("Deleted {name} from {given}.")),
    };
    let mut result = NotebookEditResult::new(given.to_owned());
    result.new_source = Some(input.new_source.to_string().into());
    result.old_source = old.map(|cell| joined(&cell["source"]).into());
    result.cell_id = id.map(Into::into);
    result.cell_type = Some(kind_name(kind));
    result.language = Some(language(&notebook).into());
    result.edit_mode = Some(mode);
    result.error = Some("".into());
    result.original_file = Some(before.shown().into_owned().into());
    result.updated_file = Some(after.shown().into_owned().into());
    output(Content::Text(result_text.into()), &result)
}

/// The edit that the input asks for, if it makes sense for these cells.
fn wanted<'a>(input: &'a NotebookEditInput<'_>, cells: &[Value]) -> Result<Edit<'a>, ToolFailure> {
    let reject = |text: String| Err(ToolFailure::Rejected(text));
    let kind = match &input.cell_type {
        None => None,
        Some(CellType::Code) => Some("code"),
        Some(CellType::Markdown) => Some("markdown"),
        Some(_) => return reject("`cell_type` must be code or markdown.".to_owned()),
    };
    let index = match input.cell_id.as_deref() {
        None => None,
        Some(id) => match index_of(id, cells) {
            Some(index) => Some(index),
            None => {
                return reject(format!(
                    "Cell {id} does not exist. Read the notebook for the ids of its {} cells.",
                    cells.len()
                ));
            }
        },
    };
    match (input.edit_mode.as_ref().unwrap_or(&NotebookEditMode::Replace), index) {
        (NotebookEditMode::Insert, index) => match kind {
            Some(kind) => Ok(Edit::Insert { index: index.map_or(0, |index| index + 1), kind }),
            None => reject("`cell_type` is required to insert a cell.".to_owned()),
        },
        (NotebookEditMode::Replace, Some(index)) => Ok(Edit::Replace { index, kind }),
        (NotebookEditMode::Delete, Some(index)) => Ok(Edit::Delete { index }),
        (NotebookEditMode::Replace | NotebookEditMode::Delete, None) => {
            reject("`cell_id` is required.".to_owned())
        }
        (_, _) => reject("`edit_mode` must be replace, insert or delete.".to_owned()),
    }
}

/// The notebook's text after the edit.
fn applied(
    layout: &NotebookLayout<'_>,
    edit: &Edit<'_>,
    cells: &[Value],
    source: &str,
    id: Option<&str>,
) -> Option<String> {
    match *edit {
        Edit::Delete { index } => layout.without_cell(index),
        Edit::Insert { index, kind } => {
            let mut cell = json!({"cell_type": kind, "metadata": {}, "source": lines(source)});
            if let Some(id) = id {
                cell["id"] = id.into();
            }
            if kind == "code" {
                cell["outputs"] = json!([]);
                cell["execution_count"] = Value::Null;
            }
            layout.with_cell(index, &cell)
        }
        Edit::Replace { index, kind } => {
            let old = cells.get(index)?;
            let source = if old["source"].is_string() { source.into() } else { lines(source) };
            let kind = kind.unwrap_or(cell_type(old));
            if kind == cell_type(old) {
                let mut members = vec![("source", source)];
                if kind == "code" {
                    members.extend([("outputs", json!([])), ("execution_count", Value::Null)]);
                }
                return layout.with_members(index, &members);
            }
            let mut cell = old.as_object()?.clone();
            cell.insert("cell_type".to_owned(), kind.into());
            cell.insert("source".to_owned(), source);
            // Only code cells may have these, and they must.
            cell.remove("outputs");
            cell.remove("execution_count");
            if kind == "code" {
                cell.insert("outputs".to_owned(), json!([]));
                cell.insert("execution_count".to_owned(), Value::Null);
            }
            layout.with_other_cell(index, &Value::Object(cell))
        }
    }
}

/// A source as notebooks keep it: a list of lines with their ends.
fn lines(source: &str) -> Value {
    source.split_inclusive('\n').map(Value::from).collect()
}

/// A text of a notebook: one string or a list of lines.
pub(super) fn joined(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

fn cell_type(cell: &Value) -> &str {
    cell["cell_type"].as_str().unwrap_or("code")
}

fn kind_name(kind: &str) -> CellType<'static> {
    match kind {
        "code" => CellType::Code,
        "markdown" => CellType::Markdown,
        other => CellType::Other(other.to_owned().into()),
    }
}

/// What a cell is called: its id, or its place for cells of older notebooks.
pub(super) fn cell_name(index: usize, cell: &Value) -> String {
    cell["id"].as_str().map_or_else(|| format!("cell-{index}"), str::to_owned)
}

fn index_of(id: &str, cells: &[Value]) -> Option<usize> {
    cells.iter().position(|cell| cell["id"].as_str() == Some(id)).or_else(|| {
        let index: usize = id.strip_prefix("cell-")?.parse().ok()?;
        (index < cells.len()).then_some(index)
    })
}

/// The language of a notebook's code.
pub(super) fn language(notebook: &Value) -> String {
    let metadata = &notebook["metadata"];
    let name = metadata["language_info"]["name"].as_str().or(metadata["kernelspec"]["language"].as_str());
    name.unwrap_or("python").to_owned()
}

/// An id for a new cell. Notebooks have them since format 4.5.
fn new_id(notebook: &Value) -> Option<String> {
    let version = |name: &str| notebook[name].as_u64().unwrap_or_default();
    let has_ids = (version("nbformat"), version("nbformat_minor")) >= (4, 5);
    has_ids.then(|| format!("{:08x}", fastrand::u32(..)))
}

#[cfg(test)]
mod tests;
