//! Turns and queries that are dropped, or whose time is up.

use std::path::{Path, PathBuf};
use std::time::Duration;

use aqueduct_client::{Events, Outcome, Session};

use crate::place::{Place, done};
use crate::verdict::{Trouble, Verdict, ensure};

/// A run that would take longer than a case may.
const LONG: &str = "@slow 6000 0.1";

/// Starts a session whose long run has begun.
async fn running(place: &Place) -> Result<(Session, Events), Trouble> {
    Ok(place.session().partial_messages(true).start().await?)
}

/// Polls a turn until the model has sent text, and drops it.
async fn drop_when_it_runs(session: &Session, events: &mut Events, prompt: &str) -> Result<(), Trouble> {
    let text = async {
        while let Some(event) = events.next().await {
            if event.text().is_some() {
                return true;
            }
        }
        false
    };
    tokio::select! {
        outcome = session.turn(prompt) => Err(Trouble::Failed(format!("the turn ended: {:?}", outcome?))),
        came = text => match came {
            true => Ok(()),
            false => Err(Trouble::Failed("the session ended".to_owned())),
        },
    }
}

/// The next turn is served, and its answer is its own.
async fn next_is_served(session: &Session) -> Result<(), Trouble> {
    for word in ["next", "and another"] {
        let report = done(session.turn(format!("@say {word}")).await?)?;
        ensure!(report.text() == word, "the answer was {:?}", report.text());
    }
    Ok(())
}

/// A dropped turn ends its run, and the next one begins at once.
pub(crate) async fn dropped_turn(place: Place) -> Verdict {
    Verdict::of(async {
        let (session, mut events) = running(&place).await?;
        drop_when_it_runs(&session, &mut events, LONG).await?;
        next_is_served(&session).await?;
        session.close().await;
        Ok(())
    })
    .await
}

/// Waits until a command has written its number to a file.
async fn started(file: PathBuf) -> String {
    loop {
        match std::fs::read_to_string(&file) {
            Ok(text) if text.ends_with('\n') => return text.trim().to_owned(),
            _ => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
}

/// Waits until a process is gone.
async fn gone(pid: &str) -> Result<(), Trouble> {
    for _ in 0..1000 {
        if !Path::new("/proc").join(pid).exists() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Err(Trouble::Failed(format!("process {pid} is left")))
}

const COMMAND: &str = "@tool Bash {\"command\":\"echo $$ > pid.txt; sleep 300\",\"description\":\"wait\"}";

/// The same while a command runs, which is ended.
pub(crate) async fn dropped_while_a_tool_runs(place: Place) -> Verdict {
    Verdict::of(async {
        let session = place.session().allowed_tools(["Bash"]).start_without_events().await?;
        let pid = tokio::select! {
            outcome = session.turn(COMMAND) => {
                return Err(Trouble::Failed(format!("the turn ended: {:?}", outcome?)));
            }
            pid = started(place.file("pid.txt")) => pid,
        };
        next_is_served(&session).await?;
        gone(&pid).await?;
        session.close().await;
        Ok(())
    })
    .await
}

/// The same when the agent has hardly received the prompt.
pub(crate) async fn dropped_at_once(place: Place) -> Verdict {
    Verdict::of(async {
        let session = place.session().start_without_events().await?;
        for _ in 0..3 {
            // Longer than a write takes, and shorter than a turn takes to begin. Without a script of its own: the model may
            // get this prompt and the next as one.
            tokio::time::timeout(Duration::from_millis(1), session.turn("Hello?")).await.ok();
            next_is_served(&session).await?;
        }
        session.close().await;
        Ok(())
    })
    .await
}

/// A prompt that waits in the queue is not served, and the run before it is not touched.
pub(crate) async fn dropped_in_the_queue(place: Place) -> Verdict {
    Verdict::of(async {
        let session = place.session().start_without_events().await?;
        let first = session.turn("@slow 10 0.1");
        let second = tokio::time::timeout(Duration::from_millis(300), session.turn(LONG));
        let (first, second) = tokio::join!(first, second);
        let report = done(first?)?;
        ensure!(second.is_err(), "the second turn ended: {second:?}");
        ensure!(report.text().contains("w9"), "the first answer was {:?}", report.text());
        next_is_served(&session).await?;
        session.close().await;
        Ok(())
    })
    .await
}

/// When the time of a turn is up, it is interrupted, and the session lives on.
pub(crate) async fn deadline(place: Place) -> Verdict {
    Verdict::of(async {
        let session = place.session().start_without_events().await?;
        let outcome = session.turn_within(LONG, Duration::from_secs(3)).await?;
        ensure!(matches!(outcome, Outcome::Interrupted(Some(_))), "the run ended as {outcome:?}");
        next_is_served(&session).await?;
        session.close().await;
        Ok(())
    })
    .await
}

/// A dropped query takes its agent and the agent's commands with it.
pub(crate) async fn dropped_query(place: Place) -> Verdict {
    Verdict::of(async {
        let builder = place.session().allowed_tools(["Bash"]);
        let pid = tokio::select! {
            outcome = builder.query(COMMAND) => {
                return Err(Trouble::Failed(format!("the query ended: {:?}", outcome?)));
            }
            pid = started(place.file("pid.txt")) => pid,
        };
        gone(&pid).await
    })
    .await
}

/// So does a dropped stream.
pub(crate) async fn dropped_stream(place: Place) -> Verdict {
    Verdict::of(async {
        let mut stream = place.session().query(LONG).stream();
        let mut pid = None;
        while let Some(event) = stream.next().await {
            pid = pid.or_else(|| stream.session().and_then(Session::pid));
            if event?.text().is_some() {
                break;
            }
        }
        drop(stream);
        let pid = pid.ok_or_else(|| Trouble::Failed("no process id".to_owned()))?;
        gone(&pid.to_string()).await
    })
    .await
}
