use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::ToAgent;
use aqueduct_wire::control::{HostRequest, InitializeReply};
use aqueduct_wire::json::Raw;
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};
use tokio::time::Instant;

use crate::capabilities::{SharedAgentFacts, request_since};
use crate::driver::{DriverCommand, PromptReporter, RunWaiter};
use crate::probe::probe;
use crate::transport::{Child, Ladder};
use crate::{Builder, Capabilities, Error, Exit, ExitStatus, Outcome, Profile, Prompt, Version};

/// How long an agent may take to end a run whose time is up.
const INTERRUPT_TIME: Duration = Duration::from_secs(10);

/// A running agent: a handle to send, ask and stop. Clones are handles to the same session, and all of it works
/// from several tasks at once, also in the middle of a run.
///
/// ```
/// use aqueduct_client::{Outcome, Session};
#[doc = include_str!("../doc/agent.txt")]
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct_client::Error> {
/// # let (ours, theirs) = tokio::io::duplex(4096);
/// # tokio::spawn(agent(theirs, ""));
///
/// let builder = Session::builder().program("aqueduct-agent");
/// # let builder = builder.transport(aqueduct_client::Transport::pipe(ours));
/// let session = builder.start_without_events().await?;
/// for prompt in ["Say hello.", "Again!"] {
///     if let Outcome::Done(report) = session.turn(prompt).await? {
///         assert_eq!(report.text(), "Hello!");
///     }
/// }
/// session.close().await;
/// # Ok(())
/// # }
/// ```
///
/// The agent ends when the session is closed and when this process dies. When the last handle is dropped, it may
/// finish the prompts that it has, as long as the [`Events`](crate::Events) are still there to be read; when they are
/// dropped too, it is closed.
#[derive(Debug, Clone)]
pub struct Session {
    inner: Arc<SessionInner>,
}

#[derive(Debug)]
struct SessionInner {
    commands: mpsc::Sender<DriverCommand>,
    /// A place for each line that may wait to be written.
    lines: Arc<Semaphore>,
    known: Arc<SharedAgentFacts>,
    initialized: OnceCell<InitializeReply<'static>>,
    exit: watch::Receiver<Option<Exit>>,
    pid: Option<u32>,
    request_timeout: Duration,
    /// The program to ask for its version, where the agent itself has not reported one.
    program: Option<Child>,
    probed: OnceCell<()>,
    profile: Profile,
}

/// What a handle is made of.
pub(crate) struct SessionHandle {
    pub(crate) commands: mpsc::Sender<DriverCommand>,
    pub(crate) lines: Arc<Semaphore>,
    pub(crate) known: Arc<SharedAgentFacts>,
    pub(crate) exit: watch::Receiver<Option<Exit>>,
    pub(crate) pid: Option<u32>,
    pub(crate) request_timeout: Duration,
    pub(crate) program: Option<Child>,
    pub(crate) profile: Profile,
}

impl Session {
    /// Configures an agent, and starts it.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) fn new(handle: SessionHandle) -> Self {
        let SessionHandle { commands, lines, known, exit, pid, request_timeout, program, profile } = handle;
        let inner = SessionInner {
            commands,
            lines,
            known,
            initialized: OnceCell::new(),
            exit,
            pid,
            request_timeout,
            program,
            probed: OnceCell::new(),
            profile,
        };
        Session { inner: Arc::new(inner) }
    }

    /// Sends a prompt. Resolves when it is written; if a run is active, the agent queues it. Returns the
    /// prompt's id.
    pub async fn send(&self, prompt: impl Into<Prompt>) -> Result<String, Error> {
        let prompt = prompt.into();
        let id = prompt.id().to_owned();
        let (written, done) = oneshot::channel();
        self.prompt(prompt, PromptReporter::Written(written)).await?;
        done.await.unwrap_or_else(|_| Err(self.ended_error()))?;
        Ok(id)
    }

    /// Sends a prompt and waits until the run that serves it has ended: until the agent is idle or takes up
    /// the next prompt, or, if it does not report that, until its `result`.
    ///
    /// It returns whether the session's [`Events`](crate::Events) are read or not: they say what becomes of unread ones.
    ///
    /// # Cancellation
    ///
    /// Dropped before it is done, it interrupts its run, or takes its prompt from the queue. The session lives on:
    /// prompts that are sent meanwhile are held until the agent has ended that run, and then served at once. A run that
    /// also serves a prompt of another caller is not interrupted. The run still has its event
    /// [`RunEnded`](crate::Event::RunEnded).
    ///
    /// ```no_run
    /// # async fn example(session: aqueduct_client::Session) -> Result<(), aqueduct_client::Error> {
    /// tokio::select! {
    ///     outcome = session.turn("Count the stars.") => println!("{}", outcome?),
    ///     _ = tokio::time::sleep(std::time::Duration::from_secs(1)) => println!("That takes too long."),
    /// }
    /// println!("{}", session.turn("Say hello.").await?);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn turn(&self, prompt: impl Into<Prompt>) -> Result<Outcome, Error> {
        self.turn_beside_events(prompt.into(), false).await
    }

    /// Sends a prompt and waits for the outcome. `reads_events`: the caller reads the events too.
    pub(crate) async fn turn_beside_events(
        &self,
        prompt: Prompt,
        reads_events: bool,
    ) -> Result<Outcome, Error> {
        let (outcome, ended) = oneshot::channel();
        self.prompt(prompt, PromptReporter::Outcome(RunWaiter { outcome, reads_events })).await?;
        ended.await.unwrap_or_else(|_| Err(self.ended_error()))
    }

    /// Sends a prompt and waits for the outcome, for `limit` at most, the time in the agent's queue included. When the time
    /// is up, the run is interrupted, or the prompt is taken from the queue, and the outcome is
    /// [`Interrupted`](Outcome::Interrupted), with the agent's report if it makes one within ten seconds. A run that ends
    /// by itself at the same time has its own outcome.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use aqueduct_client::{Outcome, Session};
    #[doc = include_str!("../doc/agent.txt")]
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), aqueduct_client::Error> {
    /// # let (ours, theirs) = tokio::io::duplex(4096);
    /// # tokio::spawn(agent(theirs, ""));
    /// # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
    ///
    /// let session = builder.start_without_events().await?;
    /// match session.turn_within("Say hello.", Duration::from_secs(30)).await? {
    ///     Outcome::Interrupted(_) => println!("It took longer than half a minute."),
    ///     outcome => println!("{}", outcome.done()?.text()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn turn_within(&self, prompt: impl Into<Prompt>, limit: Duration) -> Result<Outcome, Error> {
        let prompt = prompt.into();
        let id = prompt.id().to_owned();
        let mut turn = std::pin::pin!(self.turn(prompt));
        if let Ok(ended) = tokio::time::timeout(limit, &mut turn).await {
            return ended;
        }
        let interrupted = async {
            self.command(DriverCommand::Withdraw(id)).await?;
            turn.await
        };
        // An agent that does not react keeps its prompt. Dropped, the turn is still to be interrupted.
        tokio::time::timeout(INTERRUPT_TIME, interrupted).await.unwrap_or(Ok(Outcome::Interrupted(None)))
    }

    async fn prompt(&self, prompt: Prompt, reporter: PromptReporter) -> Result<(), Error> {
        let prompt = prompt.load().await?;
        let place = self.place().await?;
        self.command(DriverCommand::Send { prompt: Box::new(prompt), reporter, place }).await
    }

    /// Waits until one more line may wait to be written.
    async fn place(&self) -> Result<OwnedSemaphorePermit, Error> {
        self.inner.lines.clone().acquire_owned().await.map_err(|_| match self.inner.exit.borrow().clone() {
            Some(exit) => Error::Ended(exit),
            None => Error::InputClosed("the session is being closed".to_owned()),
        })
    }

    /// Asks the agent something, and gives the answer's payload. There are methods for what is asked often.
    ///
    /// ```no_run
    /// # async fn example(session: aqueduct_client::Session) -> Result<(), aqueduct_client::Error> {
    /// use std::time::Duration;
    ///
    /// use aqueduct_client::wire::control::{HostRequest, ListModelsRequest};
    ///
    /// let request = HostRequest::ListModels(ListModelsRequest::new());
    /// println!("{}", session.request(request.clone()).await?);
    /// println!("{}", session.request_within(request, Duration::from_secs(5)).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    ///
    /// A request that this version of the agent does not know is refused here: it might never be answered.
    pub async fn request(&self, request: HostRequest<'static>) -> Result<Raw<'static>, Error> {
        self.request_within(request, self.inner.request_timeout).await
    }

    /// Asks the agent something that has to be answered within a time.
    pub async fn request_within(
        &self,
        request: HostRequest<'static>,
        timeout: Duration,
    ) -> Result<Raw<'static>, Error> {
        let request = self.inner.profile.translate(request)?;
        if self.inner.profile.is_versioned {
            self.check(request.tag()).await?;
        }
        let began = Instant::now();
        let Ok(place) = tokio::time::timeout(timeout, self.place()).await else {
            return Err(Error::TimedOut { subtype: request.tag().to_owned(), after: timeout });
        };
        let (sender, answer) = oneshot::channel();
        let left = timeout.saturating_sub(began.elapsed());
        let request = Box::new(request);
        self.command(DriverCommand::Ask { request, timeout: left, answer: sender, place: place? }).await?;
        match answer.await.unwrap_or_else(|_| Err(self.ended_error())) {
            Err(Error::TimedOut { subtype, .. }) => Err(Error::TimedOut { subtype, after: timeout }),
            answer => answer,
        }
    }

    /// Learns the agent's version if it matters for this request, and refuses what it can't do.
    async fn check(&self, subtype: &str) -> Result<(), Error> {
        let is_new = request_since(subtype).is_some_and(|since| since > Version::OLDEST);
        if is_new && self.inner.exit.borrow().is_none() {
            self.version().await;
        }
        self.inner.known.check(subtype)
    }

    /// The agent's version: what it reported, or what its program answers to `--version`. `None` where neither is
    /// available.
    pub async fn version(&self) -> Option<Version> {
        if let Some(version) = self.inner.known.capabilities().version() {
            return Some(version);
        }
        let program = self.inner.program.as_ref()?;
        self.inner
            .probed
            .get_or_init(|| async {
                if let Ok(found) = probe(program).await {
                    self.inner.known.learn_version(found.version);
                }
            })
            .await;
        self.inner.known.capabilities().version()
    }

    /// The capabilities that the agent has reported. It may report more at its first run.
    pub fn capabilities(&self) -> Capabilities {
        self.inner.known.capabilities()
    }

    /// The agent's answer to `initialize`: commands, models, agents, account. `None` if it was not asked.
    pub fn initialized(&self) -> Option<&InitializeReply<'static>> {
        self.inner.initialized.get()
    }

    pub(crate) fn learn(&self, reply: InitializeReply<'static>) {
        self.inner.known.learn_reply(&reply);
        // Asked once; later callers get the same value.
        let _ = self.inner.initialized.set(reply);
    }

    /// The agent's dialect.
    ///
    /// ```
    /// use aqueduct_client::Session;
    #[doc = include_str!("../doc/agent.txt")]
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), aqueduct_client::Error> {
    /// # let (ours, theirs) = tokio::io::duplex(4096);
    /// # tokio::spawn(agent(theirs, ""));
    /// # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
    ///
    /// let session = builder.start_without_events().await?;
    /// println!("{}, process {:?}, id {:?}", session.profile().name, session.pid(), session.id());
    /// println!("{:?} {:?}", session.version().await, session.capabilities());
    /// assert!(session.initialized().is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn profile(&self) -> Profile {
        self.inner.profile
    }

    /// The session's id, once the agent has reported it: at its first run.
    pub fn id(&self) -> Option<String> {
        self.inner.known.session_id()
    }

    /// The process, where the agent is one that this session started.
    pub fn pid(&self) -> Option<u32> {
        self.inner.pid
    }

    /// Writes a frame as it is. For what has no method; answers to requests of the agent are not to be sent so.
    pub async fn write(&self, frame: &ToAgent<'_>) -> Result<(), Error> {
        let place = self.place().await?;
        let (written, done) = oneshot::channel();
        self.command(DriverCommand::Write { line: frame.to_line(), written, place }).await?;
        done.await.unwrap_or_else(|_| Err(self.ended_error()))
    }

    /// Takes no more prompts, and lets the agent finish those it has, with all the time that it needs; what it asks
    /// meanwhile is still answered. Then its input is closed, and it ends by itself.
    ///
    /// ```no_run
    /// # async fn example(session: aqueduct_client::Session) -> Result<(), aqueduct_client::Error> {
    /// session.send("Tell me a story.").await?;
    /// session.end_input().await;
    /// println!("{}", session.ended().await);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn end_input(&self) {
        // An agent that has ended need not be notified.
        let _ = self.command(DriverCommand::EndInput).await;
    }

    /// Waits until the agent has ended and all its resources are released, and returns how it ended.
    pub async fn ended(&self) -> Exit {
        let mut exit = self.inner.exit.clone();
        // The sender goes last of all that the session is made of.
        while exit.changed().await.is_ok() {}
        let found = exit.borrow().clone();
        found.unwrap_or_else(|| Exit::new(ExitStatus::Disconnected, Vec::new()))
    }

    /// Brings the agent to its end, by the ladder that the builder was given, and waits for it. Runs that have not
    /// ended by then are [`Interrupted`](Outcome::Interrupted). The owner of the events may still read what the
    /// agent sends meanwhile, and afterwards.
    pub async fn close(&self) -> Exit {
        self.close_by(None).await
    }

    /// Brings the agent to its end by a ladder of its own.
    ///
    /// ```no_run
    /// # async fn example(session: aqueduct_client::Session) {
    /// println!("{}", session.close_with(aqueduct_client::Ladder::KILL).await);
    /// # }
    /// ```
    pub async fn close_with(&self, ladder: Ladder) -> Exit {
        self.close_by(Some(ladder)).await
    }

    async fn close_by(&self, ladder: Option<Ladder>) -> Exit {
        // An agent that is gone needs not be reported.
        let _ = self.command(DriverCommand::Close(ladder)).await;
        self.ended().await
    }

    async fn command(&self, command: DriverCommand) -> Result<(), Error> {
        self.inner.commands.send(command).await.map_err(|_| self.ended_error())
    }

    fn ended_error(&self) -> Error {
        let exit = self.inner.exit.borrow().clone();
        Error::Ended(exit.unwrap_or_else(|| Exit::new(ExitStatus::Disconnected, Vec::new())))
    }
}
