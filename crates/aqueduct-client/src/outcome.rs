use std::sync::Arc;

use aqueduct_wire::frame::{ResultFrame, ResultSubtype, TerminalReason};
use aqueduct_wire::json::Raw;
use aqueduct_wire::message::StopReason;

use crate::{Exit, NotDone};

/// How a run ended.
///
/// ```
/// use aqueduct_client::Outcome;
///
/// fn describe(outcome: &Outcome) -> String {
///     match outcome {
///         Outcome::Done(report) => report.text().to_owned(),
///         Outcome::Interrupted(_) => "You stopped it.".to_owned(),
///         Outcome::Crashed(exit) => exit.to_string(),
///         other => other.to_string(),
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The model completed its answer.
    Done(Report),
    /// It was interrupted: with an interrupt, by denying a permission with one, or by closing the session. A
    /// prompt that was removed from the queue, or that was pending at the close, has no report.
    Interrupted(Option<Report>),
    /// The model declined to answer.
    Refused(Report),
    /// A limit of the session was reached: turns, budget, attempts at structured output.
    Limited(Report),
    /// The model's API failed, for good.
    ApiError(Report),
    /// The agent could not carry the run out.
    Failed(Report),
    /// The agent ended in the middle of the run. Whatever its exit code: a run without an end is none.
    Crashed(Exit),
    /// The agent broke the protocol in a way that the run can't survive.
    Violation(Violation),
}

/// A breach of the protocol that ends a run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// Stdout was closed while the process continued. It was ended.
    OutputClosed(Exit),
    /// Stdin was closed before the prompt could be written.
    InputClosed(String),
}

impl Outcome {
    /// What the agent reported, where it lived to do so.
    pub fn report(&self) -> Option<&Report> {
        match self {
            Outcome::Done(report)
            | Outcome::Refused(report)
            | Outcome::Limited(report)
            | Outcome::ApiError(report)
            | Outcome::Failed(report) => Some(report),
            Outcome::Interrupted(report) => report.as_ref(),
            Outcome::Crashed(_) | Outcome::Violation(_) => None,
        }
    }

    /// Whether something went wrong. An interruption is not an error: it was requested.
    ///
    /// ```
    /// use aqueduct_client::Outcome;
    ///
    /// fn log(outcome: &Outcome) {
    ///     let report = outcome.report();
    ///     if outcome.is_error() {
    ///         eprintln!("{}", report.map(|report| report.errors().join("; ")).unwrap_or_default());
    ///     }
    ///     println!("{:?} turns", report.and_then(|report| report.turns()));
    /// }
    /// # log(&Outcome::Interrupted(None));
    /// ```
    pub fn is_error(&self) -> bool {
        !matches!(self, Outcome::Done(_) | Outcome::Interrupted(_))
    }

    /// The report of a run that is done; an error for every other outcome. The outcome is still there afterwards.
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
    /// let report = builder.query("Say hello.").await?.done()?;
    /// assert_eq!(report.text(), "Hello!");
    /// # Ok(())
    /// # }
    /// ```
    pub fn done(&self) -> Result<Report, NotDone> {
        self.clone().into_result()
    }

    /// The report of a run that is done; every other outcome is an error that carries it.
    ///
    /// ```
    /// use aqueduct_client::{NotDone, Outcome};
    ///
    /// fn answer(outcome: Outcome) -> Result<String, NotDone> {
    ///     Ok(outcome.into_result()?.text().to_owned())
    /// }
    ///
    /// let error = answer(Outcome::Interrupted(None)).unwrap_err();
    /// assert_eq!(error.outcome(), &Outcome::Interrupted(None));
    /// ```
    pub fn into_result(self) -> Result<Report, NotDone> {
        match self {
            Outcome::Done(report) => Ok(report),
            other => Err(NotDone::new(other)),
        }
    }

    /// Reads a result. Older agents don't report that a run was interrupted, so the caller passes it.
    pub(crate) fn of(report: Report, was_interrupted: bool) -> Self {
        let frame = report.frame();
        let is_error = frame.is_error == Some(true);
        // Some agents report a refusal as a failure of the API.
        if frame.stop_reason == Some(StopReason::Refusal) && frame.subtype == ResultSubtype::Success {
            return Outcome::Refused(report);
        }
        match &frame.terminal_reason {
            Some(TerminalReason::AbortedStreaming | TerminalReason::AbortedTools) => {
                return Outcome::Interrupted(Some(report));
            }
            Some(TerminalReason::ApiError | TerminalReason::ModelError | TerminalReason::PromptTooLong) => {
                return Outcome::ApiError(report);
            }
            _ => {}
        }
        match &frame.subtype {
            ResultSubtype::ErrorMaxTurns
            | ResultSubtype::ErrorMaxBudgetUsd
            | ResultSubtype::ErrorMaxStructuredOutputRetries => Outcome::Limited(report),
            ResultSubtype::ErrorDuringExecution | ResultSubtype::Error if was_interrupted => {
                Outcome::Interrupted(Some(report))
            }
            ResultSubtype::Success if is_error => Outcome::ApiError(report),
            ResultSubtype::Success => Outcome::Done(report),
            // An unknown name: the flag beside it counts.
            ResultSubtype::Other(_) if frame.is_error == Some(false) => Outcome::Done(report),
            _ => Outcome::Failed(report),
        }
    }
}

impl std::fmt::Display for Outcome {
    /// One line for people.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Done(_) => f.write_str("done"),
            Outcome::Interrupted(_) => f.write_str("interrupted"),
            Outcome::Refused(_) => f.write_str("the model declined to answer"),
            Outcome::Limited(report) => write!(f, "a limit was reached: {}", report.why()),
            Outcome::ApiError(report) => write!(f, "the model's API failed: {}", report.why()),
            Outcome::Failed(report) => write!(f, "the run failed: {}", report.why()),
            Outcome::Crashed(exit) => write!(f, "{exit}"),
            Outcome::Violation(violation) => write!(f, "{violation}"),
        }
    }
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Violation::OutputClosed(exit) => {
                write!(f, "the agent closed its output in the middle of a run, and was ended: {exit}")
            }
            Violation::InputClosed(why) => {
                write!(f, "the agent closed its input before it took the prompt: {why}")
            }
        }
    }
}

/// An agent's report at the end of a run: its `result` frame. Cheap to clone.
///
/// ```
/// use aqueduct_client::{Outcome, Session};
#[doc = include_str!("../doc/agent.txt")]
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct_client::Error> {
/// # let (ours, theirs) = tokio::io::duplex(4096);
/// # tokio::spawn(agent(theirs, ""));
/// # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
///
/// let outcome = builder.query("Say hello.").await?;
/// if let Some(report) = outcome.report() {
///     println!("{} ({} US$)", report.text(), report.total_cost_usd().unwrap_or_default());
///     println!("{} milliseconds", report.frame().duration_ms.as_ref().map_or("some", |time| time.as_str()));
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    frame: Arc<ResultFrame<'static>>,
    cost: Option<f64>,
}

impl Report {
    pub(crate) fn of(frame: &ResultFrame<'_>) -> Self {
        Report { frame: Arc::new(frame.clone().into_owned()), cost: None }
    }

    /// Adds what the run has cost.
    pub(crate) fn with_cost(mut self, cost: Option<f64>) -> Self {
        self.cost = cost;
        self
    }

    /// The frame as it came.
    pub fn frame(&self) -> &ResultFrame<'static> {
        &self.frame
    }

    /// The final text; empty where there is none.
    pub fn text(&self) -> &str {
        self.frame.result.as_deref().unwrap_or_default()
    }

    /// The answer in the shape of the schema that was asked for.
    ///
    /// ```
    /// use aqueduct_client::Report;
    /// use serde_json::Value;
    ///
    /// fn approved(report: &Report) -> Option<bool> {
    ///     report.structured_output()?.to::<Value>().ok()?["approved"].as_bool()
    /// }
    /// ```
    pub fn structured_output(&self) -> Option<&Raw<'static>> {
        self.frame.structured_output.as_ref()
    }

    /// The session to resume.
    pub fn session_id(&self) -> Option<&str> {
        self.frame.session_id.as_deref()
    }

    /// What this run has cost, in US dollars: the difference between the agent's totals after it and before it.
    ///
    /// `None` where the agent reports no total, and where the total before is not known: in the first run of a
    /// session that was resumed, and of an agent that another host has initialized.
    ///
    /// ```
    /// use aqueduct_client::Outcome;
    ///
    /// fn bill(outcome: &Outcome) -> String {
    ///     match outcome.report().and_then(|report| report.cost_usd()) {
    ///         Some(cost) => format!("this run cost {cost:.4} US$"),
    ///         None => "the cost of this run is not known".to_owned(),
    ///     }
    /// }
    /// ```
    pub fn cost_usd(&self) -> Option<f64> {
        self.cost
    }

    /// What the session has cost so far, in US dollars, as the agent counts it: all runs of this process. Newer agents
    /// (2.1.325) add what a session that is resumed or forked had cost before; older ones count from zero again.
    pub fn total_cost_usd(&self) -> Option<f64> {
        self.frame.total_cost_usd.as_ref().and_then(|cost| cost.as_str().parse().ok())
    }

    /// How often the model was asked.
    pub fn turns(&self) -> Option<u64> {
        self.frame.num_turns.as_ref().and_then(|turns| turns.as_str().parse().ok())
    }

    /// What went wrong, in the agent's words; empty where nothing did.
    pub fn errors(&self) -> Vec<&str> {
        let listed = self.frame.errors.iter().flatten().map(|error| error.as_str());
        let single = self.frame.error.iter().map(|error| error.message());
        listed.chain(single).collect()
    }

    /// The best one-line reason of a failure.
    fn why(&self) -> String {
        let errors = self.errors();
        let why = if errors.is_empty() { self.text().to_owned() } else { errors.join("; ") };
        match why.lines().find(|line| !line.trim().is_empty()) {
            Some(line) => line.trim().to_owned(),
            None => self.frame.subtype.as_str().to_owned(),
        }
    }
}
