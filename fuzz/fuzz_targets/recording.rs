//! Any bytes are a recording: they are read without a panic, every line that is recognized is written back as the same
//! line, and a reader with a small buffer finds what one with a large buffer finds.

#![no_main]

use std::io::BufReader;

use aqueduct_wire::recording::{self, RecordingLine};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let whole: Vec<String> = recording::read(data).map(describe).collect();
    let pieces: Vec<String> = recording::read(BufReader::with_capacity(3, data)).map(describe).collect();
    assert_eq!(whole, pieces);
    for line in recording::read(data).flatten() {
        let written = line.to_line();
        let Some(again) = RecordingLine::recognize(&written) else { panic!("{written} can't be read back") };
        assert_eq!(again.to_line(), written);
        assert_eq!(again.content(), line.content());
        std::hint::black_box((line.frame().is_ok(), line.exit_code(), line.seconds()));
    }
});

fn describe(line: Result<RecordingLine<'_>, recording::RecordingLineError>) -> String {
    match line {
        Ok(line) => line.to_line(),
        Err(error) => error.to_string(),
    }
}
