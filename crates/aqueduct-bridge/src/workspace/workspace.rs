use std::path::{Path, PathBuf};
use std::sync::Arc;

use aqueduct_wire::json::{IntoOwned, Str};

use super::git::{self, DiffRequest, GitProgram, GitRepository};
use super::listing::ProjectListing;
use super::listings::Listings;
use super::roots::Roots;
use super::{content, directory, search};
use crate::Failure;
use crate::message::ErrorCode;
use crate::message::bridge::{Diff, Directory, FileContent, Files, GitState};
use crate::message::client::{GetDiff, GetGitStatus, ListDirectory, ListFiles, ReadFile};
use crate::work::{WorkPool, aside};

/// Files and git of projects. Clones share what is kept and how much is done at once.
///
/// `folder` is the session's, where the request names a session: sessions are the caller's.
#[derive(Debug, Clone)]
pub struct Workspace {
    roots: Arc<Roots>,
    git: Arc<GitProgram>,
    work: WorkPool,
    listings: Arc<Listings>,
}

impl Workspace {
    /// What is under the roots.
    pub fn new(roots: Roots, git: GitProgram) -> Self {
        Workspace {
            roots: Arc::new(roots),
            git: Arc::new(git),
            work: WorkPool::new(),
            listings: Arc::new(Listings::default()),
        }
    }

    /// The same, limited to what is in one folder.
    pub fn within(&self, folder: &str) -> Workspace {
        Workspace { roots: Arc::new(self.roots.within(Path::new(folder))), ..self.clone() }
    }

    /// The roots.
    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// Where a project's folder really is. It must be a folder under a root.
    pub async fn project(&self, path: &str) -> Result<PathBuf, Failure> {
        let (roots, path) = (Arc::clone(&self.roots), PathBuf::from(path));
        self.work.block(move |_| Ok(roots.folder(&path)?.path().to_owned())).await
    }

    /// What is in a folder, to choose a project; the roots, where none is named. `sessions` returns how many
    /// sessions there are in a folder.
    pub async fn list_directory(
        &self,
        request: &ListDirectory<'_>,
        sessions: impl Fn(&str) -> u64,
    ) -> Result<Directory<'static>, Failure> {
        let roots = Arc::clone(&self.roots);
        let path = request.path.as_deref().filter(|path| !path.is_empty()).map(PathBuf::from);
        let with_hidden = request.hidden.unwrap_or(false);
        let listed = self.work.block(move |deadline| match path {
            Some(path) => directory::list(&roots, &path, with_hidden, deadline),
            None => Ok(directory::roots(&roots)),
        });
        let mut listed = listed.await?;
        for entry in &mut listed.entries {
            entry.sessions = Some(sessions(&entry.path)).filter(|&count| count > 0);
        }
        listed.request_id = owned(&request.request_id);
        Ok(listed)
    }

    /// Files of a project that match the typed query.
    pub async fn list_files(
        &self,
        folder: Option<&str>,
        request: &ListFiles<'_>,
    ) -> Result<Files<'static>, Failure> {
        let project = self.project(given(folder, &request.project_path)?).await?;
        let (roots, path) = (Arc::clone(&self.roots), project.clone());
        let make =
            self.work.block(move |deadline| ProjectListing::of(&roots, &roots.folder(&path)?, deadline));
        let listing = self.listings.get(&project, make).await?;
        let query = request.query.as_deref().unwrap_or_default().to_owned();
        let (root, limit) = (project.to_string_lossy().into_owned(), request.limit);
        let mut files = self.work.block(move |_| Ok(search::search(root, &listing, &query, limit))).await?;
        files.request_id = owned(&request.request_id);
        Ok(files)
    }

    /// A file, or some lines of it.
    pub async fn read_file(
        &self,
        folder: Option<&str>,
        request: &ReadFile<'_>,
    ) -> Result<FileContent<'static>, Failure> {
        let path = match Path::new(request.path.as_str()) {
            path if path.is_absolute() => path.to_owned(),
            path => Path::new(given(folder, &request.project_path)?).join(path),
        };
        let (line, limit) = (request.line.unwrap_or(1), request.limit.unwrap_or(u64::MAX));
        let roots = Arc::clone(&self.roots);
        let read = self.work.block(move |deadline| content::read(&roots, &path, line, limit, deadline));
        let mut file = read.await?;
        file.request_id = owned(&request.request_id);
        Ok(file)
    }

    /// What changed in a project's working tree.
    pub async fn get_diff(
        &self,
        folder: Option<&str>,
        request: &GetDiff<'_>,
    ) -> Result<Diff<'static>, Failure> {
        let project = self.project(given(folder, &request.project_path)?).await?;
        let only = request.path.as_deref().map(|path| project.join(path));
        let mut diff = self
            .work
            .wait(async |deadline| {
                let repository = GitRepository::of(&self.git, &self.roots, &project).await?;
                let path = match only {
                    Some(path) => self.in_tree(&repository, path).await?,
                    None => None,
                };
                let staged = request.staged.unwrap_or(false);
                let wish = DiffRequest { staged, path, context: request.context };
                let diff = git::diff(&repository, &self.roots, wish, deadline).await?;
                repository.check().await?;
                Ok(diff)
            })
            .await?;
        diff.request_id = owned(&request.request_id);
        Ok(diff)
    }

    /// The branch of a project, and which files changed.
    pub async fn get_git_status(
        &self,
        folder: Option<&str>,
        request: &GetGitStatus<'_>,
    ) -> Result<GitState<'static>, Failure> {
        let project = self.project(given(folder, &request.project_path)?).await?;
        let mut state = self
            .work
            .wait(async |_| {
                let repository = GitRepository::of(&self.git, &self.roots, &project).await?;
                let state = git::status(&repository).await?;
                repository.check().await?;
                Ok(state)
            })
            .await?;
        state.request_id = owned(&request.request_id);
        Ok(state)
    }

    /// The place of a file in a working tree, also of one that was deleted; `None` for the whole tree.
    async fn in_tree(
        &self,
        repository: &GitRepository<'_>,
        path: PathBuf,
    ) -> Result<Option<String>, Failure> {
        let roots = Arc::clone(&self.roots);
        let top = repository.top().to_owned();
        aside(move || {
            let real = roots.resolve_absent(&path)?;
            DiffRequest::below(&top, &real).ok_or_else(|| {
                let (shown, top) = (path.display(), top.display());
                Failure::new(ErrorCode::PathNotAllowed, format!("{shown} is not in the working tree {top}"))
                    .sentence("Choose something in there.")
            })
        })
        .await
    }
}

/// The folder of a request: the session's, else the one that is named.
fn given<'r>(folder: Option<&'r str>, named: &'r Option<Str<'_>>) -> Result<&'r str, Failure> {
    folder.or(named.as_deref()).ok_or_else(|| {
        Failure::new(ErrorCode::SessionNotFound, "No project is named")
            .sentence("Give `sessionId` or `projectPath`.")
    })
}

fn owned(request_id: &Option<Str<'_>>) -> Option<Str<'static>> {
    request_id.clone().map(IntoOwned::into_owned)
}
