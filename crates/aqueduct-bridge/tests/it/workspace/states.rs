//! Branch and changed files.

use std::fs;

use aqueduct_bridge::message::ErrorCode;
use aqueduct_bridge::message::bridge::{FileChangeKind, GitChange, GitState};
use aqueduct_bridge::message::client::{GetDiff, GetGitStatus};
use aqueduct_bridge::workspace::{GitProgram, Roots, Workspace};
use aqueduct_testing::{is_superuser, require};
use aqueduct_wire::hint::HintedError as _;

use super::{Scene, code};

async fn state(scene: &Scene) -> GitState<'static> {
    scene.workspace.get_git_status(Some(&scene.at()), &GetGitStatus::new()).await.unwrap()
}

fn all(state: &GitState<'_>) -> Vec<String> {
    fn shown<'k>(kind: &'k Option<FileChangeKind<'_>>) -> &'k str {
        kind.as_ref().map_or("-", |kind| kind.as_str())
    }
    let line = |change: &GitChange<'_>| {
        let old = change.old_path.as_deref().map(|old| format!(" was {old}")).unwrap_or_default();
        format!("{} {}/{}{old}", change.path, shown(&change.staged), shown(&change.unstaged))
    };
    state.changes.iter().map(line).collect()
}

#[tokio::test]
async fn every_kind_of_change_has_its_name() {
    let scene = require!(Scene::with_repository());
    for name in ["both", "deleted", "old name", "worktree"] {
        scene.write(name, format!("{name}\n1\n2\n3\n"));
    }
    scene.commit();
    scene.write("both", "2\n");
    scene.git(&["add", "both"]);
    scene.write("both", "3\n");
    fs::remove_file(scene.path("deleted")).unwrap();
    scene.git(&["mv", "old name", "new\tname"]);
    scene.write("worktree", "x\n");
    scene.write("dir/untracked", "x\n");
    scene.write("staged", "x\n");
    scene.git(&["add", "staged"]);
    let state = state(&scene).await;
    assert_eq!(
        all(&state),
        [
            "both modified/modified",
            "deleted -/deleted",
            "new\tname renamed/- was old name",
            "staged added/-",
            "worktree -/modified",
            "dir/untracked -/untracked",
        ]
    );
    assert_eq!((state.branch.as_deref(), state.upstream.as_deref()), (Some("main"), None));
    assert_eq!(state.commit.as_deref(), Some(scene.git(&["rev-parse", "HEAD"]).trim()));
    assert_eq!((state.ahead, state.behind, state.cut), (None, None, None));
    assert_eq!(state.root.as_str(), scene.at());
}

#[tokio::test]
async fn the_upstream_is_counted_from() {
    let scene = require!(Scene::with_repository());
    scene.commit();
    scene.git(&["branch", "up"]);
    scene.git(&["branch", "-q", "--set-upstream-to=up"]);
    scene.commit();
    scene.commit();
    scene.git(&["checkout", "-q", "up"]);
    scene.git(&["commit", "-q", "--allow-empty", "-m", "another"]);
    scene.git(&["checkout", "-q", "main"]);
    let state = state(&scene).await;
    assert_eq!((state.upstream.as_deref(), state.ahead, state.behind), (Some("up"), Some(2), Some(1)));
}

#[tokio::test]
async fn without_a_branch_or_a_commit() {
    let scene = require!(Scene::with_repository());
    let before = state(&scene).await;
    assert_eq!((before.branch.as_deref(), &before.commit), (Some("main"), &None));
    scene.commit();
    scene.git(&["checkout", "-q", "--detach"]);
    let detached = state(&scene).await;
    assert_eq!(detached.branch, None);
    assert!(detached.commit.is_some());
}

#[tokio::test]
async fn a_folder_below_tells_of_the_whole_tree() {
    let scene = require!(Scene::with_repository());
    scene.write("a/b/c", "x\n");
    scene.write("d", "x\n");
    let folder = scene.path("a/b").to_str().unwrap().to_owned();
    let state = scene.workspace.get_git_status(Some(&folder), &GetGitStatus::new()).await.unwrap();
    assert_eq!(state.root.as_str(), scene.at());
    assert_eq!(all(&state), ["a/b/c -/untracked", "d -/untracked"]);
}

#[tokio::test]
async fn what_is_no_working_tree_is_none() {
    let scene = require!(Scene::with_repository());
    fs::create_dir(scene.beside("root/plain")).unwrap();
    scene.git(&["init", "-q", "--bare", scene.beside("root/bare").to_str().unwrap()]);
    for name in ["root/plain", "root/bare", "root/proj/.git"] {
        let folder = scene.beside(name).to_str().unwrap().to_owned();
        let state = scene.workspace.get_git_status(Some(&folder), &GetGitStatus::new()).await;
        assert_eq!(code(state), ErrorCode::NotARepository, "{name}");
        let diff = scene.workspace.get_diff(Some(&folder), &GetDiff::new()).await;
        assert_eq!(code(diff), ErrorCode::NotARepository, "{name}");
    }
}

#[tokio::test]
async fn without_git_the_error_states_what_to_do() {
    let scene = Scene::new();
    let git = GitProgram { program: "git-that-is-not-there".into(), environment: Vec::new() };
    let workspace = Workspace::new(Roots::new([scene.beside("root")]), git);
    let failure = workspace.get_git_status(Some(&scene.at()), &GetGitStatus::new()).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::NotSupported);
    assert!(failure.advised().contains("Install git"), "{failure}");
}

#[tokio::test]
async fn a_repository_of_another_user_is_not_trusted() {
    let scene = require!(Scene::with_repository());
    require!(is_superuser());
    let nobody = rustix::fs::Uid::from_raw(65534);
    for folder in [scene.project(), scene.path(".git")] {
        rustix::fs::chown(folder, Some(nobody), None).unwrap();
    }
    let failure = scene.workspace.get_git_status(Some(&scene.at()), &GetGitStatus::new()).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::RepositoryRefused);
    assert!(failure.advised().contains("safe.directory"), "{failure}");
    fs::write(scene.beside("home/.gitconfig"), format!("[safe]\n\tdirectory = {}\n", scene.at())).unwrap();
    assert_eq!(state(&scene).await.branch.as_deref(), Some("main"));
}
