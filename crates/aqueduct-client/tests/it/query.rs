//! One prompt to an agent that is started for it: as a future, as a stream, with a function, as a value.

use std::pin::Pin;

use aqueduct_client::{Error, Event, ExitStatus, NotDone, Outcome, Session};
use futures_core::Stream;

use crate::alone::alone;
use crate::script::Script;

/// An agent that streams two pieces of text, calls a tool, has a subagent, and is done.
const STORY: &str = r#"
ask
delta() { printf '{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%s"}}%s}\n' "$1" "$2"; }
call() { printf '{"type":"assistant","message":{"content":[{"type":"text","text":"x"},{"type":"tool_use","id":"t","name":"%s","input":{"a":1}}]}%s}\n' "$1" "$2"; }
delta 'Once '; delta 'upon'; call Bash
inner=',"parent_tool_use_id":"t"'
delta inside "$inner"; call Inside "$inner"
result 'The end.'
"#;

#[tokio::test]
async fn a_stream_in_one_expression() {
    let mut stream = Script::new(STORY).builder().query("Tell me a story.").stream();
    let (mut text, mut calls, mut last) = (String::new(), Vec::new(), None);
    while let Some(event) = stream.next().await {
        let event = event.unwrap();
        text += event.text().unwrap_or_default();
        calls.extend(event.tool_calls().map(|call| format!("{} {}", call.name, call.input.as_str())));
        last = Some(event);
    }
    assert_eq!((text.as_str(), calls), ("Once upon", vec![r#"Bash {"a":1}"#.to_owned()]));
    let last = last.unwrap();
    assert_eq!(last.outcome(), stream.outcome(), "the last event is the outcome");
    assert_eq!(stream.finish().await.unwrap().done().unwrap().text(), "The end.");
}

#[tokio::test]
async fn a_function_for_each_event() {
    let mut text = String::new();
    let builder = Script::new(STORY).builder();
    let outcome =
        builder.query_with("hello", |event| text += event.text().unwrap_or_default()).await.unwrap();
    assert_eq!((text.as_str(), outcome.done().unwrap().text()), ("Once upon", "The end."));
}

#[tokio::test]
async fn streams_have_partial_messages() {
    let agent = Script::new(r#"ask; result "$*""#);
    let arguments = async |stream: aqueduct_client::QueryStream| {
        stream.finish().await.unwrap().done().unwrap().text().to_owned()
    };
    let flag = "--include-partial-messages";
    assert!(arguments(agent.builder().query("hello").stream()).await.contains(flag));
    // Unless the builder sets it.
    let builder = agent.builder().partial_messages(false);
    assert!(!arguments(builder.query("hello").stream()).await.contains(flag));
    let outcome = agent.builder().query("hello").await.unwrap();
    assert!(!outcome.done().unwrap().text().contains(flag));
}

#[tokio::test]
async fn a_stream_is_a_stream() {
    let mut stream = Script::new("ask; result hi").builder().query("hello").stream();
    let mut outcome = None;
    while let Some(item) = std::future::poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await {
        if let Event::RunEnded(ended) = item.unwrap() {
            outcome = Some(ended);
        }
    }
    assert_eq!(outcome.unwrap().done().unwrap().text(), "hi");
}

#[tokio::test]
async fn a_stream_ends_with_the_error_of_its_start() {
    let mut stream = Session::builder().program("/nowhere/agent").query("hello").stream();
    assert!(matches!(stream.next().await, Some(Err(Error::Start { .. }))));
    assert!(stream.next().await.is_none());
    assert!(stream.outcome().is_none());
}

#[tokio::test]
async fn a_stream_of_an_agent_that_crashes() {
    let stream = Script::raw("ask; answer; ask; exit 4").builder().query("hello").stream();
    let outcome = stream.finish().await.unwrap();
    assert!(matches!(&outcome, Outcome::Crashed(exit) if exit.status == ExitStatus::Code(4)), "{outcome:?}");
    let error: NotDone = outcome.done().unwrap_err();
    assert_eq!(error.to_string(), "the agent ended with exit code 4");
    assert_eq!(Error::from(error.clone()).to_string(), "the agent ended with exit code 4");
    assert_eq!(error.into_outcome(), outcome);
}

#[test]
fn streams_leave_nothing_behind() {
    alone(async || {
        // Read to the end, left at the last event, and left before it.
        let agent = Script::new(STORY);
        agent.builder().query("hello").stream().finish().await.unwrap();
        let mut stream = agent.builder().query("hello").stream();
        while !matches!(stream.next().await.unwrap().unwrap(), Event::RunEnded(_)) {}
        drop(stream);
        let mut stream = agent.builder().query("hello").stream();
        while stream.next().await.unwrap().unwrap().text().is_none() {}
        drop(stream);
        let mut stream = agent.builder().query("hello").stream();
        let started = std::future::poll_fn(|context| {
            let polled = Pin::new(&mut stream).poll_next(context);
            std::task::Poll::Ready(polled.is_ready())
        });
        assert!(!started.await, "it is still starting");
    });
}

#[cfg(feature = "schema")]
mod answers {
    use aqueduct_client::Builder;
    use schemars::JsonSchema;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Verdict {
        approved: bool,
        problems: Vec<String>,
    }

    /// An agent that gives this output, and sees the schema that it gets.
    fn agent(output: &str) -> Builder {
        let script = format!(
            r#"case "$*" in *'"$schema"'*) exit 9;; *--json-schema=*) ;; *) exit 8;; esac
            ask; printf '{{"type":"result","subtype":"success","is_error":false,"result":"x"%s}}\n' '{output}'"#
        );
        Script::new(&script).builder()
    }

    #[tokio::test]
    async fn of_a_type() {
        let output = r#","structured_output":{"approved":false,"problems":["two words"]}"#;
        let verdict: Verdict = agent(output).answer("Review it.").await.unwrap();
        assert_eq!(verdict, Verdict { approved: false, problems: vec!["two words".to_owned()] });
        // A type that is not an object has a wrapper.
        let output = r#","structured_output":{"answer":[1,2]}"#;
        assert_eq!(agent(output).answer::<Vec<u8>>("Count.").await.unwrap(), [1, 2]);
    }

    #[tokio::test]
    async fn that_do_not_fit() {
        let error = agent(r#","structured_output":{"approved":1}"#)
            .answer::<Verdict>("Review it.")
            .await
            .unwrap_err();
        let Error::Answer { report, .. } = &error else { panic!("{error:?}") };
        assert_eq!(report.structured_output().unwrap().as_str(), r#"{"approved":1}"#);
        assert!(
            error.to_string().contains("Verdict: invalid type: integer `1`, expected a boolean"),
            "{error}"
        );
        let error = agent("").answer::<Verdict>("Review it.").await.unwrap_err();
        assert!(error.to_string().contains("gave no structured output"), "{error}");
        let builder = Script::new(r#"ask; echo '{"type":"result","subtype":"error_max_turns"}'"#).builder();
        let error = builder.answer::<Verdict>("Review it.").await.unwrap_err();
        assert!(matches!(&error, Error::NotDone(error) if matches!(error.outcome(), Outcome::Limited(_))));
    }
}
