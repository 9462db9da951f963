//! What tools know from an earlier process, for conversations that are resumed.

use std::path::Path;
use std::time::SystemTime;

use aqueduct_wire::json::{IntoOwned, Map, Raw};
use serde::Deserialize;

use super::{Workshop, edit, notebook_edit, read, task_list, todo_write, write};

/// Where results of the file tools name the file.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Touched {
    #[serde(rename = "filePath")]
    file_path: Option<String>,
    file: Option<TouchedFile>,
    notebook_path: Option<String>,
}

#[derive(Deserialize)]
struct TouchedFile {
    #[serde(rename = "filePath")]
    file_path: String,
}

impl Workshop {
    /// The lists that the model keeps, for a transcript.
    pub(crate) fn lists(&self) -> Raw<'static> {
        let text = format!(r#"{{"todos":{},"tasks":{}}}"#, self.todos.snapshot(), self.tasks.snapshot());
        Raw::parse(&text).map_or(Raw::NULL, IntoOwned::into_owned)
    }

    /// Takes over lists of a transcript. Others change nothing.
    pub(crate) fn restore_lists(&self, lists: &Raw<'_>) {
        let Some(lists) = lists.view::<Map<'_, Raw<'_>>>() else { return };
        if let Some(todos) = lists.get("todos") {
            self.todos.restore(todos);
        }
        if let Some(tasks) = lists.get("tasks") {
            self.tasks.restore(tasks);
        }
    }

    /// Takes note of a call that succeeded in an earlier process.
    pub(crate) fn replay(&self, tool: &str, input: &Raw<'_>, result: &Raw<'_>, at: SystemTime) {
        if [read::TOOL.name, write::TOOL.name, edit::TOOL.name, notebook_edit::TOOL.name].contains(&tool) {
            let touched = result.to::<Touched>().unwrap_or_default();
            let file = touched.file.map(|file| file.file_path);
            if let Some(path) = touched.file_path.or(file).or(touched.notebook_path) {
                self.files.note_read(Path::new(&path), at);
            }
        } else if tool == todo_write::TOOL.name {
            self.todos.replay(result);
        } else if [task_list::CREATE.name, task_list::UPDATE.name].contains(&tool) {
            self.tasks.replay(tool, input, result);
        }
    }
}
