//! Files found while a user types.

use std::time::Duration;

use aqueduct_bridge::message::bridge::Files;
use aqueduct_bridge::message::client::ListFiles;

use super::Scene;

async fn find(scene: &Scene, query: &str, limit: u64) -> Files<'static> {
    let mut request = ListFiles::new();
    request.query = Some(query.to_owned().into());
    request.limit = Some(limit);
    scene.workspace.list_files(Some(&scene.at()), &request).await.unwrap()
}

fn paths<'f>(files: &'f Files<'_>) -> Vec<&'f str> {
    files.files.iter().map(|file| file.path.as_str()).collect()
}

#[tokio::test]
async fn what_git_ignores_is_left_out() {
    let scene = Scene::new();
    for name in [
        ".git/HEAD",
        "src/main.rs",
        "src/gen/out.rs",
        "src/gen/keep.rs",
        "target/debug/main",
        "notes.log",
        "important.log",
        ".env",
        "private/key",
    ] {
        scene.write(name, "");
    }
    scene.write(".gitignore", "target/\n*.log\n!important.log\n");
    scene.write("src/gen/.gitignore", "*\n!keep.rs\n");
    scene.write(".git/info/exclude", "/private\n");
    let found = find(&scene, "", 100).await;
    assert_eq!(
        paths(&found),
        [".env", ".gitignore", "important.log", "src", "src/gen", "src/main.rs", "src/gen/keep.rs"]
    );
    assert_eq!((found.root.as_str(), found.more), (scene.at().as_str(), Some(false)));
    assert_eq!((found.files[3].directory, found.files[2].directory), (Some(true), None));
}

#[tokio::test]
async fn a_part_of_a_repository_knows_the_folders_above() {
    let scene = Scene::new();
    scene.write(".git/HEAD", "");
    scene.write(".gitignore", "*.tmp\n/part/left-out\n");
    for name in ["part/a.tmp", "part/left-out/x", "part/kept"] {
        scene.write(name, "");
    }
    let folder = scene.path("part").to_str().unwrap().to_owned();
    let found = scene.workspace.list_files(Some(&folder), &ListFiles::new()).await.unwrap();
    assert_eq!(paths(&found), ["kept"]);
}

#[tokio::test]
async fn the_best_come_first_with_their_letters_marked() {
    let scene = Scene::new();
    for name in ["src/session/mod.rs", "src/message.rs", "docs/sessions.md", "README.md"] {
        scene.write(name, "");
    }
    let found = find(&scene, "sessmod", 10).await;
    assert_eq!(paths(&found), ["src/session/mod.rs"]);
    assert_eq!(found.files[0].positions.as_deref(), Some(&[4, 5, 6, 7, 12, 13, 14][..]));
    assert_eq!(paths(&find(&scene, "ses", 1).await), ["src/session"]);
    assert_eq!(find(&scene, "ses", 1).await.more, Some(true));
    assert_eq!(paths(&find(&scene, "zzz", 10).await), Vec::<&str>::new());
}

#[tokio::test(start_paused = true)]
async fn a_listing_is_kept_while_the_user_types() {
    let scene = Scene::new();
    scene.write("first", "");
    assert_eq!(paths(&find(&scene, "", 10).await), ["first"]);
    scene.write("second", "");
    assert_eq!(paths(&find(&scene, "s", 10).await), ["first"], "the listing of shortly before is used");
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(paths(&find(&scene, "", 10).await), ["first", "second"]);
}

#[tokio::test]
async fn names_that_are_not_text_and_loops_are_skipped() {
    use std::os::unix::ffi::OsStrExt;

    let scene = Scene::new();
    std::fs::write(scene.project().join(std::ffi::OsStr::from_bytes(b"caf\xe9")), "").unwrap();
    scene.link("again", ".");
    scene.write("here", "");
    rustix::fs::mkfifoat(rustix::fs::CWD, scene.path("pipe"), 0o600.into()).unwrap();
    assert_eq!(paths(&find(&scene, "", 10).await), ["again", "here"]);
}
