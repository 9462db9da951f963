//! The agent's loop: input, turns, signals, the end.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use aqueduct_tools::Notice;
use aqueduct_tools::subagent::SubagentTask;
use aqueduct_wire::ToAgent;
use aqueduct_wire::block::Content;
use aqueduct_wire::control::HostRequest;
use aqueduct_wire::frame::CommandState;
use aqueduct_wire::frame::UserFrame;
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::hook::{SessionEndReason, SessionStartSource};
use aqueduct_wire::json::Raw;
use aqueduct_wire::message::UserMessage;
use aqueduct_wire::system::SessionState;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::clock::fresh_uuid;
use crate::control::{self, ControlEffect, DeferredAnswer, RunningWork};
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::inbox::{Inbox, InboxItem, NoPrompt, unknown_frame};
use crate::options::{AgentOptions, InputFormat};
use crate::outbox::Outbox;
use crate::prompt_queue::{MAX_WAITING, QueuedPrompt};
use crate::session::{
    self, AgentSession, Dialogue, StartError, StartedSession, ToolChannels, UnfinishedTask,
};
use crate::trace;
use crate::transcript::UserLine;
use crate::turn::Turn;
use crate::upstream::Upstream;

/// How many notices of tools wait while the loop is busy.
pub(crate) const NOTICES_AHEAD: usize = 64;

/// How many subagents wait to be sent while the loop is busy.
const TASKS_AHEAD: usize = 16;

/// How long a prompt on stdin may be.
const MAX_PROMPT_BYTES: u64 = 10 * 1024 * 1024;

/// How long a prompt waits for text on stdin that belongs to it.
const EXTRA_INPUT: Duration = Duration::from_secs(3);

/// How often files that hooks watch are checked; and, while the session is idle, commands and skills.
const LOOK: Duration = Duration::from_secs(2);

/// How long the end of a background task waits for those of others: the model is asked about them once.
const GATHER: Duration = Duration::from_millis(100);

/// What the process is asked to do from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessSignal {
    /// SIGINT: close the turn, then end.
    Interrupt,
    /// SIGTERM: end at once.
    Terminate,
    /// Stdout has no reader any more: end at once.
    Abandon,
}

/// The exit code after SIGTERM.
const TERMINATED: u8 = 143;

/// The exit code after a second SIGINT, while the first one is not handled yet.
const INTERRUPTED: u8 = 130;

/// The exit code if stdout has no reader.
const ABANDONED: u8 = 1;

/// Writes a message to stderr.
pub type ReportError<'c> = &'c mut (dyn FnMut(&str) + Send);

/// Runs the agent until its input ends, or until it receives a request to end.
pub async fn run(
    environment: Environment,
    options: AgentOptions,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    signals: mpsc::Receiver<ProcessSignal>,
    report_error: ReportError<'_>,
) -> u8 {
    let (outbox, writer) = Outbox::open(output, options.output, options.verbose, options.max_turns);
    let (interrupts, interrupted) = mpsc::channel(1);
    let watching = watch(signals, interrupts, outbox.watch());
    let serving = async move {
        let code = serve(environment, options, input, outbox, interrupted, report_error).await;
        writer.finish().await;
        code
    };
    // What waits in there, also for a host that does not read, ends when it is dropped.
    tokio::select! {
        biased;
        code = watching => code,
        code = serving => code,
    }
}

/// Waits for what ends the process at once, and gives its exit code.
async fn watch(
    mut signals: mpsc::Receiver<ProcessSignal>,
    interrupts: mpsc::Sender<()>,
    gone: impl Future<Output = ()>,
) -> u8 {
    tokio::pin!(gone);
    loop {
        let signal = tokio::select! {
            Some(signal) = signals.recv() => signal,
            () = &mut gone => return ABANDONED,
        };
        match signal {
            ProcessSignal::Terminate => return TERMINATED,
            ProcessSignal::Abandon => return ABANDONED,
            // The loop may wait for a host that does not read: a second signal ends the process.
            ProcessSignal::Interrupt if interrupts.try_send(()).is_err() => return INTERRUPTED,
            ProcessSignal::Interrupt => (),
        }
    }
}

/// Serves prompts from the start of the session to its end.
async fn serve(
    environment: Environment,
    options: AgentOptions,
    input: impl AsyncRead + Send + Unpin + 'static,
    outbox: Outbox,
    interrupts: mpsc::Receiver<()>,
    report_error: ReportError<'_>,
) -> u8 {
    let (notices, mut reported) = mpsc::channel(NOTICES_AHEAD);
    let (subagent_tasks, wanted) = mpsc::channel(TASKS_AHEAD);
    let session_id = options.session_id.clone().or_else(|| options.resume.clone());
    let StartedSession { session, mut dialogue, warnings, withheld, source: begins, unfinished } =
        match session::start(environment, options, outbox.clone(), ToolChannels { notices, subagent_tasks })
            .await
        {
            Ok(started) => started,
            Err(error) => {
                trace::session_not_started();
                report_error(&error.advised());
                if let Some(frame) = error.result(session_id.as_deref()) {
                    outbox.line(frame).await;
                }
                return 1;
            }
        };
    for line in warnings.iter().map(Diagnostic::for_stderr).chain(withheld) {
        report_error(&line);
    }
    let source = match source(&session, input).await {
        Ok(source) => source,
        Err(error) => {
            report_error(&format!("Error: {error}"));
            return 1;
        }
    };
    session.watch_named_files();
    session.send_title().await;
    let mut running = Loop {
        session: &session,
        later: Vec::new(),
        wanted,
        source,
        interrupts,
        guessing: CancellationToken::new(),
        upstream: Upstream::default(),
        awaits_initialize: session.options.await_initialize,
        was_refused: false,
        is_error: false,
        is_over: false,
        gave_up: None,
    };
    let span = trace::session_span(&session.id());
    let code = running.run(&mut dialogue, begins, &unfinished, &mut reported).instrument(span).await;
    session.stop_commands().await;
    dialogue.end();
    drop(dialogue);
    if let Some(why) = running.gave_up.take() {
        report_error(&why);
    }
    if session.options.input == InputFormat::StreamJson
        && let Some(prompt) = session.options.prompt.as_deref().filter(|_| !running.upstream.is_there())
    {
        let what = Diagnostic::warning("with --input-format stream-json prompts come on stdin");
        let then = format!("the one on the command line was not asked: {prompt}");
        report_error(&what.clause(then).for_stderr());
    }
    // Hosts receive the failures with every `init`.
    let failures = session.tool_context.mcp.failures().into_iter().filter(|_| !session.outbox.wants_frames());
    failures.for_each(|failure| report_error(&Diagnostic::warning(failure).for_stderr()));
    let Loop { mut interrupts, .. } = running;
    let cancel = CancellationToken::new();
    let ended = session.session_ended(SessionEndReason::OtherReason, &cancel);
    tokio::pin!(ended);
    tokio::select! {
        () = &mut ended => (),
        Some(()) = interrupts.recv() => {
            cancel.cancel();
            ended.await;
        }
    }
    session.hooks.end().await;
    // What ran in the background is checked when all of it has ended.
    for report in session.tool_context.commands.sandbox.watch().check() {
        report_error(&Diagnostic::warning(report).for_stderr());
    }
    session.tool_context.mcp.end().await;
    trace::session_ended(&session.id(), code.into());
    code
}

/// Where prompts come from.
enum PromptInput {
    /// Frames on stdin.
    Frames(Inbox),
    /// One prompt, and that is all.
    Once(Option<Box<QueuedPrompt>>),
}

async fn source(
    session: &AgentSession,
    mut input: impl AsyncRead + Send + Unpin + 'static,
) -> Result<PromptInput, NoPrompt> {
    if session.options.only_setup {
        return Ok(PromptInput::Once(None));
    }
    if session.options.input == InputFormat::StreamJson {
        return Ok(PromptInput::Frames(Inbox::open(input)));
    }
    let mut text = session.options.prompt.clone().unwrap_or_default();
    let given = read_text(&mut input, !text.is_empty()).await;
    let given = given.map_err(NoPrompt::Stdin)?;
    match text.trim().is_empty() {
        true => text = given,
        false if !given.is_empty() => text = format!("{text}\n{given}"),
        false => (),
    }
    if text.trim().is_empty() {
        return Err(NoPrompt::Missing);
    }
    Ok(PromptInput::Once(Some(Box::new(prompt(text)))))
}

/// The text on stdin. If there is a prompt already, it does not wait long for a pipe without input.
async fn read_text(input: &mut (impl AsyncRead + Send + Unpin), is_extra: bool) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let mut limited = input.take(MAX_PROMPT_BYTES);
    let begins = limited.read_buf(&mut bytes);
    let begun = match is_extra {
        true => timeout(EXTRA_INPUT, begins).await.unwrap_or(Ok(0))?,
        false => begins.await?,
    };
    if begun > 0 {
        limited.read_to_end(&mut bytes).await?;
    }
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// A prompt that came as text.
fn prompt(text: String) -> QueuedPrompt {
    QueuedPrompt::new(UserFrame::new(user_message(text)))
}

fn user_message(text: String) -> UserMessage<'static> {
    let mut message = UserMessage::new(Content::Text(text.into()));
    message.role = Some("user".into());
    message
}

/// Whether a frame is the `initialize` that a session may have to begin with.
fn is_initialize(frame: &ToAgent<'_>) -> bool {
    match frame {
        ToAgent::ControlRequest(request) => matches!(request.request, HostRequest::Initialize(_)),
        _ => false,
    }
}

/// The loop of a session.
struct Loop<'l> {
    session: &'l AgentSession,
    /// Requests of the host that are being served beside everything else, and subagents at work.
    later: Vec<DeferredAnswer<'l>>,
    /// Subagents that are to be sent.
    wanted: mpsc::Receiver<SubagentTask>,
    source: PromptInput,
    interrupts: mpsc::Receiver<()>,
    /// Cancels the suggestion for the next prompt.
    guessing: CancellationToken,
    /// The agent whose stdout is read, where there is one.
    upstream: Upstream,
    /// Whether the last result was an error: the exit code.
    is_error: bool,
    /// The first frame must be `initialize`, and has not come.
    awaits_initialize: bool,
    /// The first frame was another one, so the exit code is that of a failure.
    was_refused: bool,
    /// Nothing more is read: stdin has ended, or the host ended the session.
    is_over: bool,
    /// Subagents in the background were stopped, for this reason.
    gave_up: Option<String>,
}

/// What happened next.
enum LoopEvent {
    Input(Option<InboxItem>),
    Notice(Notice),
    /// SIGINT.
    Interrupt,
    /// A request of the host was answered, or a subagent is done.
    Served,
    /// A subagent is to be sent.
    SubagentTask(Box<SubagentTask>),
    /// Nothing happened for a while: time to look around.
    Look,
}

/// How the loop continues after an event.
enum LoopStep {
    GoOn,
    /// End the turn that runs and then the process.
    Stop,
}

impl Loop<'_> {
    /// Serves prompts until there are none and none can come; gives the exit code.
    async fn run(
        &mut self,
        dialogue: &mut Dialogue,
        begins: SessionStartSource<'static>,
        unfinished: &[UnfinishedTask],
        reported: &mut mpsc::Receiver<Notice>,
    ) -> u8 {
        let session = self.session;
        if let LoopStep::Stop = self.begin(dialogue, begins, reported).await {
            return u8::from(self.was_refused);
        }
        for task in unfinished {
            session.report_unfinished(task).await;
        }
        if let PromptInput::Once(prompt) = &mut self.source {
            let prompt = prompt.take();
            self.is_over = true;
            if let Some(prompt) = prompt {
                session.enqueue(*prompt);
            }
        }
        let stopped = session.prompts.take_interrupted();
        if !stopped.is_empty() {
            let cancel = CancellationToken::new();
            cancel.cancel();
            if let LoopStep::Stop = self.work(stopped, cancel, dialogue, reported).await {
                return 0;
            }
        }
        let mut idle_since = Instant::now();
        loop {
            if let LoopStep::Stop = self.gather(reported).await {
                dialogue.write_titles(session).await;
                return u8::from(self.was_refused);
            }
            dialogue.write_titles(session).await;
            let prompts = session.prompts.take();
            if prompts.is_empty() {
                if self.is_over && self.later.is_empty() && session.background_tasks.is_empty() {
                    return u8::from(self.is_error);
                }
                let ceiling = session.background_ceiling().filter(|_| self.is_over && self.gave_up.is_none());
                let event = match ceiling {
                    Some(ceiling) => {
                        tokio::time::timeout_at(idle_since + ceiling, self.next(reported)).await.ok()
                    }
                    None => Some(self.next(reported).await),
                };
                let Some(event) = event else {
                    self.gave_up = Some(session.stop_waiting(idle_since.elapsed()));
                    continue;
                };
                match self.handle(event, RunningWork::Nothing).await {
                    LoopStep::GoOn => continue,
                    LoopStep::Stop => {
                        dialogue.write_titles(session).await;
                        return u8::from(self.was_refused);
                    }
                }
            }
            match self.work(prompts, CancellationToken::new(), dialogue, reported).await {
                LoopStep::GoOn => idle_since = Instant::now(),
                LoopStep::Stop => {
                    dialogue.write_titles(session).await;
                    return 0;
                }
            }
        }
    }

    /// Lets background tasks that end close together come to an end before the model is asked about the first.
    async fn gather(&mut self, reported: &mut mpsc::Receiver<Notice>) -> LoopStep {
        let session = self.session;
        let deadline = Instant::now() + GATHER;
        while session.prompts.begins_with_notification() && !session.background_tasks.is_empty() {
            let Ok(event) = tokio::time::timeout_at(deadline, self.next(reported)).await else { break };
            if let LoopStep::Stop = self.handle(event, RunningWork::Nothing).await {
                return LoopStep::Stop;
            }
        }
        LoopStep::GoOn
    }

    /// Runs the hooks of the beginning, and serves the host meanwhile. Prompts wait.
    async fn begin(
        &mut self,
        dialogue: &mut Dialogue,
        begins: SessionStartSource<'static>,
        reported: &mut mpsc::Receiver<Notice>,
    ) -> LoopStep {
        let session = self.session;
        let label = format!("SessionStart:{}", begins.as_str());
        let cancel = CancellationToken::new();
        let hooks = async {
            if let Some(setup) = session.options.setup {
                let outcome = session.set_up(setup.trigger(), &cancel).await;
                session.hooks.keep(&format!("Setup:{}", setup.trigger().as_str()), &outcome);
            }
            session.session_started(begins, &cancel).await
        };
        tokio::pin!(hooks);
        let outcome = loop {
            let event = tokio::select! {
                biased;
                outcome = &mut hooks => break outcome,
                event = self.next(reported) => event,
            };
            if let LoopStep::Stop = self.handle(event, RunningWork::Start(&cancel)).await {
                cancel.cancel();
                hooks.await;
                return LoopStep::Stop;
            }
        };
        session.hooks.keep(&label, &outcome);
        if let Some(title) = &outcome.title {
            dialogue.rename(session, title).await;
        }
        if let Some(text) = outcome.first_prompt {
            session.enqueue(prompt(text));
        }
        for file in session.briefing.memory_files() {
            session.instructions_loaded(file);
        }
        LoopStep::GoOn
    }

    /// Runs a turn on the conversation as other processes left it. A prompt that one of them served is not served
    /// again.
    async fn work(
        &mut self,
        mut prompts: Vec<QueuedPrompt>,
        cancel: CancellationToken,
        dialogue: &mut Dialogue,
        reported: &mut mpsc::Receiver<Notice>,
    ) -> LoopStep {
        let known = dialogue.begin_work(self.session).await;
        let is_served = |prompt: &mut QueuedPrompt| prompt.is_named && known.contains(&prompt.uuid);
        for served in prompts.extract_if(.., is_served) {
            self.session.send_lifecycle(&served, CommandState::Completed).await;
        }
        let step = match prompts.is_empty() {
            true => LoopStep::GoOn,
            false => {
                if let Err(error) = dialogue.close_unanswered() {
                    self.session.send_note(&error.advised(), "warning").await;
                }
                self.turn(prompts, cancel, dialogue, reported).await
            }
        };
        dialogue.end_work();
        step
    }

    /// Runs a turn until it ends or `cancel` ends it, and serves the host meanwhile.
    async fn turn(
        &mut self,
        prompts: Vec<QueuedPrompt>,
        cancel: CancellationToken,
        dialogue: &mut Dialogue,
        reported: &mut mpsc::Receiver<Notice>,
    ) -> LoopStep {
        let session = self.session;
        session.run.begin();
        session.send_state(SessionState::Running).await;
        self.add_upstream_context(dialogue).await;
        self.guessing.cancel();
        let mut after = LoopStep::GoOn;
        let turn = Turn::new(session, dialogue, prompts, cancel.clone());
        let span = trace::turn_span(turn.id());
        let turn = turn.run().instrument(span);
        tokio::pin!(turn);
        let mut looking = tokio::time::interval(LOOK);
        let outcome = loop {
            let event = tokio::select! {
                biased;
                // What the turn has sent comes before what it does next.
                Some(notice) = reported.recv() => LoopEvent::Notice(notice),
                outcome = &mut turn => break outcome,
                event = self.input() => event,
                _ = looking.tick() => LoopEvent::Look,
            };
            match self.handle(event, RunningWork::Turn(&cancel)).await {
                LoopStep::GoOn => (),
                LoopStep::Stop => {
                    cancel.cancel();
                    session.host.withdraw().await;
                    after = LoopStep::Stop;
                }
            }
            // Input without a pause must not block the turn.
            if let Poll::Ready(outcome) = poll_fn(|context| Poll::Ready(turn.as_mut().poll(context))).await {
                break outcome;
            }
        };
        self.is_error = outcome.is_error;
        session.run.end();
        if session.prompts.is_empty() {
            session.send_state(SessionState::Idle).await;
            if let Some(request) = outcome.guess {
                self.guessing = CancellationToken::new();
                self.later.push(Box::pin(session.suggest(*request, self.guessing.clone())));
            }
        }
        after
    }

    /// Stores the output of the upstream agent, for the model.
    async fn add_upstream_context(&mut self, dialogue: &mut Dialogue) {
        let Some(upstream_context) = self.upstream.take() else { return };
        let (uuid, message) = (fresh_uuid(), Raw::written(&user_message(upstream_context)));
        let mut line = UserLine::new(&uuid, &message);
        line.is_meta = true;
        if let Err(error) = dialogue.user(&line) {
            self.session.send_note(&error.advised(), "warning").await;
        }
    }

    /// What happens next between turns.
    async fn next(&mut self, reported: &mut mpsc::Receiver<Notice>) -> LoopEvent {
        let looks = self.session.outbox.wants_frames() && !self.is_over;
        tokio::select! {
            biased;
            Some(notice) = reported.recv() => LoopEvent::Notice(notice),
            event = self.input() => event,
            () = tokio::time::sleep(LOOK), if looks => LoopEvent::Look,
        }
    }

    /// What comes from outside next.
    async fn input(&mut self) -> LoopEvent {
        let is_over = self.is_over;
        let source = &mut self.source;
        let input = async {
            match source {
                PromptInput::Frames(inbox) if !is_over => inbox.next().await,
                _ => std::future::pending().await,
            }
        };
        let later = &mut self.later;
        let mut served = poll_fn(|context| {
            let before = later.len();
            later.retain_mut(|serving| serving.as_mut().poll(context).is_pending());
            if later.len() < before { Poll::Ready(()) } else { Poll::Pending }
        });
        tokio::select! {
            biased;
            () = &mut served => LoopEvent::Served,
            Some(subagent_task) = self.wanted.recv() => LoopEvent::SubagentTask(Box::new(subagent_task)),
            Some(()) = self.interrupts.recv() => LoopEvent::Interrupt,
            input = input => LoopEvent::Input(input),
        }
    }

    async fn handle(&mut self, event: LoopEvent, running: RunningWork<'_>) -> LoopStep {
        let session = self.session;
        match event {
            LoopEvent::Interrupt => {
                self.is_over = true;
                return LoopStep::Stop;
            }
            LoopEvent::Served => (),
            LoopEvent::SubagentTask(subagent_task) => {
                self.later.push(Box::pin(session.run_subagent_task(*subagent_task)))
            }
            LoopEvent::Look => {
                session.look_at_files();
                if !matches!(running, RunningWork::Turn(_)) {
                    session.refresh_custom_commands().await;
                }
            }
            LoopEvent::Notice(notice) => session.send_notice(notice).await,
            LoopEvent::Input(None) => {
                self.is_over = true;
                session.prompts.end_input();
                session.host.hang_up();
                // Behind another agent the task on the command line follows what that one said.
                let task = session.options.prompt.clone().filter(|_| self.upstream.is_there());
                if let Some(task) = task {
                    session.enqueue(prompt(task));
                }
            }
            LoopEvent::Input(Some(InboxItem::Bad(error))) => {
                session.send_error("invalid_input", error.advised()).await;
            }
            LoopEvent::Input(Some(InboxItem::Frame(frame))) => return self.frame(frame, running).await,
        }
        LoopStep::GoOn
    }

    async fn frame(&mut self, frame: ToAgent<'static>, running: RunningWork<'_>) -> LoopStep {
        let session = self.session;
        if std::mem::take(&mut self.awaits_initialize) && !is_initialize(&frame) {
            let frame = StartError::NotInitialized.result(Some(&session.id()));
            if let Some(frame) = frame {
                session.outbox.line(frame).await;
            }
            self.was_refused = true;
            self.is_over = true;
            return LoopStep::Stop;
        }
        match frame {
            ToAgent::User(frame) if self.upstream.hear_user(&frame) => (),
            ToAgent::User(frame) => self.prompt(QueuedPrompt::new(*frame), running).await,
            ToAgent::ControlRequest(_) | ToAgent::ControlResponse(_) | ToAgent::ControlCancelRequest(_) => {
                for (id, request) in session.host.receive(&frame).await {
                    match control::serve(session, &id, request, running).await {
                        ControlEffect::None => (),
                        ControlEffect::Later(serving) => self.later.push(serving),
                        ControlEffect::EndSession => {
                            self.is_over = true;
                            session.prompts.drop_all();
                            return LoopStep::Stop;
                        }
                    }
                }
            }
            ToAgent::KeepAlive(_) => (),
            ToAgent::Unknown(unknown) if self.upstream.take_frame(&unknown.raw) => (),
            ToAgent::Unknown(unknown) => {
                session.send_error("invalid_frame", unknown_frame(unknown.tag.as_deref())).await;
            }
            _ => (),
        }
        LoopStep::GoOn
    }

    /// Queues a prompt, unless it was served before.
    async fn prompt(&self, prompt: QueuedPrompt, running: RunningWork<'_>) {
        let session = self.session;
        if let Some(wrong) = prompt.problem() {
            session.send_error("invalid_message", wrong).await;
            return;
        }
        if prompt.is_named && !session.conversation.learn(&prompt.uuid) {
            session.replay(&prompt).await;
            session.send_lifecycle(&prompt, CommandState::Completed).await;
            return;
        }
        if session.prompts.is_full() {
            let what = format!("{MAX_WAITING} prompts wait already: this one was not taken");
            session.send_lifecycle(&prompt, CommandState::Discarded).await;
            session.send_error("queue_full", what).await;
            return;
        }
        session.send_lifecycle(&prompt, CommandState::Queued).await;
        let is_urgent = prompt.is_urgent();
        session.enqueue(prompt);
        if let RunningWork::Turn(turn) = running
            && is_urgent
        {
            session.run.preempt();
            turn.cancel();
            session.host.withdraw().await;
        }
    }
}
