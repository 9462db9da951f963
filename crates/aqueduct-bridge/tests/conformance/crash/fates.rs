//! What became of every input and every decision of a session, by its stored history.

use std::collections::HashMap;
use std::fmt;

use serde_json::Value;

use crate::client::word;
use crate::driver::Driver;
use crate::effects::{Effect, Effects};
use crate::input::{Input, Work};
use crate::options::Agent;

/// What must not happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// An acknowledged input has no end, or was not run although it has a result.
    Lost,
    /// An input or a decision took effect twice, or one took effect that must not.
    Twice,
    /// A session makes no progress.
    Stuck,
    /// A process is left.
    Leaked,
    /// What a client received is not what is stored.
    History,
    /// A decision has no result, or another one than was acknowledged.
    Decision,
}

#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) fault: Fault,
    pub(crate) text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.fault, self.text)
    }
}

/// How inputs ended.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) inputs: usize,
    pub(crate) acknowledged: usize,
    /// With a result.
    pub(crate) done: usize,
    /// The agent ended while it ran, and the history shows it.
    pub(crate) cut: usize,
    /// The user was asked whether to send it again.
    pub(crate) unconfirmed: usize,
    /// The user sent it again.
    pub(crate) resent: usize,
    pub(crate) cancelled: usize,
    pub(crate) decisions: usize,
}

/// The end of an input, as the history has it.
#[derive(Debug, Default, Clone)]
struct End {
    /// How often the agent got it.
    given: usize,
    results: usize,
    /// A result that is not an error.
    succeeded: bool,
    /// Neither a result nor the end of its agent has followed.
    is_open: bool,
    /// Its agent ended behind it, without a request.
    was_cut: bool,
    /// How often the user was asked whether to send it again, and did so. That sends a new input with the same text.
    asked: usize,
    resent: usize,
}

/// The call of an input that needs a permission.
#[derive(Debug, Default, Clone, Copy)]
struct Call {
    was_allowed: bool,
    /// The tool was not run, or not to its end: the session was stopped, or the turn interrupted.
    has_failed: bool,
}

/// Compares a session's stored history with what its clients and its agents know.
pub(crate) fn check(
    driver: &Driver,
    history: &[Value],
    effects: &Effects,
    prompts: &HashMap<String, usize>,
) -> (Counts, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut counts = Counts::default();
    let mut find = |fault: Fault, text: String| {
        findings
            .push(Finding { fault, text: format!("session {} {}: {text}", driver.number, driver.session) });
    };
    let ends = ends(history, &driver.inputs, &mut find);
    let calls = decisions(driver, history, effects, &mut find);
    counts.decisions = driver.decisions.values().filter(|sent| sent.is_acknowledged).count();
    for input in &driver.inputs {
        let end = ends.get(&input.mark).cloned().unwrap_or_default();
        counts.inputs += 1;
        counts.acknowledged += usize::from(input.is_acknowledged());
        counts.unconfirmed += usize::from(end.asked > 0);
        counts.resent += end.resent;
        let name = format!("{} ({:?}, id {})", input.mark, input.work, input.id.as_deref().unwrap_or("none"));
        let (ran, did) = (effects.count(Effect::Ran, &input.mark), effects.count(Effect::Did, &input.mark));
        let prompted = prompts.get(&input.mark).copied().unwrap_or_default();
        let most = 1 + end.resent;
        if ran > most || did > most || prompted > most || end.given > most {
            find(
                Fault::Twice,
                format!(
                    "{name} was given {} times, run {ran} times, had its effect {did} times and is {prompted} times in \
                     the transcript",
                    end.given
                ),
            );
        }
        if end.results > most {
            find(Fault::Twice, format!("{name} has {} results", end.results));
        }
        let call = calls.get(&input.mark).copied().unwrap_or_default();
        if did > 0 && !call.was_allowed {
            find(Fault::Decision, format!("{name} had its effect although it was not allowed"));
        }
        match input.state.as_str() {
            "cancelled" if end.asked == 0 => {
                counts.cancelled += 1;
                if end.given + ran + did + prompted > 0 {
                    find(Fault::Twice, format!("{name} was cancelled and yet given to the agent"));
                }
            }
            "done" | "cancelled" => {
                counts.done += usize::from(end.results > 0);
                counts.cut += usize::from(end.results == 0 && end.asked == 0);
                if input.was_cancelled {
                    let text = format!("{name} was cancelled by an acknowledged request and yet run");
                    find(Fault::Twice, text);
                }
                if end.given < most {
                    let text =
                        format!("{name} was sent {most} times and given to the agent {} times", end.given);
                    find(Fault::Lost, text);
                }
                if end.is_open {
                    let text = format!("{name} is {} without a result or a word about why", input.state);
                    find(Fault::Lost, text);
                }
                let must_run = driver.machine.agent() == Agent::Plain;
                // One that began to run is known to have been read. All others are asked about.
                if must_run && ran == 0 && end.was_cut && end.results == 0 && end.asked == 0 {
                    let text = format!("{name} was not run: its agent was killed, and no user was asked");
                    find(Fault::Lost, text);
                }
                let must_do = input.work == Work::Ask && call.was_allowed && !call.has_failed;
                if end.succeeded && ((must_run && ran == 0) || (must_do && did == 0)) {
                    find(Fault::Lost, format!("{name} has a result and was not run"));
                }
            }
            state => find(Fault::Lost, format!("{name} has no end: its state is {state:?}")),
        }
    }
    (counts, findings)
}

/// Follows the history from input to result.
fn ends(history: &[Value], inputs: &[Input], find: &mut impl FnMut(Fault, String)) -> HashMap<String, End> {
    let mut ends: HashMap<String, End> = HashMap::new();
    // The input that runs, or that ran last when its agent ended.
    let (mut open, mut cut): (Option<String>, Option<String>) = (None, None);
    // Inputs that the user was asked about, by the ids of the requests.
    let mut asked: HashMap<String, String> = HashMap::new();
    // Every prompt begins with its mark, also one that is sent again under another id.
    let mark_of = |text: &str| {
        let mark = text.split_whitespace().next()?;
        inputs.iter().find(|input| input.mark == mark).map(|input| input.mark.clone())
    };
    for message in history {
        match message["type"].as_str() {
            // An agent's own notes, such as about an interruption, have another source.
            Some("user_input") if message["source"] == "client" => {
                let Some(mark) = mark_of(&word(message, "text")) else {
                    find(Fault::Twice, format!("the history has an input that was never sent: {message}"));
                    continue;
                };
                let end = ends.entry(mark.clone()).or_default();
                (end.given, end.is_open) = (end.given + 1, true);
                (open, cut) = (Some(mark), None);
            }
            Some("result") => {
                let Some(mark) = open.take().or_else(|| cut.take()) else {
                    find(Fault::Twice, format!("a result without an input: {message}"));
                    continue;
                };
                let text = word(message, "result");
                let is_another = |input: &&Input| input.mark != mark && text.contains(&input.mark);
                if let Some(other) = inputs.iter().find(is_another) {
                    find(Fault::Lost, format!("{mark} has the result of {}: {message}", other.mark));
                }
                let end = ends.entry(mark).or_default();
                (end.results, end.is_open) = (end.results + 1, false);
                end.succeeded |= message["isError"] != true && message["interrupted"] != true;
            }
            Some("permission_request") if message["kind"] == "resend" => {
                let Some(mark) = mark_of(&word(&message["input"], "text")) else {
                    find(Fault::Lost, format!("the user is asked about an unknown input: {message}"));
                    continue;
                };
                ends.entry(mark.clone()).or_default().asked += 1;
                asked.insert(word(message, "id"), mark);
            }
            Some("permission_resolved") if message["decision"] == "allowed" => {
                if let Some(mark) = asked.remove(&word(message, "id")) {
                    ends.entry(mark).or_default().resent += 1;
                }
            }
            Some("system") if message["subtype"] == "agent_exited" => {
                if let Some(mark) = open.take() {
                    let end = ends.entry(mark.clone()).or_default();
                    (end.is_open, end.was_cut) = (false, message["expected"] != true);
                    cut = Some(mark);
                }
            }
            _ => {}
        }
    }
    ends
}

/// Checks that every request has one resolution, the one that was acknowledged. Returns what became of the calls that
/// inputs made, by their marks.
fn decisions(
    driver: &Driver,
    history: &[Value],
    effects: &Effects,
    find: &mut impl FnMut(Fault, String),
) -> HashMap<String, Call> {
    let mut calls: HashMap<String, Call> = HashMap::new();
    let of_kind = |kind: &'static str| history.iter().filter(move |message| message["type"] == kind);
    for request in of_kind("permission_request") {
        let (id, call) = (word(request, "id"), word(request, "toolUseId"));
        let resolved: Vec<&Value> =
            of_kind("permission_resolved").filter(|resolved| resolved["id"] == *id).collect();
        let [resolved] = resolved[..] else {
            find(Fault::Decision, format!("request {id} has {} resolutions", resolved.len()));
            continue;
        };
        let decision = word(resolved, "decision");
        let command = word(&request["input"], "command");
        let failed = |result: &Value| result["toolUseId"] == *call && result["isError"] == true;
        let behind = history.iter().filter(|message| message["seq"].as_u64() > request["seq"].as_u64());
        let has_failed = behind.take_while(|message| message["source"] != "client").any(failed);
        for input in driver.inputs.iter().filter(|input| command.contains(&input.mark)) {
            let call = calls.entry(input.mark.clone()).or_default();
            call.was_allowed |= decision == "allowed";
            call.has_failed |= has_failed;
        }
        let sent = driver.decisions.values().filter(|sent| sent.id == id && sent.is_acknowledged);
        let acknowledged: Vec<&str> = sent.map(|sent| sent.decision).collect();
        if acknowledged.len() > 1 {
            find(Fault::Decision, format!("{} decisions about {id} were acknowledged", acknowledged.len()));
        }
        if acknowledged.iter().any(|acknowledged| *acknowledged != decision) {
            find(
                Fault::Decision,
                format!("{id} was acknowledged as {acknowledged:?} and is stored as {decision}"),
            );
        }
        let (allows, denies) = (effects.count(Effect::Allowed, &call), effects.count(Effect::Denied, &call));
        let is_allowed = decision == "allowed" || decision == "answered";
        if allows + denies > 1 {
            find(Fault::Twice, format!("the agent received {} decisions about {id}", allows + denies));
        } else if (is_allowed && denies > 0) || (!is_allowed && allows > 0) {
            find(Fault::Decision, format!("{id} was {decision}, and the agent received something else"));
        }
    }
    calls
}
