//! The official tests of JSON Schema. `cargo xtask conformance schema` fetches them and starts this.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Schema;

/// The variable with the folder of the tests.
const FOLDER: &str = "AQUEDUCT_SCHEMA_SUITE";

/// The drafts, by their folders.
const DRAFTS: [&str; 2] = ["draft2020-12", "draft7"];

/// Files of optional tests for what this project does not do: formats are annotations.
const LEFT_OUT: &[&str] = &["format", "format-assertion.json", "content.json", "cross-draft.json"];

/// Groups of tests that are answered differently, by draft, file and title: a schema of its own for schemas is not
/// fetched, so that its keywords are those of the draft.
const DIFFERENCES: &[(&str, &str, &str)] = &[(
    "draft2020-12",
    "vocabulary.json",
    "schema that uses custom metaschema with with no validation vocabulary",
)];

/// Results of the tests of a folder.
#[derive(Debug, Default)]
struct Tally {
    right: usize,
    /// Tests of schemas that are refused, by the reason.
    refused: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

#[test]
#[ignore = "started by `cargo xtask conformance schema`, which fetches the tests"]
fn the_official_tests() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("the folder of the tests"));
    let mut wrong = Vec::new();
    println!("draft | tests | as specified | refused");
    for draft in DRAFTS {
        for (kind, folder) in
            [("required", folder.join(draft)), ("optional", folder.join(draft).join("optional"))]
        {
            let tally = tally(draft, &folder);
            let refused: usize = tally.refused.values().sum();
            let all = tally.right + refused + tally.wrong.len();
            println!("{draft}, {kind} | {all} | {} | {refused}", tally.right);
            tally.refused.iter().for_each(|(reason, count)| println!("  refused {count}: {reason}"));
            wrong.extend(tally.wrong);
        }
    }
    assert!(wrong.is_empty(), "{} tests have another answer:\n{}", wrong.len(), wrong.join("\n"));
}

fn tally(draft: &str, folder: &Path) -> Tally {
    let mut tally = Tally::default();
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let is_meant = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        path.is_file() && !LEFT_OUT.contains(&&*name)
    };
    for path in files.iter().filter(is_meant) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let groups: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        for group in groups.as_array().unwrap() {
            let title = group["description"].as_str().unwrap();
            if DIFFERENCES.contains(&(draft, &name, title)) {
                continue;
            }
            let tests = group["tests"].as_array().unwrap();
            let mut schema = group["schema"].clone();
            // The folder is named after the draft, which schemas of draft 7 leave out.
            if let Value::Object(members) = &mut schema
                && draft == "draft7"
            {
                members.entry("$schema").or_insert("http://json-schema.org/draft-07/schema#".into());
            }
            let schema = match Schema::new(schema) {
                Ok(schema) => schema,
                Err(error) => {
                    *tally.refused.entry(error.fault.to_string()).or_default() += tests.len();
                    continue;
                }
            };
            for test in tests {
                let faults = schema.faults(&test["data"]);
                if faults.is_empty() == test["valid"].as_bool().unwrap() {
                    tally.right += 1;
                } else {
                    let test = test["description"].as_str().unwrap();
                    tally.wrong.push(format!("{draft}/{name}: {title}: {test}: {}", faults.join(", ")));
                }
            }
        }
    }
    tally
}
