//! How events are written.

use aqueduct_tracing::LogFormat;
use proptest::prelude::*;
use tracing::{info, info_span};

use super::kept::Kept;

aqueduct_tracing::events! {
    /// The events of these tests.
    const EVENTS = "aqueduct::test";

    /// A lamp was switched on.
    fn lamp_on(lamp: &str, watts: u64, dimmed: bool, by: Option<&str>) = WARN "lamp.on": "the lamp was switched on";
    /// All lamps are off.
    fn dark() = INFO "lamps.off": "all lamps are off";
}

fn emit() {
    lamp_on("kitchen", 40, true, None);
    lamp_on("the hall", 9, false, Some("a=\"b\"\\"));
    info_span!(target: "aqueduct::test", "session", session_id = "s-1").in_scope(|| {
        info_span!(target: "aqueduct::test", "turn", session_id = "s-2", input = 3).in_scope(|| {
            dark();
            lamp_on("garden", 1, false, None);
        });
    });
    info!(target: "aqueduct::test", answer = ?Some(1), ratio = 0.5, "not of a table");
}

#[test]
fn text_is_for_people() {
    insta::assert_snapshot!(Kept::of("info", LogFormat::Text, emit), @r#"
    TIME WARN  lamp.on: the lamp was switched on lamp=kitchen watts=40 dimmed=true
    TIME WARN  lamp.on: the lamp was switched on lamp="the hall" watts=9 dimmed=false by="a=\"b\"\\"
    TIME INFO  lamps.off: all lamps are off session_id=s-2 input=3 in=session/turn
    TIME WARN  lamp.on: the lamp was switched on lamp=garden watts=1 dimmed=false session_id=s-2 input=3 in=session/turn
    TIME INFO  aqueduct::test: not of a table answer=Some(1) ratio=0.5
    "#);
}

#[test]
fn json_is_for_programs() {
    insta::assert_snapshot!(Kept::of("info", LogFormat::Json, emit), @r#"
    {"time":"TIME","level":"warn","event":"lamp.on","target":"aqueduct::test","message":"the lamp was switched on","lamp":"kitchen","watts":40,"dimmed":true}
    {"time":"TIME","level":"warn","event":"lamp.on","target":"aqueduct::test","message":"the lamp was switched on","lamp":"the hall","watts":9,"dimmed":false,"by":"a=\"b\"\\"}
    {"time":"TIME","level":"info","event":"lamps.off","target":"aqueduct::test","message":"all lamps are off","session_id":"s-2","input":3,"spans":["session","turn"]}
    {"time":"TIME","level":"warn","event":"lamp.on","target":"aqueduct::test","message":"the lamp was switched on","lamp":"garden","watts":1,"dimmed":false,"session_id":"s-2","input":3,"spans":["session","turn"]}
    {"time":"TIME","level":"info","event":"aqueduct::test","target":"aqueduct::test","message":"not of a table","answer":"Some(1)","ratio":0.5}
    "#);
}

#[test]
fn the_table_lists_what_is_written() {
    let rows: Vec<_> = EVENTS.iter().map(|row| (row.name, row.level.as_str(), row.fields)).collect();
    assert_eq!(
        rows,
        [("lamp.on", "WARN", &["lamp", "watts", "dimmed", "by"][..]), ("lamps.off", "INFO", &[][..])]
    );
}

#[test]
fn what_came_from_elsewhere_stays_in_its_line_and_changes_no_terminal() {
    let hostile = "a\nforged line\r\u{1b}[31mred\u{9b}2J\u{202e}txt\u{7f}\u{2028}end";
    let emit = || {
        lamp_on(hostile, 1, false, None);
        info!(target: "aqueduct::test", "{hostile}");
    };
    insta::assert_snapshot!(Kept::of("info", LogFormat::Text, emit), @r#"
    TIME WARN  lamp.on: the lamp was switched on lamp="a\nforged line\r\u{1b}[31mred\u{9b}2J\u{202e}txt\u{7f}\u{2028}end" watts=1 dimmed=false
    TIME INFO  aqueduct::test: a\nforged line\r\u{1b}[31mred\u{9b}2J\u{202e}txt\u{7f}\u{2028}end
    "#);
    insta::assert_snapshot!(Kept::of("info", LogFormat::Json, emit), @r#"
    {"time":"TIME","level":"warn","event":"lamp.on","target":"aqueduct::test","message":"the lamp was switched on","lamp":"a\nforged line\u000d\u001b[31mred\u009b2J\u202etxt\u007f\u2028end","watts":1,"dimmed":false}
    {"time":"TIME","level":"info","event":"aqueduct::test","target":"aqueduct::test","message":"a\nforged line\u000d\u001b[31mred\u009b2J\u202etxt\u007f\u2028end"}
    "#);
}

#[test]
fn a_long_value_is_cut() {
    let text = Kept::of("info", LogFormat::Text, || lamp_on(&"x".repeat(5000), 1, false, None));
    assert!(text.contains(&format!("lamp={}… watts", "x".repeat(2048))), "{text}");
}

#[test]
fn lines_that_could_not_be_written_are_counted() {
    let kept = Kept::default();
    kept.during("info", LogFormat::Text, || {
        dark();
        *kept.is_full.lock().unwrap() = true;
        dark();
        dark();
        *kept.is_full.lock().unwrap() = false;
        lamp_on("garden", 1, false, None);
    });
    insta::assert_snapshot!(kept.text(), @r#"
    TIME INFO  lamps.off: all lamps are off
    TIME WARN  log.lines_lost: lines could not be written and were dropped lines=2 error="no storage space"
    TIME WARN  lamp.on: the lamp was switched on lamp=garden watts=1 dimmed=false
    "#);
}

proptest! {
    /// Whatever a value is, its line is one line, and a JSON line is one object with this value.
    #[test]
    fn any_value_is_in_one_line(value in any::<String>()) {
        for format in [LogFormat::Text, LogFormat::Json] {
            let text = Kept::of("info", format, || lamp_on(&value, 1, false, None));
            prop_assert_eq!(text.matches('\n').count(), 1);
            prop_assert!(!text.trim_end_matches('\n').contains(char::is_control), "{:?}", text);
            if format == LogFormat::Json {
                let line: serde_json::Value = serde_json::from_str(&text).unwrap();
                prop_assert_eq!(line["lamp"].as_str(), Some(&*value));
            }
        }
    }
}
