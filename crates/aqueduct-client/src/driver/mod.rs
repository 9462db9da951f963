//! The task behind a session: reads the agent's output, tracks requests of both directions, runs callbacks, and ends the
//! agent.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | [`Driver`]: the loop |
//! | `command.rs` | commands of the session's handles |
//! | `reader.rs`, `writer.rs` | the agent's pipes |
//! | `requests.rs`, `serving.rs` | control requests to the agent, and from it |
//! | `runs.rs`, `sent.rs` | which outcome belongs to which prompt (no I/O); ids of sent prompts |
//! | `withdrawing.rs` | prompts that are no longer wanted |
//! | `crowding.rs` | events that are not read while a caller waits for an outcome |
//! | `closing.rs` | the steps that end the agent |
//!
//! # Invariants
//!
//! - **The driver never waits for one thing alone.** Reading, writing, commands, responses, timers and the process are
//!   polled together, and each callback has its own task.
//! - **Two things stop reading**, and so make the agent wait: a consumer that does not read events, and an agent that does
//!   not read its responses. Neither stops anything else, and neither keeps a session from being closed. While a caller
//!   waits for an outcome, unread events stop nothing: `crowding.rs` has the rule.

mod closing;
mod command;
mod crowding;
mod reader;
mod requests;
mod runs;
mod sent;
mod serving;
mod withdrawing;
mod writer;

pub(crate) use command::{COMMANDS_BOUND, DriverCommand, LINES_BOUND, PromptReporter};
pub(crate) use runs::RunWaiter;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::FromAgent;
use aqueduct_wire::machine::{Host, MAX_OPEN_REQUESTS, Machine, RequestId};
use aqueduct_wire::system::SystemFrame;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::capabilities::SharedAgentFacts;
use crate::event::{Event, Frame};
use crate::events::EventSink;
use crate::handler::{Handlers, SentReply};
use crate::profile::{InterruptBehavior, Profile};
use crate::transport::{AgentConnection, Ladder, StartedProcess};
use crate::{Error, Exit, ExitStatus, Outcome, trace};
use closing::Closing;
use crowding::Crowding;
use reader::FrameReader;
use requests::WaitingRequest;
use runs::Runs;
use sent::SentPrompts;
use serving::ServedRequest;
use writer::{LinePurpose, LineWriter, OutgoingLine};

/// How long a silent output is still read once the process is gone. A descendant that left the group may hold
/// the pipe open.
const DRAIN_TIME: Duration = Duration::from_millis(500);

/// How much is still read once the process is gone, whether or not events are read: what a pipe can hold.
const DRAIN_BYTES: usize = 1 << 20;

/// How long an agent that closed its input may take to end before pending calls fail. Most have ended
/// already, and the way they ended is more informative.
const LOST_TIME: Duration = Duration::from_secs(1);

/// The input broke.
#[derive(Debug)]
struct LostInput {
    why: String,
    /// Until when the agent may still end; `None` once all callers have been notified.
    until: Option<Instant>,
}

/// The process has ended.
#[derive(Debug)]
struct EndedProcess {
    status: ExitStatus,
    /// Until when more output is waited for.
    until: Instant,
    /// How much more is read at most.
    bytes: usize,
}

/// What a driver is made of.
pub(crate) struct DriverParts {
    pub(crate) connection: AgentConnection,
    pub(crate) line_limit: usize,
    pub(crate) ladder: Ladder,
    pub(crate) handlers: Handlers,
    pub(crate) commands: mpsc::Receiver<DriverCommand>,
    pub(crate) lines: Arc<Semaphore>,
    pub(crate) events: EventSink,
    pub(crate) known: Arc<SharedAgentFacts>,
    pub(crate) profile: Profile,
    /// What the agent has cost before, where that is known.
    pub(crate) cost: Option<f64>,
    pub(crate) exit: watch::Sender<Option<Exit>>,
}

/// The state of one session.
pub(crate) struct Driver {
    reader: FrameReader,
    writer: LineWriter,
    process: Option<StartedProcess>,
    gone: Option<EndedProcess>,
    lost: Option<LostInput>,
    machine: Machine<Host>,
    /// The beginning of the machine's time.
    began: Instant,
    waiting: HashMap<RequestId, WaitingRequest>,
    serving: HashMap<RequestId, ServedRequest>,
    tasks: JoinSet<()>,
    answers: mpsc::Sender<SentReply>,
    answered: mpsc::Receiver<SentReply>,
    handlers: Handlers,
    commands: mpsc::Receiver<DriverCommand>,
    /// A place for each line of a handle that may wait.
    lines: Arc<Semaphore>,
    /// All handles are gone.
    forsaken: bool,
    sent: SentPrompts,
    runs: Runs,
    /// Prompts that are written when the agent has ended a run that is no longer wanted.
    held: VecDeque<OutgoingLine>,
    crowding: Crowding,
    /// What the newest result named as wrong.
    errors: Vec<String>,
    known: Arc<SharedAgentFacts>,
    profile: Profile,
    closing: Closing,
    events: EventSink,
    /// Comes last: when this is dropped, everything else is gone, and those who wait for that know it.
    exit: watch::Sender<Option<Exit>>,
}

impl Driver {
    pub(crate) fn new(parts: DriverParts) -> Self {
        let AgentConnection { output, input, process } = parts.connection;
        let (answers, answered) = mpsc::channel(MAX_OPEN_REQUESTS);
        // Ids must differ from those of another host that the agent may have received before.
        let prefix = uuid::Uuid::new_v4().simple().to_string();
        Driver {
            reader: FrameReader::new(output, parts.line_limit),
            writer: LineWriter::new(input),
            process,
            gone: None,
            lost: None,
            machine: Machine::new(&prefix[..8]).serving_unknown(),
            began: Instant::now(),
            waiting: HashMap::new(),
            serving: HashMap::new(),
            tasks: JoinSet::new(),
            answers,
            answered,
            handlers: parts.handlers,
            commands: parts.commands,
            lines: parts.lines,
            forsaken: false,
            sent: SentPrompts::default(),
            runs: Runs::new(parts.cost),
            held: VecDeque::new(),
            crowding: Crowding::default(),
            errors: Vec::new(),
            known: parts.known,
            profile: parts.profile,
            closing: Closing::new(parts.ladder),
            events: parts.events,
            exit: parts.exit,
        }
    }

    /// Drives the session to its end.
    pub(crate) async fn run(mut self) {
        let status = self.serve().await;
        self.dismiss_callbacks().await;
        let mut exit = match self.process.take() {
            Some(process) => process.into_exit(status).await,
            None => Exit::new(status, Vec::new()),
        };
        exit.errors = std::mem::take(&mut self.errors);
        self.finish(exit);
    }

    /// Serves both sides until the agent has ended and all its output has been read.
    async fn serve(&mut self) -> ExitStatus {
        loop {
            self.crowding.make_room(&self.events, self.runs.is_awaited());
            self.take_in();
            self.end_withdrawn();
            self.close_input_when_due();
            let has_ended = self.gone.is_some() || self.process.is_none();
            if self.reader.is_done() && has_ended {
                return self.gone.as_ref().map_or(ExitStatus::Disconnected, |gone| gone.status);
            }
            let has_room = self.events.has_room();
            let drain = self.gone.as_ref().map(|gone| gone.until);
            let may_read = !self.reader.at_end() && (drain.is_some() || (has_room && self.writer.has_room()));
            let deadline = self.machine.next_deadline();
            let deadline = deadline.and_then(|at| self.began.checked_add(Duration::from_millis(at)));
            let crowded_until = self.crowding.until(&self.events, self.runs.is_awaited());
            let lost_until = self.lost.as_ref().and_then(|lost| lost.until);
            tokio::select! {
                read = read(&mut self.reader, drain), if may_read => self.has_read(read),
                () = self.events.room(), if !has_room => {}
                () = sleep_until(crowded_until), if crowded_until.is_some() => {}
                id = self.runs.abandoned(), if self.runs.has_waiters() => self.withdraw(&id),
                command = self.commands.recv(), if !self.forsaken => match command {
                    Some(command) => self.command(command),
                    // The reader of events may still receive how it ends.
                    None => {
                        self.forsaken = true;
                        self.finish_input();
                    }
                },
                () = self.events.abandoned(), if self.forsaken && self.closing.is_finishing() => self.close(None),
                worked = self.writer.work(), if self.writer.has_work() => {
                    if let Err(error) = worked {
                        trace::input_lost(&error.to_string());
                        let until = Some(Instant::now() + LOST_TIME);
                        self.lost = Some(LostInput { why: error.to_string(), until });
                    }
                }
                () = sleep_until(lost_until), if lost_until.is_some() => self.report_lost(),
                Some(responded) = self.answered.recv() => self.respond(responded),
                Some(_) = self.tasks.join_next(), if !self.tasks.is_empty() => {}
                () = sleep_until(deadline), if deadline.is_some() => self.expire(),
                () = sleep_until(self.closing.due()), if self.closing.due().is_some() => {
                    self.closing.climb(self.process.as_ref());
                    if self.process.is_none() && self.closing.is_at_top() {
                        self.reader.give_up();
                    }
                }
                status = ended(&mut self.process), if self.gone.is_none() && self.process.is_some() => {
                    self.closing.done();
                    self.gone = Some(EndedProcess { status, until: Instant::now() + DRAIN_TIME, bytes: DRAIN_BYTES });
                }
            }
        }
    }

    /// Something was read, or nothing more can be.
    fn has_read(&mut self, read: Option<usize>) {
        if let Some(gone) = &mut self.gone {
            gone.until = Instant::now() + DRAIN_TIME;
            gone.bytes = gone.bytes.saturating_sub(read.unwrap_or(gone.bytes));
            if gone.bytes == 0 {
                self.reader.give_up();
            }
        } else if self.reader.at_end() {
            trace::output_lost();
            self.closing.lost_output();
        }
    }

    /// Takes in what has been read, as far as there is room for what it means. Once nothing more is read, there
    /// is room for the rest.
    fn take_in(&mut self) {
        while self.events.has_room() || self.gone.is_some() || self.reader.at_end() {
            let Some(item) = self.reader.next() else { return };
            match item {
                Ok(frame) => self.receive(frame),
                Err(noise) => {
                    trace::line_unreadable();
                    self.events.push(Event::Noise(noise));
                }
            }
        }
    }

    fn receive(&mut self, frame: Frame) {
        let kept = Arc::new(frame);
        self.events.push(Event::Frame(kept.clone()));
        let ended = match &kept.frame {
            FromAgent::Result(frame) => {
                self.errors = frame.errors.iter().flatten().map(|error| error.as_str().to_owned()).collect();
                self.runs.result(frame)
            }
            FromAgent::CommandLifecycle(frame) => self.runs.lifecycle(frame),
            FromAgent::System(SystemFrame::SessionStateChanged(frame)) => self.runs.state(frame),
            FromAgent::System(SystemFrame::TaskStarted(_)) => {
                self.runs.task_started();
                None
            }
            FromAgent::System(SystemFrame::Init(frame)) => {
                self.known.learn_init(frame);
                self.runs.turn_began();
                None
            }
            frame @ (FromAgent::ControlRequest(_)
            | FromAgent::ControlResponse(_)
            | FromAgent::ControlCancelRequest(_)
            | FromAgent::Unknown(_)) => {
                for incoming in self.machine.receive(frame) {
                    self.control(incoming);
                }
                None
            }
            _ => None,
        };
        if let Some(outcome) = ended {
            trace::run_ended();
            self.events.push(Event::RunEnded(outcome));
        }
    }

    /// Closes the input once everything queued has been sent.
    fn close_input_when_due(&mut self) {
        let is_due = match self.closing.is_finishing() {
            true => !self.runs.is_running() && !self.is_serving(),
            false => !self.closing.is_open(),
        };
        if is_due {
            self.writer.close();
        }
    }

    /// The agent closed its input and continues: what waits can't be sent.
    fn report_lost(&mut self) {
        let Some(lost) = &mut self.lost else { return };
        lost.until = None;
        let why = lost.why.clone();
        for purpose in self.take_unwritten() {
            let error = Error::InputClosed(why.clone());
            match purpose {
                LinePurpose::Prompt { id, written } => {
                    let outcome = self.runs.unwritten(&id, &why);
                    self.events.push(Event::RunEnded(outcome));
                    if let Some(written) = written {
                        let _ = written.send(Err(error));
                    }
                }
                LinePurpose::Request(id) => self.unasked(&id, error),
                LinePurpose::Frame(written) => {
                    let _ = written.send(Err(error));
                }
                LinePurpose::Answer => {}
            }
        }
    }

    /// Notifies all callers that the agent has ended.
    fn finish(&mut self, exit: Exit) {
        trace::agent_exited(format_args!("{:?}", exit.status));
        // A caller that is woken below may ask for this next.
        self.exit.send_replace(Some(exit.clone()));
        self.lines.close();
        let error = Error::Ended(exit.clone());
        self.give_up_requests(&error);
        for purpose in self.take_unwritten() {
            if let LinePurpose::Prompt { written: Some(written), .. } | LinePurpose::Frame(written) = purpose
            {
                let _ = written.send(Err(error.clone()));
            }
        }
        let is_interrupted =
            self.profile.interrupt == InterruptBehavior::EndsAgent && self.runs.is_interrupted();
        let cut_short = match is_interrupted {
            true => Outcome::Interrupted(None),
            false => self.closing.cut_short(&exit),
        };
        for outcome in self.runs.end(cut_short) {
            self.events.push(Event::RunEnded(outcome));
        }
        self.events.push(Event::Ended(exit));
    }
}

impl Drop for Driver {
    /// A runtime that is shut down drops the driver at any await. No caller may wait forever because of that.
    fn drop(&mut self) {
        if self.exit.borrow().is_none() {
            self.exit.send_replace(Some(Exit::new(ExitStatus::Disconnected, Vec::new())));
        }
        self.lines.close();
    }
}

/// Reads some more, until a time. Returns the count of bytes; `None` if the time was up.
async fn read(reader: &mut FrameReader, until: Option<Instant>) -> Option<usize> {
    match until {
        None => Some(reader.read().await),
        // What is there already is read, whatever the time.
        Some(until) => tokio::time::timeout_at(until, reader.read()).await.ok(),
    }
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

async fn ended(process: &mut Option<StartedProcess>) -> ExitStatus {
    match process {
        Some(process) => process.ended().await,
        None => std::future::pending().await,
    }
}
