//! A frame of every kind, each with an unknown member: all typed, all lossless, and none forgotten.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use aqueduct_wire::control::{AGENT_REPLIES, HOST_REPLIES};
use aqueduct_wire::json::{Json, Leftover, LeftoverKind, Reader, Walk};
use aqueduct_wire::table::{Definition, Payload, Shape};
use aqueduct_wire::tool::{TOOL_INPUTS, TOOL_RESULTS};
use aqueduct_wire::transcript::{SubagentMeta, TranscriptLine};
use aqueduct_wire::{FromAgent, ToAgent};
use serde_json::Value;

use crate::exact::exact;

/// A line of a fixture file.
pub(crate) struct Fixture {
    pub(crate) place: String,
    pub(crate) from_agent: bool,
    pub(crate) line: String,
}

/// Lines of transcripts: place and line.
fn transcript_lines() -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder("transcript")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().flat_map(|path| lines(path)).collect()
}

const PAYLOADS: &[(&str, &[Payload])] = &[
    ("host_reply", HOST_REPLIES),
    ("agent_reply", AGENT_REPLIES),
    ("tool_input", TOOL_INPUTS),
    ("tool_result", TOOL_RESULTS),
];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn lines(path: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy();
    text.lines().enumerate().map(|(index, line)| (format!("{name}:{}", index + 1), line.to_owned())).collect()
}

/// All frames, of both directions.
pub(crate) fn frames() -> &'static [Fixture] {
    static FRAMES: LazyLock<Vec<Fixture>> = LazyLock::new(read_frames);
    &FRAMES
}

fn read_frames() -> Vec<Fixture> {
    let mut frames = Vec::new();
    for (name, from_agent) in [("from_agent", true), ("to_agent", false)] {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            frames.extend(lines(&path).into_iter().map(|(place, line)| Fixture {
                place: format!("{name}/{place}"),
                from_agent,
                line,
            }));
        }
    }
    frames
}

/// The payloads of a table's file: place, name in the table, value.
fn payloads(file: &str) -> Vec<(String, String, String)> {
    lines(&folder("payload").join(format!("{file}.jsonl")))
        .into_iter()
        .map(|(place, line)| {
            let value: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{place}: {error}"));
            let name =
                value["payload"].as_str().unwrap_or_else(|| panic!("{place}: no payload name")).to_owned();
            let text = line.split_once("\"value\":").unwrap_or_else(|| panic!("{place}: no value")).1;
            (place, name, text.trim().strip_suffix('}').unwrap().to_owned())
        })
        .collect()
}

/// What is wrong with a fixture's leftovers: there must be one unknown member, and nothing else.
#[derive(Default)]
struct Survey {
    thrown_in: usize,
    faults: Vec<String>,
}

impl Survey {
    fn visit(&mut self, leftover: Leftover<'_>) {
        match leftover.kind {
            LeftoverKind::Field(name) if name.starts_with("x_") => self.thrown_in += 1,
            kind => self.faults.push(format!("{}: {kind:?} {:.80}", leftover.path.join("."), leftover.value)),
        }
    }

    fn report(self, place: &str, faults: &mut Vec<String>) {
        faults.extend(self.faults.into_iter().map(|fault| format!("{place}: {fault}")));
        if self.thrown_in == 0 {
            faults.push(format!("{place}: no unknown member (x_…) thrown in"));
        }
    }
}

fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_frame_is_typed_and_lossless() {
    let mut faults = Vec::new();
    for Fixture { place, from_agent, line } in frames() {
        let mut survey = Survey::default();
        let written = if *from_agent {
            let frame = FromAgent::parse(line).unwrap_or_else(|error| panic!("{place}: {error}"));
            frame.leftovers(&mut |leftover| survey.visit(leftover));
            frame.to_line()
        } else {
            let frame = ToAgent::parse(line).unwrap_or_else(|error| panic!("{place}: {error}"));
            frame.leftovers(&mut |leftover| survey.visit(leftover));
            frame.to_line()
        };
        assert_eq!(exact(&written), exact(line), "{place}");
        survey.report(place, &mut faults);
    }
    assert_none(&faults);
}

#[test]
fn every_payload_is_typed_and_lossless() {
    let mut faults = Vec::new();
    for (file, table) in PAYLOADS {
        for (place, name, value) in payloads(file) {
            let Some(payload) = table.iter().find(|payload| payload.name == name) else {
                faults.push(format!("{place}: no payload {name} in the table"));
                continue;
            };
            let mut survey = Survey::default();
            match (payload.survey)(&value, &mut |leftover| survey.visit(leftover)) {
                Ok(written) => assert_eq!(exact(&written), exact(&value), "{place}"),
                Err(fault) => faults.push(format!("{place}: {fault:?}")),
            }
            survey.report(&place, &mut faults);
        }
    }
    assert_none(&faults);
}

#[test]
fn every_line_of_a_transcript_is_typed_and_lossless() {
    let mut faults = Vec::new();
    for (place, text) in lines(&folder("subagent").join("meta.jsonl")) {
        let mut survey = Survey::default();
        let meta = SubagentMeta::read(&mut Reader::new(&text)).unwrap();
        meta.leftovers(&mut Walk::new(&mut |leftover| survey.visit(leftover)));
        let mut written = String::new();
        meta.write(&mut written);
        assert_eq!(exact(&written), exact(&text), "{place}");
        survey.report(&place, &mut faults);
    }
    for (place, text) in transcript_lines() {
        let mut survey = Survey::default();
        let line = TranscriptLine::parse(&text).unwrap_or_else(|error| panic!("{place}: {error}"));
        line.leftovers(&mut |leftover| survey.visit(leftover));
        assert_eq!(exact(&line.to_line()), exact(&text), "{place}");
        survey.report(&place, &mut faults);
    }
    assert_none(&faults);
}

/// What of the tables the fixtures have shown: `Union/tag` and `Record.member`.
type Seen = BTreeSet<String>;

fn cover(definition: &'static Definition, value: &Value, seen: &mut Seen) {
    match definition {
        Definition::Record(record) => {
            for field in record.fields {
                if let Some(member) = value.get(field.key) {
                    seen.insert(format!("{}.{}", record.name, field.key));
                    cover_shape(&(field.shape)(), member, seen);
                }
            }
        }
        Definition::Union(union) => {
            let tag = value.get(union.tag).and_then(Value::as_str).unwrap_or_default();
            if let Some(variant) = union.variants.iter().find(|variant| variant.tag == tag) {
                seen.insert(format!("{}/{tag}", union.name));
                cover((variant.definition)(), value, seen);
            }
        }
        _ => {}
    }
}

fn cover_shape(shape: &Shape, value: &Value, seen: &mut Seen) {
    match (shape, value) {
        (Shape::Defined(definition), _) => cover(definition, value, seen),
        (Shape::Either(shapes), _) => shapes.iter().for_each(|shape| cover_shape(shape, value, seen)),
        (Shape::List(item), Value::Array(items)) => {
            items.iter().for_each(|value| cover_shape(item, value, seen));
        }
        (Shape::Map(item), Value::Object(members)) => {
            members.values().for_each(|value| cover_shape(item, value, seen));
        }
        _ => {}
    }
}

/// Everything there is to show.
fn expect(definition: &'static Definition, expected: &mut Seen, visited: &mut BTreeSet<&'static str>) {
    if !visited.insert(definition.name()) {
        return;
    }
    match definition {
        Definition::Record(record) => {
            for field in record.fields {
                expected.insert(format!("{}.{}", record.name, field.key));
                expect_shape(&(field.shape)(), expected, visited);
            }
        }
        Definition::Union(union) => {
            for variant in union.variants {
                expected.insert(format!("{}/{}", union.name, variant.tag));
                expect((variant.definition)(), expected, visited);
            }
        }
        _ => {}
    }
}

fn expect_shape(shape: &Shape, expected: &mut Seen, visited: &mut BTreeSet<&'static str>) {
    match shape {
        Shape::Defined(definition) => expect(definition, expected, visited),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| expect_shape(shape, expected, visited)),
        Shape::List(item) | Shape::Map(item) => expect_shape(item, expected, visited),
        _ => {}
    }
}

#[test]
fn every_kind_and_every_member_has_a_fixture() {
    let (mut seen, mut expected, mut visited) = (Seen::new(), Seen::new(), BTreeSet::new());
    for definition in [FromAgent::DEFINITION, ToAgent::DEFINITION, TranscriptLine::DEFINITION] {
        expect(definition, &mut expected, &mut visited);
    }
    for Fixture { from_agent, line, .. } in frames() {
        let value: Value = serde_json::from_str(line).unwrap();
        cover(if *from_agent { FromAgent::DEFINITION } else { ToAgent::DEFINITION }, &value, &mut seen);
    }
    expect(SubagentMeta::DEFINITION, &mut expected, &mut visited);
    for (_, meta) in lines(&folder("subagent").join("meta.jsonl")) {
        cover(SubagentMeta::DEFINITION, &serde_json::from_str(&meta).unwrap(), &mut seen);
    }
    for (_, line) in transcript_lines() {
        cover(TranscriptLine::DEFINITION, &serde_json::from_str(&line).unwrap(), &mut seen);
    }
    for (file, table) in PAYLOADS {
        for payload in *table {
            expect(payload.definition, &mut expected, &mut visited);
        }
        for (_, name, value) in payloads(file) {
            let value: Value = serde_json::from_str(&value).unwrap();
            if let Some(payload) = table.iter().find(|payload| payload.name == name) {
                cover(payload.definition, &value, &mut seen);
            }
        }
    }
    let missing: Vec<String> = expected.difference(&seen).cloned().collect();
    assert_none(&missing);
}
