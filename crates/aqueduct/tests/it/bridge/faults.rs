//! A crash at each named step between an input or a decision and what becomes of it, for bridge and keeper.

use std::collections::BTreeSet;

use aqueduct_bridge::fault::FaultPoint;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::crash::{Client, Machine};

/// What a crash at a point leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The fault is not visible: the input runs once and is answered.
    Answered,
    /// The agent died with its keeper and had begun: the user sees that the turn was cut off.
    CutOff,
    /// The agent died with its keeper, and whether it had read the input can't be known: the user is asked.
    Asked,
    /// The agent died with its keeper; which of the three it is depends on the timing.
    Any,
}

/// What happens besides, so that the point is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Besides {
    Nothing,
    /// The agent is killed when it asks for a permission.
    AgentDies,
    /// The keeper is killed when the agent asks for a permission.
    KeeperDies,
}

/// At which of its passages a point is deadly, what else happens, and what comes of it. The first line that a keeper
/// gives to an agent is `initialize`, the second the input, the third the decision.
fn plan(point: FaultPoint) -> (u32, Besides, Outcome) {
    use FaultPoint as P;
    match point {
        P::KeeperInputReceived => (2, Besides::Nothing, Outcome::Answered),
        P::KeeperInputBegun | P::KeeperInputWritten | P::KeeperInputRecorded => {
            (2, Besides::Nothing, Outcome::Any)
        }
        P::KeeperOutputRead | P::KeeperOutputSpooled => (3, Besides::Nothing, Outcome::Any),
        P::OutputRead | P::OutputStored | P::OutputAcknowledged => (2, Besides::Nothing, Outcome::Answered),
        P::KeeperExitSeen | P::KeeperExitRecorded | P::ExitReceived | P::ExitStored => {
            (1, Besides::AgentDies, Outcome::CutOff)
        }
        P::RemainsFound | P::RemainsRead | P::RemainsStored => (1, Besides::KeeperDies, Outcome::CutOff),
        _ => (1, Besides::Nothing, Outcome::Answered),
    }
}

/// What came of the input: its result, that its turn was cut off, or the question whether to send it again.
fn outcome(client: &Client, expected: Outcome) -> Option<Outcome> {
    let is_asked = client.of("permission_request").iter().any(|request| request["kind"] == "resend");
    let results = client.of("result");
    let exited = |note: &&Value| {
        note["subtype"] == "agent_exited"
            && note["message"].as_str().is_none_or(|message| !message.contains("can't be started"))
    };
    let begun = client.of("permission_request").iter().any(|request| request["kind"] == "permission");
    if results.iter().any(|result| result["result"] == "Done one.") {
        Some(Outcome::Answered)
    } else if is_asked {
        Some(Outcome::Asked)
    } else if expected == Outcome::Answered {
        None
    } else {
        let is_cut = client.of("system").iter().any(exited);
        (is_cut && (begun || !client.of("assistant").is_empty() || !client.of("user_input").is_empty()))
            .then_some(Outcome::CutOff)
    }
}

/// The input is sent until it is acknowledged, what is asked is allowed, and the bridge is started again when it dies.
async fn crash_at(point: FaultPoint) -> (Machine, Client, String, Outcome) {
    let (times, besides, expected) = plan(point);
    let session = uuid::Uuid::new_v4().to_string();
    let mut machine = Machine::new();
    machine.start_with(Some(&format!("{}:{times}", point.name()))).await;
    let mut client = Client::new(&session);
    machine.start_session(&session).await;
    let text = "@tool Bash {\"command\":\"echo one >> lines\"}\n@say Done one.";
    let input = json!({"type": "input", "sessionId": session, "text": text, "clientMessageId": "one"});
    let (mut is_acked, mut has_died, mut decided) = (false, false, BTreeSet::new());
    loop {
        if client.socket.is_none() {
            if client.connect(&machine).await.is_none() {
                machine.wait().await;
                machine.start().await;
                continue;
            }
            decided.clear();
            if !is_acked {
                client.say(input.clone()).await;
            }
        }
        let message = tokio::time::timeout(super::crash::PATIENCE, client.next()).await;
        let message = message.unwrap_or_else(|_| panic!("{}: nothing comes of it", point.name()));
        is_acked |= message.as_ref().is_some_and(|message| message["type"] == "input_ack");
        if besides != Besides::Nothing && !has_died && !client.pending.is_empty() {
            has_died = true;
            let (keeper, agent) = machine.keepers()[0];
            let victim = if besides == Besides::AgentDies { agent } else { keeper };
            kill_process(Pid::from_raw(victim).unwrap(), Signal::KILL).unwrap();
        }
        if besides == Besides::Nothing {
            let asked: Vec<String> =
                client.pending.iter().filter(|id| !decided.contains(*id)).cloned().collect();
            for id in asked {
                if client.is_permission(&id) {
                    client.say(json!({"type": "approve", "sessionId": session, "id": id})).await;
                    decided.insert(id);
                }
            }
        }
        if let Some(outcome) = outcome(&client, expected).filter(|_| is_acked && client.socket.is_some()) {
            return (machine, client, session, outcome);
        }
    }
}

async fn check(point: FaultPoint) {
    let (_, _, expected) = plan(point);
    let (mut machine, mut client, session, outcome) = crash_at(point).await;
    let name = point.name();
    assert!(expected == Outcome::Any || outcome == expected, "{name}: {outcome:?} instead of {expected:?}");
    let ran = std::fs::read_to_string(machine.path("proj/lines")).unwrap_or_default();
    match outcome {
        Outcome::Answered => assert_eq!(ran, "one\n", "{name}"),
        _ => assert!(ran.is_empty() || ran == "one\n", "{name}: {ran}"),
    }
    let inputs = client.of("user_input").len();
    assert_eq!(inputs, 1, "{name}: it was reported once");
    // The session continues, also where the crash came only now.
    let two =
        json!({"type": "input", "sessionId": session, "text": "@say Done two.", "clientMessageId": "two"});
    let is_second =
        |client: &Client| client.of("result").iter().any(|result| result["result"] == "Done two.");
    client.say(two.clone()).await;
    while !is_second(&client) {
        if client.socket.is_none() {
            if client.connect(&machine).await.is_none() {
                machine.wait().await;
                machine.start().await;
                continue;
            }
            client.say(two.clone()).await;
        }
        let next = tokio::time::timeout(super::crash::PATIENCE, client.next()).await;
        assert!(next.is_ok(), "{name}: the session does not continue");
    }
    let answers = client.of("result").into_iter().filter(|result| result["result"] == "Done one.").count();
    assert_eq!(answers, usize::from(outcome == Outcome::Answered), "{name}");
    assert!(!machine.path("once").exists(), "{name} was never passed");
}

async fn check_all(process: &str) {
    let points: Vec<FaultPoint> =
        FaultPoint::ALL.iter().copied().filter(|point| point.name().starts_with(process)).collect();
    assert!(!points.is_empty());
    for pair in points.chunks(2) {
        match pair {
            [one, two] => drop(tokio::join!(check(*one), check(*two))),
            _ => check(pair[0]).await,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bridge_dies_at_each_step() {
    check_all("bridge.").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_keeper_dies_at_each_step() {
    check_all("keeper.").await;
}

/// The table has the consequence of a crash at each point.
#[test]
fn every_point_is_documented() {
    let text = include_str!("../../../../../docs/reliability.md");
    for point in FaultPoint::ALL {
        assert!(
            text.contains(&format!("| `{}` |", point.name())),
            "{} is missing in docs/reliability.md",
            point.name()
        );
    }
}
