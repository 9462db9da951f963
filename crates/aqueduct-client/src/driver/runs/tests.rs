//! Any agent, any order: every prompt gets one outcome, its own, and no earlier than its turn has ended.

use std::collections::VecDeque;

use aqueduct_wire::frame::{CommandLifecycle, CommandState, ResultFrame, ResultSubtype};
use aqueduct_wire::origin::{ChannelOrigin, Origin, TaskNotificationOrigin};
use aqueduct_wire::system::{SessionState, SessionStateChanged};
use proptest::prelude::*;
use tokio::sync::oneshot;

use super::{RunWaiter, Runs};
use crate::{Error, Exit, ExitStatus, Outcome};

/// What an agent reports besides its results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing: 2.1.37 and 2.1.74.
    Silent,
    /// Its state, and which prompts a result answers.
    Stateful,
    /// What becomes of each prompt as well: 2.1.325.
    Lifecycle,
}

/// What happens.
#[derive(Debug, Clone)]
enum Step {
    /// The host sends a prompt.
    Send,
    /// The agent serves so many prompts of its queue in one turn, and may leave a task in the background.
    Serve { merged: usize, leaves_task: bool },
    /// A prompt that waits is taken from the queue.
    Cancel(usize),
    /// A task that a turn left has come back.
    TaskReturns,
    /// Something else than the host makes the agent work.
    Channel,
    /// The agent has nothing to do.
    Idle,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => Just(Step::Send),
        3 => (1_usize..5, any::<bool>()).prop_map(|(merged, leaves_task)| Step::Serve { merged, leaves_task }),
        1 => (0_usize..4).prop_map(Step::Cancel),
        1 => Just(Step::TaskReturns),
        1 => Just(Step::Channel),
        2 => Just(Step::Idle),
    ];
    prop::collection::vec(step, 0..40)
}

/// How many prompts a result names at most; real agents have such a limit too.
const NAMED: usize = 2;

/// A prompt, as the host and the agent see it.
struct Prompt {
    outcome: oneshot::Receiver<Result<Outcome, Error>>,
    /// What the host has received.
    reported: Option<Outcome>,
    /// What it must receive: the text of its last result.
    text: Option<String>,
    cancelled: bool,
}

/// An agent, its host, and the runs between them.
struct World {
    kind: Kind,
    runs: Runs,
    prompts: Vec<Prompt>,
    queue: VecDeque<usize>,
    /// The prompts of the run that is on.
    current: Vec<usize>,
    has_run: bool,
    has_task: bool,
    turns: usize,
    /// The texts of the runs that have ended, as events report them, and as they must be.
    ended: Vec<String>,
    expected: Vec<String>,
    last_text: String,
}

impl World {
    fn new(kind: Kind) -> Self {
        World {
            kind,
            runs: Runs::default(),
            prompts: Vec::new(),
            queue: VecDeque::new(),
            current: Vec::new(),
            has_run: false,
            has_task: false,
            turns: 0,
            ended: Vec::new(),
            expected: Vec::new(),
            last_text: String::new(),
        }
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Send => self.send(),
            Step::Serve { merged, leaves_task } => self.serve(merged, leaves_task),
            Step::Cancel(place) => self.cancel(place),
            Step::TaskReturns => self.task_returns(),
            Step::Channel => self.channel(),
            Step::Idle => self.idle(),
        }
        self.check();
    }

    fn send(&mut self) {
        let (waiter, outcome) = oneshot::channel();
        let number = self.prompts.len();
        self.runs.begin(id(number), Some(RunWaiter { outcome: waiter, reads_events: false }));
        self.prompts.push(Prompt { outcome, reported: None, text: None, cancelled: false });
        self.queue.push_back(number);
        self.lifecycle(number, CommandState::Queued);
    }

    fn serve(&mut self, merged: usize, leaves_task: bool) {
        let merged = if self.kind == Kind::Lifecycle { merged } else { 1 };
        let served: Vec<usize> = self.queue.drain(..merged.min(self.queue.len())).collect();
        let [first, ..] = served[..] else { return };
        self.end_run();
        self.running();
        for &number in &served {
            self.lifecycle(number, CommandState::Started);
        }
        // One may be done with before the result, as it is when it is taken into a turn that runs.
        if merged > NAMED {
            self.lifecycle(served[served.len() - 1], CommandState::Completed);
        }
        if leaves_task && self.kind != Kind::Silent {
            self.has_task = true;
            self.runs.task_started();
        }
        let mut frame = self.result();
        if self.kind != Kind::Silent {
            frame.user_message_uuid = Some(id(first).into());
            frame.user_message_uuids =
                Some(served.iter().take(NAMED).map(|number| id(*number).into()).collect());
        }
        for &number in &served {
            self.prompts[number].text = Some(self.last_text.clone());
        }
        self.current.clone_from(&served);
        self.take_result(&frame);
        for number in served {
            self.lifecycle(number, CommandState::Completed);
        }
    }

    fn cancel(&mut self, place: usize) {
        if self.kind == Kind::Lifecycle
            && let Some(number) = self.queue.remove(place)
        {
            self.prompts[number].cancelled = true;
            self.lifecycle(number, CommandState::Cancelled);
        }
    }

    fn task_returns(&mut self) {
        if !(self.has_task && self.has_run) {
            return;
        }
        self.has_task = false;
        let mut frame = self.result();
        frame.origin = Some(Box::new(Origin::TaskNotification(TaskNotificationOrigin::new())));
        // It still belongs to the run.
        for number in self.current.clone() {
            self.prompts[number].text = Some(self.last_text.clone());
        }
        self.take_result(&frame);
    }

    fn channel(&mut self) {
        self.end_run();
        self.running();
        let mut frame = self.result();
        frame.origin = Some(Box::new(Origin::Channel(ChannelOrigin::new("s".to_owned()))));
        self.current.clear();
        self.take_result(&frame);
    }

    fn idle(&mut self) {
        if self.kind == Kind::Silent {
            return;
        }
        self.end_run();
        let ended = self.runs.state(&SessionStateChanged::new(SessionState::Idle));
        self.note(ended);
    }

    fn running(&mut self) {
        if self.kind != Kind::Silent {
            let ended = self.runs.state(&SessionStateChanged::new(SessionState::Running));
            self.note(ended);
        }
    }

    fn lifecycle(&mut self, number: usize, state: CommandState<'static>) {
        if self.kind == Kind::Lifecycle {
            let ended = self.runs.lifecycle(&CommandLifecycle::new(id(number), state));
            self.note(ended);
        }
    }

    /// A result with a text of its own.
    fn result(&mut self) -> ResultFrame<'static> {
        self.turns += 1;
        self.last_text = format!("turn {}", self.turns);
        let mut frame = ResultFrame::new(ResultSubtype::Success);
        frame.result = Some(self.last_text.clone().into());
        frame
    }

    fn take_result(&mut self, frame: &ResultFrame<'_>) {
        self.has_run = true;
        let ended = self.runs.result(frame);
        self.note(ended);
        if self.kind == Kind::Silent {
            self.end_run();
        }
    }

    /// The host must learn that the current run has ended by the next thing that happens.
    fn end_run(&mut self) {
        if std::mem::take(&mut self.has_run) {
            self.expected.push(self.last_text.clone());
            self.has_task = false;
        }
    }

    fn note(&mut self, ended: Option<Outcome>) {
        self.ended.extend(ended.iter().map(text));
    }

    /// Nothing is reported early, and nothing wrong.
    fn check(&mut self) {
        for prompt in &mut self.prompts {
            if let Ok(reported) = prompt.outcome.try_recv() {
                assert_eq!(prompt.reported.replace(reported.unwrap()), None, "reported once");
            }
            match (&prompt.reported, &prompt.text) {
                (Some(reported), _) if prompt.cancelled => assert_eq!(*reported, Outcome::Interrupted(None)),
                (Some(reported), Some(must)) => assert_eq!(text(reported), *must),
                (Some(reported), None) => panic!("reported {reported:?} before its turn"),
                (None, _) => assert!(!prompt.cancelled, "not notified that it is cancelled"),
            }
        }
        assert!(self.ended.len() <= self.expected.len() + usize::from(self.has_run));
        assert_eq!(self.ended[..], self.expected[..self.ended.len()]);
    }

    /// The agent has ended: every waiting call gets a result now.
    fn end(mut self) {
        let exit = Exit::new(ExitStatus::Code(1), Vec::new());
        self.end_run();
        let crashed = Outcome::Crashed(exit);
        let ended = self.runs.end(crashed.clone());
        let is_unserved = !self.queue.is_empty();
        self.ended.extend(ended.iter().filter(|outcome| **outcome != crashed).map(text));
        assert_eq!(self.ended, self.expected);
        assert!(!is_unserved || ended.last() == Some(&crashed));
        for prompt in &mut self.prompts {
            let reported = prompt.reported.take().or_else(|| prompt.outcome.try_recv().ok()?.ok());
            match (&prompt.text, prompt.cancelled) {
                (_, true) => assert_eq!(reported, Some(Outcome::Interrupted(None))),
                (Some(must), false) => assert_eq!(reported.as_ref().map(text).as_ref(), Some(must)),
                (None, false) => assert_eq!(reported.as_ref(), Some(&crashed)),
            }
        }
    }
}

fn id(number: usize) -> String {
    format!("prompt-{number}")
}

fn text(outcome: &Outcome) -> String {
    outcome.report().map_or_else(|| outcome.to_string(), |report| report.text().to_owned())
}

proptest! {
    #[test]
    fn every_prompt_gets_its_outcome(
        kind in prop_oneof![Just(Kind::Silent), Just(Kind::Stateful), Just(Kind::Lifecycle)],
        steps in steps(),
        is_idle_in_the_end: bool,
    ) {
        let mut world = World::new(kind);
        for step in &steps {
            world.step(step);
        }
        if is_idle_in_the_end {
            while !world.queue.is_empty() {
                world.step(&Step::Serve { merged: 1, leaves_task: false });
            }
            world.step(&Step::Idle);
            prop_assert!(!world.runs.is_running(), "nothing is left to do");
            prop_assert!(world.prompts.iter().all(|prompt| prompt.reported.is_some()), "all callers have been notified");
        }
        world.end();
    }
}
