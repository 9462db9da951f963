//! Keepers without a bridge: agents end when they are unused, and never in the middle of a turn.

use aqueduct_bridge::keeper::{Activity, AgentEnd, Unattended};
use aqueduct_testing::wait_until;

use super::*;

/// Longer than any test.
const LONG: Duration = Duration::from_secs(3600);
const SHORT: Duration = Duration::from_millis(1);

/// An agent that ends when its stdin does, after it has written this.
fn agent_that_runs(text: &str) -> String {
    format!("{text}\nwhile read line; do :; done; echo bye")
}

async fn started(script: &str, activity: Activity, idle: Duration, decision: Duration) -> Session {
    let mut session = Session::of(script);
    session.job.unattended = Unattended { activity, idle, decision };
    session.job.limits.linger = SHORT;
    session.start().await.unwrap();
    session
}

/// The agent was ended because no bridge was there, by the end of its stdin; returns its output.
async fn ended(session: &Session) -> Vec<String> {
    let remains = session.dead().await;
    let exit = remains.exit().unwrap().unwrap();
    assert_eq!((exit.ended, exit.unattended), (AgentEnd::Code(0), true));
    remains.lines(0).unwrap().map(|line| text(&line.unwrap())).collect()
}

#[tokio::test]
async fn an_idle_agent_ends_after_the_idle_time() {
    let session = started(&agent_that_runs("echo ready"), Activity::Idle, SHORT, LONG).await;
    assert_eq!(ended(&session).await, ["ready", "bye"]);
}

#[tokio::test]
async fn the_time_counts_from_the_bridge_s_end() {
    let session = started(&agent_that_runs("echo ready"), Activity::Idle, LONG, LONG).await;
    let mut bridge = session.attach(0).await;
    assert_eq!(bridge.text().await, "ready");
    let plan = Unattended { activity: Activity::Idle, idle: SHORT, decision: LONG };
    bridge.handle.unattended(plan).await.unwrap();
    // As long as a bridge is there, the agent stays: it still takes inputs.
    for name in ["one", "two"] {
        bridge.input(name, "line").await;
        assert_eq!(bridge.event().await.taken(), name);
    }
    drop(bridge);
    assert_eq!(ended(&session).await, ["ready", "bye"]);
}

#[tokio::test]
async fn an_agent_that_waits_for_a_decision_ends_after_the_time_for_decisions() {
    let asks = r#"echo '{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool"}}'"#;
    let session = started(&agent_that_runs(asks), Activity::Working, LONG, SHORT).await;
    assert_eq!(ended(&session).await.len(), 2);
}

/// However short both times are.
#[tokio::test]
async fn a_turn_is_not_cut_off() {
    let script = agent_that_runs(concat!(
        r#"echo '{"type":"assistant"}'; while ! [ -e go ]; do sleep 0.01; done;"#,
        r#"echo '{"type":"assistant"}'; echo '{"type":"result"}'"#
    ));
    let session = started(&script, Activity::Working, SHORT, SHORT).await;
    let agent = session.card().agent.unwrap();
    written(&session.folder.join("spool/00000000000000000000")).await;
    // Some rounds of the keeper, each of which would have ended an idle agent.
    for _ in 0..8 {
        drop(session.attach(0).await);
    }
    assert!(lives(agent));
    std::fs::write(session.job.cwd.join("go"), "").unwrap();
    assert_eq!(ended(&session).await.len(), 4);
}

#[tokio::test]
async fn an_input_begins_a_turn() {
    let script =
        r#"while read line; do while ! [ -e go ]; do sleep 0.01; done; echo '{"type":"result"}'; done"#;
    let session = started(script, Activity::Idle, LONG, LONG).await;
    let mut bridge = session.attach(0).await;
    let plan = Unattended { activity: Activity::Idle, idle: SHORT, decision: SHORT };
    bridge.handle.unattended(plan).await.unwrap();
    bridge.input("turn", r#"{"type":"user"}"#).await;
    assert_eq!(bridge.event().await.taken(), "turn");
    drop(bridge);
    // Without the bridge, the keeper knows that the agent is at work.
    for _ in 0..8 {
        drop(session.attach(0).await);
    }
    assert!(lives(session.card().agent.unwrap()));
    std::fs::write(session.job.cwd.join("go"), "").unwrap();
    assert_eq!(ended(&session).await, [r#"{"type":"result"}"#]);
}

/// The agent writes nothing, and no bridge contacts the keeper.
#[tokio::test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't report that a file was deleted")]
async fn a_keeper_notices_at_once_that_its_folder_was_deleted() {
    for activity in [Activity::Idle, Activity::Working, Activity::Deciding] {
        let session = started(&agent_that_runs("echo ready"), activity, LONG, LONG).await;
        let (keeper, agent) = (session.card().keeper, session.card().agent.unwrap());
        written(&session.folder.join("spool/00000000000000000000")).await;
        // The keeper may still write something while its folder is being deleted.
        wait_until("the folder is deleted", || std::fs::remove_dir_all(&session.folder).is_ok());
        // Much less than the time after which a keeper looks for its folder by itself.
        let both = async {
            gone(agent).await;
            gone(keeper).await;
        };
        tokio::time::timeout(PATIENCE / 2, both).await.expect("they go at once");
    }
}

/// The bridge was notified of the agent's end, and died before it stored it.
#[tokio::test]
async fn a_keeper_does_not_wait_long_for_the_next_bridge() {
    let mut session = Session::of("echo one; exit 9");
    session.job.limits.linger = Duration::from_millis(200);
    session.start().await.unwrap();
    // One that comes too late finds the same in the folder.
    if let Ok(attached) = attach(&session.folder, 0).await {
        let mut bridge = Bridge { handle: attached.handle, events: attached.events };
        assert_eq!(bridge.exit().await.1.ended, AgentEnd::Code(9));
    }
    let remains = session.dead().await;
    assert_eq!(remains.exit().unwrap().unwrap().ended, AgentEnd::Code(9));
    assert_eq!(remains.lines(0).unwrap().count(), 1);
}

/// The keeper has no handle left: no bridge can attach, the agent continues, and the keeper recovers when
/// there are handles again.
#[tokio::test]
async fn a_keeper_without_handles_keeps_its_agent() {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};

    let session = Session::started("while read line; do echo $line; done").await;
    let mut bridge = session.attach(0).await;
    let keeper = pid(session.card().keeper);
    let limits = getrlimit(Resource::Nofile);
    let is_open = |number: &u64| {
        std::fs::symlink_metadata(format!("/proc/{}/fd/{number}", session.card().keeper)).is_ok()
    };
    let free = (0..).find(|number| !is_open(number));
    prlimit(Some(keeper), Resource::Nofile, Rlimit { current: free, ..limits }).unwrap();
    bridge.input("one", "one").await;
    let mut reported = (false, false);
    while reported != (true, true) {
        match bridge.event().await {
            KeeperEvent::Line(line) => reported.0 = text(&line) == "one",
            event => reported.1 = event.taken() == "one",
        }
    }
    let second = attach(&session.folder, 0);
    tokio::pin!(second);
    tokio::select! {
        biased;
        attached = &mut second => panic!("{:?}", attached.map(|attached| attached.hello)),
        () = async { bridge.input("two", "two").await; while text_of(&bridge.event().await) != Some("two".to_owned()) {} } => {}
    }
    prlimit(Some(keeper), Resource::Nofile, limits).unwrap();
    let attached = soon(second).await.unwrap();
    let mut bridge = Bridge { handle: attached.handle, events: attached.events };
    assert_eq!((bridge.text().await, bridge.text().await), ("one".to_owned(), "two".to_owned()));
}

/// The text of a line, if the event is one.
fn text_of(event: &KeeperEvent) -> Option<String> {
    match event {
        KeeperEvent::Line(line) => Some(text(line)),
        _ => None,
    }
}
