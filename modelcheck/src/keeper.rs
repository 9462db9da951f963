//! A keeper with its folder and its agent.

use crate::{Queue, ROWS};

/// How many lines have an id of their own: the inputs, the decision, and the decision under a second id.
const LINES: usize = ROWS + 2;

/// A line for the agent's stdin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Line {
    /// An input, by its row.
    Input(u8),
    /// The permission decision.
    Decision,
    /// The permission decision under another id. Only a faulty bridge sends it.
    DecisionAgain,
}

/// What the journal has about a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Fate {
    /// No record, or one that was undone.
    #[default]
    None,
    /// `+`: it may have been written.
    Begun,
    /// `=`: it has been written.
    Written,
}

/// A frame of the agent's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Frame {
    /// Evidence that the agent began with this input.
    Began(u8),
    /// The turn of this input asks for permission.
    Asked(u8),
    /// The result of this input.
    Finished(u8),
    /// The agent knows this input from its transcript and does not run it.
    Known(u8),
}

/// A frame in the spool, with its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Entry {
    /// How many frames precede it.
    pub position: u8,
    /// The frame.
    pub frame: Frame,
}

/// The keeper's process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Process {
    /// There is none.
    #[default]
    Gone,
    /// Started; it has not looked at its folder.
    Spawned,
    /// It has opened the lock file and does not hold the lock.
    Opened,
    /// It holds the lock and has started the agent.
    Running,
}

/// The keeper's folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Folder {
    /// Not there: not made yet, or removed.
    #[default]
    Missing,
    /// There.
    Present,
    /// There, with a mark that no keeper may start in it.
    Closed,
}

/// What the agent does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Activity {
    /// Not running.
    #[default]
    Dead,
    /// Waits for an input.
    Idle,
    /// Has read an input and acts on it.
    Begun(u8),
    /// Has also written a frame about it.
    Announced(u8),
    /// Waits for a permission decision.
    Waiting(u8),
    /// Has the decision.
    Decided(u8),
}

/// The agent with its pipes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Agent {
    /// What it does.
    pub activity: Activity,
    /// Lines that it has not read.
    pub stdin: Queue<Line, 3>,
    /// Frames that the keeper has not read.
    pub stdout: Queue<Frame, 4>,
}

/// The next step of a line that is being written to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Write {
    /// Record `+`.
    Begin,
    /// Write the line.
    Write,
    /// Record `=`.
    Finish,
}

/// A line that is being written to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Writing {
    /// The line.
    pub line: Line,
    /// What is to be done next.
    pub next: Write,
}

/// A keeper. Folder, journal and spool survive its process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Keeper {
    /// Its process.
    pub process: Process,
    /// The process takes no steps.
    pub is_frozen: bool,
    /// Its folder, with journal and spool.
    pub folder: Folder,
    journal: [Fate; LINES],
    /// The frames from the cursor on.
    pub spool: Queue<Entry, 4>,
    /// How many frames were ever spooled.
    pub spooled: u8,
    /// How many of them are in the log.
    pub committed: u8,
    /// The line that is being written.
    pub writing: Option<Writing>,
    /// Lines from the attached bridge that the keeper has not read.
    pub inbox: Queue<Line, 3>,
    /// An answer to the attached bridge: the decision was written.
    pub has_taken_decision: bool,
    /// The agent.
    pub agent: Agent,
}

impl Line {
    fn index(self) -> usize {
        match self {
            Line::Input(row) => row.into(),
            Line::Decision => ROWS,
            Line::DecisionAgain => ROWS + 1,
        }
    }
}

impl Agent {
    /// Whether its process runs.
    pub fn is_alive(&self) -> bool {
        self.activity != Activity::Dead
    }
}

impl Keeper {
    /// Whether its process holds the folder's lock.
    pub fn holds_lock(&self) -> bool {
        self.process == Process::Running
    }

    /// What the journal has about a line.
    pub fn fate(&self, line: Line) -> Fate {
        self.journal[line.index()]
    }

    /// Writes a record.
    pub fn record(&mut self, line: Line, fate: Fate) {
        self.journal[line.index()] = fate;
    }

    /// Drops the record of a line that no bridge offers again, unless it is under way.
    pub fn forget(&mut self, line: Line) {
        let is_writing = self.writing.is_some_and(|writing| writing.line == line);
        if !is_writing && !self.inbox.contains(line) {
            self.record(line, Fate::None);
        }
    }

    /// Whether the agent has ended and all of its output is in the spool.
    pub fn has_exited(&self) -> bool {
        self.holds_lock() && !self.agent.is_alive() && self.agent.stdout.is_empty()
    }

    /// The process ends, and the agent and both pipes with it.
    pub fn die(&mut self) {
        self.process = Process::Gone;
        self.is_frozen = false;
        self.writing = None;
        self.agent = Agent::default();
        self.disconnect();
    }

    /// Messages in flight to and from the bridge are lost.
    pub fn disconnect(&mut self) {
        self.inbox = Queue::default();
        self.has_taken_decision = false;
    }
}
