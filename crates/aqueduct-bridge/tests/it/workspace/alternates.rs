//! Objects outside of the roots are not shown, whatever leads to them.

use std::fs;
use std::path::Path;

use aqueduct_bridge::message::ErrorCode;
use aqueduct_bridge::message::client::{GetDiff, GetGitStatus};
use aqueduct_testing::{Missing, require};

use super::{Scene, code};

/// A project whose HEAD is a commit that only a repository outside has.
fn scene() -> Result<Scene, Missing> {
    let scene = Scene::with_repository()?;
    let outside = scene.beside("outside");
    scene.git_in(&outside, &["init", "-q", "-b", "main"]);
    scene.git_in(&outside, &["add", "secret"]);
    scene.git_in(&outside, &["commit", "-q", "-m", "secret"]);
    let commit = scene.git_in(&outside, &["rev-parse", "HEAD"]);
    scene.write(".git/refs/heads/main", commit);
    Ok(scene)
}

/// What is shown of the project: the texts of all requests, or the error of the first.
async fn seen(scene: &Scene) -> Result<String, ErrorCode<'static>> {
    let at = scene.at();
    let diff = scene.workspace.get_diff(Some(&at), &GetDiff::new()).await;
    let state = scene.workspace.get_git_status(Some(&at), &GetGitStatus::new()).await;
    match (diff, state) {
        (Ok(diff), Ok(state)) => Ok(format!("{diff:?} {state:?}")),
        (Err(one), Err(other)) => {
            assert!(!format!("{one} {other}").contains("the secret"));
            assert_eq!(one.code, other.code, "{one} {other}");
            Err(one.code)
        }
        (diff, state) => panic!("{diff:?} {state:?}"),
    }
}

#[tokio::test]
async fn alternates_outside_are_refused_however_they_are_written() {
    let scene = require!(scene());
    let objects = scene.beside("outside/.git/objects").display().to_string();
    let quoted = format!("\"{}\"", objects.replace('/', "\\057"));
    let comment = format!("# a comment\n\n{objects}");
    for list in [&objects, &format!("{objects}/"), &quoted, &comment, "../../../../outside/.git/objects"] {
        scene.write(".git/objects/info/alternates", format!("{list}\n"));
        // A user in a terminal sees it.
        assert!(scene.git(&["show", "HEAD:secret"]).contains("the secret"), "{list}");
        assert_eq!(seen(&scene).await, Err(ErrorCode::PathNotAllowed), "{list}");
    }
}

#[tokio::test]
async fn a_chain_that_ends_outside_is_refused() {
    let scene = require!(scene());
    let objects = scene.beside("outside/.git/objects");
    scene.write("inner/info/alternates", format!("{}\n", objects.display()));
    scene.write("middle/info/alternates", "../inner\n");
    scene.write(".git/objects/info/alternates", "../../middle\n");
    assert!(scene.git(&["show", "HEAD:secret"]).contains("the secret"));
    assert_eq!(seen(&scene).await, Err(ErrorCode::PathNotAllowed));
    // One that ends inside, or goes round, is fine; so are objects that are borrowed there.
    fs::create_dir_all(scene.beside("root/other")).unwrap();
    scene.write("inner/info/alternates", "../middle\n");
    fs::rename(scene.beside("outside/.git"), scene.beside("root/other/.git")).unwrap();
    let inside = scene.beside("root/other/.git/objects");
    scene.write("inner/info/alternates", format!("{}\n../middle\n", inside.display()));
    assert!(seen(&scene).await.unwrap().contains("the secret"));
}

#[tokio::test]
async fn links_that_lead_outside_are_refused() {
    type Plant = fn(&Scene, &Path);
    let plants: &[(&str, Plant)] = &[
        ("objects", |scene, outside| {
            fs::remove_dir_all(scene.path(".git/objects")).unwrap();
            scene.link(".git/objects", outside.join("objects"));
        }),
        ("an object's folder", |scene, outside| {
            for entry in fs::read_dir(outside.join("objects")).unwrap().flatten() {
                let to = format!(".git/objects/{}", entry.file_name().display());
                if !scene.path(&to).exists() {
                    scene.link(&to, entry.path());
                }
            }
        }),
        ("packs", |scene, outside| {
            scene.git_in(outside.parent().unwrap(), &["gc", "-q"]);
            fs::remove_dir(scene.path(".git/objects/pack")).unwrap();
            scene.link(".git/objects/pack", outside.join("objects/pack"));
        }),
        ("one pack", |scene, outside| {
            scene.git_in(outside.parent().unwrap(), &["gc", "-q"]);
            for entry in fs::read_dir(outside.join("objects/pack")).unwrap().flatten() {
                scene.link(&format!(".git/objects/pack/{}", entry.file_name().display()), entry.path());
            }
        }),
        ("info", |scene, outside| {
            fs::create_dir(outside.join("info2")).unwrap();
            fs::write(outside.join("info2/alternates"), format!("{}\n", outside.join("objects").display()))
                .unwrap();
            fs::remove_dir_all(scene.path(".git/objects/info")).unwrap();
            scene.link(".git/objects/info", outside.join("info2"));
        }),
        ("index", |scene, outside| scene.link(".git/index", outside.join("index"))),
        ("by a link inside", |scene, outside| {
            scene.link("hop", outside);
            scene.write(".git/objects/info/alternates", "../../hop/objects\n");
        }),
    ];
    for (name, plant) in plants {
        let scene = require!(scene());
        plant(&scene, &scene.beside("outside/.git"));
        assert_eq!(seen(&scene).await, Err(ErrorCode::PathNotAllowed), "{name}");
    }
}

#[tokio::test]
async fn a_linked_worktree_and_a_common_folder_outside_are_refused() {
    let scene = require!(scene());
    let outside = scene.beside("outside");
    let tree = scene.beside("root/tree");
    scene.git_in(&outside, &["worktree", "add", "-q", tree.to_str().unwrap()]);
    let at = tree.to_str().unwrap();
    assert_eq!(code(scene.workspace.get_diff(Some(at), &GetDiff::new()).await), ErrorCode::PathNotAllowed);
    scene.write(".git/commondir", format!("{}\n", outside.join(".git").display()));
    assert_eq!(seen(&scene).await, Err(ErrorCode::PathNotAllowed));
}

#[tokio::test]
async fn variables_and_lists_for_http_add_nothing() {
    let scene = require!(scene());
    let objects = scene.beside("outside/.git/objects");
    // The scene's own variables name the objects outside, too.
    scene.write(".git/objects/info/http-alternates", format!("{}\n", objects.display()));
    let at = scene.at();
    let diff = scene.workspace.get_diff(Some(&at), &GetDiff::new()).await;
    let state = scene.workspace.get_git_status(Some(&at), &GetGitStatus::new()).await;
    // The commit is not there for either; what each makes of that is git's.
    let shown = format!("{diff:?} {state:?}");
    assert!(!shown.contains("the secret") && !shown.contains("path: \"secret\""), "{shown}");
}

#[tokio::test]
async fn a_list_that_is_not_a_small_file_is_refused() {
    let scene = require!(Scene::with_repository());
    scene.commit();
    scene.write(".git/objects/info/alternates", "#".repeat(70 << 10));
    assert_eq!(seen(&scene).await, Err(ErrorCode::RepositoryRefused));
}
