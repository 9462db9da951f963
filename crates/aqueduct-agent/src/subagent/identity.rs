//! Who a subagent is.

/// How deep subagents may send subagents.
pub(crate) const MAX_DEPTH: u32 = 4;

/// Who a subagent is, for frames, hooks and whom it sends itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    /// Its id, which is the task's too.
    pub(crate) id: String,
    /// Tells the runs of one task apart.
    pub(crate) run_id: String,
    /// Its kind.
    pub(crate) kind: String,
    /// The task in a few words, for people.
    pub(crate) description: String,
    /// The call that sent it.
    pub(crate) tool_use_id: String,
    /// 1 for one that the agent itself has sent.
    pub(crate) depth: u32,
    /// The subagent that sent it, if one did.
    pub(crate) parent: Option<String>,
    /// Nobody waits for it.
    pub(crate) is_background: bool,
    /// It verifies something for a hook: hosts don't see it, and no model judges what it does.
    pub(crate) is_verifier: bool,
}

impl Identity {
    /// A fresh id.
    pub(super) fn fresh_id() -> String {
        format!("a{:016x}", fastrand::u64(..))
    }

    /// A fresh id of a run.
    pub(super) fn fresh_run_id() -> String {
        format!("{:09x}-{:08x}", fastrand::u64(..1 << 36), fastrand::u32(..))
    }

    /// Whether hosts are shown what it says. Those of whom it is sent see only that they are at work.
    pub(crate) fn is_shown(&self) -> bool {
        self.depth == 1 && !self.is_verifier
    }
}
