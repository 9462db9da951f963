//! Where runs begin and end, and what becomes of the one before.

use aqueduct_client::view::ViewState;
use serde_json::json;

use super::picture::run;
use super::talk::{Talk, text};

#[test]
fn the_run_before_is_handed_out_when_the_next_begins() {
    let mut talk = Talk::new();
    talk.init().message(None, "m1", &[text("One")]).result(0.2, json!({}));
    let mut view = talk.view(true);
    assert_eq!((view.state(), view.run().text().as_str()), (ViewState::Idle, "One"), "it stays until then");

    let mut next = Talk::new();
    next.init().message(None, "n1", &[text("Two")]).result(0.5, json!({}));
    let let_go = next.push_to(&mut view, true);
    assert_eq!(let_go.len(), 1);
    assert_eq!(let_go[0].text(), "One");
    insta::assert_snapshot!(run(view.run()), @r#"
    text "Two"
    tokens 42 in, 24 out
    cost 0.300
    "#);
    assert_eq!(view.cost_usd(), Some(0.5));
}

#[test]
fn idle_ends_a_run_where_it_is_reported() {
    let mut talk = Talk::new();
    talk.state("running").init().message(None, "m1", &[text("One")]).result(0.2, json!({}));
    let mut view = talk.view(true);
    assert_eq!(view.state(), ViewState::Running, "there may be more");
    assert!(!view.run().is_over());
    let mut more = Talk::new();
    more.init().message(None, "m2", &[text("Two")]).result(0.3, json!({})).state("idle");
    assert!(more.push_to(&mut view, true).is_empty());
    assert_eq!((view.state(), view.run().text().as_str()), (ViewState::Idle, "One\n\nTwo"));
    let mut other = Talk::new();
    other.state("running");
    assert_eq!(other.push_to(&mut view, true).len(), 1);
    assert_eq!(view.run().text(), "");
}

#[test]
fn tokens_are_counted_while_a_message_is_written() {
    let mut talk = Talk::new();
    talk.init().message(None, "m1", &[text("One")]);
    talk.start(None, "m2");
    let view = talk.view(true);
    assert_eq!((view.run().tokens().input, view.run().tokens().output), (20, 13));
    talk.result(0.1, json!({}));
    assert_eq!(talk.view(true).run().tokens().output, 24, "the result knows best");
}

/// On older versions a replayed prompt arrives in the middle of the answer to it.
#[test]
fn a_prompt_precedes_its_answer() {
    let mut talk = Talk::new();
    talk.init().start(None, "m1");
    talk.deltas(None, 0, &text("Hello there"), 1);
    talk.user_text(None, "hi", json!({ "isReplay": true }));
    talk.whole(None, "m1", &json!({ "type": "text", "text": "Hello there" }), json!({}));
    talk.stop(None, 4);
    for partial in [true, false] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(run(talk.view(partial).run()).lines().take(2).collect::<Vec<_>>().join("\n"), @r#"
            receives "hi"
            text "Hello there"
            "#);
        }
    }
}

#[test]
fn items_keep_their_keys_while_they_grow() {
    let mut talk = Talk::new();
    talk.init().message(None, "m1", &[text("One two three four")]);
    let mut view = aqueduct_client::view::View::new();
    let mut keys = Vec::new();
    for frame in talk.frames(true) {
        super::talk::push(&mut view, frame);
        keys.extend(view.run().main().items().iter().map(|item| item.key()));
    }
    keys.dedup();
    assert_eq!(keys.len(), 1);
}

/// A late subscriber has missed the beginning of the current message.
#[test]
fn a_text_whose_beginning_was_missed_is_shown() {
    let mut talk = Talk::new();
    talk.init().start(None, "m1");
    talk.deltas(None, 0, &text("One two three"), usize::MAX);
    let mut view = aqueduct_client::view::View::new();
    for frame in talk.frames(true).skip(4) {
        super::talk::push(&mut view, frame);
    }
    assert_eq!(view.run().text(), "two three");
}
