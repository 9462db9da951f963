//! What changed since the last commit.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use aqueduct_os::folder::Folder;

use super::patch::{self, DiffBudget};
use super::repository::GitRepository;
use super::untracked;
use crate::Failure;
use crate::message::bridge::{Diff, FileChangeKind};
use crate::work::{Deadline, aside};
use crate::workspace::roots::Roots;

/// How many files are reported.
const FILES: usize = 3000;

/// How much is shown of all their changes.
const SHOWN_BYTES: usize = 4 << 20;

/// How much of git's output is read.
const PATCH_BYTES: u64 = 16 << 20;

/// How much is taken of git's list of files.
const LIST_BYTES: u64 = 4 << 20;

/// How many unchanged lines are shown around a change, at most and by default.
const MOST_CONTEXT: u64 = 1000;
const USUAL_CONTEXT: u64 = 3;

/// What of a repository to compare.
#[derive(Debug)]
pub(in crate::workspace) struct DiffRequest {
    /// What is staged, instead of all that changed.
    pub(in crate::workspace) staged: bool,
    /// Only this file or folder, from the working tree.
    pub(in crate::workspace) path: Option<String>,
    /// How many unchanged lines to show around a change.
    pub(in crate::workspace) context: Option<u64>,
}

/// What changed in a repository's working tree, files that git does not know yet included.
pub(in crate::workspace) async fn diff(
    repository: &GitRepository<'_>,
    roots: &Arc<Roots>,
    wish: DiffRequest,
    deadline: Deadline,
) -> Result<Diff<'static>, Failure> {
    let (branch, base) = tokio::try_join!(
        repository.ask(["symbolic-ref", "--quiet", "--short", "HEAD"]),
        repository.ask(["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]),
    )?;
    let base = match base {
        Some(commit) => commit,
        // Before the first commit everything is new. This only reckons the name of an empty tree.
        None => repository.ask(["hash-object", "-t", "tree", "/dev/null"]).await?.unwrap_or_default(),
    };
    let (patch, list) = tokio::try_join!(changes(repository, &wish, &base), others(repository, &wish))?;

    let (top, roots, staged) = (repository.top().to_owned(), Arc::clone(roots), wish.staged);
    let (files, is_cut) = aside(move || {
        let mut room = DiffBudget { files: FILES, bytes: SHOWN_BYTES };
        let (mut files, mut is_cut) = patch::read(&patch.output, patch.is_cut, &mut room);
        files.iter_mut().filter(|file| list.conflicts.contains(file.path.as_str())).for_each(|file| {
            file.change = FileChangeKind::Conflicted;
        });
        if !staged {
            let top: Folder = roots.folder(&top)?;
            let (untracked, was_cut) = untracked::read(&top, list.untracked, &mut room, deadline)?;
            files.extend(untracked);
            is_cut |= was_cut;
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok((files, is_cut || list.is_cut))
    })
    .await?;

    let mut diff = Diff::new(repository.top().to_string_lossy().into_owned(), files);
    diff.staged = Some(wish.staged);
    diff.branch = branch.map(Into::into);
    diff.cut = Some(is_cut);
    Ok(diff)
}

/// The patch from git.
struct GitPatch {
    output: Vec<u8>,
    is_cut: bool,
}

/// Compares what git knows.
async fn changes(
    repository: &GitRepository<'_>,
    wish: &DiffRequest,
    base: &str,
) -> Result<GitPatch, Failure> {
    let context = format!("-U{}", wish.context.unwrap_or(USUAL_CONTEXT).min(MOST_CONTEXT));
    let mut arguments = vec![
        "diff-index",
        "--raw",
        "--numstat",
        "-z",
        "--patch",
        &context,
        "--find-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        "--submodule=short",
        "--ignore-submodules=dirty",
        "--ita-invisible-in-index",
        "-O/dev/null",
    ];
    arguments.extend(wish.staged.then_some("--cached"));
    arguments.extend([base, "--"]);
    arguments.extend(wish.path.as_deref());
    let answer = repository.run(arguments, PATCH_BYTES).await?;
    let is_cut = answer.is_cut;
    Ok(GitPatch { output: answer.output()?, is_cut })
}

/// Files that git has no place for in its index, or too many.
struct OtherFiles {
    untracked: Vec<String>,
    conflicts: HashSet<String>,
    is_cut: bool,
}

/// Lists files that git does not know, and those that it could not merge.
async fn others(repository: &GitRepository<'_>, wish: &DiffRequest) -> Result<OtherFiles, Failure> {
    let mut arguments = vec!["ls-files", "-z", "-t", "--unmerged"];
    if !wish.staged {
        arguments.extend(["--others", "--exclude-standard"]);
    }
    arguments.push("--");
    arguments.extend(wish.path.as_deref());
    let answer = repository.run(arguments, LIST_BYTES).await?;
    let mut others = OtherFiles { untracked: Vec::new(), conflicts: HashSet::new(), is_cut: answer.is_cut };
    let output = answer.output()?;
    let whole = memchr::memrchr(0, &output).map_or(&[][..], |end| &output[..end]);
    for record in whole.split(|&byte| byte == 0) {
        let record = String::from_utf8_lossy(record);
        match record.split_once(' ') {
            Some(("?", path)) => others.untracked.push(path.trim_end_matches('/').to_owned()),
            // Tag, mode, id and stage precede the path.
            Some((_, entry)) => {
                others.conflicts.extend(entry.split_once('\t').map(|(_, path)| path.to_owned()))
            }
            None => {}
        }
    }
    Ok(others)
}

impl DiffRequest {
    /// The path from the working tree of something in it; `None` for all of it.
    pub(in crate::workspace) fn below(top: &Path, real: &Path) -> Option<Option<String>> {
        let path = real.strip_prefix(top).ok()?.to_str()?;
        Some(Some(path).filter(|path| !path.is_empty()).map(str::to_owned))
    }
}
