//! What changed in a working tree.

use std::fs;

use aqueduct_bridge::message::ErrorCode;
use aqueduct_bridge::message::bridge::{Diff, DiffFile};
use aqueduct_bridge::message::client::GetDiff;
use aqueduct_testing::require;

use super::{Scene, code};

async fn diff(scene: &Scene, change: impl FnOnce(&mut GetDiff<'_>)) -> Diff<'static> {
    let mut request = GetDiff::new();
    change(&mut request);
    scene.workspace.get_diff(Some(&scene.at()), &request).await.unwrap()
}

/// What a person would see of a file's changes.
fn shown(file: &DiffFile<'_>) -> String {
    let mut out = format!("{} {}", file.change.as_str(), file.path);
    if let Some(old) = &file.old_path {
        out += &format!(" (was {old})");
    }
    out += &format!(" +{} -{}", file.added.unwrap(), file.removed.unwrap());
    if file.binary == Some(true) {
        out += " binary";
    }
    if file.cut == Some(true) {
        out += " cut";
    }
    for hunk in &file.hunks {
        out += &format!("\n@ -{},{} +{},{}", hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines);
        out.extend(hunk.heading.iter().map(|heading| format!(" {heading}")));
        out.extend(hunk.lines.iter().map(|line| format!("\n{line}")));
    }
    out
}

fn all(diff: &Diff<'_>) -> String {
    diff.files.iter().map(shown).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn everything_that_changed_is_shown() {
    let scene = require!(Scene::with_repository());
    scene.write("changed.rs", "fn a() {\n    1\n}\n\nfn b() {\n    2\n    3\n    4\n    5\n}\n");
    scene.write("moved.txt", "a\nb\nc\nd\ne\nf\n");
    scene.write("gone.txt", "x\n");
    scene.write("picture.bin", b"a\0b");
    scene.write("becomes-link", "text\n");
    scene.write("touched", "same\n");
    scene.write("mode", "same\n");
    scene.write("we ird\t\"ü\".txt", "1\n");
    scene.commit();
    scene.write("changed.rs", "fn a() {\n    1\n}\n\nfn b() {\n    2\n    3\n    4\n    6\n}");
    scene.git(&["mv", "moved.txt", "new.txt"]);
    scene.write("new.txt", "a\nb\nc\nd\ne\nf\ng\n");
    fs::remove_file(scene.path("gone.txt")).unwrap();
    scene.write("picture.bin", b"a\0c");
    fs::remove_file(scene.path("becomes-link")).unwrap();
    scene.link("becomes-link", "changed.rs");
    scene.write("touched", "same\n");
    scene.write("we ird\t\"ü\".txt", "2\n");
    scene.write("added.txt", "staged\n");
    scene.git(&["add", "added.txt"]);
    scene.write("added.txt", "staged\nand more\n");
    scene.write("untracked/one", "1\n2");
    scene.write("untracked/two.bin", b"\0");
    scene.write("untracked/empty", "");
    scene.link("untracked/link", "../changed.rs");
    scene.write(".gitignore", "*.o\n");
    scene.write("ignored.o", "x");

    let diff = diff(&scene, |_| {}).await;
    assert_eq!(
        all(&diff),
        "untracked .gitignore +1 -0\n@ -0,0 +1,1\n+*.o\n\
         added added.txt +2 -0\n@ -0,0 +1,2\n+staged\n+and more\n\
         type_changed becomes-link +1 -1\n@ -1,1 +0,0\n-text\n@ -0,0 +1,1\n+changed.rs\n\
         \\ No newline at end of file\n\
         modified changed.rs +2 -2\n@ -6,5 +6,5 @@ fn b() {\n     2\n     3\n     4\n-    5\n-}\n+    6\n+}\n\
         \\ No newline at end of file\n\
         deleted gone.txt +0 -1\n@ -1,1 +0,0\n-x\n\
         renamed new.txt (was moved.txt) +1 -0\n@ -4,3 +4,4 @@ c\n d\n e\n f\n+g\n\
         modified picture.bin +0 -0 binary\n\
         untracked untracked/empty +0 -0\n\
         untracked untracked/link +1 -0\n@ -0,0 +1,1\n+../changed.rs\n\\ No newline at end of file\n\
         untracked untracked/one +2 -0\n@ -0,0 +1,2\n+1\n+2\n\\ No newline at end of file\n\
         untracked untracked/two.bin +0 -0 binary\n\
         modified we ird\t\"ü\".txt +1 -1\n@ -1,1 +1,1\n-1\n+2"
            .replace(" @@ ", " "),
    );
    assert_eq!((diff.root.as_str(), diff.branch.as_deref()), (scene.at().as_str(), Some("main")));
    assert_eq!((diff.staged, diff.cut), (Some(false), Some(false)));

    let staged = self::diff(&scene, |request| request.staged = Some(true)).await;
    assert_eq!(
        all(&staged),
        "added added.txt +1 -0\n@ -0,0 +1,1\n+staged\nrenamed new.txt (was moved.txt) +0 -0"
    );
    assert_eq!(staged.staged, Some(true));
}

#[tokio::test]
async fn one_file_or_folder_can_be_asked_for() {
    let scene = require!(Scene::with_repository());
    for name in ["a/one", "a/two", "b*/one", "bx/one"] {
        scene.write(name, "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    }
    scene.commit();
    for name in ["a/two", "b*/one", "bx/one"] {
        scene.write(name, "1\n2\n3\n4\n5!\n6\n7\n8\n9\n");
    }
    fs::remove_file(scene.path("a/one")).unwrap();
    let paths = async |path: String| -> Vec<String> {
        let diff = diff(&scene, |request| request.path = Some(path.into())).await;
        diff.files.iter().map(|file| file.path.to_string()).collect()
    };
    assert_eq!(paths("a".into()).await, ["a/one", "a/two"]);
    assert_eq!(paths("a/one".into()).await, ["a/one"], "also when it is there no more");
    assert_eq!(paths(scene.path("a/two").to_str().unwrap().into()).await, ["a/two"]);
    assert_eq!(paths("b*".into()).await, ["b*/one"], "a name is not a pattern");
    assert_eq!(paths(".".into()).await.len(), 4);
    let narrow = diff(&scene, |request| {
        request.path = Some("a/two".into());
        request.context = Some(0);
    })
    .await;
    assert_eq!(narrow.files[0].hunks[0].lines, ["-5", "+5!"]);
    for wrong in ["../../outside", "/etc", "a/../../../outside/secret"] {
        let mut request = GetDiff::new();
        request.path = Some(wrong.into());
        let reported = scene.workspace.get_diff(Some(&scene.at()), &request).await;
        assert_eq!(code(reported), ErrorCode::PathNotAllowed, "{wrong}");
    }
}

#[tokio::test]
async fn before_the_first_commit_everything_is_new() {
    let scene = require!(Scene::with_repository());
    scene.write("staged", "1\n");
    scene.git(&["add", "staged"]);
    scene.write("not", "2\n");
    let diff = diff(&scene, |_| {}).await;
    assert_eq!(all(&diff), "untracked not +1 -0\n@ -0,0 +1,1\n+2\nadded staged +1 -0\n@ -0,0 +1,1\n+1");
    assert_eq!(diff.branch.as_deref(), Some("main"));
}

#[tokio::test]
async fn a_conflict_is_called_one() {
    let scene = require!(Scene::with_repository());
    scene.write("f", "1\n");
    scene.commit();
    scene.git(&["checkout", "-q", "-b", "other"]);
    scene.write("f", "2\n");
    scene.commit();
    scene.git(&["checkout", "-q", "main"]);
    scene.write("f", "3\n");
    scene.commit();
    // A conflict makes the merge fail, and git reports it on standard output.
    let merge = scene.git_command(&scene.project(), &["merge", "other"]).output().unwrap();
    let reported = String::from_utf8_lossy(&merge.stdout);
    assert!(!merge.status.success() && reported.contains("CONFLICT"), "{merge:?}");
    for staged in [false, true] {
        let diff = diff(&scene, |request| request.staged = Some(staged)).await;
        assert_eq!(diff.files.len(), 1);
        assert_eq!(diff.files[0].change.as_str(), "conflicted");
    }
}

#[tokio::test]
async fn a_flood_is_cut_and_every_file_is_named() {
    let scene = require!(Scene::with_repository());
    for number in 0..12 {
        scene.write(&format!("f{number:02}"), "");
    }
    scene.commit();
    let line = "a line that is changed again and again\n";
    for number in 0..12 {
        scene.write(&format!("f{number:02}"), line.repeat(50_000));
    }
    let diff = diff(&scene, |_| {}).await;
    assert_eq!((diff.files.len(), diff.cut), (12, Some(true)));
    assert!(diff.files.iter().all(|file| file.added == Some(50_000) && file.cut == Some(true)));
    let shown: usize = diff
        .files
        .iter()
        .flat_map(|file| &file.hunks)
        .flat_map(|hunk| &hunk.lines)
        .map(|line| line.len())
        .sum();
    assert!(shown <= 4 << 20, "{shown}");
    assert!(!diff.files[0].hunks.is_empty());
}

#[tokio::test]
async fn many_new_files_are_cut_too() {
    let scene = require!(Scene::with_repository());
    scene.commit();
    for number in 0..3100 {
        fs::write(scene.path(&format!("f{number}")), "1\n").unwrap();
    }
    let diff = diff(&scene, |_| {}).await;
    assert_eq!((diff.files.len(), diff.cut), (3000, Some(true)));
}
