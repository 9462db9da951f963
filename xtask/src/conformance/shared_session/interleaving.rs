//! Two processes on one session: what they do, and what must be true after it.

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use fastrand::Rng;

use super::super::compare::Recording;
use super::super::kill::{Acknowledged, uuid};
use super::super::session::Session;
use super::super::stage::Stage;
use super::Plan;
use super::file::SessionFile;

const FLAGS: &[&str] =
    &["--include-partial-messages", "--replay-user-messages", "--dangerously-skip-permissions"];

/// How long after its prompt a process is killed at most.
const LONGEST_PAUSE: Duration = Duration::from_millis(400);

/// How long the reference may take to write its messages.
const FLUSH: Duration = Duration::from_secs(3);

/// Which program a process is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Program {
    Agent,
    Reference,
}

/// A process that has the session open.
struct Process {
    program: Program,
    session: Session,
    recording: PathBuf,
}

pub(super) struct Interleaving<'p> {
    plan: &'p Plan,
    stage: Stage,
    random: Rng,
    session_id: String,
    /// The programs of the two processes.
    pair: [Program; 2],
    acknowledged: Vec<Acknowledged>,
    outcome: Outcome,
    /// Kills of the reference, which may leave half a line.
    reference_kills: usize,
}

/// What became of an interleaving.
pub(super) struct Outcome {
    pub(super) number: usize,
    pub(super) steps: Vec<String>,
    pub(super) turns: usize,
    pub(super) kills: usize,
    pub(super) messages: usize,
    pub(super) failure: Option<anyhow::Error>,
}

impl<'p> Interleaving<'p> {
    pub(super) fn play(plan: &'p Plan, number: usize) -> Outcome {
        let mut outcome =
            Outcome { number, steps: Vec::new(), turns: 0, kills: 0, messages: 0, failure: None };
        let recordings = plan.recordings.join(format!("interleaving-{number}"));
        let mut random = Rng::with_seed(plan.seed.wrapping_add(number as u64));
        let stage = match Stage::set(&plan.aqueduct, &plan.agent, recordings) {
            Ok(stage) => stage,
            Err(error) => {
                outcome.failure = Some(error);
                return outcome;
            }
        };
        let session_id = uuid(&mut random);
        let mut interleaving = Interleaving {
            plan,
            stage,
            random,
            session_id,
            pair: match number % 3 {
                0 => [Program::Agent, Program::Agent],
                1 => [Program::Agent, Program::Reference],
                _ => [Program::Reference, Program::Agent],
            },
            acknowledged: Vec::new(),
            outcome,
            reference_kills: 0,
        };
        let failure = interleaving.run().err();
        interleaving.outcome.messages = interleaving.acknowledged.len();
        Outcome { failure, ..interleaving.outcome }
    }

    fn run(&mut self) -> Result<()> {
        let mut first = self.start(self.pair[0], "--session-id")?;
        self.turn(&mut first, "begin")?;
        let second = self.start(self.pair[1], "--resume")?;
        let mut processes = [Some(first), Some(second)];
        for step in 0..self.random.usize(2..6) {
            self.step(&mut processes, step)?;
        }
        for process in processes.into_iter().flatten() {
            self.end(process)?;
        }
        self.check()?;
        for program in [Program::Agent, Program::Reference] {
            self.resume(program)?;
        }
        self.check()
    }

    fn step(&mut self, processes: &mut [Option<Process>; 2], step: usize) -> Result<()> {
        let which = self.random.usize(..2);
        let (one, rest) = processes.split_at_mut(1);
        let (one, other) = match which {
            0 => (&mut one[0], &mut rest[0]),
            _ => (&mut rest[0], &mut one[0]),
        };
        let Some(process) = one else {
            self.outcome.steps.push("start again".to_owned());
            *one = Some(self.start(self.pair[which], "--resume")?);
            return Ok(());
        };
        let name = format!("{:?} {which}", process.program);
        match self.random.u8(..5) {
            0 | 1 => {
                self.outcome.steps.push(format!("{name} takes a turn"));
                self.turn(process, &format!("step {step}"))
            }
            2 | 3 => {
                self.outcome.steps.push(format!("{name} and the other at the same time"));
                process.session.user(&prompt(&format!("one of step {step}")));
                if let Some(other) = other {
                    other.session.user(&prompt(&format!("other of step {step}")));
                    other.session.result().context("the other process has no result")?;
                    self.outcome.turns += 1;
                }
                process.session.result().context("the one process has no result")?;
                self.outcome.turns += 1;
                Ok(())
            }
            _ => {
                let time = LONGEST_PAUSE.mul_f64(self.random.f64());
                self.outcome.steps.push(format!("{name} is killed after {} ms", time.as_millis()));
                let started = Instant::now();
                process.session.user(&prompt(&format!("killed in step {step}")));
                if let Some(other) = other.as_mut().filter(|_| self.random.bool()) {
                    self.turn(other, &format!("meanwhile in step {step}"))?;
                }
                thread::sleep(time.saturating_sub(started.elapsed()));
                let Some(process) = one.take() else { return Ok(()) };
                self.kill(process)
            }
        }
    }

    fn start(&mut self, program: Program, how: &str) -> Result<Process> {
        let path = match program {
            Program::Agent => &self.plan.agent,
            Program::Reference => &self.plan.reference,
        };
        let flags = [FLAGS, &[how, &self.session_id]].concat();
        let session = self.stage.start_program(path, &flags, &[])?;
        let recording = self.stage.newest_recording().context("nothing is recorded")?.to_owned();
        Ok(Process { program, session, recording })
    }

    fn turn(&mut self, process: &mut Process, text: &str) -> Result<()> {
        process.session.user(&prompt(text));
        let result =
            process.session.result().with_context(|| format!("{:?} has no result", process.program))?;
        ensure!(result["is_error"] == false, "{:?} failed: {result}", process.program);
        self.outcome.turns += 1;
        Ok(())
    }

    /// Ends a process. All its messages must be found.
    fn end(&mut self, process: Process) -> Result<()> {
        process.session.end()?;
        let recording = Recording::read(&process.recording)?;
        self.acknowledged.extend(recording.frames_out.iter().flat_map(Acknowledged::in_frame));
        Ok(())
    }

    /// Kills a process. The agent has written all its messages; the reference writes a little later.
    fn kill(&mut self, process: Process) -> Result<()> {
        self.outcome.kills += 1;
        process.session.kill();
        process.session.end()?;
        match process.program {
            Program::Reference => self.reference_kills += 1,
            Program::Agent => {
                let recording = Recording::read(&process.recording)?;
                self.acknowledged.extend(recording.frames_out.iter().flat_map(Acknowledged::in_frame));
            }
        }
        Ok(())
    }

    /// Looks whether everything that was acknowledged is in the file, and whether that can be read.
    fn check(&self) -> Result<()> {
        let path = self.stage.transcript(&self.session_id)?;
        let deadline = Instant::now() + FLUSH;
        loop {
            let file = SessionFile::read(&path)?;
            let lost = self.acknowledged.iter().find(|message| !file.has(message));
            match lost {
                None => return file.check(self.reference_kills),
                Some(_) if Instant::now() < deadline => thread::sleep(Duration::from_millis(50)),
                Some(lost) => anyhow::bail!("{lost} is not in the transcript"),
            }
        }
    }

    /// Resumes the session with a program, which must know the conversation.
    fn resume(&mut self, program: Program) -> Result<()> {
        let mut process = self.start(program, "--resume")?;
        let text = format!("resumed by {program:?}");
        self.turn(&mut process, &text)?;
        self.end(process)?;
        let requests = self.stage.requests();
        let request = requests.iter().rfind(|messages| messages.to_string().contains(&text));
        let request = request.context("the resumed prompt never reached the model")?;
        ensure!(
            request.to_string().contains("begin"),
            "{program:?} does not know how the conversation began"
        );
        Ok(())
    }
}

/// A prompt whose turn has two calls of the model and one of a tool.
fn prompt(text: &str) -> String {
    format!(
        "{text}\n@saytool first, {text} | Bash {{\"command\":\"sleep 0.05; echo {text}\"}}\n@say then, {text}"
    )
}
