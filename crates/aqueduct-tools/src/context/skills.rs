//! The skills of a conversation.

use std::sync::{Arc, Mutex, PoisonError};

use crate::skill_catalog::{Launch, SkillCatalog};

/// The skills that a conversation can call, and those that it has called.
pub struct Skills {
    pub(crate) catalog: Arc<dyn SkillCatalog>,
    launched: Mutex<Vec<Launch>>,
}

impl Skills {
    /// The skills of a session.
    pub fn new(catalog: Arc<dyn SkillCatalog>) -> Self {
        Skills { catalog, launched: Mutex::default() }
    }

    /// The same for a subagent, which has called none.
    pub(super) fn for_subagent(&self) -> Self {
        Skills::new(self.catalog.clone())
    }

    /// Notes that the model has called a skill.
    pub(crate) fn launch(&self, launch: Launch) {
        self.launched.lock().unwrap_or_else(PoisonError::into_inner).push(launch);
    }

    /// The skills that the model has called and that have not begun.
    pub fn take_launched(&self) -> Vec<Launch> {
        std::mem::take(&mut self.launched.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
