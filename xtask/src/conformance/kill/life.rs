//! One session that is killed and resumed until its life is over.

use std::fmt;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use fastrand::Rng;

use super::super::compare::Recording;
use super::super::session::{Session, is_result};
use super::super::stage::Stage;
use super::acknowledged::Acknowledged;
use super::transcript::Transcript;
use super::{Plan, leftovers, script};

const FLAGS: &[&str] =
    &["--include-partial-messages", "--replay-user-messages", "--dangerously-skip-permissions"];

/// Kills may come a little after the end too: other lives at the same time make this one slower.
const MARGIN: f64 = 1.25;

/// How long a turn of one text may take.
const SECOND_RESULT: Duration = Duration::from_secs(2);

pub(super) struct Life {
    stage: Stage,
    random: Rng,
    span: Duration,
    /// Every process of this life has it in its environment.
    mark: String,
    session_id: String,
    rounds: usize,
    acknowledged: Vec<Acknowledged>,
    /// Processes that ran when their agent was killed.
    orphans: usize,
}

/// What went wrong, and when.
pub(super) struct Failure {
    round: usize,
    time: Duration,
    error: anyhow::Error,
}

impl Failure {
    pub(super) fn before_the_first(error: anyhow::Error) -> Self {
        Self { round: 0, time: Duration::ZERO, error }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {}, killed after {} ms: {:#}", self.round, self.time.as_millis(), self.error)
    }
}

impl Life {
    pub(super) fn begin(plan: &Plan, number: usize) -> Result<Self> {
        let recordings = plan.recordings.join(format!("life-{number}"));
        let mut random = Rng::with_seed(plan.seed.wrapping_add(number as u64));
        Ok(Self {
            stage: Stage::set(&plan.aqueduct, &plan.agent, recordings)?,
            session_id: uuid(&mut random),
            random,
            span: plan.span,
            mark: format!("{}-{}-{number}", std::process::id(), plan.seed),
            rounds: 0,
            acknowledged: Vec::new(),
            orphans: 0,
        })
    }

    pub(super) fn messages(&self) -> usize {
        self.acknowledged.len()
    }

    pub(super) fn orphans(&self) -> usize {
        self.orphans
    }

    /// Plays the conversation to its end, and returns how long it took.
    pub(super) fn whole_conversation(mut self) -> Result<Duration> {
        let started = Instant::now();
        let mut session = self.start()?;
        for prompt in script::prompts(self.stage.project(), 0) {
            session.user(&prompt);
        }
        session.result().context("the conversation does not even reach its end without a kill")?;
        let mut took = started.elapsed();
        // The second prompt has a result of its own, unless it was taken into the first turn.
        if session.maybe(SECOND_RESULT, is_result).is_some() {
            took = started.elapsed();
        }
        session.end()?;
        leftovers::kill(&self.mark);
        Ok(took)
    }

    /// One kill, and everything that must be true after it.
    pub(super) fn round(&mut self) -> Result<(), Failure> {
        self.rounds += 1;
        let time = self.span.mul_f64(MARGIN * self.random.f64());
        let outcome = self.kill_at(time).and_then(|()| self.resume());
        outcome.map_err(|error| Failure { round: self.rounds, time, error })
    }

    fn kill_at(&mut self, time: Duration) -> Result<()> {
        if self.acknowledged.is_empty() {
            // Nothing was promised yet: there may be nothing to resume.
            self.session_id = uuid(&mut self.random);
        }
        let started = Instant::now();
        let mut session = self.start()?;
        for prompt in script::prompts(self.stage.project(), self.rounds) {
            session.user(&prompt);
        }
        thread::sleep(time.saturating_sub(started.elapsed()));
        self.orphans += leftovers::running(&self.mark);
        session.kill();
        session.end()?;
        let left = leftovers::wait_for_none(&self.mark);
        if !left.is_empty() {
            leftovers::kill(&self.mark);
            bail!("still running after the kill: {}", left.join(", "));
        }
        self.acknowledge()
    }

    /// Resumes after the kill, and checks that everything is there.
    fn resume(&mut self) -> Result<()> {
        if self.acknowledged.is_empty() {
            return Ok(());
        }
        let mut session = self.start()?;
        let prompt = format!("@say resumed {}", self.rounds);
        session.user(&prompt);
        session.result().context("the session cannot be resumed")?;
        session.end()?;
        let transcript = Transcript::read(&self.stage.transcript(&self.session_id)?)?;
        transcript.check_chain()?;
        for message in &self.acknowledged {
            ensure!(
                transcript.has(message),
                "{message} was sent before the kill and is not in the transcript"
            );
        }
        let request = self
            .stage
            .requests()
            .into_iter()
            .rfind(|messages| messages.to_string().contains(&prompt))
            .context("the resumed prompt never reached the model")?;
        for message in self.acknowledged.iter().filter(|message| message.is_sent(&self.acknowledged)) {
            ensure!(message.is_in_request(&request), "{message} was not sent to the model after resuming");
        }
        self.acknowledge()
    }

    fn start(&mut self) -> Result<Session> {
        let how = if self.acknowledged.is_empty() { "--session-id" } else { "--resume" };
        let session = [how, self.session_id.as_str()];
        self.stage.start_with(&[FLAGS, &session].concat(), &[(leftovers::MARK, &self.mark)])
    }

    /// Adds the newest session's output to what must never be lost.
    fn acknowledge(&mut self) -> Result<()> {
        let path = self.stage.newest_recording().context("nothing was recorded")?;
        let recording = Recording::read(path)?;
        self.acknowledged.extend(recording.frames_out.iter().flat_map(Acknowledged::in_frame));
        Ok(())
    }
}

/// A random UUID of version 4.
pub(in crate::conformance) fn uuid(random: &mut Rng) -> String {
    let bits = random.u128(..);
    let hex = format!("{bits:032x}");
    format!("{}-{}-4{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..])
}
