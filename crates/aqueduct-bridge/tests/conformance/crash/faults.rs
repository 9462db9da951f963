//! Applies the faults of a schedule to the processes of a round.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::client;
use crate::machine::Machine;
use crate::schedule::{Fault, Step, Target};

/// How long a step waits for a process to be there.
const APPEARS: Duration = Duration::from_millis(250);

/// What was done to the processes of a round.
#[derive(Debug, Default, Clone)]
pub(crate) struct Applied {
    /// Kills by the name of their fault.
    pub(crate) kills: BTreeMap<&'static str, usize>,
    pub(crate) freezes: usize,
}

/// Applies faults, and writes each step into `faults.log` of the round's folder.
pub(crate) struct Faults {
    machine: Arc<Machine>,
    sessions: Vec<String>,
    began: Instant,
    applied: Mutex<Applied>,
}

impl Faults {
    pub(crate) fn new(machine: Arc<Machine>, sessions: Vec<String>) -> Arc<Faults> {
        Arc::new(Faults { machine, sessions, began: Instant::now(), applied: Mutex::default() })
    }

    pub(crate) async fn apply_all(self: Arc<Faults>, schedule: Vec<Fault>) -> Applied {
        let mut long = Vec::new();
        for fault in schedule {
            match fault.is_long {
                true => long.push(tokio::spawn(Arc::clone(&self).apply(fault))),
                false => Arc::clone(&self).apply(fault).await,
            }
        }
        for fault in long {
            // A fault that broke off has applied fewer steps.
            let _ = fault.await;
        }
        self.applied.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn apply(self: Arc<Faults>, fault: Fault) {
        let (mut killed, mut frozen): (Vec<Pid>, Vec<(Target, Pid)>) = (Vec::new(), Vec::new());
        for (pause, step) in &fault.steps {
            tokio::time::sleep(*pause).await;
            let pid = match step {
                Step::Answers => {
                    self.machine.answers().await;
                    None
                }
                Step::Thaw(target) => frozen.iter().find(|(of, _)| of == target).map(|(_, pid)| *pid),
                Step::Kill(target) | Step::Freeze(target) | Step::Terminate(target) => {
                    self.find(*target, fault.session, &killed).await
                }
            };
            let signal = match step {
                Step::Answers => continue,
                Step::Kill(_) => Signal::KILL,
                Step::Terminate(_) => Signal::TERM,
                Step::Freeze(_) => Signal::STOP,
                Step::Thaw(_) => Signal::CONT,
            };
            let was_there = pid.is_some_and(|pid| self.machine.processes().signal(pid, signal));
            self.note(&fault, *step, pid.filter(|_| was_there));
            let (Some(pid), true) = (pid, was_there) else { continue };
            let mut applied = self.applied.lock().unwrap_or_else(PoisonError::into_inner);
            match step {
                Step::Kill(_) => {
                    killed.push(pid);
                    *applied.kills.entry(fault.name).or_default() += 1;
                }
                Step::Freeze(target) => {
                    frozen.push((*target, pid));
                    applied.freezes += 1;
                }
                _ => {}
            }
        }
        for (_, pid) in frozen {
            self.machine.processes().signal(pid, Signal::CONT);
        }
    }

    /// The process that a step is about; waits for a short time if there is none.
    async fn find(&self, target: Target, session: usize, killed: &[Pid]) -> Option<Pid> {
        let session = self.sessions.get(session)?;
        let deadline = Instant::now() + APPEARS;
        loop {
            let pid = match target {
                Target::Bridge => self.machine.bridge(),
                Target::Agent => self.machine.processes().of_session(session).agent,
                Target::Keeper => {
                    let processes = self.machine.processes();
                    processes.of_session(session).keeper.or_else(|| processes.lone_keeper())
                }
            };
            let pid = pid.filter(|pid| !killed.contains(pid));
            if pid.is_some() || Instant::now() > deadline {
                return pid;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    fn note(&self, fault: &Fault, step: Step, pid: Option<Pid>) {
        let path = self.machine.folder().join("faults.log");
        let session = self.sessions.get(fault.session).map(String::as_str).unwrap_or_default();
        let whom = pid.map_or("no process".to_owned(), |pid| pid.as_raw_nonzero().to_string());
        let line = format!(
            "{} {:8.3}  {:<22} {:<18} {whom:<8} session {} {session}\n",
            client::now(),
            self.began.elapsed().as_secs_f64(),
            fault.name,
            format!("{step:?}"),
            fault.session
        );
        let file = OpenOptions::new().append(true).create(true).open(path);
        // The log is for the person who looks for the cause; the round continues without it.
        let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
    }
}
