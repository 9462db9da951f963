//! Files and git of projects.

mod alternates;
mod diffs;
mod directories;
mod reading;
mod roots;
mod safety;
mod searching;
mod states;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use aqueduct_bridge::Failure;
use aqueduct_bridge::message::ErrorCode;
use aqueduct_bridge::workspace::{GitProgram, Roots, Workspace};
use aqueduct_testing::{Missing, has_git};
use tempfile::TempDir;

/// A root with a project in it, and a secret beside it.
struct Scene {
    workspace: Workspace,
    folder: TempDir,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "root/proj", "outside"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("outside/secret"), "the secret\n").unwrap();
        let roots = Roots::new([folder.path().join("root")]);
        let git = GitProgram {
            program: "git".into(),
            environment: vec![
                ("PATH".into(), std::env::var_os("PATH").unwrap_or_default()),
                ("HOME".into(), folder.path().join("home").into()),
                ("GIT_DIR".into(), "/nowhere".into()),
                (
                    "GIT_ALTERNATE_OBJECT_DIRECTORIES".into(),
                    folder.path().join("outside/.git/objects").into(),
                ),
            ],
        };
        Scene { workspace: Workspace::new(roots, git), folder }
    }

    /// With a repository in the project's folder.
    fn with_repository() -> Result<Self, Missing> {
        has_git()?;
        let scene = Scene::new();
        scene.git(&["init", "-q", "-b", "main"]);
        Ok(scene)
    }

    /// A path beside the root.
    fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn project(&self) -> PathBuf {
        self.beside("root/proj")
    }

    /// The project's folder as clients write it.
    fn at(&self) -> String {
        self.project().to_str().unwrap().to_owned()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.project().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn link(&self, name: &str, to: impl AsRef<Path>) {
        symlink(to, self.path(name)).unwrap();
    }

    /// Runs git in the project, as a user in a terminal does.
    fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.project(), arguments)
    }

    fn git_in(&self, folder: &Path, arguments: &[&str]) -> String {
        let output = self.git_command(folder, arguments).output().unwrap();
        let reported = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {reported}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Git with an identity of its own: neither the user's configuration nor the system's has any effect.
    fn git_command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .args(arguments)
            .current_dir(folder)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.beside("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs([("GIT_AUTHOR_NAME", "Ada"), ("GIT_AUTHOR_EMAIL", "ada@example.com")])
            .envs([("GIT_COMMITTER_NAME", "Ada"), ("GIT_COMMITTER_EMAIL", "ada@example.com")]);
        command
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "a commit"]);
    }
}

/// The code of a request that must fail.
#[track_caller]
fn code<T: std::fmt::Debug>(result: Result<T, Failure>) -> ErrorCode<'static> {
    result.unwrap_err().code
}
