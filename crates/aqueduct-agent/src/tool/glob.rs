//! `Glob`: finds files by their path.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use aqueduct_wire::block::Content;
use aqueduct_wire::json::{Json, Raw, Str};
use aqueduct_wire::tool::{GlobInput, GlobResult};
use ignore::WalkBuilder;
use ignore::overrides::OverrideBuilder;

use super::search::{self, Hidden, Watch};
use super::{Call, Failure, Output, Running, Tool, Workshop};

/// How many files are named.
const LIMIT: usize = 100;

/// The tool.
pub(crate) const TOOL: Tool = Tool {
    name: "Glob",
    description: "Finds files whose path matches a pattern, such as `**/*.rs` or `src/**/*.{ts,tsx}`. A pattern \
        without a slash matches names at any depth. Gives at most 100 paths, those changed last first; hidden and \
        ignored files count, version control's own do not. To look for what is in files use Grep.",
    schema: r#"{"type":"object","properties":{"pattern":{"type":"string","description":"The pattern that paths must match"},"path":{"type":"string","description":"The folder to look in; the working directory if left out"}},"required":["pattern"],"additionalProperties":false}"#,
    reads_only: true,
    run,
};

fn run<'a>(workshop: &'a Workshop, call: Call<'a>) -> Running<'a> {
    Box::pin(async move {
        let cwd = workshop.cwd();
        let input: GlobInput<'_> =
            call.input.view().ok_or_else(|| Failure::Rejected("`pattern` must be a string".to_owned()))?;
        let pattern = input.pattern.to_string();
        let path = input.path.map(Str::into_string);
        let hidden = workshop.hidden();
        search::run(&call.cancel, move |watch| find(&cwd, &pattern, path.as_deref(), &hidden, &watch)).await
    })
}

/// A file that matches. The order is that of the answer.
type Match = (SystemTime, Reverse<PathBuf>);

/// Looks for files. Only as many are kept as are named, however many there are.
fn find(
    cwd: &Path,
    pattern: &str,
    path: Option<&str>,
    hidden: &Hidden,
    watch: &Watch,
) -> Result<Output, Failure> {
    let begun = Instant::now();
    let (base, about) = search::place(cwd, path)?;
    if !about.is_dir() {
        return Err(Failure::Rejected(format!(
            "{} is no folder; Grep looks in single files",
            base.display()
        )));
    }
    let (folder, pattern) = split(&base, pattern);
    let mut overrides = OverrideBuilder::new(&folder);
    overrides
        .add(&pattern)
        .map_err(|error| Failure::Rejected(format!("the pattern can't be read: {error}")))?;
    let overrides = overrides
        .build()
        .map_err(|error| Failure::Rejected(format!("the pattern can't be read: {error}")))?;

    let mut newest: BinaryHeap<Reverse<Match>> = BinaryHeap::new();
    let mut total = 0usize;
    let mut unreadable = 0usize;
    let walk = WalkBuilder::new(&folder)
        .standard_filters(false)
        .overrides(overrides)
        .filter_entry(|entry| !search::is_records(entry))
        .build();
    for entry in walk {
        if watch.is_over() {
            break;
        }
        let Ok(entry) = entry else {
            unreadable += 1;
            continue;
        };
        if entry.file_type().is_none_or(|kind| kind.is_dir()) || hidden.hides(entry.path()) {
            continue;
        }
        total += 1;
        let modified = entry.metadata().ok().and_then(|about| about.modified().ok());
        newest.push(Reverse((modified.unwrap_or(SystemTime::UNIX_EPOCH), Reverse(entry.into_path()))));
        if newest.len() > LIMIT {
            newest.pop();
        }
    }
    let filenames: Vec<String> = newest
        .into_sorted_vec()
        .into_iter()
        .map(|Reverse((_, Reverse(path)))| search::shown(&path, cwd))
        .collect();
    if watch.is_cancelled() {
        return Err(Failure::Interrupted(filenames.join("\n")));
    }
    // A folder that is not there and one that can't be read are told apart by what the walk met.
    let mut text = match filenames.is_empty() {
        true => "No files found".to_owned(),
        false => filenames.join("\n"),
    };
    let is_late = watch.is_late();
    for (holds, note) in [
        (
            total > LIMIT,
            format!("({total} files match; these {LIMIT} changed last. Narrow the pattern to see others.)"),
        ),
        (is_late, "(The search took too long and is not complete.)".to_owned()),
        (unreadable > 0, format!("({unreadable} folders or files could not be read.)")),
    ] {
        if holds {
            text.push('\n');
            text.push_str(&note);
        }
    }
    let mut result =
        GlobResult::new(filenames.iter().map(|name| Str::from(name.as_str())).collect::<Vec<_>>());
    result.duration_ms = Some((begun.elapsed().as_millis() as u64).into());
    result.num_files = Some(filenames.len().into());
    result.truncated = Some(total > LIMIT || is_late);
    result.total_matches = Some(total.into());
    result.count_is_complete = Some(!is_late);
    result.timed_out = is_late.then_some(true);
    Ok(Output { content: Content::Text(text.into()), result: written(&result), is_error: false })
}

/// A record as the value that hosts get.
pub(super) fn written<'a>(record: &impl Json<'a>) -> Raw<'static> {
    let mut out = String::new();
    record.write(&mut out);
    // What the record wrote is JSON.
    Raw::parse(&out).map_or(Raw::NULL, aqueduct_wire::IntoOwned::into_owned)
}

/// Moves the folders that a pattern begins with into the folder to look in, so that others are not walked.
/// What remains is tied to that folder by a leading slash, unless the pattern is a name for any depth.
fn split(base: &Path, pattern: &str) -> (PathBuf, String) {
    let is_special = |part: &str| part.contains(['*', '?', '[', ']', '{', '}', '\\', '!']);
    let parts: Vec<&str> = pattern.split('/').collect();
    let literal =
        parts[..parts.len() - 1].iter().take_while(|part| !is_special(part) && **part != "..").count();
    if parts.len() == 1 {
        return (base.to_owned(), pattern.to_owned());
    }
    let folder = match parts[..literal].join("/") {
        prefix if pattern.starts_with('/') => Path::new("/").join(prefix.trim_start_matches('/')),
        prefix => base.join(prefix),
    };
    (folder, format!("/{}", parts[literal..].join("/")))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use tempfile::TempDir;
    use tokio_util::sync::CancellationToken;

    use super::*;

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
            find(cwd, pattern, path, &Hidden::default(), &Watch::new(CancellationToken::new())).unwrap();
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
            find(&cwd, "*", None, &Hidden::default(), &Watch::new(CancellationToken::new())).unwrap();
        let result: GlobResult<'_> = output.result.view().unwrap();
        assert_eq!((result.truncated, result.total_matches), (Some(true), Some(130usize.into())));
        assert!(
            output
                .content
                .text()
                .ends_with("(130 files match; these 100 changed last. Narrow the pattern to see others.)")
        );
    }

    #[test]
    fn odd_input_is_told() {
        let (_folder, cwd) = room(&["a.rs"]);
        let watch = Watch::new(CancellationToken::new());
        let told =
            |pattern: &str, path: Option<&str>| match find(&cwd, pattern, path, &Hidden::default(), &watch) {
                Err(Failure::Rejected(text)) => text.replace(cwd.to_str().unwrap(), "/proj"),
                other => panic!("{other:?}"),
            };
        let texts = [told("*", Some("nope")), told("*", Some("a.rs")), told("a{", None)];
        insta::assert_snapshot!(texts.join("\n"), @r"
        can't look in /proj/nope: No such file or directory (os error 2); the working directory is /proj
        /proj/a.rs is no folder; Grep looks in single files
        the pattern can't be read: error parsing glob 'a{': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)
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
        let cancel = CancellationToken::new();
        cancel.cancel();
        assert!(matches!(
            find(&cwd, "*", None, &Hidden::default(), &Watch::new(cancel)),
            Err(Failure::Interrupted(_))
        ));
    }
}
