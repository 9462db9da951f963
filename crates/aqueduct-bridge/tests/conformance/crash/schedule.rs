//! The faults of a round, derived from its seed.

use std::time::Duration;

use fastrand::Rng;

use crate::options::Agent;

/// A process of the session that a fault is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Bridge,
    Keeper,
    Agent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// SIGKILL. A second kill of the same target waits for the process that has taken its place.
    Kill(Target),
    /// SIGTERM.
    Terminate(Target),
    /// SIGSTOP.
    Freeze(Target),
    /// SIGCONT for the process that this fault has frozen.
    Thaw(Target),
    /// Wait until the bridge accepts connections.
    Answers,
}

use Step::{Answers, Freeze, Kill, Terminate, Thaw};
use Target::{Agent as A, Bridge as B, Keeper as K};

/// What can happen, and its name in the summary.
const FAULTS: &[(&str, &[Step])] = &[
    ("bridge", &[Kill(B)]),
    ("keeper", &[Kill(K)]),
    ("agent", &[Kill(A)]),
    ("bridge terminated", &[Terminate(B)]),
    ("bridge + keeper", &[Kill(B), Kill(K)]),
    ("bridge + keeper", &[Kill(K), Kill(B)]),
    ("bridge + agent", &[Kill(B), Kill(A)]),
    ("bridge + agent", &[Kill(A), Kill(B)]),
    ("keeper + agent", &[Kill(K), Kill(A)]),
    ("keeper + agent", &[Kill(A), Kill(K)]),
    ("all three", &[Kill(B), Kill(K), Kill(A)]),
    ("all three", &[Kill(A), Kill(K), Kill(B)]),
    ("all three", &[Kill(A), Kill(B), Kill(K)]),
    ("all three", &[Kill(K), Kill(B), Kill(A)]),
    ("bridge at its start", &[Kill(B), Kill(B)]),
    ("bridge at its start", &[Kill(B), Kill(B), Kill(B)]),
    ("during recovery", &[Kill(B), Answers, Kill(A)]),
    ("during recovery", &[Kill(B), Answers, Kill(K)]),
    ("during recovery", &[Kill(B), Answers, Kill(A), Kill(B)]),
    ("during recovery", &[Kill(B), Answers, Kill(K), Kill(B)]),
    ("during recovery", &[Kill(A), Kill(A)]),
    ("during recovery", &[Kill(K), Kill(K)]),
    ("frozen agent", &[Freeze(A), Thaw(A)]),
    ("frozen agent", &[Freeze(A), Kill(B), Answers, Thaw(A)]),
    ("frozen agent", &[Freeze(A), Kill(B), Answers, Kill(A)]),
    ("frozen agent", &[Freeze(A), Kill(B), Answers, Kill(A), Kill(B)]),
    ("frozen agent", &[Freeze(A), Kill(B), Answers, Kill(B), Answers, Kill(A)]),
    ("frozen agent", &[Freeze(A), Kill(B), Answers, Kill(K)]),
    ("frozen agent", &[Freeze(A), Kill(K)]),
    ("frozen agent", &[Freeze(A), Kill(A)]),
    ("frozen keeper", &[Freeze(K), Thaw(K)]),
    ("frozen keeper", &[Freeze(K), Kill(A), Thaw(K)]),
    ("frozen keeper", &[Freeze(K), Kill(B), Answers, Thaw(K)]),
    ("frozen keeper", &[Freeze(K), Kill(B), Answers, Kill(B), Answers, Thaw(K)]),
    ("frozen keeper", &[Freeze(K), Kill(B), Answers, Kill(A), Thaw(K)]),
    ("frozen keeper", &[Freeze(K), Kill(B), Answers, Kill(K)]),
    ("frozen keeper", &[Freeze(K), Kill(A), Kill(B), Answers, Thaw(K)]),
    ("frozen bridge", &[Freeze(B), Thaw(B)]),
    ("frozen bridge", &[Freeze(B), Kill(A), Thaw(B)]),
    ("frozen bridge", &[Freeze(B), Kill(K), Thaw(B)]),
    ("frozen bridge", &[Freeze(B), Kill(A), Kill(B)]),
    ("frozen bridge", &[Freeze(B), Kill(K), Kill(B)]),
    ("all frozen", &[Freeze(B), Freeze(K), Freeze(A), Thaw(A), Thaw(K), Thaw(B)]),
    ("all frozen", &[Freeze(A), Freeze(K), Freeze(B), Thaw(B), Thaw(K), Thaw(A)]),
    ("all frozen", &[Freeze(A), Freeze(K), Kill(B), Answers, Thaw(K), Thaw(A)]),
    ("all frozen", &[Freeze(A), Freeze(K), Kill(B), Answers, Kill(A), Thaw(K)]),
];

/// A keeper that is frozen for longer than anything waits for it, while the bridge restarts.
const LONG_FREEZE: (&str, &[Step]) = ("keeper frozen for long", &[Freeze(K), Kill(B), Answers, Thaw(K)]);

/// How long that is.
const LONG: Duration = Duration::from_secs(23);

/// One fault of the schedule.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    /// Which session it is about, by its number.
    pub(crate) session: usize,
    /// Every step with the pause before it.
    pub(crate) steps: Vec<(Duration, Step)>,
    /// Other faults continue while this one lasts.
    pub(crate) is_long: bool,
}

/// The faults of a round with at least so many kills.
pub(crate) fn faults(seed: u64, agent: Agent, kills: usize) -> Vec<Fault> {
    let mut random = Rng::with_seed(seed);
    let mut faults = Vec::new();
    let mut planned = 0;
    let mut sessions: Vec<usize> = (0..agent.sessions()).collect();
    // One round in three has a long freeze: it lasts longer than all its other faults.
    if seed.is_multiple_of(3) && kills >= agent.kills() {
        let (name, steps) = LONG_FREEZE;
        // Other faults leave its keeper alone.
        let session = sessions.swap_remove(random.usize(..sessions.len()));
        let pause = |step: &Step| match step {
            Thaw(_) => LONG,
            _ => Duration::from_millis(500),
        };
        let steps = steps.iter().map(|step| (pause(step), *step)).collect();
        faults.push(Fault { name, session, steps, is_long: true });
        planned += 1;
    }
    while planned < kills {
        let (name, steps) = FAULTS[random.usize(..FAULTS.len())];
        let session = sessions[random.usize(..sessions.len())];
        let mut timed = Vec::new();
        for (place, step) in steps.iter().enumerate() {
            let pause = match place {
                0 => Duration::from_micros(random.u64(..400_000)) * agent.pace(),
                _ => pause(&mut random),
            };
            timed.push((pause, *step));
        }
        planned += steps.iter().filter(|step| matches!(step, Kill(_))).count();
        faults.push(Fault { name, session, steps: timed, is_long: false });
    }
    faults
}

/// The pause between two steps of one fault: most races are short.
fn pause(random: &mut Rng) -> Duration {
    let most = [1, 3_000, 40_000, 250_000][random.usize(..4)];
    Duration::from_micros(random.u64(..most))
}
