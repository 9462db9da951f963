//! Any text as a script, in a prompt and as a file: never a panic. Every event that is played can be read with
//! nothing unknown in it but what the script itself put there, and the assembler makes the planned message of it.
#![no_main]

use aqueduct_model::script::{MessagePlan, PlaybackStep, ScriptedAnswer};
use aqueduct_model::{ModelMessage, Request, RequestRole, Scripted};
use aqueduct_wire::FromAgent;
use aqueduct_wire::assemble::Assembler;
use aqueduct_wire::event::StreamEvent;
use aqueduct_wire::json::{Json, Raw, Reader, Walk};
use aqueduct_wire::message::AssistantMessage;
use libfuzzer_sys::fuzz_target;

/// How many bytes of events are looked at: a flood has more.
const ENOUGH: usize = 1 << 20;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let content = Raw::from(&serde_json::Value::from(text));
    let request = Request {
        model: "scripted".to_owned(),
        messages: vec![ModelMessage { role: RequestRole::User, content }],
        ..Request::default()
    };
    let mut models = vec![Scripted::default()];
    models.extend(Scripted::from_script(text));
    for model in models {
        if let ScriptedAnswer::Message(plan) = model.answer(&request) {
            check(plan);
        }
    }
});

fn check(plan: MessagePlan) {
    let is_broken = plan.breaks.is_some();
    let mut assembler = Assembler::new();
    let mut unknown = 0;
    let mut size = 0;
    for time in plan.clone().play() {
        let PlaybackStep::Say(event) = time else { continue };
        let mut json = String::new();
        event.write(&mut json);
        size += json.len();
        if size > ENOUGH {
            return;
        }
        let Ok(read) = StreamEvent::read(&mut Reader::new(&json)) else { panic!("{json} is not an event") };
        read.leftovers(&mut Walk::new(&mut |_| unknown += 1));
        let frame = format!(r#"{{"type":"stream_event","event":{json}}}"#);
        let Ok(frame) = FromAgent::parse(&frame) else { panic!("{frame} is not a frame") };
        assembler.push(&frame);
    }
    let planned = plan.message();
    if leftovers(&planned) == 0 {
        assert_eq!(unknown, 0);
        if !is_broken {
            let Some(assembled) = assembler.message(None) else { panic!("no message was assembled") };
            assert_eq!(value(&assembled.to_message()), value(&planned));
        }
    }
}

fn leftovers(message: &AssistantMessage<'_>) -> usize {
    let mut json = String::new();
    message.write(&mut json);
    let mut count = 0;
    if let Ok(message) = AssistantMessage::read(&mut Reader::new(&json)) {
        message.leftovers(&mut Walk::new(&mut |_| count += 1));
    }
    count
}

/// The message as a tree; `None` where a string holds half of a surrogate pair, which no tree can.
fn value(message: &AssistantMessage<'_>) -> Option<serde_json::Value> {
    let mut json = String::new();
    message.write(&mut json);
    serde_json::from_str(&json).ok()
}
