//! Sessions and subagents in worktrees.

use std::path::PathBuf;
use std::sync::Arc;

use aqueduct_tools::subagent::{Identity, Order};
use aqueduct_tools::worktree::{
    Maker, Name, Purpose, Worktree, WorktreeError, WorktreeHooks, WorktreeService, WorktreeSettings,
};
use tokio_util::sync::CancellationToken;

use super::Session;
use super::resumed_worktree::{Resumed, find as find_session};
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::options::{Options, WorktreeChoice};
use crate::transcript::Project;

/// Where a session works that was not simply started in its folder.
#[derive(Debug, Default)]
pub(super) struct Entered {
    /// The worktree that was made for it.
    pub(super) worktree: Option<Worktree>,
    /// Where it was started.
    pub(super) from: PathBuf,
    /// Where its conversation is kept, if that is not the folder's own place.
    pub(super) project: Option<Project>,
    /// What people should know.
    pub(super) notice: Option<Diagnostic>,
}

/// Enters the worktree that the command line asks for, or in which the session that is resumed was held.
pub(super) async fn enter(
    environment: &mut Environment,
    options: &Options,
    settings: WorktreeSettings,
    hooks: Option<Box<dyn WorktreeHooks>>,
) -> Result<Entered, WorktreeError> {
    let mut entered = Entered { from: environment.cwd.clone(), ..Entered::default() };
    let resumed = options.resume.as_deref().filter(|id| !id.is_empty());
    let found = resumed.and_then(|id| find_session(&environment.config, &environment.cwd, id));
    let Some(choice) = &options.worktree else {
        match found {
            None => (),
            Some(Resumed::In(folder)) => environment.cwd = folder,
            Some(Resumed::Gone { worktree, project }) => {
                let what = format!("the worktree {} of this session is gone", worktree.display());
                let then = format!("the session continues in {}", environment.cwd.display());
                entered.notice = Some(Diagnostic::notice(what).clause(then));
                entered.project = Some(project);
            }
        }
        return Ok(entered);
    };
    let name = match choice {
        WorktreeChoice::Unnamed => Name::random(),
        WorktreeChoice::Named(name) => Name::new(name)?,
    };
    let cwd = environment.cwd.clone();
    let maker = Maker { environment, cwd: &cwd, settings, purpose: Purpose::Session };
    let worktree = maker.make(&name, hooks, &CancellationToken::new()).await?;
    if resumed.is_some() {
        entered.project = Some(match found {
            None => Project::of(&environment.config, &cwd),
            Some(Resumed::In(folder)) => Project::of(&environment.config, &folder),
            Some(Resumed::Gone { project, .. }) => project,
        });
    }
    environment.cwd.clone_from(&worktree.path);
    entered.worktree = Some(worktree);
    Ok(entered)
}

impl Session {
    /// Makes the worktree that a subagent is to work in.
    pub(crate) async fn isolate(
        &self,
        order: &Order,
        identity: &Arc<Identity>,
        cancel: &CancellationToken,
    ) -> Result<Option<Worktree>, WorktreeError> {
        if !order.is_isolated {
            return Ok(None);
        }
        let name = Name::new(&format!("agent-{}", identity.id))?;
        let settings = WorktreeSettings::of(self.configuration().get("worktree"));
        let cwd = self.tool_context.workspace.cwd();
        let maker = Maker { environment: &self.environment, cwd: &cwd, settings, purpose: Purpose::Agent };
        maker.make(&name, self.worktree_makers(), cancel).await.map(Some)
    }

    /// What the tools for worktrees need.
    pub(crate) fn worktree_service(&self) -> WorktreeService {
        // The settings are released before hooks are looked up in them.
        let settings = WorktreeSettings::of(self.configuration().get("worktree"));
        WorktreeService { settings, makers: self.worktree_makers(), removers: self.worktree_removers() }
    }

    /// Removes the worktree of a subagent that is done, if nothing is left in it; else it is given back.
    pub(crate) async fn leave_worktree(&self, worktree: &Worktree) -> Option<Worktree> {
        let changes = worktree.changes(&self.environment).await;
        // If changes can't be determined, the worktree is kept.
        if changes.is_some_and(|changes| changes.is_empty()) {
            let never = CancellationToken::new();
            let removed = worktree.remove(&self.environment, self.worktree_removers(), &never).await;
            match removed {
                Ok(()) => return None,
                Err(error) => {
                    let note = format!("the worktree {} can't be removed: {error}", worktree.path.display());
                    self.send_note(&note, "warning").await;
                }
            }
        }
        worktree.unlock(&self.environment).await;
        Some(worktree.clone())
    }
}
