//! Events of worktrees: hooks make and remove them in place of git.

use std::path::PathBuf;
use std::sync::Arc;

use aqueduct_mcp::{Mcp, McpFiles};
use aqueduct_tools::Notice;
use aqueduct_tools::worktree::{Hooking, WorktreeHookError, WorktreeHooks};
use aqueduct_wire::hook::{
    HookEvent, HookInput, HookSpecificOutput, WorktreeCreateInput, WorktreeRemoveInput,
};
use aqueduct_wire::json::Raw;
use aqueduct_wire::permission::PermissionMode;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::hooks::Hooks;
use super::http::HttpPolicy;
use super::input::{HookInputBase, reported};
use super::occasion::HookOccurrence;
use super::reply::HookReply;
use super::run::{AnyHook, HookContext};
use crate::configuration::Configuration;
use crate::environment::Environment;
use crate::host::HostChannel;
use crate::mcp_host::McpSessionHost;
use crate::outbox::Outbox;
use crate::session::{AgentSession, proxy};
use crate::side_by_side;
use crate::transcript::Project;

/// The hooks that make or remove a worktree, with what they need.
pub(crate) struct WorktreeHookSet {
    hooks: Vec<AnyHook>,
    hook_context: HookContext,
    occasion: HookOccurrence,
    base: HookInputBase,
}

/// Where hooks run while there is no session yet.
pub(crate) struct HookPlace {
    pub(crate) environment: Arc<Environment>,
    pub(crate) outbox: Outbox,
    pub(crate) notices: mpsc::Sender<Notice>,
    /// The session that is to be.
    pub(crate) session_id: String,
}

impl WorktreeHookSet {
    /// The hooks of settings that make worktrees, before there is a session; none, where git does.
    pub(crate) fn at_start(configuration: &Configuration, place: HookPlace) -> Option<Self> {
        let HookPlace { environment, outbox, notices, session_id } = place;
        let occasion = HookOccurrence::new(&HookEvent::WorktreeCreate, None).without_host();
        let meant = configuration.hooks().filter(|hook| occasion.concerns(hook)).cloned();
        let hooks: Vec<AnyHook> = meant.map(|hook| AnyHook::Configured(Box::new(hook))).collect();
        let project = Project::of(&environment.config, &environment.cwd);
        let transcript = project.file(&session_id).map(|path| path.display().to_string()).unwrap_or_default();
        let base = HookInputBase {
            session_id: session_id.clone(),
            transcript_path: transcript,
            cwd: environment.cwd.display().to_string(),
            prompt_id: None,
            mode: PermissionMode::Default,
            effort: None,
            agent: None,
        };
        let host = Arc::new(HostChannel::new(outbox.clone()));
        let mcp = Mcp::new(
            environment.clone(),
            Arc::new(McpSessionHost::new(host.clone(), notices)),
            false,
            proxy(&environment),
            McpFiles::default(),
        );
        let hook_context = HookContext {
            proxy: proxy(&environment),
            cwd: environment.cwd.clone(),
            environment,
            outbox,
            host,
            session_id,
            is_shown: false,
            detached: Hooks::default().detached(),
            mcp: Arc::new(mcp),
            http: HttpPolicy::of(configuration),
        };
        Self::new(hooks, hook_context, occasion, base)
    }

    fn new(
        hooks: Vec<AnyHook>,
        hook_context: HookContext,
        occasion: HookOccurrence,
        base: HookInputBase,
    ) -> Option<Self> {
        (!hooks.is_empty()).then_some(WorktreeHookSet { hooks, hook_context, occasion, base })
    }

    async fn create(self, name: &str, cancel: &CancellationToken) -> Result<PathBuf, WorktreeHookError> {
        let cwd = PathBuf::from(&self.base.cwd);
        let base = &self.base;
        let mut wanted = WorktreeCreateInput::new();
        wanted.name = Some(name.to_owned().into());
        let input = reported!(base, WorktreeCreate(wanted));
        let mut failures = Vec::new();
        for reply in self.run(input, cancel).await {
            match reply {
                HookReply::Printed(text) => {
                    if let Some(line) = text.lines().rev().map(str::trim).find(|line| !line.is_empty()) {
                        return Ok(cwd.join(line));
                    }
                }
                HookReply::Output(output) => {
                    if let Some(HookSpecificOutput::WorktreeCreate(made)) = output.specific.as_deref() {
                        return Ok(cwd.join(made.worktree_path.as_deref().unwrap_or_default()));
                    }
                }
                HookReply::Failed { why, .. }
                | HookReply::Blocked { why, .. }
                | HookReply::Judged { why, .. } => failures.push(why),
                HookReply::Nothing => (),
            }
        }
        Err(match failures.is_empty() {
            false => WorktreeHookError::Create(failures),
            true => WorktreeHookError::NoFolder,
        })
    }

    async fn remove(self, folder: &str, cancel: &CancellationToken) -> Result<(), WorktreeHookError> {
        let base = &self.base;
        let mut unwanted = WorktreeRemoveInput::new();
        unwanted.worktree_path = Some(folder.to_owned().into());
        let input = reported!(base, WorktreeRemove(unwanted));
        let failed = self.run(input, cancel).await.into_iter().find_map(|reply| match reply {
            HookReply::Failed { why, .. } | HookReply::Blocked { why, .. } => Some(why),
            _ => None,
        });
        failed.map_or(Ok(()), |why| Err(WorktreeHookError::Remove(why)))
    }

    async fn run(&self, input: HookInput<'static>, cancel: &CancellationToken) -> Vec<HookReply> {
        let text: Arc<str> = Arc::from(Raw::written(&input).as_str());
        let input = Arc::new(input);
        let running = self.hooks.iter().map(|hook| {
            let (hook_context, occasion) = (self.hook_context.clone(), self.occasion.clone());
            hook.clone().run(hook_context, occasion, input.clone(), text.clone(), cancel.clone())
        });
        side_by_side::all(running.collect()).await
    }
}

impl WorktreeHooks for WorktreeHookSet {
    fn create<'a>(self: Box<Self>, name: &'a str, cancel: &'a CancellationToken) -> Hooking<'a, PathBuf> {
        Box::pin(WorktreeHookSet::create(*self, name, cancel))
    }

    fn remove<'a>(self: Box<Self>, folder: &'a str, cancel: &'a CancellationToken) -> Hooking<'a, ()> {
        Box::pin(WorktreeHookSet::remove(*self, folder, cancel))
    }
}

impl AgentSession {
    /// The hooks that make worktrees; none, where git does.
    pub(crate) fn worktree_makers(&self) -> Option<Box<dyn WorktreeHooks>> {
        self.worktree_hooks(&HookEvent::WorktreeCreate)
    }

    /// The hooks that remove worktrees which hooks have made.
    pub(crate) fn worktree_removers(&self) -> Option<Box<dyn WorktreeHooks>> {
        self.worktree_hooks(&HookEvent::WorktreeRemove)
    }

    fn worktree_hooks(&self, event: &HookEvent<'_>) -> Option<Box<dyn WorktreeHooks>> {
        let occasion = HookOccurrence::new(event, None);
        let (hooks, hook_context) = (self.hooks_for(&occasion), self.hook_context(&occasion));
        let hooks = WorktreeHookSet::new(hooks, hook_context, occasion, self.hook_base(None))?;
        Some(Box::new(hooks))
    }
}
