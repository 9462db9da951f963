//! Nothing leads out of the roots.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use aqueduct_bridge::message::ErrorCode;
use aqueduct_bridge::message::client::{ListDirectory, ListFiles, ReadFile};
use aqueduct_bridge::workspace::Roots;

use super::{Scene, code};

impl Scene {
    async fn code_of_reading(&self, path: impl AsRef<Path>) -> ErrorCode<'static> {
        let path = path.as_ref().to_str().unwrap().to_owned();
        code(self.workspace.read_file(Some(&self.at()), &ReadFile::new(path)).await)
    }
}

#[tokio::test]
async fn paths_that_lead_out_are_refused() {
    let scene = Scene::new();
    scene.write("a/file", "x");
    scene.link("out", "../../outside");
    scene.link("secret", scene.beside("outside/secret"));
    scene.link("around", "a/../../../outside/secret");
    scene.link("dangling", "../../outside/nothing/there");
    scene.link("loop", "loop");
    let secret = scene.beside("outside/secret");
    for path in [
        secret.to_str().unwrap(),
        "out/secret",
        "secret",
        "around",
        "../../outside/secret",
        "a/../../../outside/secret",
        "/etc/passwd",
        "/",
        "/proc/self/root/etc/passwd",
        "/proc/self/cwd",
        "/proc/self/environ",
        "/proc/thread-self/fd/0",
        "/dev/null",
        "out/nothing",
        "../../outside/nothing",
    ] {
        assert_eq!(scene.code_of_reading(path).await, ErrorCode::PathNotAllowed, "{path}");
    }
    for path in ["none", "a/none", "a/file/none", "a", "loop", "dangling", "a\0b", ""] {
        assert_eq!(scene.code_of_reading(path).await, ErrorCode::PathNotFound, "{path}");
    }
}

#[tokio::test]
async fn a_neighbour_with_a_longer_name_is_not_part_of_a_root() {
    let scene = Scene::new();
    fs::create_dir(scene.beside("root2")).unwrap();
    fs::write(scene.beside("root2/file"), "x").unwrap();
    assert_eq!(scene.code_of_reading(scene.beside("root2/file")).await, ErrorCode::PathNotAllowed);
}

#[tokio::test]
async fn links_that_stay_inside_are_followed() {
    let scene = Scene::new();
    scene.write("a/file", "inside");
    scene.link("near", "a");
    scene.link("far", scene.path("near"));
    let request = ReadFile::new("far/file");
    let file = scene.workspace.read_file(Some(&scene.at()), &request).await.unwrap();
    assert_eq!(file.path, scene.path("a/file").to_str().unwrap());
    assert_eq!(file.content, "inside");
    // A root can be named by another way too.
    symlink(scene.beside("root"), scene.beside("alias")).unwrap();
    let request = ReadFile::new(scene.beside("alias/proj/a/file").to_str().unwrap().to_owned());
    assert_eq!(scene.workspace.read_file(None, &request).await.unwrap().content, "inside");
}

#[tokio::test]
async fn a_folder_outside_can_be_neither_listed_nor_searched() {
    let scene = Scene::new();
    scene.link("out", scene.beside("outside"));
    for path in [scene.beside("outside"), scene.path("out"), scene.path("../.."), "/proc".into(), "/".into()]
    {
        let path = path.to_str().unwrap();
        let mut request = ListDirectory::new();
        request.path = Some(path.into());
        let listed = scene.workspace.list_directory(&request, |_| 0).await;
        assert_eq!(code(listed), ErrorCode::PathNotAllowed, "{path}");
        let found = scene.workspace.list_files(Some(path), &ListFiles::new()).await;
        assert_eq!(code(found), ErrorCode::PathNotAllowed, "{path}");
    }
    let found = scene.workspace.list_files(Some(&scene.at()), &ListFiles::new()).await.unwrap();
    let paths: Vec<&str> = found.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["out"], "a link is listed and not followed");
}

#[tokio::test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't recognize file systems of the kernel")]
async fn the_kernels_files_are_none_even_under_a_root() {
    let roots = Roots::new(["/".into()]);
    let workspace = aqueduct_bridge::workspace::Workspace::new(roots, Default::default());
    for path in ["/proc/self/environ", "/proc/self/status", "/sys/kernel/notes"] {
        if Path::new(path).exists() {
            let read = workspace.read_file(None, &ReadFile::new(path)).await;
            assert_eq!(code(read), ErrorCode::PathNotFound, "{path}");
        }
    }
    let mut request = ListDirectory::new();
    request.path = Some("/proc/self".into());
    assert_eq!(code(workspace.list_directory(&request, |_| 0).await), ErrorCode::PathNotAllowed);
}

/// A folder on the way is exchanged for a link to the outside, again and again, while a file in it is read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_changes_meanwhile_leads_out() {
    let scene = Scene::new();
    scene.write("entry/secret", "inside\n");
    fs::create_dir(scene.path("spare")).unwrap();
    symlink(scene.beside("outside"), scene.path("spare/entry")).unwrap();
    let (project, is_over) = (scene.project(), AtomicBool::new(false));
    let read = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                fs::rename(project.join("entry"), project.join("spare/kept")).unwrap();
                fs::rename(project.join("spare/entry"), project.join("entry")).unwrap();
                fs::rename(project.join("entry"), project.join("spare/entry")).unwrap();
                fs::rename(project.join("spare/kept"), project.join("entry")).unwrap();
            }
        });
        let read = tokio::task::block_in_place(|| {
            tokio::runtime::Handle::current().block_on(async {
                let mut read = Vec::new();
                for _ in 0..2000 {
                    let request = ReadFile::new("entry/secret");
                    let file = scene.workspace.read_file(Some(&scene.at()), &request).await;
                    read.extend(file.map(|file| file.content.to_string()));
                }
                read
            })
        });
        is_over.store(true, Ordering::Relaxed);
        read
    });
    assert!(read.iter().all(|content| content == "inside\n"));
    assert!(!read.is_empty());
}
