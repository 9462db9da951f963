use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::boundary::Boundary;
use super::command::{GitCapture, GitProgram};
use crate::Failure;
use crate::message::ErrorCode;
use crate::work::aside;
use crate::workspace::roots::Roots;

/// How much is taken of answers that are a few lines.
const SHORT: u64 = 64 << 10;

/// The exit code of `git config` for a setting that does not exist.
const NO_SETTING: i32 = 1;

/// How many filters are switched off. More than any repository has.
const FILTERS: usize = 100;

/// A repository with a working tree, both under the roots, that can run nothing.
#[derive(Debug)]
pub(in crate::workspace) struct GitRepository<'g> {
    git: &'g GitProgram,
    /// The working tree.
    top: PathBuf,
    /// What switches its filters off.
    settings: Vec<String>,
    /// Everything else that git reads of it.
    boundary: Boundary,
    roots: Arc<Roots>,
}

impl<'g> GitRepository<'g> {
    /// The repository that a folder is in.
    pub(in crate::workspace) async fn of(
        git: &'g GitProgram,
        roots: &Arc<Roots>,
        folder: &Path,
    ) -> Result<Self, Failure> {
        let questions = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir"];
        let output = git.run(folder, &[], ["rev-parse"].iter().chain(&questions), SHORT).await?;
        if !output.is_success() {
            return Err(no_repository(folder, &output));
        }
        let text = String::from_utf8_lossy(&output.output);
        let places: Vec<&str> = text.lines().collect();
        let &[top, repository, common] = places.as_slice() else {
            let message = format!("The repository of {} has a line end in its path.", folder.display());
            return Err(Failure::new(ErrorCode::RepositoryRefused, message));
        };
        // A path in a file of the repository can lead anywhere. The last one may differ from the folder.
        let (inside, places) = (Arc::clone(roots), [repository, common, top].map(|place| folder.join(place)));
        let resolved = aside(move || {
            let [repository, common, top] = places;
            Ok([inside.resolve(&repository)?, inside.resolve(&common)?, inside.resolve(&top)?])
        });
        let [repository, common, top] = resolved.await.map_err(|failure| elsewhere(folder, failure))?;
        let settings = filters_off(git, &top).await?;
        let boundary = Boundary::new([repository, common]);
        let repository = GitRepository { git, top, settings, boundary, roots: Arc::clone(roots) };
        repository.check().await?;
        Ok(repository)
    }

    /// Refuses a repository that makes git read something outside of the roots. An answer of git is used after this
    /// only: the repository may have changed since it began.
    pub(in crate::workspace) async fn check(&self) -> Result<(), Failure> {
        let (boundary, roots) = (self.boundary.clone(), Arc::clone(&self.roots));
        aside(move || boundary.check(&roots)).await
    }

    /// The working tree.
    pub(in crate::workspace) fn top(&self) -> &Path {
        &self.top
    }

    /// Runs git in the working tree.
    pub(super) async fn run(
        &self,
        arguments: impl IntoIterator<Item = &str>,
        limit: u64,
    ) -> Result<GitCapture, Failure> {
        self.git.run(&self.top, &self.settings, arguments, limit).await
    }

    /// Runs git for an answer of one line; `None` where there is none.
    pub(super) async fn ask<const N: usize>(&self, arguments: [&str; N]) -> Result<Option<String>, Failure> {
        let answer = self.run(arguments, SHORT).await?;
        let text = String::from_utf8_lossy(&answer.output);
        let line = text.trim_end_matches('\n');
        Ok((answer.is_success() && !line.is_empty()).then(|| line.to_owned()))
    }
}

/// The settings that switch every filter off that is set up anywhere. Git has no one switch for all of them, and a
/// repository chooses by itself which of its files go through one.
async fn filters_off(git: &GitProgram, top: &Path) -> Result<Vec<String>, Failure> {
    let answer =
        git.run(top, &[], ["config", "-z", "--name-only", "--get-regexp", r"^filter\."], SHORT).await?;
    if !answer.is_cut && !matches!(answer.code, Some(0 | NO_SETTING)) {
        return Err(answer.failure());
    }
    let text = String::from_utf8_lossy(&answer.output);
    let mut names: Vec<&str> = text.split('\0').filter_map(driver).collect();
    names.sort_unstable();
    names.dedup();
    let is_safe = |name: &&str| !name.contains(['=', '\n', char::REPLACEMENT_CHARACTER]);
    if answer.is_cut || names.len() > FILTERS || !names.iter().all(is_safe) {
        let message = format!(
            "The git settings of {} name filters that can't be switched off ({} of them)",
            top.display(),
            names.len()
        );
        return Err(Failure::new(ErrorCode::RepositoryRefused, message)
            .sentence("Remove them from its .git/config to see changes here."));
    }
    let off = |name: &str| {
        ["clean=", "smudge=", "process=", "required=false"].map(|setting| format!("filter.{name}.{setting}"))
    };
    Ok(names.into_iter().flat_map(off).collect())
}

/// The filter that a setting is about.
fn driver(setting: &str) -> Option<&str> {
    let (name, _) = setting.strip_prefix("filter.")?.rsplit_once('.')?;
    Some(name)
}

/// Why git finds no working tree.
fn no_repository(folder: &Path, output: &GitCapture) -> Failure {
    let shown = folder.display();
    if output.error_output.contains("dubious ownership") {
        let message = format!("git does not trust the repository of {shown}, since another user owns it");
        return Failure::new(ErrorCode::RepositoryRefused, message).sentence(format!(
            "If you trust it, run `git config --global --add safe.directory {shown}` as the bridge's user."
        ));
    }
    let none = ["not a git repository", "must be run in a work tree", "cannot use bare repository"];
    if none.iter().any(|text| output.error_output.contains(text)) {
        let message = format!("{shown} is in no working tree of a git repository");
        return Failure::new(ErrorCode::NotARepository, message).sentence("`git init` there makes one.");
    }
    output.failure()
}

/// The repository is outside of the roots.
fn elsewhere(folder: &Path, failure: Failure) -> Failure {
    let message = format!("The repository of {} is outside the roots: {}", folder.display(), failure.message);
    Failure { message, ..failure }
}
