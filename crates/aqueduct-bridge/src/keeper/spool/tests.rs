use std::path::Path;

use proptest::prelude::*;

use super::*;

const SMALL: Sizes = Sizes { line: 16, segment: 24 };

fn append(spool: &mut Spool, mut bytes: &[u8]) {
    spool.append(&mut bytes).unwrap();
}

fn lines(spool: &Spool, from: u64, piece: usize) -> Vec<SpoolLine> {
    let mut lines = SpoolLines::new(from);
    let mut seen = Vec::new();
    let mut bytes = vec![0; piece];
    loop {
        let length = spool.read(lines.at(), &mut bytes).unwrap();
        if length == 0 {
            return seen;
        }
        let mut input = &bytes[..length];
        while let Some(line) = lines.next(&mut input) {
            seen.push(line);
        }
    }
}

fn contents(lines: Vec<SpoolLine>) -> Vec<LineContent> {
    lines.into_iter().map(|line| line.content).collect()
}

fn whole(text: &str) -> LineContent {
    LineContent::Whole(text.as_bytes().to_vec())
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_line_counts_when_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let mut spool = Spool::open(folder.path(), SMALL).unwrap();
    append(&mut spool, b"one\ntw");
    assert_eq!((spool.oldest(), spool.next()), (0, 4));
    assert_eq!(contents(lines(&spool, 0, 64)), [whole("one")]);
    append(&mut spool, b"o\n");
    assert_eq!(lines(&spool, 4, 64), [SpoolLine { offset: 4, next: 8, content: whole("two") }]);
}

#[test]
fn segments_begin_with_a_line_and_go_when_they_are_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let mut spool = Spool::open(folder.path(), SMALL).unwrap();
    for number in 0..12 {
        append(&mut spool, format!("line {number:04}\n").as_bytes());
    }
    // Ten bytes a line: a segment is full with its third one.
    let names = files(folder.path());
    assert_eq!(names.len(), 4);
    assert_eq!(names[1], "00000000000000000030");
    assert!(!spool.release(29).unwrap());
    assert!(spool.release(60).unwrap());
    assert_eq!((spool.oldest(), spool.next(), spool.size()), (60, 120, 60));
    assert_eq!(spool.read(59, &mut [0; 8]).unwrap(), 0);
    assert_eq!(lines(&spool, 60, 7).len(), 6);
    // The last segment stays, because its name is the memory of where offsets continue.
    assert!(spool.release(120).unwrap());
    drop(spool);
    let spool = Spool::open(folder.path(), SMALL).unwrap();
    assert_eq!((spool.oldest(), spool.next()), (90, 120));
}

#[test]
fn a_line_that_is_too_long_is_named_and_not_fatal() {
    let folder = tempfile::tempdir().unwrap();
    let mut spool = Spool::open(folder.path(), SMALL).unwrap();
    append(&mut spool, b"before\n0123456789");
    append(&mut spool, b"0123456789");
    append(&mut spool, b"01234\nafter\n");
    assert_eq!(
        contents(lines(&spool, 0, 64)),
        [whole("before"), LineContent::TooLong { bytes: 25 }, whole("after")]
    );
    append(&mut spool, b"01234567890123456");
    assert!(spool.finish().unwrap());
    assert_eq!(contents(lines(&spool, spool.next() - 5, 64)), [LineContent::TooLong { bytes: 17 }]);
}

#[test]
fn what_looks_like_a_mark_is_still_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut spool = Spool::open(folder.path(), SMALL).unwrap();
    append(&mut spool, b"\0!12\n\0\n\0");
    append(&mut spool, b"=\nx\n");
    assert_eq!(contents(lines(&spool, 0, 64)), [whole("\0!12"), whole("\0"), whole("\0="), whole("x")]);
}

#[test]
fn an_unfinished_line_is_ended_with_the_agent_and_cut_off_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let mut spool = Spool::open(folder.path(), SMALL).unwrap();
    append(&mut spool, b"one\nhalf");
    drop(spool);
    let mut spool = Spool::open(folder.path(), SMALL).unwrap();
    assert_eq!(spool.next(), 4);
    append(&mut spool, b"two\nhalf");
    assert!(spool.finish().unwrap());
    assert!(!spool.finish().unwrap());
    assert_eq!(contents(lines(&spool, 0, 64)), [whole("one"), whole("two"), whole("half")]);
}

#[test]
fn a_hole_keeps_offsets_and_shows_as_damage() {
    let folder = tempfile::tempdir().unwrap();
    let mut spool = Spool::open(folder.path(), SMALL).unwrap();
    append(&mut spool, b"line 1\nline 2\nline 3\nline 4\nline 5\n");
    drop(spool);
    let first = File::options().write(true).open(path(folder.path(), 0)).unwrap();
    first.set_len(14).unwrap();
    let spool = Spool::open(folder.path(), SMALL).unwrap();
    let damaged = LineContent::Damaged(vec![0; 13]);
    assert_eq!(contents(lines(&spool, 0, 64)), [whole("line 1"), whole("line 2"), damaged, whole("line 5")]);
}

#[test]
fn lines_begin_where_lines_begin() {
    let folder = tempfile::tempdir().unwrap();
    let mut spool = Spool::open(folder.path(), SMALL).unwrap();
    append(&mut spool, b"one\ntwo\nthree\nfour and so on\nfive\n");
    let starts: Vec<u64> = (0..=spool.next()).filter(|at| spool.is_line_start(*at).unwrap()).collect();
    assert_eq!(starts, [0, 4, 8, 14, 29, 34]);
}

#[test]
fn blank_lines_and_carriage_returns_are_as_in_the_codec() {
    let folder = tempfile::tempdir().unwrap();
    let mut spool = Spool::open(folder.path(), SMALL).unwrap();
    append(&mut spool, b"\n \t\r\none\r\n\r\ntwo\n");
    assert_eq!(contents(lines(&spool, 0, 3)), [whole("one"), whole("two")]);
}

proptest! {
    /// For any output in any pieces, the lines are those of the simplest reader, and the pieces
    /// in which they are read don't matter; and after a crash anywhere, the same lines are there again.
    #[test]
    fn any_output_in_any_pieces(
        output in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(0), Just(b'!'), Just(b'='), Just(b'a')], 0..200),
        cuts in proptest::collection::vec(1..40usize, 1..20),
        piece in 1..40usize,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::open(folder.path(), SMALL).unwrap();
        let mut rest = &output[..];
        let mut cuts = cuts.into_iter().cycle();
        while !rest.is_empty() {
            let (now, later) = rest.split_at(cuts.next().unwrap().min(rest.len()));
            append(&mut spool, now);
            rest = later;
        }
        let complete = output.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let expected: Vec<LineContent> = output[..complete]
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| match line.len() as u64 > SMALL.line {
                true => LineContent::TooLong { bytes: line.len() as u64 },
                false => LineContent::Whole(line.to_vec()),
            })
            .collect();
        let seen = lines(&spool, 0, piece);
        for pair in seen.windows(2) {
            prop_assert!(pair[0].next <= pair[1].offset);
            prop_assert!(spool.is_line_start(pair[1].offset).unwrap());
        }
        let next = spool.next();
        drop(spool);
        let spool = Spool::open(folder.path(), SMALL).unwrap();
        prop_assert_eq!(spool.next(), next);
        prop_assert_eq!(lines(&spool, 0, 64), seen.clone());
        prop_assert_eq!(contents(seen), expected);
    }
}
