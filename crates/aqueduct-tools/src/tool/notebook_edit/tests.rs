use serde_json::{Value, json};

use crate::tool::file_fixture::FileFixture;

/// As Jupyter writes it, with a few things that must survive: odd white space, an unknown member, `1e2`.
const NOTEBOOK: &str = r#"{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "\" ] } # Hi\n",
    "there"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "abc",
   "metadata": {"odd":  1e2},
   "outputs": [
    {
     "output_type": "stream"
    }
   ],
   "source": [
    "print(1)"
   ]
  }
 ],
 "metadata": {
  "language_info": {
   "name": "julia"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5,
 "unknown": [1, 2]
}
"#;

fn fixture(notebook: &str) -> FileFixture {
    let fixture = FileFixture::new();
    fixture.put("a.ipynb", notebook);
    fixture.see("a.ipynb");
    fixture
}

fn text(fixture: &FileFixture) -> String {
    String::from_utf8(fixture.get("a.ipynb")).unwrap()
}

#[test]
fn a_source_is_replaced_and_nothing_else() {
    let fixture = fixture(NOTEBOOK);
    let answer = fixture
        .edit_notebook(json!({"notebook_path": "a.ipynb", "cell_id": "abc", "new_source": "é = 1\né"}))
        .unwrap();
    let expected = NOTEBOOK
        .replace("\"execution_count\": 3", "\"execution_count\": null")
        .replace("[\n    {\n     \"output_type\": \"stream\"\n    }\n   ]", "[]")
        .replace("    \"print(1)\"\n", "    \"é = 1\\n\",\n    \"é\"\n");
    assert_eq!(text(&fixture), expected);
    assert_eq!(
        answer.result,
        json!({"notebook_path": "a.ipynb", "new_source": "é = 1\né", "old_source": "print(1)", "cell_id": "abc",
            "cell_type": "code", "language": "julia", "edit_mode": "replace", "error": "",
            "original_file": NOTEBOOK, "updated_file": expected})
    );
    // And again, by its place: the tool knows what it has written.
    fixture
        .edit_notebook(json!({"notebook_path": "a.ipynb", "cell_id": "cell-1", "new_source": "2"}))
        .unwrap();
    assert!(text(&fixture).contains("    \"2\"\n"));
}

#[test]
fn a_cell_is_inserted_and_deleted_without_a_trace() {
    for (after, index) in [(Some("intro"), 1), (Some("cell-1"), 2), (None, 0)] {
        let fixture = fixture(NOTEBOOK);
        let mut input = json!({"notebook_path": "a.ipynb", "edit_mode": "insert", "cell_type": "code",
            "new_source": "x"});
        if let Some(after) = after {
            input["cell_id"] = after.into();
        }
        let answer = fixture.edit_notebook(input).unwrap();
        let id = answer.result["cell_id"].as_str().unwrap();
        let notebook: Value = serde_json::from_str(&text(&fixture)).unwrap();
        assert_eq!(
            notebook["cells"][index],
            json!({"cell_type": "code", "id": id, "metadata": {}, "source": ["x"], "outputs": [],
                "execution_count": null})
        );
        assert!(
            text(&fixture)
                .contains("\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n   \"id\"")
        );
        let delete =
            json!({"notebook_path": "a.ipynb", "edit_mode": "delete", "cell_id": id, "new_source": ""});
        let answer = fixture.edit_notebook(delete).unwrap();
        assert_eq!(answer.result["old_source"], "x");
        assert_eq!(text(&fixture), NOTEBOOK);
    }
}

#[test]
fn other_layouts_are_kept() {
    let compact =
        r#"{"cells": [{"cell_type": "code", "source": "x", "outputs": [], "metadata": {}}], "nbformat": 4}"#;
    let fixture = fixture(compact);
    let edit = |input: Value| {
        let mut call = json!({"notebook_path": "a.ipynb", "cell_id": "cell-0"});
        call.as_object_mut().unwrap().extend(input.as_object().unwrap().clone());
        fixture.edit_notebook(call).unwrap()
    };
    edit(json!({"new_source": "y\nz"}));
    assert_eq!(text(&fixture), compact.replace("\"x\"", "\"y\\nz\""));
    let answer = edit(json!({"new_source": "# y", "edit_mode": "insert", "cell_type": "markdown"}));
    assert_eq!(answer.result.get("cell_id"), None, "cells of format 4.4 have no ids");
    assert_eq!(serde_json::from_str::<Value>(&text(&fixture)).unwrap()["cells"][1]["cell_type"], "markdown");
    edit(json!({"new_source": "", "edit_mode": "delete"}));
    edit(json!({"new_source": "", "edit_mode": "delete"}));
    assert_eq!(text(&fixture), r#"{"cells": [], "nbformat": 4}"#);

    let wide = "{\r\n\t\"cells\": [],\r\n\t\"nbformat\": 4\r\n}\r\n";
    fixture.put("a.ipynb", wide);
    fixture.see("a.ipynb");
    let input =
        json!({"notebook_path": "a.ipynb", "edit_mode": "insert", "cell_type": "markdown", "new_source": ""});
    fixture.edit_notebook(input).unwrap();
    assert!(
        text(&fixture).starts_with("{\r\n\t\"cells\": [\r\n\t\t{\r\n\t\t\t\"cell_type\": \"markdown\",\r\n")
    );
    assert!(text(&fixture).ends_with("\r\n\t\t}\r\n\t],\r\n\t\"nbformat\": 4\r\n}\r\n"));
}

#[test]
fn a_cell_changes_its_type() {
    let fixture = fixture(NOTEBOOK);
    let turn = |id: &str, kind: &str| {
        let input = json!({"notebook_path": "a.ipynb", "cell_id": id, "cell_type": kind, "new_source": "s"});
        fixture.edit_notebook(input).unwrap();
        serde_json::from_str::<Value>(&text(&fixture)).unwrap()["cells"].clone()
    };
    assert_eq!(
        turn("abc", "markdown")[1],
        json!({"cell_type": "markdown", "id": "abc", "metadata": {"odd": 1e2}, "source": ["s"]})
    );
    assert_eq!(
        turn("intro", "code")[0],
        json!({"cell_type": "code", "id": "intro", "metadata": {}, "source": ["s"], "outputs": [],
            "execution_count": null})
    );
}

#[test]
fn calls_that_make_no_sense_are_refused() {
    let fixture = fixture(NOTEBOOK);
    fixture.put("unread.ipynb", NOTEBOOK);
    fixture.put("a.txt", "");
    let refused = |input: Value| {
        let mut call = json!({"notebook_path": "a.ipynb", "new_source": "x"});
        call.as_object_mut().unwrap().extend(input.as_object().unwrap().clone());
        fixture.edit_notebook(call).unwrap_err()
    };
    assert!(
        refused(json!({"notebook_path": "unread.ipynb", "cell_id": "abc"})).contains("has not been read")
    );
    assert!(refused(json!({"notebook_path": "none.ipynb", "cell_id": "abc"})).contains("does not exist"));
    assert!(refused(json!({"notebook_path": "a.txt"})).contains("use Edit"));
    assert!(refused(json!({"cell_id": "zzz"})).contains("Cell zzz does not exist"));
    assert!(refused(json!({"cell_id": "cell-2"})).contains("Cell cell-2 does not exist"));
    assert!(refused(json!({})).contains("`cell_id`"));
    assert!(refused(json!({"edit_mode": "insert"})).contains("`cell_type`"));
    assert!(refused(json!({"edit_mode": "bogus", "cell_id": "abc"})).contains("`edit_mode`"));
    assert!(refused(json!({"cell_type": "raw", "cell_id": "abc"})).contains("`cell_type`"));
    assert_eq!(text(&fixture), NOTEBOOK);
}
