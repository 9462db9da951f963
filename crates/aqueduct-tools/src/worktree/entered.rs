//! The worktree that a conversation has entered.

use std::path::PathBuf;
use std::sync::Mutex;

use super::{Worktree, WorktreeHooks, WorktreeSettings};
use aqueduct_os::mutex::lock;

/// The worktree that the conversation has entered, and what tools need to make and remove one.
#[derive(Default)]
pub struct Worktrees {
    held: Mutex<Option<EnteredWorktree>>,
    service: Mutex<Option<WorktreeService>>,
}

/// A worktree that was entered.
#[derive(Debug, Clone)]
pub struct EnteredWorktree {
    /// The worktree.
    pub worktree: Worktree,
    /// The working directory before.
    pub from: PathBuf,
    /// Whether it was created for this conversation.
    pub is_own: bool,
}

/// What holds for the next call.
pub struct WorktreeService {
    /// The settings for new worktrees.
    pub settings: WorktreeSettings,
    /// Hooks that make worktrees.
    pub makers: Option<Box<dyn WorktreeHooks>>,
    /// Hooks that remove worktrees which hooks have made.
    pub removers: Option<Box<dyn WorktreeHooks>>,
}

impl Worktrees {
    /// Sets what holds for the next call.
    pub fn set_service(&self, service: WorktreeService) {
        *lock(&self.service) = Some(service);
    }

    /// The worktree that the conversation is in.
    pub fn folder(&self) -> Option<PathBuf> {
        lock(&self.held).as_ref().map(|held| held.worktree.path.clone())
    }

    /// The worktree that the conversation has entered, with where it was before.
    pub fn held(&self) -> Option<EnteredWorktree> {
        lock(&self.held).clone()
    }

    /// Enters a worktree, or leaves the one that was entered.
    pub fn hold(&self, held: Option<EnteredWorktree>) {
        *lock(&self.held) = held;
    }

    /// The service for this call; `None` if none is set.
    pub(crate) fn take_service(&self) -> Option<WorktreeService> {
        lock(&self.service).take()
    }

    /// The same for a subagent, which is where its sender is.
    pub fn for_subagent(&self) -> Worktrees {
        Worktrees { held: Mutex::new(lock(&self.held).clone()), service: Mutex::default() }
    }
}
