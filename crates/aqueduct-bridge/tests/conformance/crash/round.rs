//! Rounds: a bridge, its sessions, the faults, and what is checked at the end.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::client::{Client, word};
use crate::driver::{Driver, Phase};
use crate::effects::Effects;
use crate::fates::{self, Counts, Fault, Finding};
use crate::faults::Faults;
use crate::machine::Machine;
use crate::options::{Agent, Options};
use crate::processes::shortened;
use crate::report::{Outcome, Report};
use crate::schedule;

/// How long a keeper and its agent may take to end after their session was stopped, or after the bridge was killed and
/// the idle time has passed.
const ENDS: Duration = Duration::from_secs(15);

/// How long it may take until an input is acknowledged, restarts of the bridge included.
const ACKNOWLEDGED: Duration = Duration::from_secs(10);

/// How long a stored history may take to be read.
const READ: Duration = Duration::from_secs(30);

/// Runs rounds until there were enough kills. Returns whether nothing was found.
pub(crate) async fn run_all(options: &Options) -> bool {
    let mut report = Report::new(options);
    if !options.json {
        println!("  {} kills, seed {}", options.kills, options.seed);
    }
    let mut agents = options.agents.iter().copied().cycle();
    let most = options.kills.div_ceil(options.agents.len());
    let (mut seed, mut planned) = (options.seed, 0);
    let mut running = JoinSet::new();
    loop {
        // Agents take turns, and each round has the seed behind the one before. A step that finds no process kills
        // none: rounds are added until there were enough kills.
        while running.len() < options.at_once
            && !report.is_broken()
            && let Some(kills) = options.kills.checked_sub(report.kills() + planned).filter(|left| *left > 0)
            && let Some(agent) = agents.next()
        {
            let (options, kills) = (options.clone(), kills.min(agent.kills()).min(most));
            running.spawn(async move { round(&options, agent, seed, kills).await });
            (seed, planned) = (seed + 1, planned + kills);
        }
        match running.join_next().await {
            None => break,
            Some(Ok(outcome)) => {
                planned -= outcome.kills_planned;
                report.add(outcome);
            }
            Some(Err(error)) => {
                report.add(Outcome::failed(
                    Agent::Own,
                    options.seed,
                    0,
                    format!("a round broke off: {error}"),
                ));
            }
        }
    }
    report.finish()
}

async fn round(options: &Options, agent: Agent, seed: u64, kills: usize) -> Outcome {
    let machine = match Machine::new(options, agent, seed) {
        Ok(machine) => machine,
        Err(error) => {
            return Outcome::failed(agent, seed, kills, format!("cannot start the bridge: {error}"));
        }
    };
    let outcome = match play(&machine, seed, kills).await {
        Ok(outcome) => outcome,
        Err(problem) => Outcome::failed(agent, seed, kills, problem),
    };
    machine.clear(!outcome.findings.is_empty());
    Outcome { folder: machine.folder().display().to_string(), ..outcome }
}

async fn play(machine: &Arc<Machine>, seed: u64, kills: usize) -> Result<Outcome, String> {
    if !machine.answers().await {
        let log = fs::read_to_string(machine.folder().join("bridge.log")).unwrap_or_default();
        return Err(format!("the bridge does not answer: {}", log.lines().last().unwrap_or_default()));
    }
    let agent = machine.agent();
    let mut drivers = Vec::new();
    for number in 0..agent.sessions() {
        let mut driver = Driver::new(Arc::clone(machine), number, seed);
        driver.start().await?;
        drivers.push(driver);
    }
    let sessions = drivers.iter().map(|driver| driver.session.clone()).collect();
    let (phase, watched) = watch::channel(Phase::Load);
    let mut driving = JoinSet::new();
    for driver in drivers {
        driving.spawn(driver.drive(watched.clone()));
    }
    let faults = Faults::new(Arc::clone(machine), sessions);
    let applied = faults.apply_all(schedule::faults(seed, agent, kills)).await;
    let last_fault = Instant::now();
    // No keeper listens only if every session is at rest.
    let _ = phase.send(Phase::Rest);
    let mut drivers = Vec::new();
    while let Some(driver) = driving.join_next().await {
        drivers.push(driver.map_err(|error| format!("a session broke off: {error}"))?);
    }
    let recovery = last_fault.elapsed();
    let mut findings = Vec::new();
    let stuck = drivers.iter().filter(|driver| !driver.is_at_rest());
    findings.extend(stuck.map(|driver| Finding { fault: Fault::Stuck, text: driver.describe() }));
    for driver in drivers.iter().filter(|driver| driver.slowest > ACKNOWLEDGED) {
        let (session, slowest) = (driver.number, driver.slowest.as_secs_f64());
        let text = format!("session {session}: an input was acknowledged after {slowest:.1} s");
        findings.push(Finding { fault: Fault::Stuck, text });
    }
    let slowest = drivers.iter().map(|driver| driver.slowest).max().unwrap_or_default();
    restart(machine).await;
    let (counts, found) = compare(machine, &drivers).await;
    findings.extend(found);
    findings.extend(end(machine, &drivers, seed).await);
    let mut refusals = BTreeMap::new();
    for (why, count) in drivers.iter().flat_map(|driver| &driver.refusals) {
        *refusals.entry(why.clone()).or_default() += count;
    }
    Ok(Outcome {
        agent,
        seed,
        kills_planned: kills,
        applied,
        starts: machine.starts(),
        counts,
        recovery,
        slowest,
        refusals,
        findings,
        folder: String::new(),
    })
}

/// The bridge is started a last time: what is checked is what it finds on the disk.
async fn restart(machine: &Machine) {
    let before = machine.starts();
    if let Some(bridge) = machine.bridge() {
        machine.processes().signal(bridge, Signal::KILL);
    }
    while machine.starts() == before {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    machine.answers().await;
}

/// Compares the stored histories with what clients received and agents did.
async fn compare(machine: &Machine, drivers: &[Driver]) -> (Counts, Vec<Finding>) {
    let effects = Effects::read(&machine.effects());
    let prompts = prompts(machine, drivers);
    let (mut total, mut findings) = (Counts::default(), Vec::new());
    for driver in drivers {
        let mut find = |fault: Fault, text: String| {
            findings.push(Finding {
                fault,
                text: format!("session {} {}: {text}", driver.number, driver.session),
            });
        };
        let Some(history) = history(machine, &driver.session).await else {
            find(Fault::History, "the stored history can't be read".to_owned());
            continue;
        };
        for client in &driver.clients {
            for fault in client.faults() {
                find(Fault::History, format!("a client {fault}"));
            }
            let differs = client.stored().iter().zip(&history).find(|(received, stored)| received != stored);
            if let Some((received, stored)) = differs {
                find(Fault::History, format!("a client received {received}, and {stored} is stored"));
            }
            if client.stored().len() > history.len() {
                let (received, stored) = (client.stored().len(), history.len());
                find(
                    Fault::History,
                    format!("a client received {received} messages, and {stored} are stored"),
                );
            }
        }
        for fault in &driver.faults {
            find(Fault::Lost, fault.clone());
        }
        let (counts, found) = fates::check(driver, &history, &effects, &prompts);
        findings.extend(found);
        total.inputs += counts.inputs;
        total.acknowledged += counts.acknowledged;
        total.done += counts.done;
        total.cut += counts.cut;
        total.unconfirmed += counts.unconfirmed;
        total.resent += counts.resent;
        total.cancelled += counts.cancelled;
        total.decisions += counts.decisions;
    }
    (total, findings)
}

/// The whole history of a session, as a new client receives it.
async fn history(machine: &Machine, session: &str) -> Option<Vec<Value>> {
    let mut client = Client::new("history", session);
    if !client.connect(machine).await {
        return None;
    }
    let reading = async {
        let mut last = None;
        loop {
            let message = client.next().await?;
            if message["type"] == "subscribed" {
                last = message["snapshot"]["lastSeq"].as_u64();
            }
            if last.is_some_and(|last| client.stored().len() as u64 >= last) {
                return Some(client.stored().to_vec());
            }
        }
    };
    tokio::time::timeout(READ, reading).await.ok().flatten()
}

/// How often each input is a prompt in the transcripts of our agent.
fn prompts(machine: &Machine, drivers: &[Driver]) -> HashMap<String, usize> {
    let mut prompts: HashMap<String, usize> = HashMap::new();
    let projects = machine.folder().join("home/.claude/projects");
    if machine.agent() != Agent::Own {
        return prompts;
    }
    let marks: Vec<&str> =
        drivers.iter().flat_map(|driver| &driver.inputs).map(|input| &*input.mark).collect();
    for project in fs::read_dir(projects).into_iter().flatten().flatten() {
        for file in fs::read_dir(project.path()).into_iter().flatten().flatten() {
            let text = fs::read_to_string(file.path()).unwrap_or_default();
            let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            for entry in lines.filter(|entry| entry["type"] == "user") {
                // Every prompt begins with its mark.
                let content = &entry["message"]["content"];
                let first =
                    content.as_str().unwrap_or_else(|| content[0]["text"].as_str().unwrap_or_default());
                let mark = first.lines().next().unwrap_or_default();
                if let Some(mark) = marks.iter().find(|known| **known == mark) {
                    *prompts.entry((*mark).to_owned()).or_default() += 1;
                }
            }
        }
    }
    prompts
}

/// Ends the round. No process of it may be left. Every second round stops its sessions first; in the others the bridge is
/// killed and does not come back, and agents without work end by themselves.
async fn end(machine: &Machine, drivers: &[Driver], seed: u64) -> Vec<Finding> {
    let mut findings = Vec::new();
    let stopped: &[Driver] = if seed.is_multiple_of(2) { drivers } else { &[] };
    for driver in stopped {
        let mut client = Client::new("stop", &driver.session);
        let stopping = async {
            client.connect(machine).await;
            let id = client.request(json!({"type": "stop_session"})).await?;
            loop {
                let message = client.next().await?;
                if message["requestId"] == id.as_str() {
                    return Some(message);
                }
            }
        };
        match tokio::time::timeout(READ, stopping).await {
            Ok(Some(reply)) if reply["type"] == "ok" => {}
            Ok(Some(reply)) => {
                let text = format!("{} can't be stopped: {}", driver.session, word(&reply, "message"));
                findings.push(Finding { fault: Fault::Leaked, text });
            }
            _ => {
                let text = format!("stop_session of {} got no answer", driver.session);
                findings.push(Finding { fault: Fault::Leaked, text });
            }
        }
    }
    machine.shut_down(if seed.is_multiple_of(2) { Signal::TERM } else { Signal::KILL }).await;
    let deadline = Instant::now() + ENDS;
    let mut left = machine.processes().all();
    while !left.is_empty() && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(50)).await;
        left = machine.processes().all();
    }
    for (pid, command) in left {
        let text = format!("process {} is left: {}", pid.as_raw_nonzero(), shortened(&command));
        findings.push(Finding { fault: Fault::Leaked, text });
    }
    findings
}
