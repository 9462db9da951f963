use crate::json::Str;
use crate::table::{names, record};

record! {
    /// Changes a cell of a notebook.
    NotebookEditInput<'a> {
        essential {
            notebook_path: Str<'a>,
            new_source: Str<'a>,
        }
        "2.1.37" {
            /// The cell; a new one goes after it.
            optional cell_id: Str<'a>,
            optional cell_type: CellType<'a>,
            optional edit_mode: NotebookEditMode<'a>,
        }
    }
}

names! {
    /// What a cell holds.
    CellType<'a> {
        "code" => Code,
        "markdown" => Markdown,
    }
}

names! {
    /// What is done to a cell.
    NotebookEditMode<'a> {
        "replace" => Replace,
        "insert" => Insert,
        "delete" => Delete,
    }
}

record! {
    /// A cell was changed.
    NotebookEditResult<'a> {
        essential { notebook_path: Str<'a> }
        "2.1.37" {
            always new_source: Str<'a>,
            optional cell_id: Str<'a>,
            always cell_type: CellType<'a>,
            always language: Str<'a>,
            always edit_mode: NotebookEditMode<'a>,
            optional error: Str<'a>,
            always original_file: Str<'a>,
            always updated_file: Str<'a>,
        }
        "2.1.325" {
            optional old_source: Str<'a>,
        }
    }
}
