//! Lines that are not frames, between those that are.

use aqueduct_client::{Event, Noise, Outcome};
use aqueduct_wire::codec::LineError;
use aqueduct_wire::hint::HintedError as _;

use crate::alone::{alone, peak_memory};
use crate::script::Script;

#[test]
fn between_frames() {
    alone(async || {
        let agent = Script::new(
            r#"ask
            echo 'Warning: something is deprecated'
            printf '\377\376 no text \200\n'
            printf '\0\001\002\033[31m\n'
            echo '{"type":'
            echo '[1,2,3]'
            echo '"type"'
            printf '{"type":"keep_alive","n":'; printf '%0400d' 0 | tr 0 7; echo '}'
            printf '{"type":"keep_alive","n":-1e999999999}\n'
            echo '{"no":"type"}'
            echo '{"type":"from_the_future","x":[{}]}'
            printf '{"type":"deep","x":'; printf '%010000d' 0 | tr 0 '['; echo
            printf '{"type":"deep","x":'; printf '%0100d' 0 | tr 0 '['; printf '%0100d' 0 | tr 0 ']'; echo '}'
            printf '\n\r\n   \n'
            result survived"#,
        );
        let (session, mut events) = agent.builder().start().await.unwrap();
        let Outcome::Done(report) = session.turn("hello").await.unwrap() else { panic!("not done") };
        assert_eq!(report.text(), "survived");
        session.close().await;
        let (mut frames, mut broken, mut no_text) = (Vec::new(), 0, 0);
        while let Some(event) = events.next().await {
            match event {
                Event::Frame(frame) => frames.push(frame.line.to_string()),
                Event::Noise(Noise::NotAFrame { .. }) => broken += 1,
                Event::Noise(Noise::Line(LineError::NotUtf8 { .. })) => no_text += 1,
                Event::Noise(noise) => panic!("{noise:?}"),
                _ => {}
            }
        }
        assert_eq!((frames.len(), broken, no_text), (7, 6, 1), "{frames:#?}");
        assert!(frames.contains(&format!(r#"{{"type":"keep_alive","n":{}}}"#, "7".repeat(400))));
        assert!(frames.iter().any(|line| line == r#"{"type":"from_the_future","x":[{}]}"#));
    });
}

#[test]
fn a_line_over_the_limit_costs_itself() {
    alone(async || {
        let agent = Script::new("ask; printf '{\"type\":\"x\",\"y\":\"%05000d\"}\\n' 0; result fine");
        let (session, mut events) = agent.builder().line_limit(1000).start().await.unwrap();
        assert!(matches!(session.turn("hello").await.unwrap(), Outcome::Done(_)));
        session.close().await;
        let mut too_long = Vec::new();
        while let Some(event) = events.next().await {
            if let Event::Noise(Noise::Line(error)) = event {
                too_long.push(error.advised());
            }
        }
        assert_eq!(
            too_long,
            [
                "line 2 has 5019 bytes, over the limit of 1000; it was skipped. Raise the line limit to read it"
            ]
        );
    });
}

#[test]
fn no_newline_for_very_long() {
    alone(async || {
        let bytes = 200_000_000;
        let agent = Script::new(&format!("ask; head -c {bytes} /dev/zero; echo; result fine"));
        let (session, mut events) = agent.builder().start().await.unwrap();
        assert!(matches!(session.turn("hello").await.unwrap(), Outcome::Done(_)));
        session.close().await;
        let mut lengths = Vec::new();
        while let Some(event) = events.next().await {
            if let Event::Noise(Noise::Line(LineError::TooLong { bytes, .. })) = event {
                lengths.push(bytes);
            }
        }
        assert_eq!(lengths, [bytes]);
        assert!(peak_memory() < 160, "{} MiB", peak_memory());
    });
}

#[test]
fn no_newline_ever() {
    alone(async || {
        let agent = Script::raw("ask; answer; ask; head -c 100000000 /dev/zero");
        let (session, mut events) = agent.builder().start().await.unwrap();
        assert!(matches!(session.turn("hello").await.unwrap(), Outcome::Crashed(_)));
        let mut noises = 0;
        while let Some(event) = events.next().await {
            noises += usize::from(matches!(event, Event::Noise(Noise::Line(LineError::TooLong { .. }))));
        }
        assert_eq!(noises, 1);
    });
}

#[test]
fn on_stderr_without_end() {
    alone(async || {
        let agent = Script::new("head -c 100000000 /dev/zero >&2; echo last >&2; ask; result fine");
        let (session, events) = agent.builder().start().await.unwrap();
        drop(events);
        assert!(matches!(session.turn("hello").await.unwrap(), Outcome::Done(_)));
        let exit = session.close().await;
        assert_eq!(exit.stderr.len(), 1);
        assert!(exit.stderr[0].len() <= 2048);
        assert!(peak_memory() < 60, "{} MiB", peak_memory());
    });
}
