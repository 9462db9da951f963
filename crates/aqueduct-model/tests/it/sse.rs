//! Tests of the parser of server-sent events.

use aqueduct_model::sse::{SseError, SseEvent, SseParser};
use proptest::prelude::*;

/// The events of a stream that arrives in pieces.
fn parse<'p>(limit: usize, pieces: impl IntoIterator<Item = &'p [u8]>) -> Vec<Result<SseEvent, SseError>> {
    let mut parser = SseParser::new(limit);
    let mut seen = Vec::new();
    for mut piece in pieces {
        loop {
            match parser.next(&mut piece) {
                Ok(Some(message)) => seen.push(Ok(message)),
                Ok(None) => break,
                Err(error) => {
                    seen.push(Err(error));
                    return seen;
                }
            }
        }
        assert!(piece.is_empty());
    }
    seen
}

fn whole(text: &str) -> Vec<(String, String)> {
    let seen = parse(1000, [text.as_bytes()]);
    seen.into_iter().map(Result::unwrap).map(|message| (message.name, message.data)).collect()
}

fn event(name: &str, data: &str) -> (String, String) {
    (name.to_owned(), data.to_owned())
}

#[test]
fn an_event_has_a_name_and_data() {
    assert_eq!(whole("event: a\ndata: 1\n\ndata: 2\n\n"), [event("a", "1"), event("", "2")]);
}

#[test]
fn lines_end_in_three_ways() {
    assert_eq!(
        whole("data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n"),
        [event("", "1"), event("", "2"), event("", "3")]
    );
    assert_eq!(whole("data: 1\r\r\ndata: 2\n\r\n"), [event("", "1"), event("", "2")]);
}

#[test]
fn data_lines_are_joined() {
    assert_eq!(whole("data: a\ndata:b\ndata:  c\ndata\n\n"), [event("", "a\nb\n c\n")]);
    assert_eq!(whole("data\n\n"), [event("", "")]);
}

#[test]
fn the_rest_is_passed_over() {
    assert_eq!(whole("\u{feff}data: 1\n\n"), [event("", "1")]);
    assert_eq!(whole(": comment\nid: 7\nretry: 9\nodd\ndata: 1\n\n"), [event("", "1")]);
    assert_eq!(whole("event: a\n\ndata: 1\n\n"), [event("", "1")]);
    assert_eq!(whole("event: a\nevent: b\ndata: 1\n\n"), [event("b", "1")]);
    assert_eq!(whole("data: 1\n"), []);
    assert_eq!(whole("data: 1"), []);
    assert_eq!(whole("\n\n\n"), []);
}

#[test]
fn a_stream_sets_when_to_open_it_again() {
    let mut parser = SseParser::default();
    let mut waits = |mut piece: &[u8]| {
        while parser.next(&mut piece).unwrap().is_some() {}
        parser.retry().map(|wait| wait.as_millis())
    };
    assert_eq!(waits(b"data: x\n\n"), None);
    assert_eq!(waits(b"retry: 250\n\n"), Some(250));
    // What is not a number changes nothing.
    assert_eq!(waits(b"retry: -1\nretry\nretry: 1s\n\n"), Some(250));
    assert_eq!(waits(b"retry: 99999999999999999999999\n"), Some(u128::from(u64::MAX)));
}

#[test]
fn a_large_event_is_an_error() {
    let stream = b"data: 1\n\ndata: 234567\n\n";
    assert_eq!(parse(12, [&stream[..]]).len(), 2);
    assert_eq!(parse(11, [&stream[..]])[1], Err(SseError::TooLong { limit: 11 }));
    assert_eq!(parse(8, [&b"data: 12345"[..]]), [Err(SseError::TooLong { limit: 8 })]);
    let many = "data: 1\n".repeat(10);
    assert_eq!(parse(16, [many.as_bytes()]), [Err(SseError::TooLong { limit: 16 })]);
}

#[test]
fn data_is_utf8() {
    assert_eq!(parse(100, [&b"data: \xff\n\n"[..]]), [Err(SseError::NotUtf8)]);
}

/// Bytes that mean something here, more often than others do.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let word = prop::sample::select(vec![
        "data",
        "event",
        ":",
        " ",
        "\n",
        "\r",
        "\r\n",
        "\n\n",
        "\u{feff}",
        "{\"type\":\"ping\"}",
        "é",
        "id",
        "x",
    ]);
    let text = prop::collection::vec(word, 0..40).prop_map(|words| words.concat().into_bytes());
    prop_oneof![4 => text, 1 => prop::collection::vec(any::<u8>(), 0..60)]
}

proptest! {
    #[test]
    fn any_split_gives_the_same_events(bytes in stream(), sizes in prop::collection::vec(0usize..7, 1..9), limit in 1usize..80) {
        let mut pieces = Vec::new();
        let mut rest = &bytes[..];
        for size in sizes.iter().cycle().take(200) {
            let (piece, after) = rest.split_at((*size).min(rest.len()));
            pieces.push(piece);
            rest = after;
        }
        pieces.push(rest);
        prop_assert_eq!(parse(limit, pieces), parse(limit, [&bytes[..]]));
    }
}
