use std::io::BufReader;

use aqueduct_wire::FromAgent;
use aqueduct_wire::codec::{DEFAULT_LINE_LIMIT, LineDecoder, LineError, LineReader, write_line};
use aqueduct_wire::hint::HintedError as _;
use proptest::prelude::*;

/// What a decoder gave: the lines with their numbers, and the errors.
#[derive(Debug, Clone, PartialEq)]
enum Out {
    Line(u64, String),
    Cut(u64, String),
    Error(LineError),
}

fn out(line: Result<aqueduct_wire::codec::Line<'_>, LineError>) -> Out {
    match line {
        Ok(line) if line.terminated => Out::Line(line.number, line.text.to_owned()),
        Ok(line) => Out::Cut(line.number, line.text.to_owned()),
        Err(error) => Out::Error(error),
    }
}

/// Decodes pieces and checks after each that no more than the limit is held.
fn decode_pieces<'p>(limit: usize, pieces: impl IntoIterator<Item = &'p [u8]>) -> Vec<Out> {
    let mut decoder = LineDecoder::new(limit);
    let mut outs = Vec::new();
    for mut piece in pieces {
        while let Some(line) = decoder.next_line(&mut piece) {
            outs.push(out(line));
        }
        assert!(piece.is_empty(), "the decoder left input behind");
        assert!(decoder.capacity() <= limit + 1, "{} bytes held for a limit of {limit}", decoder.capacity());
    }
    outs.extend(decoder.finish().map(out));
    assert_eq!(decoder.finish(), None, "the end came twice");
    outs
}

/// Reads the same lines through a reader with a buffer of `capacity`.
fn read(limit: usize, bytes: &[u8], capacity: usize) -> Vec<Out> {
    let mut lines = LineReader::with_limit(BufReader::with_capacity(capacity, bytes), limit);
    let mut outs = Vec::new();
    while let Some(line) = lines.next_line().unwrap() {
        outs.push(out(line));
    }
    assert_eq!(lines.next_line().unwrap(), None, "the end came twice");
    outs
}

fn decode(limit: usize, bytes: &[u8]) -> Vec<Out> {
    decode_pieces(limit, [bytes])
}

fn line(number: u64, text: &str) -> Out {
    Out::Line(number, text.to_owned())
}

/// The rules in the plainest form: everything in memory, split at `\n`.
fn reference(limit: usize, bytes: &[u8]) -> Vec<Out> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let rest = lines.pop().unwrap_or_default();
    let terminated = lines.into_iter().map(|line| (line, true));
    let mut outs = Vec::new();
    for (index, (line, terminated)) in terminated.chain([(rest, false)]).enumerate() {
        let number = index as u64 + 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > limit {
            outs.push(Out::Error(LineError::TooLong { number, bytes: line.len() as u64, limit }));
        } else if line.iter().all(|byte| b" \t\r".contains(byte)) {
            continue;
        } else {
            outs.push(match (std::str::from_utf8(line), terminated) {
                (Ok(text), true) => Out::Line(number, text.to_owned()),
                (Ok(text), false) => Out::Cut(number, text.to_owned()),
                (Err(error), _) => Out::Error(LineError::NotUtf8 { number, offset: error.valid_up_to() }),
            });
        }
    }
    outs
}

/// Every way to cut `bytes` in two, byte by byte, and through readers.
fn every_split(limit: usize, bytes: &[u8], expected: &[Out]) {
    assert_eq!(decode(limit, bytes), expected, "in one piece");
    assert_eq!(decode_pieces(limit, bytes.chunks(1)), expected, "byte by byte");
    for capacity in 1..=bytes.len() + 1 {
        assert_eq!(read(limit, bytes, capacity), expected, "through a buffer of {capacity}");
    }
    for at in 0..=bytes.len() {
        let (left, right) = bytes.split_at(at);
        assert_eq!(decode_pieces(limit, [left, right]), expected, "cut at {at}");
        assert_eq!(decode_pieces(limit, [left, b"", right]), expected, "cut at {at} with nothing between");
    }
}

#[test]
fn lines_end_with_lf_or_crlf() {
    every_split(99, b"{\"a\":1}\n{}\r\n[]\n", &[line(1, "{\"a\":1}"), line(2, "{}"), line(3, "[]")]);
}

#[test]
fn only_the_last_carriage_return_belongs_to_the_line_end() {
    every_split(99, b"a\rb\r\r\n", &[line(1, "a\rb\r")]);
}

#[test]
fn blank_lines_are_passed_over_and_counted() {
    every_split(99, b"\n\r\n  \t \n \t\r\n{}\n\n  ", &[line(5, "{}")]);
}

#[test]
fn unicode_line_ends_are_text() {
    let text = "{\"a\":\"x\u{2028}y\u{2029}z\u{85}\u{b}\u{c}\"}";
    every_split(99, format!("{text}\n{text}\n").as_bytes(), &[line(1, text), line(2, text)]);
}

#[test]
fn characters_of_every_length_survive_any_cut() {
    every_split(99, "é→𝄞\r\n𝄞\n".as_bytes(), &[line(1, "é→𝄞"), line(2, "𝄞")]);
}

#[test]
fn a_byte_order_mark_is_dropped_at_the_start_only() {
    every_split(99, "\u{feff}{}\n\u{feff}{}\n".as_bytes(), &[line(1, "{}"), line(2, "\u{feff}{}")]);
    every_split(99, "\u{feff}\n{}\n".as_bytes(), &[line(2, "{}")]);
    every_split(99, "\u{feff}".as_bytes(), &[]);
    every_split(99, "\u{feff}\u{feff}x".as_bytes(), &[Out::Cut(1, "\u{feff}x".to_owned())]);
}

#[test]
fn a_byte_order_mark_does_not_count_against_the_limit() {
    every_split(2, "\u{feff}ab\n".as_bytes(), &[line(1, "ab")]);
}

#[test]
fn half_a_byte_order_mark_is_an_error_of_its_line() {
    let not_utf8 = |offset| Out::Error(LineError::NotUtf8 { number: 1, offset });
    every_split(99, b"\xef\xbb{}\n{}\n", &[not_utf8(0), line(2, "{}")]);
    every_split(99, b"\xef\xbb", &[not_utf8(0)]);
    every_split(99, b"\xef\n{}\n", &[not_utf8(0), line(2, "{}")]);
}

#[test]
fn invalid_utf8_costs_its_line() {
    let bad = |number, offset| Out::Error(LineError::NotUtf8 { number, offset });
    every_split(
        99,
        b"{}\nab\xffc\n{}\ncut \xe2\x82\n{}\n",
        &[line(1, "{}"), bad(2, 2), line(3, "{}"), bad(4, 4), line(5, "{}")],
    );
}

#[test]
fn an_overlong_line_costs_itself() {
    let long = |number, bytes| Out::Error(LineError::TooLong { number, bytes, limit: 4 });
    every_split(
        4,
        b"abcd\nabcde\nabcd\r\nabcde\r\nabcdefghijkl\n\nab\n",
        &[line(1, "abcd"), long(2, 5), line(3, "abcd"), long(4, 5), long(5, 12), line(7, "ab")],
    );
}

#[test]
fn a_limit_of_nothing_lets_nothing_through() {
    let long = Out::Error(LineError::TooLong { number: 1, bytes: 1, limit: 0 });
    every_split(0, b"a\n\n\r\n", &[long]);
}

#[test]
fn the_rest_of_the_input_is_marked() {
    every_split(99, b"{}\n{\"a\"", &[line(1, "{}"), Out::Cut(2, "{\"a\"".to_owned())]);
    every_split(99, b"{}\r", &[Out::Cut(1, "{}".to_owned())]);
    every_split(99, b"{}\n\xff", &[line(1, "{}"), Out::Error(LineError::NotUtf8 { number: 2, offset: 0 })]);
    every_split(
        2,
        b"{}\n{  }",
        &[line(1, "{}"), Out::Error(LineError::TooLong { number: 2, bytes: 4, limit: 2 })],
    );
}

#[test]
fn the_decoder_continues_after_the_end() {
    let mut decoder = LineDecoder::default();
    let mut input = &b"first"[..];
    assert_eq!(decoder.next_line(&mut input), None);
    assert_eq!(decoder.finish().map(out), Some(Out::Cut(1, "first".to_owned())));
    let mut input = &b"second\n"[..];
    assert_eq!(decoder.next_line(&mut input).map(out), Some(line(2, "second")));
}

#[test]
fn a_line_in_one_piece_is_not_copied() {
    let mut decoder = LineDecoder::default();
    let piece = b"{\"one\":1}\n{\"two\":2}\n".to_vec();
    let mut input = &piece[..];
    while let Some(line) = decoder.next_line(&mut input) {
        let text = line.unwrap().text;
        assert!(piece.as_ptr_range().contains(&text.as_ptr()));
    }
    assert_eq!(decoder.capacity(), 0);
}

#[test]
fn memory_stays_within_the_limit_and_is_given_back() {
    let limit = 1 << 20;
    let mut decoder = LineDecoder::new(limit);
    let piece = [b'x'; 4096];
    for _ in 0..limit / piece.len() {
        assert_eq!(decoder.next_line(&mut &piece[..]), None);
        assert!(decoder.capacity() <= limit + 1);
    }
    assert_eq!(decoder.pending(), limit as u64);
    assert_eq!(decoder.next_line(&mut &piece[..]), None);
    assert_eq!(decoder.capacity(), 0, "an overlong line is not kept");
    for _ in 0..1000 {
        assert_eq!(decoder.next_line(&mut &piece[..]), None);
    }
    assert_eq!(decoder.capacity(), 0);
    let mut end = &b"\n{}\n"[..];
    let bytes = (limit + 1001 * piece.len()) as u64;
    assert_eq!(decoder.pending(), bytes);
    let too_long = Out::Error(LineError::TooLong { number: 1, bytes, limit });
    assert_eq!(decoder.next_line(&mut end).map(out), Some(too_long));
    assert_eq!(decoder.next_line(&mut end).map(out), Some(line(2, "{}")));
}

#[test]
fn memory_of_a_long_line_is_given_back_after_it() {
    let mut decoder = LineDecoder::default();
    let long = vec![b'x'; 8 << 20];
    assert_eq!(decoder.next_line(&mut &long[..]), None);
    let mut end = &b"\n"[..];
    assert_eq!(decoder.next_line(&mut end).unwrap().unwrap().text.len(), long.len());
    assert_eq!(decoder.pending(), 0);
    assert_eq!(decoder.next_line(&mut end), None);
    assert!(decoder.capacity() <= 1 << 20);
}

#[test]
fn errors_state_what_to_do() {
    let too_long = LineError::TooLong { number: 7, bytes: 99, limit: DEFAULT_LINE_LIMIT };
    insta::assert_snapshot!(too_long.advised(), @"line 7 has 99 bytes, over the limit of 67108864; it was skipped. Raise the line limit to read it");
    let not_utf8 = LineError::NotUtf8 { number: 3, offset: 12 };
    insta::assert_snapshot!(not_utf8.advised(), @"line 3 is not UTF-8 from byte 12 on; it was skipped. See what else writes to this stream");
}

#[test]
fn a_frame_is_written_as_one_line() {
    let text = "{\"type\":\"new\",\n\"text\":\"x\u{2028}y\\nz\",\r\n\"n\":[1,\n2]}";
    let frame = FromAgent::parse(text).unwrap();
    let mut bytes = Vec::new();
    write_line(&mut bytes, &frame);
    write_line(&mut bytes, &frame);
    let expected = "{\"type\":\"new\",\"text\":\"x\\u2028y\\nz\",\"n\":[1,2]}";
    assert_eq!(decode(999, &bytes), [line(1, expected), line(2, expected)]);
}

/// Bytes that lines are likely to trip over.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => "[a-z{}\":,]{0,12}".prop_map(String::into_bytes),
        2 => Just(b"\n".to_vec()),
        2 => Just(b"\r\n".to_vec()),
        1 => Just(b"\r".to_vec()),
        1 => Just(b"  \t".to_vec()),
        1 => Just("\u{feff}".as_bytes().to_vec()),
        1 => Just("\u{2028}é𝄞".as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..6),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_split_gives_the_same_lines(
        bytes in stream(),
        sizes in proptest::collection::vec(0_usize..20, 1..20),
        limit in 0_usize..40,
    ) {
        let mut pieces = Vec::new();
        let mut rest = &bytes[..];
        for size in sizes.iter().cycle().take(bytes.len()) {
            let (piece, after) = rest.split_at((*size).min(rest.len()));
            pieces.push(piece);
            rest = after;
        }
        pieces.push(rest);
        prop_assert_eq!(decode_pieces(limit, pieces), reference(limit, &bytes));
    }

    #[test]
    fn what_is_written_is_read(texts in proptest::collection::vec(any::<String>(), 0..8)) {
        let mut bytes = Vec::new();
        for text in &texts {
            let line = serde_json::json!({ "type": "new", "text": text }).to_string();
            write_line(&mut bytes, &FromAgent::parse(&line).unwrap());
        }
        let read: Vec<String> = decode(DEFAULT_LINE_LIMIT, &bytes)
            .into_iter()
            .map(|out| match out {
                Out::Line(_, line) => {
                    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
                    value["text"].as_str().unwrap().to_owned()
                }
                other => panic!("{other:?}"),
            })
            .collect();
        prop_assert_eq!(read, texts);
    }
}

#[cfg(feature = "tokio")]
mod framed {
    use aqueduct_wire::codec::{AgentCodec, FrameError, HostCodec};
    use aqueduct_wire::hint::HintedError as _;
    use aqueduct_wire::json::ParseError;
    use aqueduct_wire::{FromAgent, ToAgent};
    use bytes::BytesMut;
    use tokio_util::codec::{Decoder, Encoder};

    const USER: &str = r#"{"type":"user","message":{"content":"hi","role":"user"}}"#;

    #[test]
    fn a_bad_line_does_not_end_the_stream() {
        let mut codec = HostCodec::with_limit(80);
        let mut source = BytesMut::new();
        let stream =
            format!("warning: old node\n{USER}\n[]\n\u{feff}\n{}\n{USER}\n{{\"type\":\"us", "x".repeat(99));
        let mut items = Vec::new();
        for piece in stream.as_bytes().chunks(7) {
            source.extend_from_slice(piece);
            while let Some(item) = codec.decode(&mut source).unwrap() {
                items.push(item);
            }
            assert!(source.is_empty());
        }
        while let Some(item) = codec.decode_eof(&mut source).unwrap() {
            items.push(item);
        }
        let shown: Vec<String> = items
            .iter()
            .map(|item| match item {
                Ok(frame) => frame.tag().to_owned(),
                Err(error) => error.advised(),
            })
            .collect();
        insta::assert_snapshot!(shown.join("\n"), @"
        line 1 is not a frame: not JSON: expected a value at byte 0. Only frames may be written to this stream
        user
        line 3 is not a frame: a frame is a JSON object, and this line holds another kind of value. Only frames may be written to this stream
        line 4 is not a frame: not JSON: expected a value at byte 0. Only frames may be written to this stream
        line 5 has 99 bytes, over the limit of 80; it was skipped. Raise the line limit to read it
        user
        the input ended inside line 7, so its frame is lost. See why the other side stopped
        ");
        assert!(matches!(&items[2], Err(FrameError::Parse { error: ParseError::NotAnObject, .. })));
        assert!(matches!(&items[6], Err(FrameError::Cut { line, .. }) if &**line == "{\"type\":\"us"));
    }

    #[test]
    fn a_last_line_without_its_end_is_a_frame() {
        let mut codec = AgentCodec::default();
        let mut source = BytesMut::from(USER);
        assert_eq!(codec.decode(&mut source).unwrap(), None);
        let item = codec.decode_eof(&mut source).unwrap();
        assert!(matches!(item, Some(Ok(ToAgent::User(_)))));
        assert_eq!(codec.decode_eof(&mut source).unwrap(), None);
    }

    #[test]
    fn what_one_side_writes_the_other_reads() {
        let (mut host, mut agent) = (HostCodec::default(), AgentCodec::default());
        let mut wire = BytesMut::new();
        let sent = ToAgent::parse(USER).unwrap();
        host.encode(sent.clone(), &mut wire).unwrap();
        assert_eq!(agent.decode(&mut wire).unwrap(), Some(Ok(sent)));

        let line = "{\"type\":\"user\",\"message\":{\"content\":\"a\u{2028}b\"}}";
        let parsed = FromAgent::parse(line).unwrap();
        agent.encode(parsed.clone(), &mut wire).unwrap();
        assert!(!std::str::from_utf8(&wire).unwrap().contains('\u{2028}'));
        assert_eq!(host.decode(&mut wire).unwrap(), Some(Ok(parsed)));
    }
}
