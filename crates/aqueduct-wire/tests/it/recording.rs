//! Recordings: a line of every sort, read and written back.

use std::io::{self, BufReader, Read};
use std::time::Duration;

use aqueduct_wire::json::MAX_DEPTH;
use aqueduct_wire::recording::{
    self, RecordedFrame, RecordingContent, RecordingDirection, RecordingLine, RecordingLineError,
};
use aqueduct_wire::table::Definition;

const SESSION: &str = include_str!("../fixtures/recording/session.jsonl");

fn content(line: &str) -> Option<RecordingContent<'static>> {
    let line = RecordingLine::recognize(line)?.into_owned();
    Some(match line.content()? {
        RecordingContent::Frame(raw) => RecordingContent::Frame(raw.into_owned()),
        RecordingContent::Text(text) => RecordingContent::Text(text.into_owned()),
        RecordingContent::Bytes(bytes) => RecordingContent::Bytes(bytes),
        RecordingContent::LeftOut(why) => RecordingContent::LeftOut(why.into_owned()),
        other => panic!("{other:?}"),
    })
}

#[test]
fn a_recording_is_read_and_written_back() {
    let lines: Vec<RecordingLine<'static>> =
        recording::read(SESSION.as_bytes()).map(Result::unwrap).collect();
    let written: String = lines.iter().map(|line| line.to_line() + "\n").collect();
    assert_eq!(written, SESSION);
    let kinds: Vec<String> = lines
        .iter()
        .map(|line| match line.frame().unwrap() {
            Some(RecordedFrame::FromAgent(frame)) => format!("out {}", frame.tag()),
            Some(RecordedFrame::ToAgent(frame)) => format!("in {}", frame.tag()),
            _ => line.dir.to_string(),
        })
        .collect();
    assert_eq!(kinds, ["note", "in user", "out result", "out", "err", "out", "out", "note"]);
    assert_eq!(lines[1].seconds(), 0.1);
    assert_eq!(lines.iter().map(RecordingLine::is_cut).filter(|cut| *cut).count(), 1);
    assert_eq!(lines.last().and_then(RecordingLine::exit_code), Some(143));
}

#[test]
fn every_member_and_direction_is_in_the_fixture() {
    let Definition::Record(record) = RecordingLine::DEFINITION else { panic!("not a record") };
    for field in record.fields {
        assert!(SESSION.contains(&format!("\"{}\":", field.key)), "{}", field.key);
    }
    let Definition::Names(names) = RecordingDirection::DEFINITION else { panic!("not names") };
    for name in names.values {
        assert!(SESSION.contains(&format!("\"dir\":\"{name}\"")), "{name}");
    }
}

#[test]
fn lines_of_recordings_are_distinguished_from_frames() {
    for line in [
        r#"{"type":"user","t":1,"dir":"in","msg":{}}"#,
        r#"{"dir":"in","msg":{}}"#,
        r#"{"t":"1","dir":"in","msg":{}}"#,
        r#"{"t":1,"dir":"in"}"#,
        r#"{"t":1,"dir":"in","text":5}"#,
        r#"{"t":1,"dir":"in","bytes":"a"}"#,
        // Bits that encode nothing would be lost when the line is written again.
        r#"{"t":1,"dir":"in","bytes":"/x=="}"#,
        "not JSON",
    ] {
        assert_eq!(RecordingLine::recognize(line), None, "{line}");
    }
    let line = RecordingLine::recognize(r#"{"dir":"out", "msg": {"type":"keep_alive"}, "t": 1.5}"#).unwrap();
    assert_eq!((line.seconds(), &line.dir, line.is_cut()), (1.5, &RecordingDirection::Out, false));
    assert!(matches!(line.frame(), Ok(Some(RecordedFrame::FromAgent(frame))) if frame.tag() == "keep_alive"));
}

#[test]
fn other_lines_are_text_or_bytes() {
    let text = |text: &'static str| Some(RecordingContent::Text(text.into()));
    assert_eq!(content(r#"{"t":0,"dir":"err","msg":"o\u0068"}"#), text("oh"));
    assert_eq!(content(r#"{"t":0,"dir":"in","msg":[1]}"#), text("[1]"));
    assert_eq!(content(r#"{"t":0,"dir":"out","bytes":"/w=="}"#), Some(RecordingContent::Bytes(vec![0xff])));
    assert!(matches!(content(r#"{"t":0,"dir":"out","note":"long"}"#), Some(RecordingContent::LeftOut(_))));
}

#[test]
fn a_line_is_made_from_its_content() {
    let line =
        |content| RecordingLine::at(Duration::from_micros(1_000_002), RecordingDirection::Out, content);
    for (content, written) in [
        (RecordingContent::of(r#" {"n":1e2}"#), r#"{"t":1.000002,"dir":"out","msg":{"n":1e2}}"#),
        (RecordingContent::of("[1]"), r#"{"t":1.000002,"dir":"out","text":"[1]"}"#),
        (RecordingContent::Bytes(vec![0xff, 0xfe]), r#"{"t":1.000002,"dir":"out","bytes":"//4="}"#),
        (RecordingContent::LeftOut("why".into()), r#"{"t":1.000002,"dir":"out","note":"why"}"#),
    ] {
        assert_eq!(line(content).to_line(), written);
    }
}

#[test]
fn a_frame_that_would_be_too_deep_is_text() {
    let nested = |levels: usize| format!("{}{}", "{\"a\":".repeat(levels - 1) + "{", "}".repeat(levels));
    let deepest = nested(MAX_DEPTH - 1);
    let RecordingContent::Frame(frame) = RecordingContent::of(&deepest) else { panic!("not a frame") };
    let line = RecordingLine::at(Duration::ZERO, RecordingDirection::In, RecordingContent::Frame(frame));
    assert!(RecordingLine::recognize(&line.to_line()).is_some());
    assert!(matches!(RecordingContent::of(&nested(MAX_DEPTH)), RecordingContent::Text(_)));
}

#[test]
fn exit_codes_are_read_from_notes() {
    let code = |dir: &str, text: &str| {
        let line = format!("{{\"t\":0,\"dir\":\"{dir}\",\"text\":\"{text}\"}}");
        RecordingLine::recognize(&line).unwrap().exit_code()
    };
    let notes = ["exit 0", "exit 143 (signal 15)", "exit -9", "exit killed", "exit stage left", "TIMEOUT"];
    let codes = [Some(0), Some(143), Some(137), Some(137), None, None];
    assert_eq!(notes.map(|note| code("note", note)), codes);
    assert_eq!(code("out", "exit 0"), None);
    assert_eq!(code("note", "exit -2147483648"), None);
}

#[test]
fn a_bad_line_costs_one_error() {
    let file =
        "{\"t\":0,\"dir\":\"out\",\"text\":\"a\"}\n{}\n\u{ff}\n{\"t\":1,\"dir\":\"out\",\"text\":\"b\"}";
    let mut bytes = file.as_bytes().to_vec();
    bytes.splice(file.find('\u{ff}').map_or(0..0, |at| at..at + 2), [0xff]);
    let lines: Vec<_> = recording::read(&bytes[..]).collect();
    assert!(matches!(
        &lines[..],
        [Ok(_), Err(RecordingLineError::NotRecorded { number: 2 }), Err(RecordingLineError::Line(_)), Ok(_)]
    ));
}

#[test]
fn a_reader_that_fails_ends_the_recording() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
    let lines: Vec<_> = recording::read(BufReader::new(Failing)).collect();
    assert!(matches!(&lines[..], [Err(RecordingLineError::Io(_))]));
}
