//! With and without partial messages a view is the same in the end.

use aqueduct_client::view::View;
use proptest::prelude::*;
use serde_json::json;

use super::picture::picture;
use super::talk::{Block, Talk};

/// One step of a conversation. Numbers choose among what there is.
#[derive(Debug, Clone)]
enum Step {
    /// A message of the model, in blocks.
    Message(Vec<(Kind, String, usize)>),
    /// A tool answers.
    Answer { call: usize, is_error: bool },
    /// A prompt comes back, or the agent puts something in.
    Said { is_synthetic: bool },
    /// A permission is asked for, and taken back.
    Asked { call: usize },
    /// The turn ends.
    Result,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Text,
    Thinking,
    Tool,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let kind = prop_oneof![Just(Kind::Text), Just(Kind::Thinking), Just(Kind::Tool)];
    let block = (kind, "[a-zäöü😀\"\\\\ \n]{0,20}", 1usize..6);
    let step = prop_oneof![
        4 => prop::collection::vec(block, 0..4).prop_map(Step::Message),
        3 => (any::<usize>(), any::<bool>()).prop_map(|(call, is_error)| Step::Answer { call, is_error }),
        1 => any::<bool>().prop_map(|is_synthetic| Step::Said { is_synthetic }),
        1 => any::<usize>().prop_map(|call| Step::Asked { call }),
        1 => Just(Step::Result),
    ];
    prop::collection::vec(step, 0..12)
}

/// Calls of a conversation.
#[derive(Debug, Default)]
struct Calls {
    all: Vec<String>,
    /// Those that fail. No subagent works under a call that has failed.
    failed: Vec<String>,
}

/// The frames of one thread. Its calls are added to `calls`.
fn talk(parent: Option<&str>, name: &str, steps: &[Step], calls: &mut Calls) -> Talk {
    let mut talk = Talk::new();
    if let Some(parent) = parent {
        talk.system(json!({ "subtype": "task_started", "task_id": name, "tool_use_id": parent,
            "description": "d", "is_backgrounded": true }));
    }
    let first = calls.all.len();
    for (number, step) in steps.iter().enumerate() {
        let known = &calls.all[first..];
        match step {
            Step::Message(blocks) => {
                let mut written = Vec::new();
                for (kind, text, piece) in blocks {
                    let whole = match kind {
                        Kind::Text => json!({ "type": "text", "text": text }),
                        Kind::Thinking => {
                            json!({ "type": "thinking", "thinking": text, "signature": "c2ln" })
                        }
                        Kind::Tool => {
                            let id = format!("{name}_t{}", calls.all.len());
                            calls.all.push(id.clone());
                            json!({ "type": "tool_use", "id": id, "name": "Task", "input": { "prompt": text } })
                        }
                    };
                    written.push(Block { whole, piece: *piece });
                }
                talk.message(parent, &format!("{name}_m{number}"), &written);
            }
            Step::Answer { call, is_error } if !known.is_empty() => {
                let call = &known[call % known.len()];
                talk.answer(parent, call, "gave", *is_error);
                if *is_error {
                    calls.failed.push(call.clone());
                }
            }
            Step::Asked { call } if !known.is_empty() => {
                let call = &known[call % known.len()];
                let request = format!("{name}_r{number}");
                talk.ask(&request, call, "Task", json!({}));
                talk.frame(json!({ "type": "control_cancel_request", "request_id": request }));
            }
            Step::Said { is_synthetic } => {
                talk.user_text(parent, "words", json!({ "isSynthetic": is_synthetic }));
            }
            Step::Result if parent.is_none() => {
                talk.result(number as f64, json!({})).init();
            }
            _ => {}
        }
    }
    talk
}

proptest! {
    #[test]
    fn partial_messages_change_nothing_in_the_end(
        main in steps(),
        one in steps(),
        two in steps(),
        places in prop::collection::vec(0usize..200, 0..200),
        under in any::<[usize; 2]>(),
    ) {
        let mut calls = Calls::default();
        let mut whole = talk(None, "a", &main, &mut calls);
        // Each subagent works in the background, under a call of its own, at any time after it.
        let mut used = Vec::new();
        for (number, steps) in [one, two].iter().enumerate() {
            let is_free = |call: &&String| !calls.failed.contains(call) && !used.contains(*call);
            let free: Vec<String> = calls.all.iter().filter(is_free).cloned().collect();
            let Some(parent) = free.get(under[number] % free.len().max(1)).cloned() else { break };
            used.push(parent.clone());
            let sub = talk(Some(&parent), if number == 0 { "b" } else { "c" }, steps, &mut calls);
            let called = whole.place_of_call(&parent) + 1;
            let room = whole.len() + 1 - called;
            let mut places: Vec<usize> = places.iter().map(|place| called + place % room).collect();
            places.sort_unstable();
            whole = whole.merge(&sub, &places);
        }
        whole.result(99.0, json!({}));

        let mut views = [View::new(), View::new()];
        let let_go = [whole.push_to(&mut views[0], true), whole.push_to(&mut views[1], false)];
        prop_assert_eq!(picture(&views[0]), picture(&views[1]));
        let pictures = let_go.map(|runs| runs.iter().map(super::picture::run).collect::<Vec<_>>());
        prop_assert_eq!(&pictures[0], &pictures[1]);
    }
}
