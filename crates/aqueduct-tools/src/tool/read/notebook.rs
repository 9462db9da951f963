//! Notebooks: cells with their outputs.

use aqueduct_wire::block::{Content, ContentBlock, TextBlock};
use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::{ReadNotebook, ReadNotebookFile, ReadResult};
use serde_json::{Map, Value, json};

use super::super::file_call::{FileCall, output};
use super::super::notebook_edit::{cell_name, joined, language};
use super::{CallOutput, ToolFailure, image};
use crate::file::{ContentDigest, FileLocation, KnownVersion, read_whole};

/// The largest notebook that is read.
const SIZE_LIMIT: u64 = 32 << 20;

/// How much of one output's text is shown.
const OUTPUT_LIMIT: usize = 10_000;

/// How much all cells may have together.
const CONTENT_LIMIT: usize = 256 << 10;

pub(super) fn read(call: &FileCall, place: &FileLocation, given: &str) -> Result<CallOutput, ToolFailure> {
    let (bytes, _) = read_whole(&place.real, SIZE_LIMIT)?;
    let notebook: Value = serde_json::from_slice(&bytes)
        .map_err(|error| ToolFailure::Failed(format!("{given} is not a notebook: invalid JSON: {error}.")))?;
    let Some(cells) = notebook["cells"].as_array() else {
        return Err(ToolFailure::Failed(format!(
            "{given} is not a notebook of version 4: it has no list of cells."
        )));
    };
    let language = language(&notebook);
    let cells: Vec<Value> =
        cells.iter().enumerate().map(|(index, cell)| read_cell(index, cell, &language)).collect();
    let blocks = show(&cells);
    let size: usize = blocks
        .iter()
        .map(|block| if let ContentBlock::Text(text) = block { text.text.len() } else { 0 })
        .sum();
    if size > CONTENT_LIMIT {
        return Err(ToolFailure::Failed(format!(
            "The cells of {given} have {size} characters, too many to read at once. Read some of them with a \
             command in Bash, such as `jq '.cells[0:5]'`."
        )));
    }
    call.files.note(&place.real, KnownVersion::Bytes(ContentDigest::of(&bytes)), true);
    let mut file = ReadNotebookFile::new(given.to_owned());
    file.cells = Some(cells.iter().map(Raw::from).collect());
    output(Content::Blocks(blocks), &ReadResult::Notebook(ReadNotebook::new(file)))
}

/// A cell as hosts know it.
fn read_cell(index: usize, cell: &Value, language: &str) -> Value {
    let kind = cell["cell_type"].as_str().unwrap_or("code");
    let mut read = Map::new();
    read.insert("cellType".to_owned(), kind.into());
    read.insert("source".to_owned(), joined(&cell["source"]).into());
    read.insert("cell_id".to_owned(), cell_name(index, cell).into());
    if kind == "code" {
        if let Some(count) = cell.get("execution_count").filter(|count| count.is_number()) {
            read.insert("execution_count".to_owned(), count.clone());
        }
        read.insert("language".to_owned(), language.into());
        let outputs: Vec<Value> = cell["outputs"].as_array().into_iter().flatten().map(read_output).collect();
        if !outputs.is_empty() {
            read.insert("outputs".to_owned(), outputs.into());
        }
    }
    Value::Object(read)
}

fn read_output(output: &Value) -> Value {
    let kind = output["output_type"].as_str().unwrap_or_default();
    let data = &output["data"];
    let text = match kind {
        "error" => {
            let trace = output["traceback"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let name = format!("{}: {}", joined(&output["ename"]), joined(&output["evalue"]));
            std::iter::once(name.as_str()).chain(trace).collect::<Vec<_>>().join("\n")
        }
        "stream" => joined(&output["text"]),
        _ => joined(&data["text/plain"]),
    };
    let mut read = Map::new();
    read.insert("output_type".to_owned(), kind.into());
    if !text.is_empty() {
        read.insert("text".to_owned(), shortened(text).into());
    }
    for media_type in ["image/png", "image/jpeg"] {
        let image = joined(&data[media_type]).replace(char::is_whitespace, "");
        // One bad image would make the model's side refuse the whole conversation from here on.
        if let Some((image, media_type)) = image::fitted(image, media_type) {
            read.insert("image".to_owned(), json!({"image_data": image, "media_type": media_type}));
            break;
        }
    }
    Value::Object(read)
}

fn shortened(mut text: String) -> String {
    if text.len() > OUTPUT_LIMIT {
        let whole = text.len();
        text.truncate(text.floor_char_boundary(OUTPUT_LIMIT));
        text.push_str(&format!("\n[{} more bytes of output]", whole - text.len()));
    }
    text
}

/// The cells for the model: text, and images between it.
fn show(cells: &[Value]) -> Vec<ContentBlock<'static>> {
    let mut blocks = Vec::new();
    let mut text = String::new();
    for cell in cells {
        let field = |name: &str| cell[name].as_str().unwrap_or_default();
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!(
            "<cell id=\"{}\" type=\"{}\">\n{}\n</cell>",
            field("cell_id"),
            field("cellType"),
            field("source")
        ));
        for output in cell["outputs"].as_array().into_iter().flatten() {
            if let Some(stream) = output["text"].as_str() {
                text.push_str(&format!("\n<output>\n{}\n</output>", stream.trim_end_matches('\n')));
            }
            if let (Some(data), Some(media_type)) =
                (output["image"]["image_data"].as_str(), output["image"]["media_type"].as_str())
            {
                if !text.is_empty() {
                    blocks.push(ContentBlock::Text(TextBlock::new(std::mem::take(&mut text))));
                }
                blocks.push(aqueduct_model::image::block(data.to_owned(), media_type));
            }
        }
    }
    if !text.is_empty() {
        blocks.push(ContentBlock::Text(TextBlock::new(text)));
    }
    if blocks.is_empty() {
        blocks.push(ContentBlock::Text(TextBlock::new("The notebook has no cells.".to_owned())));
    }
    blocks
}
