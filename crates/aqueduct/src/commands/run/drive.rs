//! The run itself: events to the screen, questions to the person, an exit code at the end.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use aqueduct_client::view::View;
use aqueduct_client::{Error, Event, Events, Ladder, Outcome, Session, StartFailure};
use aqueduct_wire::FromAgent;
use aqueduct_wire::control::AgentRequest;
use aqueduct_wire::system::SystemFrame;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};

use super::ask::{self, Ask, Tty};
use super::show::{Show, ShowOptions, ShownAnswers};
use super::signals::{INTERRUPTED, RunSignals, SignalState};
use super::trust::{self, TrustDecision, UntrustedFolder};
use super::{Args, RunOutput, start};
use crate::agents::{AgentProgram, MODEL_VARIABLES};
use crate::output::{self, TerminalInfo};
use crate::terminal::{Ink, Tone};

/// How often the status line is updated.
const TICK: Duration = Duration::from_secs(1);

/// The exit code of a run that could not be started, or that the user declined to start.
const NOT_STARTED: u8 = 2;

/// What the model receives where it needs a permission or an answer and no user can be asked.
const NO_USER_TO_ASK: &str = "Denied: this run has no terminal, so no user can be asked. The user can allow the tool with \
                             --allowed-tools or --permission-mode, or run this in a terminal. Continue without it.";

/// Runs a prompt. Returns the exit code.
pub(super) async fn drive(
    args: &Args,
    agent: AgentProgram,
    prompt: String,
    screen: &TerminalInfo,
) -> anyhow::Result<u8> {
    let mut signals = RunSignals::catch()?;
    let mut tty = if args.no_ask { None } else { Tty::open(!screen.is_dumb) };
    let mut builder = start::builder(args, &agent)?;
    let profile = start::profile(args, &agent);
    let course = match (UntrustedFolder::about(args)?, &mut tty) {
        (Err(course), _) => course,
        (Ok(uncertainty), Some(tty)) => tokio::select! {
            course = uncertainty.ask(tty, Ink::new(screen.notes_colour)) => course?,
            code = signals.any() => return Ok(code),
        },
        (Ok(uncertainty), None) => {
            uncertainty.note();
            TrustDecision::Without { is_shown: true }
        }
    };
    if course == TrustDecision::Quit {
        return Ok(NOT_STARTED);
    }
    let course = trust::with_profile(course, args, profile)?;
    builder = trust::apply(course, builder, &agent, profile);
    // An agent whose requests can't be answered is informed: it then denies by itself, and offers the model
    // no questions.
    let asked = match &tty {
        Some(_) => {
            let (asking, asked) = ask::listen(builder);
            builder = asking;
            Some(asked)
        }
        None => {
            builder = builder.denial(NO_USER_TO_ASK);
            None
        }
    };
    let (session, events) = tokio::select! {
        started = builder.start() => started.map_err(|error| explain(error, args, &agent))?,
        code = signals.any() => return Ok(code),
    };
    let signal_state = Arc::new(SignalState::default());
    let _watch = signals.watch(session.clone(), signal_state.clone());
    let wanted = wanted(args, tty.is_some());
    let mut run = RunDriver {
        output: args.output,
        session,
        events,
        view: View::new(),
        show: Show::new(io::stdout(), io::stderr(), screen, wanted),
        name: agent.name(),
        tty,
        ink: Ink::new(screen.notes_colour),
        asked,
        signal_state,
        result: None,
    };
    if wanted.notes && agent.is_builtin && MODEL_VARIABLES.iter().all(|name| std::env::var_os(name).is_none())
    {
        let note = "! no key and no address of an API is set: the scripted demo model answers";
        run.show.remark(Tone::Yellow, note)?;
        run.show.remark(Tone::Dim, "  Set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL for a real one")?;
    }
    let ended = run.prompt(prompt).await;
    // Unread events would block the agent.
    drop(run.events);
    // If no reader of the answer is left, the agent has nothing to finish.
    let patience = Ladder::default();
    let ladder = if ended.is_ok() { patience } else { Ladder { after_input: Duration::ZERO, ..patience } };
    run.session.close_with(ladder).await;
    match (run.signal_state.code(), ended) {
        (Some(code), _) => Ok(code),
        (None, ended) => ended,
    }
}

/// Why a session could not be started, and what to do about it.
fn explain(mut error: Error, args: &Args, agent: &AgentProgram) -> anyhow::Error {
    if let Error::Start { failure: StartFailure::UnknownSession, hint, .. } = &mut error
        && args.resume.is_some()
    {
        let name = agent.name();
        *hint = format!("`aqueduct sessions list` shows which sessions {name} can resume here");
    }
    error.into()
}

/// What is shown, by what was asked for.
fn wanted(args: &Args, can_ask: bool) -> ShowOptions {
    let answers = match args.output {
        RunOutput::Text if args.quiet || args.json_schema.is_some() => ShownAnswers::Final,
        RunOutput::Text => ShownAnswers::Streamed,
        RunOutput::Json | RunOutput::StreamJson => ShownAnswers::No,
    };
    ShowOptions {
        answers,
        // Frames contain everything that notes would.
        notes: !args.quiet && args.output != RunOutput::StreamJson,
        thinking: args.thinking,
        denials: !can_ask,
        resumes: args.resume.is_some() || args.continue_latest,
    }
}

/// A run that continues.
struct RunDriver {
    output: RunOutput,
    session: Session,
    events: Events,
    view: View,
    show: Show<io::Stdout, io::Stderr>,
    /// What the agent is called.
    name: String,
    tty: Option<Tty>,
    ink: Ink,
    asked: Option<mpsc::Receiver<Ask>>,
    signal_state: Arc<SignalState>,
    /// The last result, as it came.
    result: Option<String>,
}

impl RunDriver {
    /// Sends the prompt, and runs it to its end.
    async fn prompt(&mut self, prompt: String) -> anyhow::Result<u8> {
        self.session.send(prompt).await?;
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let signal_state = self.signal_state.clone();
        loop {
            let outcome = tokio::select! {
                event = self.events.next() => match event {
                    Some(event) => self.event(&event)?,
                    None => return Ok(1),
                },
                Some(ask) = next(&mut self.asked) => self.ask(ask).await?,
                () = signal_state.interrupt.notified() => {
                    self.show.remark(Tone::Yellow, "■ interrupting; Ctrl-C again ends it at once")?;
                    None
                }
                _ = tick.tick() => {
                    self.show.live(&self.view)?;
                    None
                }
            };
            if let Some(outcome) = outcome {
                return self.finish(&outcome);
            }
        }
    }

    /// Takes an event. Returns the outcome, if it is the end of the run.
    fn event(&mut self, event: &Event) -> anyhow::Result<Option<Outcome>> {
        self.view.push(event);
        if let Event::Frame(kept) = event {
            match &kept.frame {
                FromAgent::Result(_) => self.result = Some(kept.line.as_str().to_owned()),
                FromAgent::ControlRequest(frame) => self.note_request(&frame.request)?,
                _ => {}
            }
            if self.output == RunOutput::StreamJson && !is_for_this_host(&kept.frame) {
                let mut stdout = io::stdout().lock();
                stdout.write_all(kept.line.as_bytes())?;
                stdout.write_all(b"\n")?;
                stdout.flush()?;
            }
        }
        self.show.event(event, &self.view, &self.name)?;
        match event {
            Event::RunEnded(outcome) => Ok(Some(outcome.clone())),
            _ => Ok(None),
        }
    }

    /// Reports what was asked and declined, because it can't be answered here.
    fn note_request(&mut self, request: &AgentRequest<'_>) -> io::Result<()> {
        let AgentRequest::Elicitation(request) = request else { return Ok(()) };
        let text = format!("! {} asks, and is declined: {}", request.mcp_server_name, request.message);
        self.show.remark(Tone::Yellow, &text)
    }

    /// Asks the user. Earlier output of the agent is shown first; later output waits, except
    /// where frames are passed on.
    async fn ask(&mut self, ask: Ask) -> anyhow::Result<Option<Outcome>> {
        while let Some(event) = ready(&mut self.events).await {
            if let Some(outcome) = self.event(&event)? {
                return Ok(Some(outcome));
            }
        }
        self.show.make_way(ask.call())?;
        let Some(mut tty) = self.tty.take() else { return Ok(None) };
        let ink = self.ink;
        let plan = ask.plan(self.view.run());
        let cwd = self.view.cwd().map(str::to_owned);
        let mut put = Box::pin(ask.put(plan, cwd, &mut tty, ink));
        let signal_state = self.signal_state.clone();
        let is_answered = loop {
            tokio::select! {
                is_answered = &mut put => break is_answered,
                () = signal_state.interrupt.notified() => output::newline(),
                event = self.events.next(), if self.output == RunOutput::StreamJson => {
                    let Some(event) = event else { break false };
                    if let Some(outcome) = self.event(&event)? {
                        return Ok(Some(outcome));
                    }
                }
            }
        };
        drop(put);
        self.tty = Some(tty);
        if !is_answered {
            output::newline();
            self.show.remark(Tone::Yellow, "■ no longer asked")?;
        }
        Ok(None)
    }

    /// Shows how it ended, and returns the exit code for it.
    fn finish(&mut self, outcome: &Outcome) -> anyhow::Result<u8> {
        self.show.finish(outcome, &self.view)?;
        if let (RunOutput::Json, Some(result)) = (self.output, &self.result) {
            output::text(&format!("{result}\n"))?;
        }
        if self.signal_state.code().is_none() && outcome.is_error() {
            output::trouble(&outcome.to_string());
        }
        Ok(match outcome {
            Outcome::Done(_) => 0,
            Outcome::Interrupted(_) => INTERRUPTED,
            _ => 1,
        })
    }
}

/// Frames that only the one who started the agent has use for.
fn is_for_this_host(frame: &FromAgent<'_>) -> bool {
    match frame {
        FromAgent::System(SystemFrame::SessionStateChanged(frame)) => frame.sdk_host_only == Some(true),
        _ => false,
    }
}

/// The next question; never, where none can come.
async fn next(asked: &mut Option<mpsc::Receiver<Ask>>) -> Option<Ask> {
    match asked {
        Some(asked) => asked.recv().await,
        None => std::future::pending().await,
    }
}

/// An event that is there already.
async fn ready(events: &mut Events) -> Option<Event> {
    tokio::select! {
        biased;
        event = events.next() => event,
        () = std::future::ready(()) => None,
    }
}
