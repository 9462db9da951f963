//! Where the repository is, and the programs that run in it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::program;

/// The repository this was started in.
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Walks up from the current directory, so that a chore works from anywhere in the tree.
    pub(crate) fn find() -> Result<Self> {
        let start = env::current_dir().context("cannot read the current directory")?;
        match start.ancestors().find(|dir| dir.join("xtask/Cargo.toml").is_file()) {
            Some(root) => Ok(Self { root: root.to_path_buf() }),
            None => bail!("{} is not inside the repository: change into it first", start.display()),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// A directory for what a chore downloads, builds or records. Nothing in it is ever committed.
    pub(crate) fn scratch(&self, name: &str) -> PathBuf {
        self.root.join("target/xtask").join(name)
    }

    /// A program that runs at the root.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// The cargo that started this, at the root.
    pub(crate) fn cargo<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Command {
        let program = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let mut command = self.command(&program);
        command.args(args);
        command
    }

    /// Builds a program, and asks cargo where it put it.
    pub(crate) fn build(&self, package: &str, flags: &[&str]) -> Result<PathBuf> {
        self.build_executable("build", package, package, flags)
    }

    /// Builds a program with more flags for the compiler's last step, and asks cargo where it put it.
    pub(crate) fn build_with(
        &self,
        package: &str,
        flags: &[&str],
        compiler_flags: &[&str],
    ) -> Result<PathBuf> {
        let flags = [flags, &["--"], compiler_flags].concat();
        self.build_executable("rustc", package, package, &flags)
    }

    /// Builds an example of a package, and asks cargo where it put it.
    pub(crate) fn build_example(&self, package: &str, example: &str) -> Result<PathBuf> {
        self.build_executable("build", package, example, &["--example", example, "--all-features"])
    }

    fn build_executable(&self, how: &str, package: &str, name: &str, flags: &[&str]) -> Result<PathBuf> {
        let mut cargo =
            self.cargo([how, "--package", package, "--message-format", "json-render-diagnostics"]);
        let ended = program::run(cargo.args(flags))?;
        if !ended.success {
            bail!("{name} does not build:\n{}", ended.output.trim_end());
        }
        let messages = ended.output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut ours = messages.filter(|message| message["target"]["name"] == name);
        ours.find_map(|message| message["executable"].as_str().map(PathBuf::from))
            .with_context(|| format!("cargo named no executable for {name}"))
    }

    /// Every file git knows or would take, as paths from the root with `/`, sorted.
    pub(crate) fn files(&self) -> Result<Vec<String>> {
        let mut git = self.command("git");
        git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let output =
            git.output().context("cannot run git: install it, tidy reads the list of files from it")?;
        if !output.status.success() {
            bail!("git ls-files failed: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        let mut files: Vec<String> = String::from_utf8_lossy(&output.stdout)
            .split('\0')
            // A file that was deleted but not yet committed is still listed.
            .filter(|path| !path.is_empty() && self.root.join(path).is_file())
            .map(str::to_owned)
            .collect();
        files.sort();
        files.dedup();
        Ok(files)
    }
}
