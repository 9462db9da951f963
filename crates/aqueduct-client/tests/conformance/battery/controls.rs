//! Requests to the agent, most of them in the middle of a run.

use std::time::Duration;

use aqueduct_client::{Error, Event, Events, Outcome, Session};
use aqueduct_wire::FromAgent;
use aqueduct_wire::permission::PermissionMode;

use crate::place::{Place, done};
use crate::verdict::{Trouble, Verdict, can_not, ensure};

/// Reads events until one fits.
async fn until(events: &mut Events, fits: impl Fn(&Event) -> bool) -> Result<Event, Trouble> {
    while let Some(event) = events.next().await {
        if fits(&event) {
            return Ok(event);
        }
    }
    Err(Trouble::Failed("the events ended too early".to_owned()))
}

fn is_delta(event: &Event) -> bool {
    matches!(event.frame(), Some(FromAgent::StreamEvent(frame)) if frame.event.tag() == "content_block_delta")
}

/// Reads events to the end of the run.
async fn outcome(events: &mut Events) -> Result<Outcome, Trouble> {
    match until(events, |event| matches!(event, Event::RunEnded(_))).await? {
        Event::RunEnded(outcome) => Ok(outcome),
        other => Err(Trouble::Failed(format!("{other:?} is no end"))),
    }
}

/// A run that does not end by itself soon.
async fn long_run(place: &Place) -> Result<(Session, Events), Trouble> {
    let (session, mut events) = place.session().partial_messages(true).start().await?;
    session.send("@slow 600 0.1").await?;
    until(&mut events, is_delta).await?;
    Ok((session, events))
}

/// The run ends, the session lives on.
pub(crate) async fn interrupt_while_streaming(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, mut events) = long_run(&place).await?;
        session.interrupt().await?;
        let ended = outcome(&mut events).await?;
        ensure!(matches!(ended, Outcome::Interrupted(_)), "the run ended as: {ended:?}");
        session.send("@say alive").await?;
        ensure!(done(outcome(&mut events).await?)?.text() == "alive", "the next answer is missing");
        session.close().await;
        Ok(())
    })
    .await
}

/// The tool's process ends with the run.
pub(crate) async fn interrupt_while_a_tool_runs(place: Place) -> Verdict {
    Verdict::of(async {
        let builder = place.session().allowed_tools(["Bash".to_owned()]);
        let (session, mut events) = builder.start().await?;
        let command = "touch began.txt; sleep 300";
        session.send(format!("@tool Bash {{\"command\":{command:?},\"description\":\"wait\"}}")).await?;
        let mut looks = tokio::time::interval(Duration::from_millis(20));
        while !place.file("began.txt").exists() {
            tokio::select! {
                _ = looks.tick() => {}
                event = events.next() => ensure!(
                    !matches!(event, None | Some(Event::RunEnded(_))), "the run ended before the tool began"
                ),
            }
        }
        session.interrupt().await?;
        let ended = outcome(&mut events).await?;
        ensure!(matches!(ended, Outcome::Interrupted(_)), "the run ended as: {ended:?}");
        session.close().await;
        Ok(())
    })
    .await
}

/// Nothing happens, and nothing breaks.
pub(crate) async fn interrupt_when_idle(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, events) = place.session().start().await?;
        drop(events);
        done(session.turn("@say one").await?)?;
        session.interrupt().await?;
        done(session.turn("@say two").await?)?;
        session.close().await;
        Ok(())
    })
    .await
}

/// The next answer comes from the other model.
pub(crate) async fn set_model(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, mut events) = place.session().start().await?;
        session.send("@say one").await?;
        outcome(&mut events).await?;
        session.set_model(Some("claude-haiku-4-5")).await?;
        session.send("@say two").await?;
        let answer = until(&mut events, |event| {
            matches!(event.frame(), Some(FromAgent::Assistant(_)) | Some(FromAgent::Result(_)))
        })
        .await?;
        let Some(FromAgent::Assistant(frame)) = answer.frame() else {
            return Err(Trouble::Failed("no answer came".to_owned()));
        };
        let model = frame.message.model.as_deref().unwrap_or_default();
        ensure!(model.contains("haiku"), "the answer came from {model:?}");
        session.close().await;
        Ok(())
    })
    .await
}

/// The earlier request is withdrawn.
pub(crate) async fn set_permission_mode(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, events) = place.session().start().await?;
        drop(events);
        let write = |name: &str| {
            let file = place.file(name);
            format!("@tool Write {{\"file_path\":{file:?},\"content\":\"x\"}}\n@say ok")
        };
        done(session.turn(write("one.txt")).await?)?;
        ensure!(!place.file("one.txt").exists(), "the file was written without a yes");
        session.set_permission_mode(PermissionMode::AcceptEdits).await?;
        done(session.turn(write("two.txt")).await?)?;
        ensure!(place.file("two.txt").exists(), "the file was not written");
        session.close().await;
        Ok(())
    })
    .await
}

/// Many handles ask at once, while text streams; each gets its own answer.
pub(crate) async fn requests_from_many_tasks(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, mut events) = long_run(&place).await?;
        let asking: Vec<_> = (0..20)
            .map(|number| {
                let session = session.clone();
                tokio::spawn(async move {
                    match number % 2 {
                        0 => session.mcp_status().await.map(drop),
                        _ => session.set_permission_mode(PermissionMode::Default).await.map(drop),
                    }
                })
            })
            .collect();
        let reading = async {
            loop {
                if events.next().await.is_none() {
                    return Trouble::Failed("the session ended".to_owned());
                }
            }
        };
        let answered = async {
            for task in asking {
                match task.await {
                    Ok(answer) => answer?,
                    Err(error) => return Err(Trouble::Failed(error.to_string())),
                }
            }
            Ok(())
        };
        tokio::select! {
            trouble = reading => return Err(trouble),
            answered = answered => answered?,
        }
        drop(events);
        session.interrupt().await?;
        session.close().await;
        Ok(())
    })
    .await
}

/// A prompt that waits can be taken back; its turn ends without a report.
pub(crate) async fn cancel_from_queue(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, events) = long_run(&place).await?;
        drop(events);
        let prompt = aqueduct_client::Prompt::from("@say never");
        let id = prompt.id().to_owned();
        let waiting = tokio::spawn({
            let session = session.clone();
            async move { session.turn(prompt).await }
        });
        // The prompt must have been written before it is taken back; requests keep their order behind it.
        session.mcp_status().await?;
        let reply = loop {
            let reply = session.cancel_queued(&id).await?;
            if reply.cancelled == Some(true) || waiting.is_finished() {
                break reply;
            }
            tokio::task::yield_now().await;
        };
        ensure!(reply.cancelled == Some(true), "it was not cancelled: {reply:?}");
        match waiting.await {
            Ok(Ok(Outcome::Interrupted(None))) => {}
            other => return Err(Trouble::Failed(format!("its turn ended as {other:?}"))),
        }
        session.interrupt().await?;
        session.close().await;
        Ok(())
    })
    .await
}

/// What fills the context can be asked.
pub(crate) async fn context_usage(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, events) = place.session().start().await?;
        drop(events);
        done(session.turn("@say hello").await?)?;
        let usage = session.context_usage().await?;
        let total = usage.total_tokens.as_ref().and_then(|tokens| tokens.as_u64());
        ensure!(total.is_some_and(|tokens| tokens > 0), "no tokens are in use");
        session.close().await;
        Ok(())
    })
    .await
}

/// How MCP servers fare can be asked when there are none.
pub(crate) async fn mcp_status(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, events) = place.session().start().await?;
        drop(events);
        session.mcp_status().await?;
        session.close().await;
        Ok(())
    })
    .await
}

/// A request that the agent is too old for fails at once, with a type, and is never sent.
pub(crate) async fn newer_than_the_agent(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, events) = place.session().start().await?;
        drop(events);
        let knows = session.version().await.and_then(|_| session.capabilities().knows("get_binary_version"));
        match (knows, session.binary_version().await) {
            (Some(true), Ok(_)) => {}
            (Some(false), Err(Error::Unsupported { .. })) => {}
            (knows, answer) => {
                return Err(Trouble::Failed(format!("knows it: {knows:?}, answer: {answer:?}")));
            }
        }
        done(session.turn("@say still here").await?)?;
        session.close().await;
        Ok(())
    })
    .await
}

/// The answer to `initialize` names commands and models.
pub(crate) async fn commands_and_models(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, events) = place.session().start().await?;
        drop(events);
        let Some(reply) = session.initialized() else { return can_not("it was not asked") };
        ensure!(reply.commands.as_ref().is_some_and(|commands| !commands.is_empty()), "no commands");
        ensure!(reply.models.as_ref().is_some_and(|models| !models.is_empty()), "no models");
        session.close().await;
        Ok(())
    })
    .await
}
