//! Conversations that continue: in another process, after a kill, as a fork.

use aqueduct_client::{Error, Event, ExitStatus, Outcome, Prompt, StartFailure};
use aqueduct_wire::FromAgent;

use crate::place::{Place, done};
use crate::verdict::{Trouble, Verdict, ensure};

/// Sends a distinctive text and returns the session's id.
async fn first(place: &Place) -> Result<String, Trouble> {
    let report = done(place.session().query("@say The password is heron.").await?)?;
    match report.session_id() {
        Some(id) => Ok(id.to_owned()),
        None => Err(Trouble::Failed("the result names no session".to_owned())),
    }
}

/// A resumed session has the same id.
pub(crate) async fn resume(place: Place) -> Verdict {
    Verdict::of(async {
        let id = first(&place).await?;
        let report = done(place.session().resume(id.clone()).query("@say again").await?)?;
        ensure!(report.session_id() == Some(&id), "it continued as {:?}", report.session_id());
        Ok(())
    })
    .await
}

/// A session that is resumed twice still knows the first message.
pub(crate) async fn resume_from_history_alone(place: Place) -> Verdict {
    Verdict::of(async {
        let id = first(&place).await?;
        done(place.session().resume(id.clone()).query("@say second").await?)?;
        // Without lines of its own the prompt is answered from the newest script that the model is shown: the
        // history has to be there for that.
        let report = done(place.session().resume(id).query("And what came before?").await?)?;
        ensure!(!report.text().contains("no script"), "the model was shown nothing of what came before");
        Ok(())
    })
    .await
}

/// A fork has an id of its own, and the old session stays.
pub(crate) async fn fork(place: Place) -> Verdict {
    Verdict::of(async {
        let id = first(&place).await?;
        let fork = place.session().resume(id.clone()).fork_session(true);
        let report = done(fork.query("@say elsewhere").await?)?;
        ensure!(report.session_id() != Some(&id), "the fork has the old id");
        let report = done(place.session().resume(id.clone()).query("@say still here").await?)?;
        ensure!(report.session_id() == Some(&id), "the old session is gone");
        Ok(())
    })
    .await
}

/// The newest session of the directory continues.
pub(crate) async fn continue_latest(place: Place) -> Verdict {
    Verdict::of(async {
        first(&place).await?;
        let id = first(&place).await?;
        let report = done(place.session().continue_latest(true).query("@say on").await?)?;
        ensure!(report.session_id() == Some(&id), "it continued as {:?}", report.session_id());
        Ok(())
    })
    .await
}

/// A session gets the id that it is given.
pub(crate) async fn given_id(place: Place) -> Verdict {
    Verdict::of(async {
        let id = uuid::Uuid::new_v4().to_string();
        let report = done(place.session().session_id(id.clone()).query("@say named").await?)?;
        ensure!(report.session_id() == Some(&id), "it is called {:?}", report.session_id());
        Ok(())
    })
    .await
}

/// A session that is not there is an error, not a hang.
pub(crate) async fn unknown_session(place: Place) -> Verdict {
    Verdict::of(async {
        let id = uuid::Uuid::new_v4().to_string();
        match place.session().resume(id.clone()).query("@say never").await {
            Err(Error::Start { exit, failure, reason, .. }) => {
                ensure!(exit == Some(ExitStatus::Code(1)), "it ended as {exit:?}");
                ensure!(failure == StartFailure::UnknownSession, "it is {failure:?}");
                ensure!(reason.contains(&id), "it gave no reason: {reason}");
            }
            other => return Err(Trouble::Failed(format!("it gave {other:?}"))),
        }
        Ok(())
    })
    .await
}

/// Killed in the middle of an answer, the session continues where it was.
pub(crate) async fn kill_and_resume(place: Place) -> Verdict {
    Verdict::of(async {
        let id = first(&place).await?;
        let builder = place.session().resume(id.clone()).partial_messages(true);
        let (session, mut events) = builder.start().await?;
        let turn = tokio::spawn({
            let session = session.clone();
            async move { session.turn(Prompt::from("@slow 600 0.1")).await }
        });
        loop {
            match events.next().await {
                Some(event) => match event.frame() {
                    Some(FromAgent::StreamEvent(frame)) if frame.event.tag() == "content_block_delta" => {
                        break;
                    }
                    _ => ensure!(!matches!(event, Event::RunEnded(_)), "the run ended: {event:?}"),
                },
                None => return Err(Trouble::Failed("the session ended".to_owned())),
            }
        }
        let pid =
            session.pid().and_then(|pid| i32::try_from(pid).ok()).and_then(rustix::process::Pid::from_raw);
        let pid = pid.ok_or_else(|| Trouble::Failed("no process id".to_owned()))?;
        rustix::process::kill_process(pid, rustix::process::Signal::KILL)
            .map_err(|error| Trouble::Failed(error.to_string()))?;
        let outcome = turn.await.map_err(|error| Trouble::Failed(error.to_string()))??;
        ensure!(
            matches!(&outcome, Outcome::Crashed(exit) if exit.status == ExitStatus::Signal(9)),
            "the run ended as {outcome:?}"
        );
        let report = done(place.session().resume(id.clone()).query("@say back").await?)?;
        ensure!(report.session_id() == Some(&id), "it continued as {:?}", report.session_id());
        ensure!(report.text() == "back", "the answer was {:?}", report.text());
        Ok(())
    })
    .await
}
