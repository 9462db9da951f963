use crate::{Activity, Delivery, Entry, Fate, Fault, Folder, Line, Phase, Process, System, Write, Writing};

/// A step of a keeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeeperStep {
    /// Opens the lock file. A keeper without a folder ends.
    OpenLock,
    /// Takes the lock, looks at the folder again and starts the agent, or ends.
    TakeLock,
    /// Reads a line from the bridge and looks it up in the journal.
    Receive,
    /// Records `+`.
    RecordBegun,
    /// Writes the line to the agent's stdin.
    Write,
    /// Records `=` and answers the bridge.
    RecordWritten,
    /// The agent is gone and not a byte was written: records `-`.
    Undo,
    /// The agent is gone and a part of the line was written: the record stays `+`.
    MarkUnconfirmed,
    /// Moves a frame from the agent's stdout to the spool.
    Spool,
    /// Ends because its folder is gone, and the agent with it.
    NoticeRemoval,
    /// Ends because its agent has ended and the bridge is not attached any more.
    Leave,
}

impl KeeperStep {
    pub(super) fn collect(model: &Delivery, system: &System, index: u8, add: &mut impl FnMut(KeeperStep)) {
        let keeper = system.keeper(index);
        if keeper.is_frozen {
            return;
        }
        match keeper.process {
            Process::Gone => return,
            Process::Spawned => return add(KeeperStep::OpenLock),
            Process::Opened => return add(KeeperStep::TakeLock),
            Process::Running => {}
        }
        let is_alive = keeper.agent.is_alive();
        match keeper.writing {
            None if keeper.inbox.is_empty() => {}
            None => add(KeeperStep::Receive),
            Some(Writing { next: Write::Begin, .. }) if model.has(Fault::RecordsAfterWrite) => {
                add(if is_alive { KeeperStep::Write } else { KeeperStep::Undo });
            }
            Some(Writing { next: Write::Begin, .. }) => add(KeeperStep::RecordBegun),
            Some(Writing { next: Write::Write, .. }) if is_alive => add(KeeperStep::Write),
            Some(Writing { next: Write::Write, .. }) => {
                add(KeeperStep::Undo);
                add(KeeperStep::MarkUnconfirmed);
            }
            Some(Writing { next: Write::Finish, .. }) => add(KeeperStep::RecordWritten),
        }
        if !keeper.agent.stdout.is_empty() {
            add(KeeperStep::Spool);
        }
        if keeper.folder == Folder::Missing {
            add(KeeperStep::NoticeRemoval);
        }
        if keeper.has_exited() && system.attached() != Some(index) {
            add(KeeperStep::Leave);
        }
    }

    pub(super) fn apply(self, model: &Delivery, system: &mut System, index: u8) {
        let is_locked = matches!(system.bridge.phase, Phase::Closing { keeper, .. } if keeper == index)
            && !model.has(Fault::ClosesWithoutLock);
        let keeper = system.keeper_mut(index);
        match self {
            KeeperStep::OpenLock if keeper.folder == Folder::Missing => keeper.die(),
            KeeperStep::OpenLock => keeper.process = Process::Opened,
            KeeperStep::TakeLock => {
                let is_usable = keeper.folder == Folder::Present || model.has(Fault::StartsInRemovedFolder);
                if is_locked || !is_usable {
                    keeper.die();
                } else {
                    keeper.process = Process::Running;
                    keeper.agent.activity = Activity::Idle;
                }
            }
            KeeperStep::Receive => {
                let Some(line) = keeper.inbox.pop() else { return };
                match keeper.fate(line) {
                    Fate::Written if !model.has(Fault::IgnoresJournal) => {
                        keeper.has_taken_decision |= is_decision(line);
                    }
                    Fate::Begun if !model.has(Fault::IgnoresJournal) => {}
                    // The answer "refused" changes nothing: the agent's end is reported too.
                    _ if !keeper.agent.is_alive() => {}
                    _ => keeper.writing = Some(Writing { line, next: Write::Begin }),
                }
            }
            KeeperStep::RecordBegun => {
                let Some(writing) = &mut keeper.writing else { return };
                writing.next = Write::Write;
                let line = writing.line;
                keeper.record(line, Fate::Begun);
            }
            KeeperStep::Write => {
                let Some(writing) = &mut keeper.writing else { return };
                writing.next = Write::Finish;
                let line = writing.line;
                keeper.agent.stdin.push(line);
            }
            KeeperStep::RecordWritten => {
                let Some(Writing { line, .. }) = keeper.writing.take() else { return };
                keeper.record(line, Fate::Written);
                keeper.has_taken_decision |= is_decision(line);
            }
            KeeperStep::Undo => {
                let Some(Writing { line, .. }) = keeper.writing.take() else { return };
                keeper.record(line, Fate::None);
            }
            KeeperStep::MarkUnconfirmed => keeper.writing = None,
            KeeperStep::Spool => {
                let Some(frame) = keeper.agent.stdout.pop() else { return };
                keeper.spool.push(Entry { position: keeper.spooled, frame });
                keeper.spooled += 1;
            }
            KeeperStep::NoticeRemoval | KeeperStep::Leave => keeper.die(),
        }
    }
}

fn is_decision(line: Line) -> bool {
    matches!(line, Line::Decision | Line::DecisionAgain)
}
