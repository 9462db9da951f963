//! The task behind a session: it reads what the agent says, keeps requests of both directions, runs callbacks,
//! and brings the agent to its end.
//!
//! It never waits for one thing alone. Writing has a task of its own, so that an agent that does not read is
//! still heard; callbacks have one each, so that a slow one holds up nobody. The only thing that stops the
//! reading is a reader of events who does not read: then the agent has to wait.

mod closing;
mod reader;
mod runs;
mod writer;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::FromAgent;
use aqueduct_wire::control::{AgentRequest, HostRequest};
use aqueduct_wire::json::Raw;
use aqueduct_wire::machine::{Host, Incoming, MAX_OPEN_REQUESTS, Machine, RequestId};
use aqueduct_wire::system::SystemFrame;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::event::{Event, Frame, Noise};
use crate::events::EventSink;
use crate::handler::{Handlers, Reply, Responded, Responder};
use crate::known::Known;
use crate::prompt::Prompt;
use crate::transport::{Connection, Ladder, Process};
use crate::{Error, Exit, ExitStatus, Outcome};
use closing::Closing;
use reader::Reader;
use runs::Runs;
use writer::{Outgoing, Writer};

/// How many commands of handles wait at most; further ones wait with those who give them.
pub(crate) const COMMANDS_BOUND: usize = 64;

/// How many lines may wait for the writer before commands are left waiting. Answers to the agent come on top:
/// one for each request that it may have open.
const BACKLOG_BOUND: usize = 64;

/// How long output is still read once the process is gone. A descendant may hold the pipe open.
const DRAIN_TIME: Duration = Duration::from_millis(500);

/// How long a process that closed its output may take to end by itself.
const SILENT_TIME: Duration = Duration::from_secs(1);

/// What a handle wants.
#[derive(Debug)]
pub(crate) enum Command {
    /// Say something.
    Send {
        prompt: Box<Prompt>,
        /// Told how the run ends.
        outcome: Option<oneshot::Sender<Outcome>>,
        written: oneshot::Sender<Result<(), Error>>,
    },
    /// Ask something.
    Ask {
        request: Box<HostRequest<'static>>,
        timeout: Duration,
        answer: oneshot::Sender<Result<Raw<'static>, Error>>,
    },
    /// Write a line that the caller has made.
    Write { line: String, written: oneshot::Sender<Result<(), Error>> },
    /// Close the agent's input and let it finish.
    EndInput,
    /// Bring the agent to its end, by the session's ladder or by another.
    Close(Option<Ladder>),
}

/// A request of this side that waits for its answer.
#[derive(Debug)]
struct Waiting {
    answer: oneshot::Sender<Result<Raw<'static>, Error>>,
    subtype: String,
    timeout: Duration,
}

/// A request of the agent that is being answered.
#[derive(Debug)]
struct Serving {
    withdrawn: CancellationToken,
    task: Option<AbortHandle>,
}

/// What a driver is made of.
pub(crate) struct Parts {
    pub(crate) connection: Connection,
    pub(crate) line_limit: usize,
    pub(crate) ladder: Ladder,
    pub(crate) handlers: Handlers,
    pub(crate) commands: mpsc::Receiver<Command>,
    pub(crate) events: EventSink,
    pub(crate) known: Arc<Known>,
    pub(crate) exit: watch::Sender<Option<Exit>>,
}

/// The state of one session.
pub(crate) struct Driver {
    reader: Reader,
    writer: Writer,
    process: Option<Process>,
    backlog: VecDeque<Outgoing>,
    machine: Machine<Host>,
    began: Instant,
    waiting: HashMap<RequestId, Waiting>,
    serving: HashMap<RequestId, Serving>,
    tasks: JoinSet<()>,
    answers: mpsc::Sender<Responded>,
    answered: mpsc::Receiver<Responded>,
    handlers: Handlers,
    commands: mpsc::Receiver<Command>,
    /// All handles are gone.
    forsaken: bool,
    events: EventSink,
    runs: Runs,
    known: Arc<Known>,
    closing: Closing,
    exit: watch::Sender<Option<Exit>>,
}

impl Driver {
    pub(crate) fn new(parts: Parts) -> Self {
        let Connection { output, input, process } = parts.connection;
        let (answers, answered) = mpsc::channel(MAX_OPEN_REQUESTS);
        // Ids must differ from those of another host that the agent may have heard before.
        let prefix = uuid::Uuid::new_v4().simple().to_string();
        Driver {
            reader: Reader::new(output, parts.line_limit),
            writer: Writer::start(input),
            process,
            backlog: VecDeque::new(),
            machine: Machine::new(&prefix[..8]).serving_unknown(),
            began: Instant::now(),
            waiting: HashMap::new(),
            serving: HashMap::new(),
            tasks: JoinSet::new(),
            answers,
            answered,
            handlers: parts.handlers,
            commands: parts.commands,
            forsaken: false,
            events: parts.events,
            runs: Runs::default(),
            known: parts.known,
            closing: Closing::new(parts.ladder),
            exit: parts.exit,
        }
    }

    /// Drives the session to its end.
    pub(crate) async fn run(mut self) {
        let status = self.serve().await;
        let exit = match self.process.take() {
            Some(process) => process.bury(status).await,
            None => Exit::new(status, Vec::new()),
        };
        self.finish(exit);
        self.tasks.shutdown().await;
    }

    /// Serves both sides until the agent is gone and all that it said has been taken in.
    async fn serve(&mut self) -> ExitStatus {
        let mut status = None;
        let mut drain_until = None;
        loop {
            self.take_in();
            if self.reader.at_end() && (status.is_some() || self.process.is_none()) {
                return status.unwrap_or(ExitStatus::Disconnected);
            }
            let may_read = !self.reader.at_end() && self.events.has_room();
            let may_command = !self.forsaken && self.backlog.len() < BACKLOG_BOUND;
            let deadline = self.machine.next_deadline().map(|at| self.began + Duration::from_millis(at));
            let writer = self.writer.lines.clone();
            tokio::select! {
                read = self.reader.read(), if may_read => {
                    if read.is_err() {
                        self.reader.give_up();
                    }
                    if self.reader.at_end() && status.is_none() {
                        self.closing.lost_output(SILENT_TIME);
                    }
                }
                () = self.events.room(), if !self.events.has_room() => {}
                command = self.commands.recv(), if may_command => match command {
                    Some(command) => self.command(command),
                    None => {
                        self.forsaken = true;
                        self.close(None);
                    }
                },
                Some(permit) = reserve(writer), if !self.backlog.is_empty() => {
                    if let Some(line) = self.backlog.pop_front() {
                        permit.send(line);
                    }
                    self.close_input_when_due();
                }
                Some(responded) = self.answered.recv() => self.respond(responded),
                Some((id, why)) = self.writer.unwritten.recv() => {
                    if let Some(outcome) = self.runs.unwritten(&id, why) {
                        self.events.push(Event::RunEnded(outcome));
                    }
                }
                Some(_) = self.tasks.join_next(), if !self.tasks.is_empty() => {}
                () = sleep_until(deadline), if deadline.is_some() => self.expire(),
                () = sleep_until(self.closing.due()), if self.closing.due().is_some() => {
                    self.closing.climb(self.process.as_ref());
                    self.close_input_when_due();
                    if self.process.is_none() && self.closing.is_at_top() {
                        self.reader.give_up();
                    }
                }
                ended = ended(&mut self.process), if status.is_none() && self.process.is_some() => {
                    status = Some(ended);
                    self.closing.done();
                    drain_until = Some(Instant::now() + DRAIN_TIME);
                }
                () = sleep_until(drain_until), if drain_until.is_some() && self.events.has_room() => {
                    self.reader.give_up();
                    drain_until = None;
                }
            }
        }
    }

    /// Takes in what has been read, as far as there is room for what it means.
    fn take_in(&mut self) {
        while self.events.has_room() {
            let Some(item) = self.reader.next().or_else(|| self.reader.rest()) else { return };
            match item {
                Ok(frame) => self.receive(frame),
                Err(noise) => self.events.push(Event::Noise(noise)),
            }
        }
    }

    fn receive(&mut self, frame: Frame) {
        let kept = Arc::new(frame);
        self.events.push(Event::Frame(kept.clone()));
        let ended = match &kept.frame {
            FromAgent::Result(frame) => self.runs.result(frame),
            FromAgent::System(SystemFrame::SessionStateChanged(frame)) => self.runs.state(frame),
            FromAgent::System(SystemFrame::Init(frame)) => {
                self.known.learn_init(frame);
                None
            }
            FromAgent::CommandLifecycle(frame) => {
                self.runs.lifecycle(frame);
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
            self.events.push(Event::RunEnded(outcome));
        }
    }

    fn control(&mut self, incoming: Incoming<AgentRequest<'static>>) {
        match incoming {
            Incoming::Request { id, request } => self.serve_request(id, request),
            Incoming::Refused { line, .. } => self.write(line),
            Incoming::Answer { id, outcome, .. } => {
                if let Some(waiting) = self.waiting.remove(&id) {
                    let Waiting { answer, subtype, .. } = waiting;
                    // Whoever asked may have stopped waiting.
                    let _ = answer.send(outcome.map_err(|error| Error::Refused { subtype, error }));
                }
            }
            Incoming::Cancelled { id } => {
                if let Some(serving) = self.serving.remove(&id) {
                    serving.withdrawn.cancel();
                    if let Some(task) = serving.task {
                        task.abort();
                    }
                }
            }
            Incoming::Ignored { id, why } => {
                self.events.push(Event::Noise(Noise::Stray { id: id.as_str().to_owned(), why }));
            }
            _ => {}
        }
    }

    fn serve_request(&mut self, id: RequestId, request: AgentRequest<'static>) {
        let withdrawn = CancellationToken::new();
        let responder = Responder::new(id.clone(), self.answers.clone(), withdrawn.clone());
        let answering = self.handlers.serve(request, responder);
        let task = answering.map(|answering| self.tasks.spawn(answering));
        self.serving.insert(id, Serving { withdrawn, task });
    }

    fn respond(&mut self, Responded { id, reply }: Responded) {
        self.serving.remove(&id);
        let line = match reply {
            Reply::Payload { payload, interrupts } => {
                if interrupts {
                    self.runs.interrupt();
                }
                self.machine.answer(&id, &payload)
            }
            Reply::Refusal(error) => self.machine.refuse(&id, &error),
            Reply::Nothing => self.machine.decline(&id),
        };
        if let Some(line) = line {
            self.write(line);
            self.events.push(Event::Answered { id: id.as_str().to_owned() });
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Send { prompt, outcome, written } => {
                if let Some(written) = self.still_open(written) {
                    self.runs.begin(prompt.id().to_owned(), outcome);
                    let id = Some(prompt.id().to_owned());
                    self.backlog.push_back(Outgoing {
                        line: prompt.line(),
                        prompt: id,
                        written: Some(written),
                    });
                }
            }
            Command::Ask { request, timeout, answer } => self.ask(*request, timeout, answer),
            Command::Write { line, written } => {
                if let Some(written) = self.still_open(written) {
                    self.backlog.push_back(Outgoing { line, prompt: None, written: Some(written) });
                }
            }
            Command::EndInput => {
                self.closing.end_input();
                self.close_input_when_due();
            }
            Command::Close(ladder) => self.close(ladder),
        }
    }

    /// Whether lines can still be written; those who want to are told if not.
    fn still_open(
        &self,
        written: oneshot::Sender<Result<(), Error>>,
    ) -> Option<oneshot::Sender<Result<(), Error>>> {
        if self.closing.input_is_open() {
            return Some(written);
        }
        let _ = written.send(Err(Error::InputClosed("the session is being closed".to_owned())));
        None
    }

    fn ask(
        &mut self,
        request: HostRequest<'static>,
        timeout: Duration,
        answer: oneshot::Sender<Result<Raw<'static>, Error>>,
    ) {
        if !self.closing.input_is_open() {
            let _ = answer.send(Err(Error::InputClosed("the session is being closed".to_owned())));
            return;
        }
        if matches!(request, HostRequest::Interrupt(_)) && self.runs.is_running() {
            self.runs.interrupt();
        }
        let subtype = request.tag().to_owned();
        let deadline = self.began.elapsed().saturating_add(timeout);
        let deadline = u64::try_from(deadline.as_millis()).unwrap_or(u64::MAX);
        let sent = self.machine.request(request, Some(deadline));
        self.waiting.insert(sent.id, Waiting { answer, subtype, timeout });
        self.write(sent.line);
    }

    /// Gives up the requests whose time has come. Agents that are too old to be told are not.
    fn expire(&mut self) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        for expired in self.machine.expire(now) {
            if let Some(Waiting { answer, subtype, timeout }) = self.waiting.remove(&expired.id) {
                let _ = answer.send(Err(Error::TimedOut { subtype, after: timeout }));
            }
            if self.known.takes_cancels() {
                self.write(expired.line);
            }
        }
    }

    fn write(&mut self, line: String) {
        self.backlog.push_back(line.into());
    }

    fn close(&mut self, ladder: Option<Ladder>) {
        self.closing.begin(ladder);
        self.close_input_when_due();
    }

    /// Closes the input once everything that was to be said has been said.
    fn close_input_when_due(&mut self) {
        if !self.closing.input_is_open() && self.backlog.is_empty() {
            self.writer.close();
        }
    }

    /// Tells everybody that the agent is gone.
    fn finish(&mut self, exit: Exit) {
        for (_, Waiting { answer, .. }) in self.waiting.drain() {
            let _ = answer.send(Err(Error::Ended(exit.clone())));
        }
        for line in self.backlog.drain(..) {
            if let Some(written) = line.written {
                let _ = written.send(Err(Error::Ended(exit.clone())));
            }
        }
        for (_, serving) in self.serving.drain() {
            serving.withdrawn.cancel();
        }
        if let Some(outcome) = self.runs.end(&exit, self.closing.output_was_lost()) {
            self.events.push(Event::RunEnded(outcome));
        }
        self.events.push(Event::Ended(exit.clone()));
        self.exit.send_replace(Some(exit));
    }
}

async fn reserve(lines: Option<mpsc::Sender<Outgoing>>) -> Option<mpsc::OwnedPermit<Outgoing>> {
    lines?.reserve_owned().await.ok()
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

async fn ended(process: &mut Option<Process>) -> ExitStatus {
    match process {
        Some(process) => process.ended().await,
        None => std::future::pending().await,
    }
}
