//! What goes wrong: in the agent, at the model, in the host.

use std::time::Duration;

use aqueduct_client::{EVENTS_BOUND, Error, Event, ExitStatus, Outcome, StartFailure};
use aqueduct_wire::FromAgent;
use aqueduct_wire::control::AgentRequest;
use aqueduct_wire::json::Raw;

use crate::place::{Place, done};
use crate::verdict::{Trouble, Verdict, can_not, ensure};

const TOUCH: &str = r#"@tool Bash {"command":"touch made.txt","description":"make a file"}"#;

/// A process that is killed from outside is reported as such.
pub(crate) async fn killed(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, mut events) = place.session().partial_messages(true).start().await?;
        session.send("@slow 600 0.1").await?;
        let mut killed = false;
        while let Some(event) = events.next().await {
            match &event {
                Event::Frame(frame) if matches!(frame.frame, FromAgent::StreamEvent(_)) && !killed => {
                    killed = true;
                    let pid = session.pid().and_then(|pid| i32::try_from(pid).ok());
                    let pid = pid.and_then(rustix::process::Pid::from_raw);
                    let pid = pid.ok_or_else(|| Trouble::Failed("no process id".to_owned()))?;
                    rustix::process::kill_process(pid, rustix::process::Signal::KILL)
                        .map_err(|error| Trouble::Failed(error.to_string()))?;
                }
                Event::RunEnded(outcome) => {
                    let signalled = matches!(
                        outcome, Outcome::Crashed(exit) if exit.status == ExitStatus::Signal(9)
                    );
                    ensure!(signalled, "the run ended as {outcome:?}");
                }
                _ => {}
            }
        }
        ensure!(killed, "nothing was streamed");
        let refused = session.send("@say hello?").await;
        ensure!(matches!(refused, Err(Error::Ended(_))), "the dead agent took a prompt: {refused:?}");
        Ok(())
    })
    .await
}

/// An error of the model's API that stays is an outcome of its own.
pub(crate) async fn api_error(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, events) = place.session().start().await?;
        drop(events);
        let outcome = session.turn("@fail 400 9 never").await?;
        ensure!(matches!(outcome, Outcome::ApiError(_)), "the run ended as {outcome:?}");
        done(session.turn("@say fine again").await?)?;
        session.close().await;
        Ok(())
    })
    .await
}

/// One that passes is waited out.
pub(crate) async fn api_retry(place: Place) -> Verdict {
    Verdict::of(async {
        let report = done(place.session().query("@fail 529 1 after all").await?)?;
        ensure!(report.text() == "after all", "the answer was {:?}", report.text());
        Ok(())
    })
    .await
}

/// A limit that is reached is an outcome of its own.
pub(crate) async fn turn_limit(place: Place) -> Verdict {
    Verdict::of(async {
        place.write("a.txt", "a")?;
        let prompt = format!("@tool Read {{\"file_path\":{:?}}}\n@say never", place.file("a.txt"));
        let outcome = place.session().max_turns(1_u32).query(prompt).await?;
        ensure!(matches!(outcome, Outcome::Limited(_)), "the run ended as {outcome:?}");
        Ok(())
    })
    .await
}

/// An answer that makes no sense denies, and does no harm.
pub(crate) async fn bad_answer(place: Place) -> Verdict {
    Verdict::of(async {
        let builder = place.session().on_request(|asked| {
            if let AgentRequest::CanUseTool(_) = asked.request
                && let Ok(nonsense) = Raw::parse(r#"{"behavior":"perhaps"}"#)
            {
                asked.responder.answer(&nonsense);
            }
        });
        let (session, events) = builder.start().await?;
        drop(events);
        session.turn(format!("{TOUCH}\n@say on")).await?;
        ensure!(!place.file("made.txt").exists(), "the tool ran");
        done(session.turn("@say alive").await?)?;
        session.close().await;
        Ok(())
    })
    .await
}

/// A callback that panics denies.
pub(crate) async fn handler_panics(place: Place) -> Verdict {
    Verdict::of(async {
        std::panic::set_hook(Box::new(|_| {}));
        let builder = place.session().on_permission(|_| async { panic!("on purpose") });
        let (session, events) = builder.start().await?;
        drop(events);
        session.turn(format!("{TOUCH}\n@say on")).await?;
        ensure!(!place.file("made.txt").exists(), "the tool ran");
        done(session.turn("@say alive").await?)?;
        session.close().await;
        Ok(())
    })
    .await
}

/// A responder that is dropped denies.
pub(crate) async fn responder_dropped(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, events) = place.session().on_request(drop).start().await?;
        drop(events);
        session.turn(format!("{TOUCH}\n@say on")).await?;
        ensure!(!place.file("made.txt").exists(), "the tool ran");
        done(session.turn("@say alive").await?)?;
        session.close().await;
        Ok(())
    })
    .await
}

/// An agent that ends at its start reports why. One that tolerates the flags is started.
pub(crate) async fn unknown_flag(place: Place) -> Verdict {
    Verdict::of(async {
        match place.session().argument("--no-such-flag-at-all").start().await {
            Ok((session, events)) => {
                drop(events);
                done(session.turn("@say patient").await?)?;
                session.close().await;
            }
            Err(Error::Start { failure: StartFailure::UnknownOption, stderr, .. }) => {
                ensure!(
                    stderr.iter().any(|line| line.contains("no-such-flag-at-all")),
                    "stderr was {stderr:?}"
                );
            }
            Err(other) => return Err(Trouble::Failed(format!("it gave {other:?}"))),
        }
        Ok(())
    })
    .await
}

/// A schema that is none is an error of the start, where the agent looks at it.
pub(crate) async fn bad_schema(place: Place) -> Verdict {
    Verdict::of(async {
        let schema =
            Raw::parse(r#"{"type":"objekt"}"#).map_err(|error| Trouble::Failed(error.to_string()))?;
        match place.session().json_schema(schema).start_without_events().await {
            Ok(session) => {
                session.close().await;
                can_not("it does not look at the schema")
            }
            Err(Error::Start { failure: StartFailure::BadSchema, exit, hint, .. }) => {
                ensure!(exit == Some(ExitStatus::Code(1)), "it ended as {exit:?}");
                ensure!(hint.contains("`json_schema`"), "the hint was {hint}");
                Ok(())
            }
            Err(other) => Err(Trouble::Failed(format!("it gave {other:?}"))),
        }
    })
    .await
}

/// An agent that is not signed in starts, and its first run shows it.
pub(crate) async fn not_signed_in(place: Place) -> Verdict {
    Verdict::of(async {
        match place.session().env_remove("ANTHROPIC_API_KEY").query("@say hello").await {
            Ok(Outcome::Done(_)) => can_not("it needs no key"),
            Err(Error::Start { failure: StartFailure::NotSignedIn, hint, .. }) => {
                ensure!(hint.contains("ANTHROPIC_API_KEY"), "the hint was {hint}");
                Ok(())
            }
            other => Err(Trouble::Failed(format!("it gave {other:?}"))),
        }
    })
    .await
}

/// A turn ends though its caller holds the events and does not read them; what is missing is counted.
pub(crate) async fn events_unread_in_a_turn(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, mut events) = place.session().partial_messages(true).start().await?;
        let text: String = (0..4000).map(|number| format!("word{number} ")).collect();
        let report = done(session.turn(format!("@say {text}")).await?)?;
        ensure!(report.text().trim() == text.trim(), "{} characters came", report.text().len());
        let first = events.next().await;
        let is_small = events.waiting() < EVENTS_BOUND / 2;
        ensure!(matches!(first, Some(Event::Missed { .. })) || is_small, "the first event is {first:?}");
        session.close().await;
        Ok(())
    })
    .await
}

/// Once the input has ended, the agent finishes its run and ends by itself.
pub(crate) async fn input_ends(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, events) = place.session().start().await?;
        drop(events);
        let turn = tokio::spawn({
            let session = session.clone();
            async move { session.turn("@slow 5 0.05").await }
        });
        while session.id().is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        session.end_input().await;
        let exit = session.ended().await;
        let outcome = turn.await.map_err(|error| Trouble::Failed(error.to_string()))??;
        done(outcome)?;
        ensure!(exit.is_success(), "it ended as {exit:?}");
        Ok(())
    })
    .await
}

/// Unread events block the agent, and lose nothing.
pub(crate) async fn ignored_events(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, mut events) = place.session().partial_messages(true).start().await?;
        let text: String = (0..4000).map(|number| format!("word{number} ")).collect();
        session.send(format!("@say {text}")).await?;
        tokio::time::sleep(Duration::from_millis(500)).await;
        let mut ended = None;
        while let Some(event) = events.next().await {
            if let Event::RunEnded(outcome) = event {
                ended = Some(outcome);
                break;
            }
        }
        let report = done(ended.ok_or_else(|| Trouble::Failed("the session ended".to_owned()))?)?;
        ensure!(report.text().trim() == text.trim(), "{} characters came", report.text().len());
        session.close().await;
        Ok(())
    })
    .await
}

/// Closed in the middle of a run, the agent is gone, and so is all that it started.
pub(crate) async fn closed_in_the_middle(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, events) = place.session().allowed_tools(["Bash".to_owned()]).start().await?;
        drop(events);
        session
            .send("@tool Bash {\"command\":\"echo $$ > pid.txt; sleep 300\",\"description\":\"wait\"}")
            .await?;
        let pid = loop {
            match std::fs::read_to_string(place.file("pid.txt")) {
                Ok(text) if text.ends_with('\n') => break text.trim().to_owned(),
                _ => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        };
        session.close().await;
        let mut looks = 0;
        while std::path::Path::new("/proc").join(&pid).exists() {
            looks += 1;
            ensure!(looks < 1000, "process {pid} is left");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    })
    .await
}
