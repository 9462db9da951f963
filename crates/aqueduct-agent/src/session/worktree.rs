//! Sessions and subagents in worktrees.

use std::path::PathBuf;
use std::sync::Arc;

use aqueduct_tools::subagent::{SubagentIdentity, SubagentRequest};
use aqueduct_tools::worktree::{
    Worktree, WorktreeError, WorktreeHooks, WorktreeMaker, WorktreeName, WorktreePurpose, WorktreeService,
    WorktreeSettings,
};
use aqueduct_wire::hint::HintedError as _;
use tokio_util::sync::CancellationToken;

use super::AgentSession;
use super::resumed_worktree::{ResumedWorktree, find as find_session};
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::options::{AgentOptions, WorktreeChoice};
use crate::transcript::Project;

/// Where a session works that was not simply started in its folder.
#[derive(Debug, Default)]
pub(super) struct StartWorktree {
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
    options: &AgentOptions,
    settings: WorktreeSettings,
    hooks: Option<Box<dyn WorktreeHooks>>,
) -> Result<StartWorktree, WorktreeError> {
    let mut entered = StartWorktree { from: environment.cwd.clone(), ..StartWorktree::default() };
    let resumed = options.resume.as_deref().filter(|id| !id.is_empty());
    let found = resumed.and_then(|id| find_session(&environment.config, &environment.cwd, id));
    let Some(choice) = &options.worktree else {
        match found {
            None => (),
            Some(ResumedWorktree::In(folder)) => environment.cwd = folder,
            Some(ResumedWorktree::Gone { worktree, project }) => {
                let what = format!("the worktree {} of this session is gone", worktree.display());
                let then = format!("the session continues in {}", environment.cwd.display());
                entered.notice = Some(Diagnostic::notice(what).clause(then));
                entered.project = Some(project);
            }
        }
        return Ok(entered);
    };
    let name = match choice {
        WorktreeChoice::Unnamed => WorktreeName::random(),
        WorktreeChoice::Named(name) => WorktreeName::new(name)?,
    };
    let cwd = environment.cwd.clone();
    let maker = WorktreeMaker { environment, cwd: &cwd, settings, purpose: WorktreePurpose::Session };
    let worktree = maker.make(&name, hooks, &CancellationToken::new()).await?;
    if resumed.is_some() {
        entered.project = Some(match found {
            None => Project::of(&environment.config, &cwd),
            Some(ResumedWorktree::In(folder)) => Project::of(&environment.config, &folder),
            Some(ResumedWorktree::Gone { project, .. }) => project,
        });
    }
    environment.cwd.clone_from(&worktree.path);
    entered.worktree = Some(worktree);
    Ok(entered)
}

impl AgentSession {
    /// Makes the worktree that a subagent is to work in.
    pub(crate) async fn isolate(
        &self,
        order: &SubagentRequest,
        identity: &Arc<SubagentIdentity>,
        cancel: &CancellationToken,
    ) -> Result<Option<Worktree>, WorktreeError> {
        if !order.is_isolated {
            return Ok(None);
        }
        let name = WorktreeName::new(&format!("agent-{}", identity.id))?;
        let settings = WorktreeSettings::of(self.configuration().get("worktree"));
        let cwd = self.tool_context.workspace.cwd();
        let maker = WorktreeMaker {
            environment: &self.environment,
            cwd: &cwd,
            settings,
            purpose: WorktreePurpose::Agent,
        };
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
                    let note = format!(
                        "the worktree {} can't be removed: {}",
                        worktree.path.display(),
                        error.advised()
                    );
                    self.send_note(&note, "warning").await;
                }
            }
        }
        worktree.unlock(&self.environment).await;
        Some(worktree.clone())
    }
}
