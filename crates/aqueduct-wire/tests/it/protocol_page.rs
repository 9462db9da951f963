//! The frames on docs/protocol.md are frames: known, complete, and answered by what they ask for.

use std::collections::HashMap;
use std::path::Path;

use aqueduct_wire::control::{AGENT_REPLIES, HOST_REPLIES};
use aqueduct_wire::table::Payload;
use aqueduct_wire::{FromAgent, ToAgent, peek};

/// The lines of one example: line number on the page, whether it is from the agent, and the frame.
type Example = Vec<(usize, bool, String)>;

fn examples() -> Vec<Example> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut examples = Vec::new();
    let mut open: Option<Example> = None;
    for (index, line) in page.lines().enumerate() {
        match (&mut open, line) {
            (None, "```jsonl") => open = Some(Vec::new()),
            (Some(_), "```") => examples.extend(open.take()),
            (Some(example), line) => {
                let (mark, frame) =
                    line.split_at_checked(2).unwrap_or_else(|| panic!("line {}: {line:?}", index + 1));
                assert!(mark == "< " || mark == "> ", "line {}: no direction before {frame}", index + 1);
                example.push((index + 1, mark == "< ", frame.to_owned()));
            }
            (None, _) => {}
        }
    }
    examples
}

#[test]
fn the_examples_are_known_and_whole() {
    let examples = examples();
    assert!(examples.len() > 10, "only {} examples found on the page", examples.len());
    let mut faults = Vec::new();
    for (number, from_agent, line) in examples.iter().flatten() {
        let mut visit = |leftover: aqueduct_wire::json::Leftover<'_>| {
            faults.push(format!("line {number}: {}: {:?}", leftover.path.join("."), leftover.kind));
        };
        let parsed = if *from_agent {
            FromAgent::parse(line).map(|frame| frame.leftovers(&mut visit))
        } else {
            ToAgent::parse(line).map(|frame| frame.leftovers(&mut visit))
        };
        if let Err(error) = parsed {
            faults.push(format!("line {number}: {error}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_answers_in_the_examples_answer_something() {
    let mut faults = Vec::new();
    for example in examples().iter().filter(|example| example.len() > 1) {
        let mut asked: HashMap<(bool, String), String> = HashMap::new();
        for (number, from_agent, line) in example {
            let peek = peek(line).unwrap();
            let id = peek.request_id.as_deref().unwrap_or_default().to_owned();
            match peek.kind.as_deref() {
                Some("control_request") => {
                    asked.insert((*from_agent, id), peek.subtype.unwrap().into_string());
                }
                Some("control_response") => match asked.get(&(!from_agent, id.clone())) {
                    Some(subtype) => {
                        let table = if *from_agent { HOST_REPLIES } else { AGENT_REPLIES };
                        check_payload(table, subtype, *number, line, &mut faults);
                    }
                    None => faults.push(format!("line {number}: no request has the id {id}")),
                },
                _ => {}
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn check_payload(table: &[Payload], subtype: &str, number: usize, line: &str, faults: &mut Vec<String>) {
    let value: serde_json::Value = serde_json::from_str(line).unwrap();
    let Some(answer) = value.pointer("/response/response") else { return };
    let Some(payload) = table.iter().find(|payload| payload.name == subtype) else {
        return faults.push(format!("line {number}: no payload is known for {subtype}"));
    };
    let survey = (payload.survey)(&answer.to_string(), &mut |leftover| {
        faults.push(format!("line {number}: answer: {}: {:?}", leftover.path.join("."), leftover.kind));
    });
    if let Err(fault) = survey {
        faults.push(format!("line {number}: {fault:?}"));
    }
}
