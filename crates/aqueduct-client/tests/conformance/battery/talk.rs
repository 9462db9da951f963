//! Conversations without requests to the user.

use std::collections::BTreeSet;

use aqueduct_client::{Event, Events, Outcome, Prompt};
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::event::{Delta, StreamEvent};

use crate::place::{Place, done};
use crate::verdict::{Trouble, Verdict, ensure};

/// A picture of one grey dot.
const DOT: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\x7f\x7f\x7f\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

/// One prompt, one answer.
pub(crate) async fn hello(place: Place) -> Verdict {
    Verdict::of(async {
        let report = done(place.session().query("@say Hello there.").await?)?;
        ensure!(report.text() == "Hello there.", "the answer was {:?}", report.text());
        ensure!(report.session_id().is_some(), "the result names no session");
        ensure!(report.total_cost_usd().is_some_and(|cost| cost > 0.0), "the result names no cost");
        Ok(())
    })
    .await
}

/// The text of all events until the run ends, from its deltas.
async fn streamed(events: &mut Events) -> Result<(String, Outcome), Trouble> {
    let mut text = String::new();
    while let Some(event) = events.next().await {
        match &event {
            Event::RunEnded(outcome) => return Ok((text, outcome.clone())),
            Event::Noise(noise) => return Err(Trouble::Failed(format!("noise: {noise:?}"))),
            _ => {}
        }
        if let Some(FromAgent::StreamEvent(frame)) = event.frame()
            && let StreamEvent::ContentBlockDelta(delta) = &frame.event
            && let Delta::Text(delta) = &delta.delta
        {
            text.push_str(&delta.text);
        }
    }
    Err(Trouble::Failed("the events ended before the run did".to_owned()))
}

/// Text comes piece by piece, and the pieces are the whole.
pub(crate) async fn streaming(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, mut events) = place.session().partial_messages(true).start().await?;
        let sentence = "The aqueduct carries a stream across the valley.";
        session.send(format!("@say {sentence}")).await?;
        let (text, outcome) = streamed(&mut events).await?;
        ensure!(text == sentence, "the deltas make {text:?}");
        ensure!(done(outcome)?.text() == sentence, "the result differs from the deltas");
        session.close().await;
        Ok(())
    })
    .await
}

/// A query is a stream of events, with text, tool calls and the outcome at its end.
pub(crate) async fn query_stream(place: Place) -> Verdict {
    Verdict::of(async {
        place.write("a.txt", "a")?;
        let prompt = format!(
            "@saytool Let me look.|Read {{\"file_path\":{:?}}}\n@say It is there.",
            place.file("a.txt")
        );
        let (mut text, mut calls) = (String::new(), Vec::new());
        let mut stream = place.session().query(prompt).stream();
        while let Some(event) = stream.next().await {
            let event = event?;
            text.push_str(event.text().unwrap_or_default());
            calls.extend(event.tool_calls().map(|call| call.name.to_string()));
        }
        ensure!(text == "Let me look.It is there.", "the text was {text:?}");
        ensure!(calls == ["Read"], "the calls were {calls:?}");
        ensure!(done(stream.finish().await?)?.text() == "It is there.", "the result differs");
        Ok(())
    })
    .await
}

/// What a run costs is the difference of two totals.
pub(crate) async fn costs(place: Place) -> Verdict {
    Verdict::of(async {
        let session = place.session().start_without_events().await?;
        let one = done(session.turn("@say one").await?)?;
        let two = done(session.turn("@say two").await?)?;
        session.close().await;
        let (Some(first), Some(second)) = (one.cost_usd(), two.cost_usd()) else {
            return Err(Trouble::Failed("a run has no cost".to_owned()));
        };
        ensure!(first > 0.0 && (first - second).abs() < first / 100.0, "the runs cost {first} and {second}");
        ensure!(
            two.total_cost_usd().is_some_and(|total| total > 1.5 * first),
            "the total is not of both runs"
        );
        let id = two.session_id().unwrap_or_default().to_owned();
        let resumed = done(place.session().resume(id).query("@say three").await?)?;
        ensure!(resumed.cost_usd().is_none(), "a resumed session has an unknown cost");
        Ok(())
    })
    .await
}

/// Thinking comes as a block of its own.
pub(crate) async fn thinking(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, mut events) = place.session().start().await?;
        session.send("@think Let me see. | Two.").await?;
        let mut thought = false;
        while let Some(event) = events.next().await {
            if let Some(FromAgent::Assistant(frame)) = event.frame() {
                thought |=
                    frame.message.content.iter().any(|block| matches!(block, ContentBlock::Thinking(_)));
            }
            if let Event::RunEnded(outcome) = event {
                ensure!(done(outcome)?.text().contains("Two."), "the answer is missing");
                break;
            }
        }
        ensure!(thought, "no thinking came");
        session.close().await;
        Ok(())
    })
    .await
}

/// A prompt with an image and a file reaches the conversation as it is.
pub(crate) async fn image_and_file(place: Place) -> Verdict {
    Verdict::of(async {
        place.write("letter.txt", "dear all, the bridge is open")?;
        let prompt = Prompt::text("@say seen").image("image/gif", DOT).file(place.file("letter.txt"));
        let report = done(place.session().query(prompt).await?)?;
        ensure!(report.text() == "seen", "the answer was {:?}", report.text());
        ensure!(
            place.remembers("R0lGODlhAQABAIAAAH9/fwAAACwAAAAAAQABAAACAkQBADs=")?,
            "the image is not there"
        );
        ensure!(place.remembers("dear all, the bridge is open")?, "the file is not there");
        Ok(())
    })
    .await
}

/// Two tools in one message give two results.
pub(crate) async fn tools_at_once(place: Place) -> Verdict {
    Verdict::of(async {
        place.write("one.txt", "first")?;
        place.write("two.txt", "second")?;
        let (session, mut events) = place.session().start().await?;
        let read = |name: &str| format!("[\"Read\",{{\"file_path\":{:?}}}]", place.file(name));
        session.send(format!("@tools [{},{}]\n@say Both read.", read("one.txt"), read("two.txt"))).await?;
        let mut results = BTreeSet::new();
        while let Some(event) = events.next().await {
            if let Some(FromAgent::User(frame)) = event.frame() {
                let text = frame.to_line_text();
                results.extend(["first", "second"].into_iter().filter(|word| text.contains(word)));
            }
            if let Event::RunEnded(outcome) = event {
                ensure!(done(outcome)?.text() == "Both read.", "the answer is missing");
                break;
            }
        }
        ensure!(results.len() == 2, "only {results:?} was read");
        session.close().await;
        Ok(())
    })
    .await
}

/// The JSON of a frame, to look for words in it.
trait LineText {
    fn to_line_text(&self) -> String;
}

impl<T: aqueduct_wire::json::Json<'static>> LineText for T {
    fn to_line_text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }
}

/// Prompts that are sent during a run are served after it, and each turn ends.
pub(crate) async fn queue(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, events) = place.session().start().await?;
        drop(events);
        let (first, second, third) = tokio::join!(
            session.turn("@slow 6 0.1"),
            session.turn("@say second"),
            session.turn("@say third")
        );
        let texts: Vec<String> = [first?, second?, third?]
            .into_iter()
            .map(|outcome| done(outcome).map(|report| report.text().to_owned()))
            .collect::<Result<_, _>>()?;
        ensure!(texts[0].contains("w0"), "the first answer was {:?}", texts[0]);
        // Newer agents may serve waiting prompts together: then both have one answer.
        let (second, third) = (texts[1].as_str(), texts[2].as_str());
        let together = second == third && ["second", "third"].contains(&second);
        ensure!(together || (second, third) == ("second", "third"), "the others were {second:?}, {third:?}");
        session.close().await;
        Ok(())
    })
    .await
}

/// Two sessions of one program do not get in each other's way.
pub(crate) async fn two_at_once(place: Place) -> Verdict {
    Verdict::of(async {
        let ask = |word: &'static str| {
            let builder = place.session();
            async move { builder.query(format!("@say {word}")).await }
        };
        let (one, other) = tokio::join!(ask("left"), ask("right"));
        let (one, other) = (done(one?)?, done(other?)?);
        ensure!(one.text() == "left" && other.text() == "right", "{:?} and {:?}", one.text(), other.text());
        ensure!(one.session_id() != other.session_id(), "both have the same session id");
        Ok(())
    })
    .await
}
