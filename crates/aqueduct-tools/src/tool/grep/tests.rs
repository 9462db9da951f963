//! Searches in unusual files and folders.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use aqueduct_wire::json::Raw;
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::tool::search::random_tree;

/// A repository with files, each older than the one before.
fn room(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let cwd = fs::canonicalize(folder.path()).unwrap();
    fs::create_dir(cwd.join(".git")).unwrap();
    for (age, (name, text)) in files.iter().enumerate() {
        let path = cwd.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(9000 - age as u64);
        File::options().append(true).open(path).unwrap().set_modified(modified).unwrap();
    }
    (folder, cwd)
}

const FILES: [(&str, &str); 7] = [
    ("src/b.txt", "needle needle\nno\nneedle\n"),
    ("src/a.rs", "fn one() {}\nfn two() {}\n// three\nlet x = \"needle\";\nend\n"),
    (".hidden/h.txt", "needle\r\n"),
    ("ignored/i.txt", "needle\n"),
    (".gitignore", "ignored/\n"),
    ("bin.dat", "needle\0needle\n"),
    (".git/config", "needle\n"),
];

fn try_grep(cwd: &Path, input: Value) -> Result<(String, Value), ToolFailure> {
    try_grep_with(cwd, input, &Hidden::default(), SearchEffort::of_machine(), &SearchWatch::default())
}

fn try_grep_with(
    cwd: &Path,
    input: Value,
    hidden: &Hidden,
    effort: SearchEffort,
    watch: &SearchWatch,
) -> Result<(String, Value), ToolFailure> {
    let raw = Raw::from_serialize(&input).unwrap();
    let input: GrepInput<'_> = raw.view().unwrap();
    let options = GrepOptions::of(cwd, &input)?;
    let output = find(cwd, input.path.as_deref(), &options, hidden, effort, watch)?;
    Ok((output.content.text(), output.result.to().unwrap()))
}

fn grep(cwd: &Path, input: Value) -> (String, Value) {
    try_grep(cwd, input).unwrap()
}

#[test]
fn files_come_newest_first() {
    let (_folder, cwd) = room(&FILES);
    let (text, result) = grep(&cwd, json!({"pattern": "needle"}));
    assert_eq!(text, "Found 3 files\nsrc/b.txt\nsrc/a.rs\n.hidden/h.txt");
    let files = json!(["src/b.txt", "src/a.rs", ".hidden/h.txt"]);
    assert_eq!(
        result,
        json!({"mode": "files_with_matches", "numFiles": 3, "filenames": files, "totalFiles": 3})
    );
    let (text, result) = grep(&cwd, json!({"pattern": "zzz"}));
    assert_eq!((text.as_str(), &result["numFiles"]), ("No files found", &json!(0)));
}

#[test]
fn lines_come_with_their_place() {
    let (_folder, cwd) = room(&FILES);
    let content = |input: Value| {
        let mut input = input;
        input["output_mode"] = json!("content");
        grep(&cwd, input).0
    };
    insta::assert_snapshot!(content(json!({"pattern": "needle"})), @r#"
    .hidden/h.txt:1:needle
    src/a.rs:4:let x = "needle";
    src/b.txt:1:needle needle
    src/b.txt:3:needle
    "#);
    insta::assert_snapshot!(content(json!({"pattern": "needle", "-n": false, "glob": "*.rs"})), @r#"src/a.rs:let x = "needle";"#);
    insta::assert_snapshot!(content(json!({"pattern": "needle", "path": "src/b.txt"})), @r"
    1:needle needle
    3:needle
    ");
    insta::assert_snapshot!(content(json!({"pattern": "two|end", "-C": 1, "path": "src"})), @r#"
    src/a.rs-1-fn one() {}
    src/a.rs:2:fn two() {}
    src/a.rs-3-// three
    src/a.rs-4-let x = "needle";
    src/a.rs:5:end
    "#);
    insta::assert_snapshot!(content(json!({"pattern": "one|needle", "-A": 1, "path": "src"})), @r#"
    src/a.rs:1:fn one() {}
    src/a.rs-2-fn two() {}
    --
    src/a.rs:4:let x = "needle";
    src/a.rs-5-end
    --
    src/b.txt:1:needle needle
    src/b.txt-2-no
    src/b.txt:3:needle
    "#);
    insta::assert_snapshot!(content(json!({"pattern": "fn (\\w+)|need", "-o": true, "path": "src"})), @r"
    src/a.rs:1:fn one
    src/a.rs:2:fn two
    src/a.rs:4:need
    src/b.txt:1:need
    src/b.txt:1:need
    src/b.txt:3:need
    ");
    insta::assert_snapshot!(content(json!({"pattern": "one.*two", "multiline": true})), @r"
    src/a.rs:1:fn one() {}
    src/a.rs:2:fn two() {}
    ");
    insta::assert_snapshot!(content(json!({"pattern": "two.*three|end", "multiline": true, "-o": true})), @r"
    src/a.rs:2:two() {}
    src/a.rs:3:// three
    src/a.rs:5:end
    ");
    insta::assert_snapshot!(content(json!({"pattern": "nothing"})), @"No matches found");
}

#[test]
fn counts_are_of_lines() {
    let (_folder, cwd) = room(&FILES);
    let (text, result) = grep(&cwd, json!({"pattern": "NEEDLE", "-i": true, "output_mode": "count"}));
    insta::assert_snapshot!(text, @r"
    .hidden/h.txt:1
    src/a.rs:1
    src/b.txt:2

    Found 4 matching lines in 3 files
    ");
    assert_eq!((&result["numMatches"], &result["numFiles"]), (&json!(4), &json!(3)));
}

#[test]
fn pages_follow_each_other() {
    let lines: String = (1..=600).map(|number| format!("x{number}\n")).collect();
    let (_folder, cwd) = room(&[("a.txt", &lines)]);
    let page = |input: Value| {
        let mut input = input;
        (input["pattern"], input["output_mode"]) = (json!("x"), json!("content"));
        grep(&cwd, input)
    };
    let (text, result) = page(json!({}));
    assert!(
        text.ends_with("a.txt:250:x250\n\n(1 to 250; there are more: continue with offset 250)"),
        "{text}"
    );
    assert_eq!((&result["appliedLimit"], &result["totalLines"]), (&json!(250), &Value::Null));
    let (text, result) = page(json!({"head_limit": 2, "offset": 598}));
    assert_eq!(text, "a.txt:599:x599\na.txt:600:x600\n\n(599 to 600 of 600)");
    assert_eq!((&result["appliedLimit"], &result["appliedOffset"]), (&Value::Null, &json!(598)));
    let (_, result) = page(json!({"head_limit": 0}));
    assert_eq!((&result["numLines"], &result["appliedLimit"]), (&json!(600), &Value::Null));
    let (text, _) = page(json!({"offset": 600}));
    assert_eq!(text, "No matches found\n\n(the offset is past the end: there are 600)");
}

#[test]
fn filters_narrow_the_search() {
    let (_folder, cwd) = room(&FILES);
    let files = |input: Value| {
        let mut input = input;
        input["pattern"] = json!("needle");
        grep(&cwd, input).1["filenames"].clone()
    };
    assert_eq!(files(json!({"type": "rust"})), json!(["src/a.rs"]));
    assert_eq!(files(json!({"glob": "*.{rs,zz}, *.zz"})), json!(["src/a.rs"]));
    assert_eq!(files(json!({"glob": "!src/**"})), json!([".hidden/h.txt"]));
    assert_eq!(files(json!({"path": "ignored"})), json!(["ignored/i.txt"]), "asked for by name");
    assert_eq!(files(json!({"path": "ignored/i.txt"})), json!(["ignored/i.txt"]));
}

#[test]
fn diagnostics_are_reported() {
    let (_folder, cwd) = room(&FILES);
    let reported = |input: Value| match try_grep(&cwd, input) {
        Err(ToolFailure::Rejected(text)) => text.replace(cwd.to_str().unwrap(), "/proj"),
        other => panic!("{other:?}"),
    };
    let texts = [
        reported(json!({"pattern": "("})),
        reported(json!({"pattern": "a\\nb"})),
        reported(json!({"pattern": "x", "path": "nope"})),
        reported(json!({"pattern": "x", "type": "klingon"})),
        reported(json!({"pattern": "x", "glob": "a{"})),
        reported(json!({"pattern": "x", "output_mode": "tree"})),
        reported(json!({"pattern": "x", "head_limit": -1})),
    ];
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn long_lines_are_cut() {
    let line = format!("needle {}\n", "é".repeat(2000));
    let (_folder, cwd) = room(&[("a.txt", &line)]);
    let (text, _) = grep(&cwd, json!({"pattern": "needle", "output_mode": "content"}));
    assert!(text.len() < 600 && text.ends_with("é [… 3508 more bytes]"), "{text}");
}

#[test]
fn a_file_that_turns_out_binary_counts_for_nothing() {
    let text = format!("needle\n{}\0", "x\n".repeat(200_000));
    let (_folder, cwd) = room(&[("a.bin", &text), ("b.txt", "needle\n")]);
    for mode in ["content", "count"] {
        let (text, _) = grep(&cwd, json!({"pattern": "needle", "output_mode": mode}));
        assert!(text.starts_with("b.txt:1"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn links_in_circles_names_that_are_no_text_and_closed_folders_are_fine() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let (_folder, cwd) = room(&[("src/a.txt", "needle\n")]);
    std::os::unix::fs::symlink(&cwd, cwd.join("src/loop")).unwrap();
    std::os::unix::fs::symlink("nowhere", cwd.join("src/dangling")).unwrap();
    fs::write(cwd.join(OsStr::from_bytes(b"\xff.txt")), b"needle \xff\n").unwrap();
    let (text, _) = grep(&cwd, json!({"pattern": "needle", "output_mode": "content"}));
    assert_eq!(text, "src/a.txt:1:needle\n\u{fffd}.txt:1:needle \u{fffd}");
}

#[test]
fn a_cancelled_search_ends() {
    let (_folder, cwd) = room(&FILES);
    let watch = SearchWatch::default();
    watch.cancel();
    let input = json!({"pattern": "needle", "path": "src/a.rs"});
    let ended = try_grep_with(&cwd, input, &Hidden::default(), SearchEffort::of_machine(), &watch);
    assert!(matches!(ended, Err(ToolFailure::Interrupted(_))));
}

/// What a walk in order that keeps everything gives: the files with the lines that match.
fn plain_matches(cwd: &Path, hidden: &Hidden) -> Vec<(PathBuf, Vec<String>)> {
    let mut walk = ignore::WalkBuilder::new(cwd);
    walk.hidden(false).add_custom_ignore_filename(".rgignore").sort_by_file_name(Ord::cmp);
    walk.filter_entry(|entry| entry.file_name() != ".git");
    let mut files = Vec::new();
    for entry in walk.build().filter_map(Result::ok) {
        if !entry.file_type().unwrap().is_file() || hidden.hides(entry.path()) {
            continue;
        }
        let text = fs::read_to_string(entry.path()).unwrap();
        let name = search::shown(entry.path(), cwd);
        let lines = text.lines().enumerate().filter(|(_, line)| line.contains("needle"));
        let lines: Vec<_> = lines.map(|(index, line)| format!("{name}:{}:{line}", index + 1)).collect();
        if !lines.is_empty() && !text.contains('\0') {
            files.push((entry.into_path(), lines));
        }
    }
    files
}

/// All entries of an answer.
fn plain_answer(cwd: &Path, hidden: &Hidden, mode: &str) -> Vec<String> {
    let mut files = plain_matches(cwd, hidden);
    let shown = |path: &Path| search::shown(path, cwd);
    match mode {
        "content" => files.into_iter().flat_map(|(_, lines)| lines).collect(),
        "count" => files.iter().map(|(path, lines)| format!("{}:{}", shown(path), lines.len())).collect(),
        _ => {
            files.sort_by_key(|(path, _)| std::cmp::Reverse(fs::metadata(path).unwrap().modified().unwrap()));
            files.iter().map(|(path, _)| shown(path)).collect()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn threads_change_nothing(things in random_tree::things(), hidden in random_tree::hidden(), limit in 0..6usize, offset in 0..6usize) {
        let (_folder, cwd) = random_tree::plant(&things);
        let hidden = hidden(&cwd);
        for mode in ["content", "count", "files_with_matches"] {
            let all = plain_answer(&cwd, &hidden, mode);
            let rest = &all[offset.min(all.len())..];
            let page = &rest[..if limit == 0 { rest.len() } else { limit.min(rest.len()) }];
            let input = json!({"pattern": "needle", "output_mode": mode, "head_limit": limit, "offset": offset});
            for effort in random_tree::EFFORTS {
                let (text, result) =
                    try_grep_with(&cwd, input.clone(), &hidden, effort, &SearchWatch::default()).unwrap();
                let shown: Vec<_> = text.lines().filter(|line| page.iter().any(|wanted| wanted == line)).collect();
                prop_assert_eq!(&shown, page, "{} with {:?}:\n{}", mode, effort, text);
                let is_cut = page.len() < rest.len();
                prop_assert_eq!(!result["appliedLimit"].is_null(), is_cut, "{}", text);
                if mode == "count" {
                    prop_assert_eq!(&result["numFiles"], &json!(all.len()));
                }
            }
        }
    }

    #[test]
    fn threads_change_no_context(things in random_tree::things(), limit in 0..9usize, offset in 0..9usize) {
        let (_folder, cwd) = random_tree::plant(&things);
        let input = json!({"pattern": "needle", "output_mode": "content", "-C": 1, "head_limit": limit, "offset": offset});
        let grep = |effort| {
            try_grep_with(&cwd, input.clone(), &Hidden::default(), effort, &SearchWatch::default()).unwrap()
        };
        for effort in &random_tree::EFFORTS[1..] {
            prop_assert_eq!(grep(*effort), grep(random_tree::EFFORTS[0]));
        }
    }
}

/// A folder with many files that match, each older than the one before.
fn crowd() -> (TempDir, PathBuf) {
    let names: Vec<String> = (0..300).map(|number| format!("{}/{number:03}", number / 100)).collect();
    room(&names.iter().map(|name| (name.as_str(), "needle\nneedle\n")).collect::<Vec<_>>())
}

/// How many files a search finds before it ends.
fn searched(cwd: &Path, input: Value) -> usize {
    let raw = Raw::from_serialize(&input).unwrap();
    let options = GrepOptions::of(cwd, &raw.view().unwrap()).unwrap();
    let watch = SearchWatch::default();
    let terms = Terms { cwd, options: &options, watch: &watch, large_file: Mutex::default() };
    TreeSearch::new(&terms, cwd, &Hidden::default()).search(random_tree::EFFORTS[0]).files
}

#[test]
fn a_search_stops_behind_its_page() {
    let (_folder, cwd) = crowd();
    let files = |mode: &str, limit: usize| {
        searched(&cwd, json!({"pattern": "needle", "output_mode": mode, "head_limit": limit}))
    };
    assert_eq!(files("content", 10), 6, "five files fill the page, and one more shows that there is more");
    assert_eq!(files("files_with_matches", 10), 11, "all others are older");
    assert_eq!(files("count", 10), 300, "the totals are of all files");
    assert_eq!(files("content", 0), 300);
}

#[test]
fn a_file_that_needs_much_memory_is_searched() {
    let line = format!("{}needle\n", "x".repeat(5 << 20));
    let (_folder, cwd) = room(&[("long.txt", &line), ("short.txt", "needle\n")]);
    let (text, _) = grep(&cwd, json!({"pattern": "needle"}));
    assert_eq!(text, "Found 2 files\nlong.txt\nshort.txt");
    let (text, _) = grep(&cwd, json!({"pattern": "x.*dle", "multiline": true, "output_mode": "count"}));
    assert!(text.starts_with("long.txt:1\n"), "{text}");
}
