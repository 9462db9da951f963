use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use aqueduct_rules::Context;

use crate::commands::rules::Folders;

/// Projects whose settings are remembered.
const PROJECTS: usize = 64;

/// What is known of projects: their permission contexts, for as long as the files behind them stay as they are.
#[derive(Debug)]
pub(super) struct ProjectContexts {
    folders: Folders,
    /// Locked for short times only, never while files are read.
    projects: Mutex<Projects>,
}

type Projects = HashMap<PathBuf, (Vec<SettingsStamp>, Context)>;

/// How a file was when it was read; nothing where there was none.
type SettingsStamp = Option<(SystemTime, u64)>;

impl ProjectContexts {
    /// Nothing yet, of the projects of a user.
    pub(super) fn new(folders: Folders) -> Self {
        ProjectContexts { folders, projects: Mutex::default() }
    }

    /// The context of a project; none where settings can't be read.
    pub(super) fn context(&self, project: &Path) -> Option<Context> {
        // Before the files are read: what changes meanwhile is noticed the next time.
        let stamps: Vec<SettingsStamp> = self.folders.files(project).iter().map(|file| stamp(file)).collect();
        if let Some((read, context)) = self.projects().get(project)
            && *read == stamps
        {
            return Some(context.clone());
        }
        let context = self.folders.context(project).ok()?;
        let mut projects = self.projects();
        if projects.len() >= PROJECTS {
            projects.clear();
        }
        projects.insert(project.to_owned(), (stamps, context.clone()));
        Some(context)
    }

    fn projects(&self) -> MutexGuard<'_, Projects> {
        self.projects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn stamp(file: &Path) -> SettingsStamp {
    let data = fs::metadata(file).ok()?;
    Some((data.modified().ok()?, data.len()))
}
