//! Any bytes are a transcript: they are looked through without a panic, the chains through them are whole and
//! pass no line twice, and every line of a chain is read and written back as the same value.

#![no_main]

use std::collections::HashSet;

use aqueduct_wire::json::{IntoOwned, Raw};
use aqueduct_wire::transcript::{
    Chain, ChainSelection, LineSpan, TranscriptIndex, TranscriptLine, line_text, prompt,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(index) = TranscriptIndex::read(data) else { panic!("bytes can be read") };
    assert!(index.broken.len() <= index.broken_lines);
    for place in index.broken.iter().map(|broken| broken.place).chain(index.cost) {
        bytes(data, place);
    }
    for entry in &index.entries {
        check(data, entry.place, &entry.uuid);
    }
    let newest = |sidechain| {
        index.entries.iter().rposition(|entry| {
            entry.is_sidechain == sidechain && !entry.is_superseded && entry.kind.is_said()
        })
    };
    for (whole, sidechain) in [(false, false), (true, false), (false, true)] {
        let chain = Chain::of(&index, &ChainSelection { whole, sidechain, until: None });
        check_chain(&index, &chain);
        assert!(newest(sidechain).is_none_or(|newest| chain.entries.contains(&newest)));
    }
    for until in 0..index.entries.len().min(16) {
        let chain = Chain::of(&index, &ChainSelection { until: Some(until), ..ChainSelection::default() });
        check_chain(&index, &chain);
        assert!(chain.entries.contains(&until));
    }
    Chain::sidechains(&index).iter().for_each(|chain| check_chain(&index, chain));
});

fn check_chain(index: &TranscriptIndex, chain: &Chain) {
    let once: HashSet<usize> = chain.entries.iter().copied().collect();
    assert_eq!(once.len(), chain.entries.len());
    assert!(chain.entries.iter().all(|&number| number < index.entries.len()));
    assert_eq!(chain.tip.is_none(), chain.entries.is_empty());
}

fn bytes(data: &[u8], place: LineSpan) -> &[u8] {
    let start = place.offset as usize;
    &data[start..start + place.length as usize]
}

fn check(data: &[u8], place: LineSpan, uuid: &str) {
    let Ok(text) = line_text(bytes(data, place)) else { panic!("the index has read it as text") };
    let Ok(line) = TranscriptLine::parse(text) else { panic!("the index has read it as a line") };
    if let Some(chained) = line.chained() {
        assert_eq!(chained.uuid(), Some(uuid));
    }
    if let TranscriptLine::User(line) = &line {
        std::hint::black_box(prompt(line));
    }
    let written = line.to_line();
    assert_eq!(line.into_owned().to_line(), written);
    assert!(Raw::parse(&written).is_ok());
    let Ok(again) = TranscriptLine::parse(&written) else { panic!("{written} can't be read back") };
    assert_eq!(again.to_line(), written);
}
