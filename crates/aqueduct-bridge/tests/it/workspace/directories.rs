//! Folders to choose from.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use aqueduct_bridge::message::bridge::{Directory, EntryKind};
use aqueduct_bridge::message::client::ListDirectory;

use super::Scene;

async fn list(scene: &Scene, path: Option<&str>, with_hidden: bool) -> Directory<'static> {
    let mut request = ListDirectory::new();
    request.path = path.map(|path| path.to_owned().into());
    request.hidden = Some(with_hidden);
    request.request_id = Some("7".into());
    let known = format!("{}/repo", scene.at());
    let listed = scene.workspace.list_directory(&request, |path| if path == known { 3 } else { 0 }).await;
    let listed = listed.unwrap();
    assert_eq!(listed.request_id.as_deref(), Some("7"));
    listed
}

fn names<'d>(directory: &'d Directory<'_>) -> Vec<(&'d str, &'d str)> {
    directory.entries.iter().map(|entry| (entry.name.as_str(), entry.kind.as_str())).collect()
}

#[tokio::test]
async fn folders_come_first_by_name() {
    let scene = Scene::new();
    for name in ["Zoo/x", "apes/x", "repo/.git/HEAD", ".hidden/x", "b.txt", "A.txt", ".env"] {
        scene.write(name, "");
    }
    scene.link("shortcut", "apes");
    scene.link("page", "b.txt");
    scene.link("out", scene.beside("outside"));
    scene.link("gone", "nothing");
    rustix::fs::mkfifoat(rustix::fs::CWD, scene.path("pipe"), 0o600.into()).unwrap();
    let listed = list(&scene, Some(&scene.at()), false).await;
    let (folder, file, other) = ("directory", "file", "other");
    assert_eq!(
        names(&listed),
        [
            ("apes", folder),
            ("repo", folder),
            ("shortcut", folder),
            ("Zoo", folder),
            ("A.txt", file),
            ("b.txt", file),
            ("gone", other),
            ("out", other),
            ("page", file),
            ("pipe", other),
        ]
    );
    let repo = &listed.entries[1];
    assert_eq!((repo.git, repo.sessions), (Some(true), Some(3)));
    assert_eq!(repo.path.as_str(), format!("{}/repo", scene.at()));
    assert_eq!((listed.entries[0].git, listed.entries[0].sessions), (None, None));
    assert_eq!(listed.path.as_str(), scene.at());
    assert_eq!(listed.parent.as_deref(), scene.beside("root").to_str());
    assert_eq!(listed.cut, None);

    let all = list(&scene, Some(&scene.at()), true).await;
    assert_eq!(names(&all)[0], (".hidden", folder));
    assert_eq!(all.entries.len(), 12);
}

#[tokio::test]
async fn without_a_path_there_are_the_roots() {
    let scene = Scene::new();
    for path in [None, Some("")] {
        let listed = list(&scene, path, false).await;
        assert_eq!((listed.path.as_str(), &listed.parent), ("", &None));
        let root = scene.beside("root").to_str().unwrap().to_owned();
        assert_eq!(listed.entries.len(), 1);
        assert_eq!(listed.entries[0].path.as_str(), root);
        let inside = list(&scene, Some(&root), false).await;
        assert_eq!(inside.parent, None, "above a root nothing may be listed");
    }
}

#[tokio::test]
async fn a_name_that_is_not_text_is_shown_and_can_not_be_chosen() {
    let scene = Scene::new();
    fs::create_dir(scene.project().join(OsStr::from_bytes(b"caf\xe9"))).unwrap();
    let listed = list(&scene, Some(&scene.at()), false).await;
    assert_eq!(names(&listed), [("caf\u{fffd}", "other")]);
}

#[tokio::test]
async fn a_crowded_folder_is_cut_behind_its_folders() {
    let scene = Scene::new();
    for number in 0..1200 {
        fs::write(scene.path(&format!("f{number:04}")), "").unwrap();
    }
    fs::create_dir(scene.path("zz")).unwrap();
    let listed = list(&scene, Some(&scene.at()), false).await;
    assert_eq!((listed.entries.len(), listed.cut), (1000, Some(true)));
    assert_eq!(listed.entries[0].name, "zz");
    assert_eq!(listed.entries[0].kind, EntryKind::Directory);
    assert_eq!(listed.entries[999].name, "f0998");
}
