//! Searches by path in unusual folders.

use std::fs;
use std::time::Duration;

use ignore::overrides::OverrideBuilder;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::tool::search::random_tree;

/// A folder with files, each older than the one before.
fn room(files: &[&str]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let cwd = fs::canonicalize(folder.path()).unwrap();
    for (age, name) in files.iter().enumerate() {
        let path = cwd.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = fs::File::create(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(9000 - age as u64)).unwrap();
    }
    (folder, cwd)
}

fn names(cwd: &Path, pattern: &str, path: Option<&str>) -> Vec<String> {
    let output =
        find(cwd, pattern, path, &Hidden::default(), SearchEffort::of_machine(), &SearchWatch::default())
            .unwrap();
    let result: GlobResult<'_> = output.result.view().unwrap();
    result.filenames.iter().map(ToString::to_string).collect()
}

const FILES: [&str; 7] =
    ["src/b.rs", "src/deep/a.rs", "top.rs", ".hidden/h.rs", "ignored/i.rs", ".git/x.rs", "src/c.txt"];

#[test]
fn patterns_mean_what_people_expect() {
    let (_folder, cwd) = room(&FILES);
    fs::write(cwd.join(".gitignore"), "ignored/\n").unwrap();
    let all = ["src/b.rs", "src/deep/a.rs", "top.rs", ".hidden/h.rs", "ignored/i.rs"];
    assert_eq!(names(&cwd, "*.rs", None), all);
    assert_eq!(names(&cwd, "**/*.rs", None), all);
    assert_eq!(names(&cwd, "src/*.rs", None), ["src/b.rs"]);
    assert_eq!(names(&cwd, "src/**/*.{rs,txt}", None), ["src/b.rs", "src/deep/a.rs", "src/c.txt"]);
    assert_eq!(names(&cwd, "*.rs", Some("src")), ["src/b.rs", "src/deep/a.rs"]);
    assert_eq!(names(&cwd, "./src/*.rs", None), ["src/b.rs"]);
    assert_eq!(names(&cwd, &format!("{}/src/*.rs", cwd.display()), None), ["src/b.rs"]);
    assert_eq!(names(&cwd, "src/b.rs", None), ["src/b.rs"]);
    assert_eq!(names(&cwd, ".git/*", None), [".git/x.rs"]);
    assert_eq!(names(&cwd, "none/*.rs", None), [""; 0]);
}

#[test]
fn the_newest_hundred_are_named() {
    let files: Vec<String> = (0..130).map(|number| format!("f{number:03}")).collect();
    let (_folder, cwd) = room(&files.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(names(&cwd, "*", None), files[..100]);
    let output =
        find(&cwd, "*", None, &Hidden::default(), SearchEffort::of_machine(), &SearchWatch::default())
            .unwrap();
    let result: GlobResult<'_> = output.result.view().unwrap();
    assert_eq!((result.truncated, result.total_matches), (Some(true), Some(130usize.into())));
    assert!(output.content.text().ends_with(
        "(130 files match; these are the 100 most recently modified. Narrow the pattern to see others.)"
    ));
}

#[test]
fn odd_input_is_reported() {
    let (_folder, cwd) = room(&["a.rs"]);
    let watch = SearchWatch::default();
    let reported = |pattern: &str, path: Option<&str>| match find(
        &cwd,
        pattern,
        path,
        &Hidden::default(),
        SearchEffort::of_machine(),
        &watch,
    ) {
        Err(ToolFailure::Rejected(text)) => text.replace(cwd.to_str().unwrap(), "/proj"),
        other => panic!("{other:?}"),
    };
    let texts = [reported("*", Some("nope")), reported("*", Some("a.rs")), reported("a{", None)];
    insta::assert_snapshot!(texts.join("\n"), @r"
    can't search /proj/nope: No such file or directory (os error 2); the working directory is /proj
    /proj/a.rs is not a directory; use Grep to search a single file
    the pattern is invalid: error parsing glob 'a{': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)
    ");
}

#[cfg(unix)]
#[test]
fn links_in_circles_and_names_that_are_no_text_are_fine() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let (_folder, cwd) = room(&["src/a.rs"]);
    std::os::unix::fs::symlink(&cwd, cwd.join("src/loop")).unwrap();
    fs::write(cwd.join(OsStr::from_bytes(b"\xff.rs")), "").unwrap();
    assert_eq!(names(&cwd, "*.rs", None), ["\u{fffd}.rs", "src/a.rs"]);
}

#[test]
fn a_cancelled_search_ends() {
    let (_folder, cwd) = room(&["a.rs"]);
    let watch = SearchWatch::default();
    watch.cancel();
    assert!(matches!(
        find(&cwd, "*", None, &Hidden::default(), SearchEffort::of_machine(), &watch),
        Err(ToolFailure::Interrupted(_))
    ));
}

/// What a walk of one thread that keeps everything gives.
fn plain_names(cwd: &Path, pattern: &str, hidden: &Hidden) -> Vec<String> {
    let (folder, pattern) = split(cwd, pattern);
    if !folder.is_dir() {
        return Vec::new();
    }
    let mut overrides = OverrideBuilder::new(&folder);
    overrides.add(&pattern).unwrap();
    let mut walk = ignore::WalkBuilder::new(&folder);
    walk.standard_filters(false).overrides(overrides.build().unwrap());
    walk.filter_entry(|entry| {
        !entry.file_type().unwrap().is_dir() || !search::is_records(Some(entry.file_name()))
    });
    let mut files: Vec<_> = walk
        .build()
        .filter_map(Result::ok)
        // A folder that is reached by a link is looked into, and is none of its own files.
        .filter(|entry| entry.depth() > 0 && !entry.file_type().unwrap().is_dir())
        .filter(|entry| !hidden.hides(entry.path()))
        .map(|entry| (Reverse(entry.metadata().unwrap().modified().unwrap()), entry.into_path()))
        .collect();
    files.sort();
    files.into_iter().map(|(_, path)| search::shown(&path, cwd)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn threads_change_nothing(things in random_tree::things(), hidden in random_tree::hidden()) {
        let (_folder, cwd) = random_tree::plant(&things);
        let hidden = hidden(&cwd);
        for pattern in ["**/*", "*.rs", "**/*.{rs,txt}", "a/**/*.{rs,txt}", "!a", "**/.*", "*/x*", "secret/*"] {
            let expected = plain_names(&cwd, pattern, &hidden);
            for effort in random_tree::EFFORTS {
                let output = find(&cwd, pattern, None, &hidden, effort, &SearchWatch::default()).unwrap();
                let result: GlobResult<'_> = output.result.view().unwrap();
                let names: Vec<String> = result.filenames.iter().map(ToString::to_string).collect();
                prop_assert_eq!(&names, &expected, "{} with {:?}", pattern, effort);
                prop_assert_eq!(result.total_matches, Some(expected.len().into()));
            }
        }
    }
}
