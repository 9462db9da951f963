//! A repository can neither run anything, nor show what is elsewhere, nor be changed by being looked at.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use aqueduct_bridge::Failure;
use aqueduct_bridge::message::ErrorCode;
use aqueduct_bridge::message::client::{GetDiff, GetGitStatus};
use aqueduct_testing::require;

use super::{Scene, code};

impl Scene {
    /// A program that leaves a trace when it runs.
    fn trap(&self) -> String {
        let path = self.beside("outside/trap");
        let trace = self.trace();
        fs::write(&path, format!("#!/bin/sh\necho \"$0 $*\" >> {}\ncat\n", trace.display())).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn trace(&self) -> PathBuf {
        self.beside("outside/trace")
    }

    /// Looks at everything there is to see of the repository.
    async fn look(&self) -> Result<(), Failure> {
        let at = self.at();
        for staged in [false, true] {
            let mut request = GetDiff::new();
            request.staged = Some(staged);
            self.workspace.get_diff(Some(&at), &request).await?;
        }
        self.workspace.get_git_status(Some(&at), &GetGitStatus::new()).await?;
        Ok(())
    }
}

#[tokio::test]
async fn nothing_that_a_repository_names_is_run() {
    let scene = require!(Scene::with_repository());
    let trap = scene.trap();
    scene.write("a.txt", "1\n");
    scene.write("b.bin", "1\n2\n3\n4\n5\n6\n");
    scene.write("c.txt", "1\n");
    scene.commit();
    for (name, value) in [
        ("core.fsmonitor", &trap),
        ("core.pager", &trap),
        ("core.editor", &trap),
        ("core.sshCommand", &trap),
        ("core.hooksPath", &scene.at()),
        ("core.alternateRefsCommand", &trap),
        ("diff.external", &trap),
        ("diff.trap.command", &trap),
        ("diff.trap.textconv", &trap),
        ("filter.trap.clean", &trap),
        ("filter.trap.smudge", &trap),
        ("filter.trap.required", &"true".to_owned()),
        ("filter.A Trap.\u{e9}.process", &trap),
        ("gpg.program", &trap),
        ("credential.helper", &trap),
        ("pager.status", &trap),
        ("pager.diff-index", &trap),
        ("alias.status", &format!("!{trap}")),
        ("alias.diff-index", &format!("!{trap}")),
    ] {
        scene.git(&["config", name, value]);
    }
    scene.write(".gitattributes", "*.txt filter=trap diff=trap\n*.bin filter=\"A Trap.\u{e9}\" diff=trap\n");
    scene.write(".git/info/attributes", "* filter=trap diff=trap\n");
    for hook in ["post-index-change", "fsmonitor-watchman", "query-watchman"] {
        for folder in ["", ".git/hooks/"] {
            scene.write(&format!("{folder}{hook}"), format!("#!/bin/sh\n{trap} {hook}\n"));
            fs::set_permissions(scene.path(&format!("{folder}{hook}")), fs::Permissions::from_mode(0o755))
                .unwrap();
        }
    }
    fs::rename(scene.path("b.bin"), scene.path("moved.bin")).unwrap();
    scene.write("a.txt", "2\n");
    scene.write("c.txt", "1\n");

    scene.look().await.unwrap();
    assert!(!scene.trace().exists(), "{}", fs::read_to_string(scene.trace()).unwrap());
    // The trap works without protection.
    scene.git(&["-c", "alias.status=", "--no-optional-locks", "diff-index", "-p", "HEAD"]);
    assert!(scene.trace().exists());
}

#[tokio::test]
async fn a_filter_that_can_not_be_switched_off_is_refused() {
    let scene = require!(Scene::with_repository());
    let trap = scene.trap();
    scene.write("a.txt", "1\n");
    scene.commit();
    scene.git(&["config", "filter.a=b.clean", &trap]);
    scene.write(".git/info/attributes", "* filter=a=b\n");
    scene.write("a.txt", "2\n");
    assert_eq!(code(scene.look().await), ErrorCode::RepositoryRefused);
    assert!(!scene.trace().exists());
}

#[tokio::test]
async fn settings_that_are_broken_are_reported() {
    let scene = require!(Scene::with_repository());
    scene.write(".git/config", "[core\n");
    let failure = scene.look().await.unwrap_err();
    assert!(failure.message.contains("bad config line"), "{failure}");
}

#[tokio::test]
async fn a_submodule_is_not_entered() {
    let scene = require!(Scene::with_repository());
    let trap = scene.trap();
    scene.git(&["init", "-q", "sub"]);
    let sub = scene.path("sub");
    fs::write(sub.join("f"), "1\n").unwrap();
    scene.git_in(&sub, &["add", "f"]);
    scene.git_in(&sub, &["commit", "-q", "-m", "inside"]);
    scene.commit();
    scene.git_in(&sub, &["config", "core.fsmonitor", &trap]);
    scene.git_in(&sub, &["config", "filter.trap.clean", &trap]);
    fs::write(sub.join(".git/info/attributes"), "* filter=trap\n").unwrap();
    fs::write(sub.join("f"), "2\n").unwrap();
    scene.look().await.unwrap();
    assert!(!scene.trace().exists());
}

#[tokio::test]
async fn a_repository_that_looks_elsewhere_is_refused() {
    let scene = require!(Scene::with_repository());
    scene.commit();
    // A working tree elsewhere would show files from there as new.
    scene.git(&["config", "core.worktree", scene.beside("outside").to_str().unwrap()]);
    assert_eq!(code(scene.look().await), ErrorCode::PathNotAllowed);
    scene.git(&["config", "--unset", "core.worktree"]);
    scene.look().await.unwrap();

    // A repository elsewhere would show its files as deleted.
    scene.git_in(&scene.beside("outside"), &["init", "-q"]);
    scene.git_in(&scene.beside("outside"), &["add", "secret"]);
    scene.git_in(&scene.beside("outside"), &["commit", "-q", "-m", "secret"]);
    fs::rename(scene.path(".git"), scene.path("kept")).unwrap();
    scene.write(".git", format!("gitdir: {}\n", scene.beside("outside/.git").display()));
    assert_eq!(code(scene.look().await), ErrorCode::PathNotAllowed);
    fs::remove_file(scene.path(".git")).unwrap();
    scene.link(".git", scene.beside("outside/.git"));
    assert_eq!(code(scene.look().await), ErrorCode::PathNotAllowed);
}

#[tokio::test]
async fn a_repository_above_the_root_is_refused() {
    let scene = require!(Scene::with_repository());
    scene.git_in(&scene.beside(""), &["init", "-q"]);
    fs::remove_dir_all(scene.path(".git")).unwrap();
    let failure = scene.look().await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::PathNotAllowed);
    assert!(failure.message.contains("The repository of"), "{failure}");
}

/// All that is in a folder: what it holds and when it was changed.
fn everything(folder: &Path, found: &mut BTreeMap<PathBuf, (SystemTime, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let metadata = path.symlink_metadata().unwrap();
        let content = if metadata.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        found.insert(path.clone(), (metadata.modified().unwrap(), content));
        if metadata.is_dir() {
            everything(&path, found);
        }
    }
}

#[tokio::test]
async fn looking_changes_nothing() {
    let scene = require!(Scene::with_repository());
    scene.write("a", "1\n");
    scene.write("b", "1\n");
    scene.commit();
    // The index is out of date for one, and wrong for the other.
    scene.write("a", "1\n");
    scene.write("b", "2\n");
    scene.write("c", "new\n");
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    everything(&scene.project(), &mut before);
    scene.look().await.unwrap();
    everything(&scene.project(), &mut after);
    assert!(before == after);
}

#[tokio::test]
async fn somebody_elses_lock_does_not_matter() {
    let scene = require!(Scene::with_repository());
    scene.write("a", "1\n");
    scene.commit();
    scene.write("a", "2\n");
    scene.write(".git/index.lock", "");
    scene.look().await.unwrap();
}

/// A git that never answers is ended with all that it started, once no caller waits for it.
#[tokio::test]
async fn a_git_that_hangs_is_ended_with_its_group() {
    use std::process::Stdio;

    use aqueduct_bridge::workspace::{GitProgram, Roots, Workspace};
    use tokio::io::AsyncReadExt;

    let scene = Scene::new();
    // Its child holds the writing end of a pipe: its end is seen when the pipe ends.
    let pipe = scene.beside("outside/pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
    let program = scene.beside("outside/git");
    let script = format!("#!/bin/sh\n(echo here; exec sleep 1000) > {} &\nwait\n", pipe.display());
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let git = GitProgram { program: program.into(), environment: Vec::new() };
    let workspace = Workspace::new(Roots::new([scene.beside("root")]), git);
    let at = scene.at();
    let asked = tokio::spawn(async move { workspace.get_git_status(Some(&at), &GetGitStatus::new()).await });
    let mut reader = tokio::process::Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = reader.stdout.take().unwrap();
    let mut here = [0; 5];
    output.read_exact(&mut here).await.unwrap();
    asked.abort();
    assert!(asked.await.unwrap_err().is_cancelled());
    let mut rest = Vec::new();
    output.read_to_end(&mut rest).await.unwrap();
    assert!(reader.wait().await.unwrap().success());
}
