//! Messages that are taken back, replaced, cut off, or sent twice.

use serde_json::json;

use super::picture::run;
use super::talk::{Talk, text, thinking, tool};

#[test]
fn what_is_superseded_makes_room_for_what_replaces_it() {
    let mut talk = Talk::new();
    talk.init().start(None, "m1");
    let first = talk.block(None, "m1", 0, &text("Bad words"));
    talk.block(None, "m1", 1, &text("More"));
    talk.whole(
        None,
        "m1",
        &json!({ "type": "text", "text": "Good words" }),
        json!({ "supersedes": [first] }),
    );
    for partial in [true, false] {
        assert_eq!(talk.view(partial).run().text(), "Good words\n\nMore");
    }
}

#[test]
fn what_was_handed_out_already_is_taken_back_too() {
    let mut talk = Talk::new();
    talk.init().start(None, "m1");
    let shown = talk.block(None, "m1", 0, &text("I can't say"));
    let called = talk.block(None, "m1", 1, &tool("t1", "Task", json!({ "prompt": "x" })));
    talk.stop(None, 3);
    talk.message(Some("t1"), "m2", &[tool("t2", "Grep", json!({}))]);
    talk.answer(Some("t1"), "t2", "found", false);
    talk.message(None, "m3", &[text("Next")]);
    talk.system(json!({ "subtype": "model_refusal_fallback", "original_model": "a", "fallback_model": "b", "retracted_message_uuids": [shown, called],
        "content": "another model answers" }));
    for partial in [true, false] {
        let view = talk.view(partial);
        assert_eq!(view.run().text(), "Next");
        assert!(view.run().call("t1").is_none() && view.run().call("t2").is_none());
        assert!(view.run().subagent("t1").is_none());
    }
}

#[test]
fn a_message_that_is_taken_back_while_it_is_written_is_gone() {
    let mut talk = Talk::new();
    talk.init().start(None, "m1");
    let shown = talk.block(None, "m1", 0, &text("No, I"));
    talk.deltas(None, 1, &text("really do not"), 2);
    talk.system(json!({ "subtype": "model_refusal_fallback", "original_model": "a", "fallback_model": "b", "retracted_message_uuids": [shown] }));
    talk.message(None, "m2", &[text("Sure")]);
    for partial in [true, false] {
        assert_eq!(talk.view(partial).run().text(), "Sure");
    }
}

/// Versions before 2.1.325 send nothing more of a message that is interrupted.
#[test]
fn an_interrupted_text_stays_as_far_as_it_came() {
    let mut talk = Talk::new();
    talk.init().start(None, "m1");
    talk.deltas(None, 0, &text("One two three"), 2);
    talk.deltas(None, 1, &tool("t1", "Bash", json!({ "command": "make" })), 1);
    talk.user_text(None, "[Request interrupted by user]", json!({}));
    talk.result(0.0, json!({ "subtype": "error_during_execution" }));
    insta::assert_snapshot!(run(talk.view(true).run()), @r#"
    text "One two "
    calls Bash {} Abandoned
    tokens 42 in, 24 out
    cost 0.000
    interrupted
    "#);
}

#[test]
fn an_interrupted_message_is_shown_once() {
    let mut talk = Talk::new();
    talk.init().start(None, "m1");
    talk.deltas(None, 0, &text("One two three"), 2);
    talk.whole(None, "m1", &json!({ "type": "text", "text": "One two " }), json!({ "aborted": true }));
    talk.user_text(None, "[Request interrupted by user]", json!({})).stop(None, 2);
    talk.result(0.0, json!({ "subtype": "error_during_execution", "is_error": true, "terminal_reason": "aborted_streaming" }));
    for partial in [true, false] {
        let view = talk.view(partial);
        assert_eq!(view.run().text(), "One two ");
        assert!(view.run().is_interrupted());
    }
}

#[test]
fn a_block_that_was_never_filled_is_not_shown() {
    let mut talk = Talk::new();
    talk.init().start(None, "m1");
    talk.deltas(None, 0, &thinking("hm"), 0);
    talk.message(None, "m2", &[text("Again")]);
    assert_eq!(talk.view(true).run().main().items().len(), 1);
}

#[test]
fn frames_that_come_again_are_shown_once() {
    let mut talk = Talk::new();
    talk.init().message(None, "m1", &[text("Kept")]).answer(None, "t0", "r", false);
    let frames: Vec<_> = talk.frames(false).cloned().collect();
    talk.system(json!({ "subtype": "compact_boundary", "compact_metadata": { "trigger": "manual", "pre_tokens": 900, "post_tokens": 90 } }));
    for frame in frames {
        talk.frame(frame);
    }
    let view = talk.view(true);
    assert_eq!(view.run().text(), "Kept");
    assert_eq!(view.run().compactions()[0].tokens_after, Some(90));
}

/// A program that cuts text at UTF-16 indexes sends halves of characters.
#[test]
fn halves_of_a_character_meet() {
    let mut view = aqueduct_client::view::View::new();
    for line in [
        r#"{"type":"stream_event","event":{"type":"message_start","message":{"id":"m","content":[]}}}"#,
        r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}}"#,
        r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a\ud83d"}}}"#,
        r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\ude00b"}}}"#,
    ] {
        view.push(&aqueduct_wire::FromAgent::parse(line).unwrap());
    }
    assert_eq!(view.run().text(), "a😀b");
}
