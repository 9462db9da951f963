//! Named steps between an input or a decision and what becomes of it, and of backups, at which tests let a process die.
//!
//! In a build with debug assertions, `AQUEDUCT_FAULT=NAME` kills the process that passes the point of that name, as
//! `kill -9` would; `AQUEDUCT_FAULT=NAME:3` the third time. With `AQUEDUCT_FAULT_ONCE=FILE` only the first process dies:
//! the one that can delete that file. Release builds pass all points without looking.
//! `docs/reliability.md` has the table of the points and of what follows from a crash at each.

macro_rules! points {
    ($($(#[$doc:meta])* $point:ident = $name:literal,)*) => {
        /// A step at which a process can be made to die.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum FaultPoint {
            $($(#[$doc])* $point,)*
        }

        impl FaultPoint {
            /// All points, in the order in which an input, a decision, an agent's end, a backup and a restore pass them.
            pub const ALL: &[FaultPoint] = &[$(FaultPoint::$point,)*];

            /// The point's name: the process, what it is about, and how far it is.
            pub fn name(self) -> &'static str {
                match self {
                    $(FaultPoint::$point => $name,)*
                }
            }
        }
    };
}

points! {
    /// An input has arrived, and nothing is stored of it.
    InputReceived = "bridge.input.received",
    /// It is in the log, and not yet reported.
    InputQueued = "bridge.input.queued",
    /// Its sender is about to receive the acknowledgement.
    InputAcknowledged = "bridge.input.acknowledged",
    /// The log names the keeper that is to hold the agent; there is none yet.
    KeeperNamed = "bridge.keeper.named",
    /// The keeper has the folder's lock; no agent runs yet.
    KeeperLocked = "keeper.locked",
    /// The agent runs, and the bridge does not know.
    KeeperAgentStarted = "keeper.agent.started",
    /// The bridge knows that the agent runs, and is not attached.
    KeeperStarted = "bridge.keeper.started",
    /// The bridge is attached, and has sent nothing.
    KeeperAttached = "bridge.keeper.attached",
    /// The log has the input as sent; the keeper has not got it.
    InputSent = "bridge.input.sent",
    /// The keeper has the input, and nothing is written down.
    KeeperInputReceived = "keeper.input.received",
    /// The journal has it as being written; no byte is.
    KeeperInputBegun = "keeper.input.begun",
    /// All of it is written to the agent; the journal does not have it yet.
    KeeperInputWritten = "keeper.input.written",
    /// The journal has it as written; the bridge was not notified.
    KeeperInputRecorded = "keeper.input.recorded",
    /// The bridge knows that the agent has it.
    InputGiven = "bridge.input.given",
    /// The agent has written output that is not in the spool.
    KeeperOutputRead = "keeper.output.read",
    /// It is in the spool, and the bridge does not know.
    KeeperOutputSpooled = "keeper.output.spooled",
    /// The bridge has read lines of the agent, and nothing is stored.
    OutputRead = "bridge.output.read",
    /// Their content is in the log; no client received it, and the keeper still has them.
    OutputStored = "bridge.output.stored",
    /// The keeper may forget them.
    OutputAcknowledged = "bridge.output.acknowledged",
    /// A result is in the log, and the next input is not sent.
    ResultStored = "bridge.result.stored",
    /// A decision has arrived, and nothing is stored of it.
    DecisionReceived = "bridge.decision.received",
    /// It is in the log; the keeper has not got it, and its sender does not know.
    DecisionStored = "bridge.decision.stored",
    /// The keeper has it.
    DecisionGiven = "bridge.decision.given",
    /// The agent has it; the log does not have this yet.
    DecisionTaken = "bridge.decision.taken",
    /// The log has it as received by the agent.
    DecisionSettled = "bridge.decision.settled",
    /// The agent has ended; that is not on record.
    KeeperExitSeen = "keeper.exit.seen",
    /// The agent's end is on record; the bridge does not know.
    KeeperExitRecorded = "keeper.exit.recorded",
    /// The bridge knows that the agent has ended, and nothing is stored.
    ExitReceived = "bridge.exit.received",
    /// The log has the agent as ended; the keeper's folder still exists.
    ExitStored = "bridge.exit.stored",
    /// The bridge has taken the folder of a keeper that is gone, and nothing is read.
    RemainsFound = "bridge.remains.found",
    /// What the keeper had spooled is in the log; what became of the inputs is not.
    RemainsRead = "bridge.remains.read",
    /// All of it is in the log; the folder is there.
    RemainsStored = "bridge.remains.stored",
    /// A backup's copies of the log and of keepers' folders are made; nothing of the archive is.
    BackupCopied = "backup.copied",
    /// The archive is written, and has no name.
    BackupWritten = "backup.written",
    /// The archive has its name.
    BackupNamed = "backup.named",
    /// A backup is unpacked and checked; the data folder is the old one.
    RestoreUnpacked = "restore.unpacked",
    /// The new data folder has the name that the old one is to get.
    RestorePlaced = "restore.placed",
    /// The data folder is the new one.
    RestoreExchanged = "restore.exchanged",
    /// A session that has expired is deleted in the log; clients don't know, and the next one is there.
    SessionExpired = "prune.deleted",
}

/// Passes a point, alive or not.
#[cfg(debug_assertions)]
pub(crate) fn pass(point: FaultPoint) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static WANTED: OnceLock<Option<(String, AtomicU64)>> = OnceLock::new();
    let wanted = WANTED.get_or_init(|| {
        let wanted = std::env::var("AQUEDUCT_FAULT").ok()?;
        let (name, times) = wanted.split_once(':').unwrap_or((&wanted, "1"));
        Some((name.to_owned(), AtomicU64::new(times.parse().ok()?)))
    });
    if let Some((name, left)) = wanted
        && name == point.name()
        && left.fetch_sub(1, Ordering::Relaxed) == 1
        && std::env::var_os("AQUEDUCT_FAULT_ONCE").is_none_or(|file| std::fs::remove_file(file).is_ok())
    {
        // It can't be undone, and nothing is cleaned up.
        aqueduct_os::process::kill_self();
    }
}

/// Passes a point.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub(crate) fn pass(_point: FaultPoint) {}
