//! Any text is a client's message or is refused with a reason; nothing of a message is lost; a request over
//! HTTP stays what its route defines.

#![no_main]
// Only the messages are built: the bridge's store and server would take minutes to instrument.
#![allow(dead_code, unreachable_pub, unused_imports)]

use libfuzzer_sys::fuzz_target;
use message::http::{ROUTES, RouteAction};
use message::{BridgeMessage, ClientMessage};
use serde_json::Value;

#[path = "../../crates/aqueduct-bridge/src/message/mod.rs"]
mod message;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for written in [
        ClientMessage::parse_open(text).map(|message| message.to_json()),
        BridgeMessage::parse(text).map(|message| message.to_json()),
    ]
    .into_iter()
    .flatten()
    {
        same(text, &written);
    }
    match ClientMessage::parse(text) {
        Ok(message) => assert!(!message.tag().is_empty()),
        Err(refusal) => {
            assert!(!refusal.message.is_empty());
            assert!(refusal.message.len() < 2_000 + text.len());
            let BridgeMessage::Error(error) = refusal.to_message() else { panic!("a refusal is an error") };
            assert!(error.code.http_status() < 500);
        }
    }
    // One route an input: all of them would leave no time for other inputs.
    let Some(route) = data.last().and_then(|byte| ROUTES.get(usize::from(*byte) % ROUTES.len())) else {
        return;
    };
    let path = route.path_members().map(|member| (member, text));
    if let Some(Ok(composed)) = route.compose(path, [("limit", text)], text)
        && let Ok(message) = ClientMessage::parse(&composed)
    {
        assert!(matches!(route.action, RouteAction::Message(name) if name == message.tag()));
    }
});

/// The same JSON, as far as a tree of values can represent it.
fn same(text: &str, written: &str) {
    if let Ok(expected) = serde_json::from_str::<Value>(text) {
        let written = serde_json::from_str::<Value>(written);
        assert!(written.is_ok_and(|written| written == expected), "{text}");
    }
}
