//! Sessions that are closed, dropped, or lose their runtime, at the worst time.

use std::time::{Duration, Instant};

use aqueduct_client::{EVENTS_BOUND, Error, Event, ExitStatus, Ladder, Outcome};
use aqueduct_wire::hint::HintedError as _;

use crate::alone::{Census, TOO_LONG, alone, gone, is_alive, runtime};
use crate::script::Script;

/// An agent that never comes to an end by itself.
const RESTLESS: &str = "ask; answer; while :; do sleep 0.1; done";

/// An agent that writes more than is read.
const CHATTY: &str = r#"ask; answer; ask; while :; do echo '{"type":"keep_alive"}'; done"#;

#[test]
fn from_several_tasks() {
    alone(async || {
        let (session, events) = Script::new("").builder().start().await.unwrap();
        drop(events);
        let closing: Vec<_> = (0..20)
            .map(|_| {
                let session = session.clone();
                tokio::spawn(async move { session.close().await })
            })
            .collect();
        for closed in closing {
            assert_eq!(closed.await.unwrap().status, ExitStatus::Code(0));
        }
    });
}

#[test]
fn while_a_turn_runs() {
    alone(async || {
        let agent = Script::raw("ask; answer; ask; id=x; answer; while :; do sleep 0.1; done");
        let (session, mut events) = agent.builder().start().await.unwrap();
        let turn = tokio::spawn({
            let session = session.clone();
            async move { session.turn("hello").await }
        });
        // The agent has it.
        while !matches!(events.next().await.unwrap(), Event::Noise(_)) {}
        session.close_with(Ladder::KILL).await;
        // Closing a session has stopped its work.
        assert_eq!(turn.await.unwrap().unwrap(), Outcome::Interrupted(None));
    });
}

#[test]
fn while_events_are_not_read() {
    alone(async || {
        let ladder = Ladder { after_input: Duration::from_millis(200), after_term: Duration::from_secs(5) };
        let (session, mut events) = Script::raw(CHATTY).builder().ladder(ladder).start().await.unwrap();
        session.send("hello").await.unwrap();
        // The agent is stopped by back-pressure: no room is left for its output.
        while events.waiting() < EVENTS_BOUND {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(session.close().await.status, ExitStatus::Signal(15));
        // The output is still there to be read, to the end.
        let mut last = None;
        while let Some(event) = events.next().await {
            last = Some(event);
        }
        assert!(matches!(last, Some(Event::Ended(_))), "{last:?}");
    });
}

#[test]
fn while_the_agent_does_not_read() {
    alone(async || {
        let (session, events) = Script::raw(RESTLESS).builder().start().await.unwrap();
        drop(events);
        let senders: Vec<_> = (0..200)
            .map(|_| {
                let session = session.clone();
                tokio::spawn(async move { session.turn("x".repeat(10_000)).await })
            })
            .collect();
        let error = session.request_within(interrupt(), Duration::from_millis(200)).await.unwrap_err();
        assert!(matches!(error, Error::TimedOut { .. }), "{error:?}");
        session.close_with(Ladder::KILL).await;
        for sender in senders {
            match sender.await.unwrap() {
                Ok(Outcome::Interrupted(None)) | Err(Error::InputClosed(_) | Error::Ended(_)) => {}
                other => panic!("{other:?}"),
            }
        }
    });
}

fn interrupt() -> aqueduct_wire::control::HostRequest<'static> {
    aqueduct_wire::control::HostRequest::Interrupt(aqueduct_wire::control::InterruptRequest::new())
}

#[test]
fn by_dropping_everything() {
    alone(async || {
        let short = Duration::from_millis(50);
        let ladder = Ladder { after_input: short, after_term: short };
        let (session, events) = Script::raw(RESTLESS).builder().ladder(ladder).start().await.unwrap();
        let pid = session.pid().unwrap();
        session.send("hello").await.unwrap();
        assert!(is_alive(pid));
        drop((session, events));
        gone(pid).await;
    });
}

#[test]
fn by_dropping_the_handle_alone() {
    alone(async || {
        let agent = Script::raw("ask; answer; ask; sleep 0.3; result finished; cat > /dev/null");
        let (session, mut events) = agent.builder().start().await.unwrap();
        session.send("hello").await.unwrap();
        drop(session);
        // The agent may finish, since the session is still read.
        let mut ended = Vec::new();
        while let Some(event) = events.next().await {
            match event {
                Event::RunEnded(Outcome::Done(report)) => ended.push(report.text().to_owned()),
                Event::Ended(exit) => ended.push(exit.to_string()),
                _ => {}
            }
        }
        assert_eq!(ended, ["finished", "the agent ended with exit code 0"]);
    });
}

#[test]
fn by_dropping_the_handle_and_then_the_events() {
    alone(async || {
        let short = Duration::from_millis(50);
        let ladder = Ladder { after_input: short, after_term: short };
        let (session, events) = Script::raw(RESTLESS).builder().ladder(ladder).start().await.unwrap();
        let pid = session.pid().unwrap();
        session.send("hello").await.unwrap();
        drop(session);
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(is_alive(pid), "the run continues while a client listens");
        drop(events);
        gone(pid).await;
    });
}

/// A ladder that takes longer than any test.
const ENDLESS: Ladder =
    Ladder { after_input: Duration::from_secs(3600), after_term: Duration::from_secs(3600) };

/// The process that an agent has written the number of to a file.
async fn reported_pid(file: &std::path::Path) -> u32 {
    loop {
        match std::fs::read_to_string(file) {
            Ok(text) if text.ends_with('\n') => return text.trim().parse().unwrap(),
            _ => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
}

#[test]
fn by_dropping_a_start() {
    alone(async || {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("pid");
        let agent = Script::raw("echo $$ > \"$FILE\"; cat > /dev/null");
        let start = agent.builder().ladder(ENDLESS).env("FILE", &file).start();
        let pid = tokio::select! {
            started = start => panic!("{started:?}"),
            pid = reported_pid(&file) => pid,
        };
        gone(pid).await;
    });
}

#[test]
fn by_dropping_a_query() {
    alone(async || {
        // One that ends by SIGTERM, and one that has to be killed.
        for trap in ["", "trap '' TERM"] {
            let directory = tempfile::tempdir().unwrap();
            let file = directory.path().join("pid");
            let agent = Script::raw(&format!(
                "{trap}\nask; answer; ask; echo $$ > \"$FILE\"; while :; do sleep 0.1; done"
            ));
            let builder = || agent.builder().ladder(ENDLESS).env("FILE", &file);
            let pid = tokio::select! {
                outcome = builder().query("hello").into_future() => panic!("{outcome:?}"),
                pid = reported_pid(&file) => pid,
            };
            gone(pid).await;
            std::fs::remove_file(&file).unwrap();
            let pid = tokio::select! {
                outcome = builder().query("hello").stream().finish() => panic!("{outcome:?}"),
                pid = reported_pid(&file) => pid,
            };
            gone(pid).await;
        }
    });
}

#[test]
fn with_all_the_time_in_the_world() {
    alone(async || {
        let builder = Script::raw("ask; answer; ask; result; exit 5").builder();
        let builder = builder.request_timeout(Duration::MAX).start_timeout(Duration::MAX);
        let (session, events) = builder.start().await.unwrap();
        drop(events);
        assert!(matches!(session.turn("hello").await.unwrap(), Outcome::Done(_)));
        let ladder = Ladder { after_input: Duration::MAX, after_term: Duration::MAX };
        assert_eq!(session.close_with(ladder).await.status, ExitStatus::Code(5));
    });
}

#[test]
fn by_losing_the_runtime() {
    alone(async || {
        let agent = Script::raw(&format!("setsid sleep 1000 & {RESTLESS}"));
        let inner = std::thread::spawn(move || {
            let runtime = runtime();
            // Longer than any test: what waits for the agent to end by itself exceeds the limit below.
            let long = Duration::from_secs(3600);
            let ladder = Ladder { after_input: long, after_term: long };
            let (session, events) = runtime.block_on(agent.builder().ladder(ladder).start()).unwrap();
            runtime.spawn({
                let session = session.clone();
                async move { session.turn("hello").await }
            });
            runtime.block_on(session.send("more")).unwrap();
            let pid = session.pid().unwrap();
            let began = Instant::now();
            drop(runtime);
            assert!(began.elapsed() < TOO_LONG);
            (session, events, pid)
        });
        let (session, mut events, pid) = inner.join().unwrap();
        assert!(!is_alive(pid), "the agent goes with the runtime, at once");
        assert!(crate::alone::descendants(std::process::id()).is_empty(), "and leaves no zombie");
        // No holder of the session waits forever.
        while events.next().await.is_some() {}
        assert!(matches!(session.turn("hello").await, Err(Error::Ended(_))));
        assert!(matches!(session.interrupt().await, Err(Error::Ended(_))));
        assert_eq!(session.close().await.status, ExitStatus::Disconnected);
    });
}

#[test]
fn a_program_that_is_not_there() {
    alone(async || {
        let before = Census::take();
        for program in ["/nowhere/agent", "no-such-agent-on-path", "/etc/hostname"] {
            let error = aqueduct_client::Session::builder().program(program).start().await.unwrap_err();
            assert!(matches!(error, Error::Start { exit: None, .. }), "{error:?}");
            assert!(error.to_string().starts_with(&format!("can't start {program}: ")), "{error}");
            // The message has the reason: who prints causes too must not print it twice.
            assert!(std::error::Error::source(&error).is_none(), "{error:?}");
        }
        for folder in ["/nowhere", "/etc/hostname"] {
            let error = Script::new("").builder().directory(folder).start().await.unwrap_err();
            assert_eq!(
                error.advised(),
                format!("working directory {folder} does not exist. Create it, or name another")
            );
        }
        // Not even for a short time.
        assert_eq!(before, Census::take());
    });
}
