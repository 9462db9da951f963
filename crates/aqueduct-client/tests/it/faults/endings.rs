//! Agents that end when they should not, or don't when they should.

use std::time::Duration;

use aqueduct_client::{Error, Event, Exit, ExitStatus, Ladder, Noise, Outcome, StartFailure, Violation};
use aqueduct_wire::hint::HintedError as _;

use crate::alone::{alone, gone};
use crate::script::Script;

fn crashed(outcome: Outcome) -> Exit {
    let Outcome::Crashed(exit) = outcome else { panic!("no crash: {outcome:?}") };
    exit
}

#[test]
fn exit_0_in_the_middle_of_a_turn() {
    alone(async || {
        let agent = Script::raw("ask; answer; ask; echo going >&2; exit 0");
        let (session, events) = agent.builder().start().await.unwrap();
        drop(events);
        let exit = crashed(session.turn("hello").await.unwrap());
        assert_eq!(exit.status, ExitStatus::Code(0));
        assert_eq!(exit.stderr, ["going"]);
        assert_eq!(exit.to_string(), "the agent ended with exit code 0: going");
        assert_eq!(session.ended().await, exit);
    });
}

#[test]
fn exit_before_initialize() {
    alone(async || {
        let error = Script::raw("echo unknown option >&2; exit 7").builder().start().await.unwrap_err();
        let Error::Start { exit, stderr, .. } = &error else { panic!("{error:?}") };
        assert_eq!(*exit, Some(ExitStatus::Code(7)));
        assert_eq!(*stderr, ["unknown option"]);
        assert_eq!(
            error.advised(),
            "can't start /bin/sh: it ended with exit code 7: unknown option. Update the agent, or leave the option \
             out; `OPTIONS` lists since which version each is there"
        );
    });
}

#[test]
fn exit_right_after_initialize() {
    alone(async || {
        for _ in 0..20 {
            let (session, events) = Script::raw("ask; answer; exit 3").builder().start().await.unwrap();
            drop(events);
            // Whether it is gone before the prompt is on its way is a matter of luck. How it went is not.
            let exit = match session.turn("hello").await {
                Ok(outcome) => crashed(outcome),
                Err(Error::Ended(exit)) => exit,
                Err(error) => panic!("{error:?}"),
            };
            assert_eq!(exit.status, ExitStatus::Code(3));
            assert!(matches!(session.send("more").await, Err(Error::Ended(_))));
            assert!(matches!(session.interrupt().await, Err(Error::Ended(_))));
        }
    });
}

#[test]
fn no_answer_to_initialize() {
    alone(async || {
        let agent = Script::raw("echo please log in >&2; while :; do sleep 0.1; done");
        let builder = agent.builder().start_timeout(Duration::from_secs(3));
        let error = builder.start().await.unwrap_err();
        let Error::Start { exit: None, stderr, failure, .. } = &error else { panic!("{error:?}") };
        assert_eq!(
            (stderr.as_slice(), *failure),
            (&["please log in".to_owned()][..], StartFailure::NotSignedIn)
        );
        assert!(error.advised().contains("it did not answer within 3 s: please log in. Sign in"), "{error}");
    });
}

#[test]
fn initialize_refused() {
    alone(async || {
        let refusal = r#"ask; printf '{"type":"control_response","response":{"subtype":"error","request_id":"%s","error":"not today"}}\n' "$id"; cat > /dev/null"#;
        let error = Script::raw(refusal).builder().start().await.unwrap_err();
        assert_eq!(
            error.advised(),
            "can't start /bin/sh: it refused `initialize`: not today. Run /bin/sh in a terminal to see more; `aqueduct \
             doctor` checks agents"
        );
    });
}

#[test]
fn half_a_line_at_the_end() {
    alone(async || {
        let agent = Script::raw(r#"ask; answer; ask; printf '{"type":"result","subty'"#);
        let (session, mut events) = agent.builder().start().await.unwrap();
        assert_eq!(crashed(session.turn("hello").await.unwrap()).status, ExitStatus::Code(0));
        let mut cut_off = None;
        while let Some(event) = events.next().await {
            if let Event::Noise(Noise::CutOff { line }) = event {
                cut_off = Some(line);
            }
        }
        assert_eq!(cut_off.as_deref(), Some(r#"{"type":"result","subty"#));
    });
}

#[test]
fn a_last_line_without_its_end_counts() {
    alone(async || {
        let agent = Script::raw(r#"ask; answer; ask; printf '{"type":"result","subtype":"success"}'"#);
        let (session, events) = agent.builder().start().await.unwrap();
        drop(events);
        assert!(matches!(session.turn("hello").await.unwrap(), Outcome::Done(_)));
    });
}

#[test]
fn stdout_closed_while_the_process_lives() {
    alone(async || {
        let agent = Script::raw("ask; answer; ask; exec >&-; while :; do sleep 0.1; done");
        let (session, events) = agent.builder().start().await.unwrap();
        drop(events);
        let outcome = session.turn("hello").await.unwrap();
        let Outcome::Violation(Violation::OutputClosed(exit)) = &outcome else { panic!("{outcome:?}") };
        assert_eq!(exit.status, ExitStatus::Signal(15));
        assert!(outcome.is_error());
    });
}

#[test]
fn stdout_closed_by_one_that_ends_soon() {
    alone(async || {
        let agent = Script::raw("ask; answer; ask; exec >&-; sleep 0.1; exit 4");
        let (session, events) = agent.builder().start().await.unwrap();
        drop(events);
        assert_eq!(crashed(session.turn("hello").await.unwrap()).status, ExitStatus::Code(4));
    });
}

#[test]
fn deaf_to_sigterm() {
    alone(async || {
        let agent = Script::raw("trap '' TERM; ask; answer; while :; do sleep 0.1; done");
        let (session, events) = agent.builder().start().await.unwrap();
        drop(events);
        let short = Duration::from_millis(100);
        let ladder = Ladder { after_input: short, after_term: short };
        assert_eq!(session.close_with(ladder).await.status, ExitStatus::Signal(9));
    });
}

#[test]
fn descendants_in_the_group_go_with_it() {
    alone(async || {
        let agent =
            Script::raw("ask; answer; ask; sleep 1000 & printf '{\"type\":\"x\",\"pid\":%s}\\n' $!; exit 0");
        let (session, mut events) = agent.builder().start().await.unwrap();
        assert_eq!(crashed(session.turn("hello").await.unwrap()).status, ExitStatus::Code(0));
        let mut pid = None;
        while let Some(event) = events.next().await {
            if let Event::Frame(frame) = event
                && let Some(text) = frame.line.strip_prefix(r#"{"type":"x","pid":"#)
            {
                pid = text.trim_end_matches('}').parse().ok();
            }
        }
        gone(pid.expect("the agent reported its child")).await;
    });
}

#[test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't find a process that left its process group")]
fn a_descendant_that_left_the_group_goes_too() {
    alone(async || {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("pid");
        let agent = Script::raw(
            r#"ask; answer; ask
            setsid sh -c 'echo $$ > "$FILE.new"; mv "$FILE.new" "$FILE"; exec sleep 1000' &
            while ! [ -e "$FILE" ]; do sleep 0.01; done"#,
        );
        let (session, events) = agent.builder().env("FILE", &file).start().await.unwrap();
        drop(events);
        let exit = crashed(session.turn("hello").await.unwrap());
        assert_eq!(exit.status, ExitStatus::Code(0));
        let pid: u32 = std::fs::read_to_string(file).unwrap().trim().parse().unwrap();
        gone(pid).await;
    });
}
