//! A view does not grow with the length of a session.

use aqueduct_client::view::{CallState, RUN_BYTES, RUN_ITEMS, View};
use serde_json::json;

use super::talk::{Talk, text, tool};

#[test]
fn a_long_session_holds_one_run() {
    let mut view = View::new();
    let mut let_go = 0;
    for number in 0..300 {
        let (call, message) = (format!("t{number}"), format!("m{number}"));
        let mut talk = Talk::new();
        talk.init().message(None, &message, &[text("Reading"), tool(&call, "Read", json!({}))]);
        talk.answer(None, &call, "long", false).result(0.1, json!({}));
        let_go += talk.push_to(&mut view, true).len();
    }
    assert_eq!(let_go, 299);
    assert_eq!(view.run().main().items().len(), 2);
    assert!(view.run().call("t0").is_none());
}

#[test]
fn a_long_run_lets_its_oldest_calls_go() {
    let mut view = View::new();
    Talk::new().init().push_to(&mut view, false);
    let count = RUN_ITEMS + 100;
    for number in 0..count {
        let call = format!("t{number}");
        let block = json!({ "type": "tool_use", "id": call, "name": "Read", "input": {} });
        let frame =
            json!({ "type": "assistant", "message": { "id": format!("m{number}"), "content": [block] } });
        super::talk::push(&mut view, &frame);
        if number != 7 {
            let answer = json!({ "type": "tool_result", "tool_use_id": call, "content": "x" });
            super::talk::push(
                &mut view,
                &json!({ "type": "user", "message": { "role": "user", "content": [answer] } }),
            );
        }
    }
    let run = view.run();
    assert!(run.main().items().len() <= RUN_ITEMS);
    assert_eq!(run.left_out() as usize + run.main().items().len(), count);
    assert!(run.call("t0").is_none() && run.call(&format!("t{}", count - 1)).is_some());
    assert_eq!(run.call("t7").unwrap().state(), CallState::Running, "what is at work stays");
}

#[test]
fn a_run_with_long_results_keeps_to_its_bytes() {
    let mut view = View::new();
    Talk::new().init().push_to(&mut view, false);
    let long = "x".repeat(200 << 10);
    let mut kept = 0;
    for number in 0..(2 * RUN_BYTES / long.len()) {
        let call = format!("t{number}");
        let block = json!({ "type": "tool_use", "id": call, "name": "Read", "input": {} });
        super::talk::push(
            &mut view,
            &json!({ "type": "assistant", "message": { "id": call, "content": [block] } }),
        );
        let answer = json!({ "type": "tool_result", "tool_use_id": call, "content": long });
        super::talk::push(
            &mut view,
            &json!({ "type": "user", "message": { "role": "user", "content": [answer] } }),
        );
        kept = kept.max(
            view.run().calls(None).filter_map(|call| call.result()).map(|result| result.text.len()).sum(),
        );
    }
    assert!(kept <= RUN_BYTES && kept > RUN_BYTES / 2, "{kept}");
}
