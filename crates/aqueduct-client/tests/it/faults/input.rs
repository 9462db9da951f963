//! Agents that don't read their input, or answer in strange ways.

use std::time::Duration;

use aqueduct_client::{Error, Event, Noise, Outcome, Violation};
use aqueduct_wire::FromAgent;
use aqueduct_wire::machine::Ignored;

use crate::alone::alone;
use crate::script::Script;

#[test]
fn stdin_closed_by_the_agent() {
    alone(async || {
        let closed = r#"exec <&-; echo '{"type":"keep_alive"}'; while :; do sleep 0.1; done"#;
        let agent = Script::raw(&format!("ask; answer; {closed}"));
        let (session, mut events) = agent.builder().start().await.unwrap();
        while !matches!(events.next().await.unwrap().frame(), Some(FromAgent::KeepAlive(_))) {}
        // All of these are sent before the failure is known.
        let (turn, send, ask) = tokio::join!(session.turn("one"), session.send("two"), session.interrupt());
        assert!(matches!(turn, Ok(Outcome::Violation(Violation::InputClosed(_)))), "{turn:?}");
        assert!(matches!(send, Err(Error::InputClosed(_))), "{send:?}");
        assert!(matches!(ask, Err(Error::InputClosed(_))), "{ask:?}");
        // From now on it is known.
        assert!(matches!(session.turn("three").await, Err(Error::InputClosed(_))));
        assert!(matches!(session.interrupt().await, Err(Error::InputClosed(_))));
        session.close().await;
        let mut runs = 0;
        while let Some(event) = events.next().await {
            runs += usize::from(matches!(event, Event::RunEnded(Outcome::Violation(_))));
        }
        assert_eq!(runs, 2, "the two prompts that were taken");
    });
}

#[test]
fn stdin_closed_in_the_middle_of_a_turn() {
    alone(async || {
        let agent = Script::raw("ask; answer; ask; exec <&-; sleep 0.2; result fine; exit 0");
        let (session, events) = agent.builder().start().await.unwrap();
        drop(events);
        // The agent has its prompt, and needs no more to finish.
        let Outcome::Done(report) = session.turn("hello").await.unwrap() else { panic!("not done") };
        assert_eq!(report.text(), "fine");
    });
}

#[test]
fn answers_twice_and_to_no_request() {
    alone(async || {
        let agent = Script::raw(
            r#"ask; answer; answer; id=unknown; answer
            printf '{"type":"control_response","response":{"subtype":"neither","request_id":"x"}}\n'
            printf '{"type":"control_cancel_request","request_id":"never-asked"}\n'
            ask; answer; answer; ask; result; cat > /dev/null"#,
        );
        let (session, mut events) = agent.builder().start().await.unwrap();
        session.interrupt().await.unwrap();
        assert!(matches!(session.turn("hello").await.unwrap(), Outcome::Done(_)));
        session.close().await;
        let mut strays = Vec::new();
        while let Some(event) = events.next().await {
            if let Event::Noise(Noise::Stray { why, .. }) = event {
                strays.push(why);
            }
        }
        use Ignored::{SettledResponse, UnknownCancel, UnknownResponse};
        assert_eq!(
            strays,
            [SettledResponse, UnknownResponse, UnknownResponse, UnknownCancel, SettledResponse]
        );
    });
}

#[test]
fn answers_too_late() {
    alone(async || {
        let agent = Script::raw("ask; answer; ask; ask; result; answer; cat > /dev/null");
        let builder = agent.builder().request_timeout(Duration::from_millis(100));
        let (session, mut events) = builder.start().await.unwrap();
        let error = session.interrupt().await.unwrap_err();
        assert!(error.to_string().starts_with("the agent did not answer interrupt within 0."), "{error}");
        assert!(matches!(session.turn("hello").await.unwrap(), Outcome::Done(_)));
        session.close().await;
        while let Some(event) = events.next().await {
            // The second line it read was the prompt: it answered nothing.
            if let Event::Noise(noise) = event {
                assert!(matches!(noise, Noise::Stray { why: Ignored::UnknownResponse, .. }), "{noise:?}");
            }
        }
    });
}

#[test]
fn thousands_of_requests_at_once() {
    alone(async || {
        let agent = Script::raw("while ask; do answer; done");
        let (session, events) = agent.builder().start().await.unwrap();
        drop(events);
        let asking: Vec<_> = (0..3000)
            .map(|_| {
                let session = session.clone();
                tokio::spawn(async move { session.set_permission_mode("plan".into()).await })
            })
            .collect();
        for asked in asking {
            asked.await.unwrap().unwrap();
        }
        session.close().await;
    });
}

#[test]
fn a_prompt_larger_than_any_pipe() {
    alone(async || {
        let agent = Script::raw(r#"ask; answer; result "$(head -n 1 | wc -c)"; cat > /dev/null"#);
        let (session, events) = agent.builder().start().await.unwrap();
        drop(events);
        let Outcome::Done(report) = session.turn("x".repeat(1 << 20)).await.unwrap() else {
            panic!("not done")
        };
        assert!(report.text().parse::<usize>().unwrap() > 1 << 20);
        session.close().await;
    });
}
