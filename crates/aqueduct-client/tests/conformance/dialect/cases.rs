use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aqueduct_client::wire::FromAgent;
use aqueduct_client::wire::event::{Delta, StreamEvent};
use aqueduct_client::wire::permission::PermissionMode;
use aqueduct_client::{Answering, Answers, Builder, Error, Event, Outcome, Permission, Profile, Session};
use aqueduct_wire::hint::HintedError as _;
use tempfile::TempDir;

/// The result of a case: nothing, or the error.
type Played = Result<(), String>;

/// A case: its name, and what is done.
type Case = (&'static str, fn(Place) -> Answering<Played>);

macro_rules! cases {
    ($($name:ident),*) => { &[$((stringify!($name), |place| Box::pin($name(place)))),*] };
}

pub(crate) const CASES: &[Case] = cases![
    streaming,
    allow,
    deny,
    no_user_to_ask,
    question,
    deny_and_interrupt,
    interrupt,
    resume,
    set_model,
    set_permission_mode,
    permission_mode,
    unsupported,
    two_prompts,
    close
];

/// An empty home and an empty project for one case, and the agent that plays in it.
#[derive(Clone)]
pub(crate) struct Place {
    agent: PathBuf,
    profile: Profile,
    home: Arc<TempDir>,
    project: Arc<TempDir>,
}

impl Place {
    pub(crate) fn new(agent: PathBuf, profile: Profile) -> io::Result<Self> {
        let directory = || tempfile::Builder::new().prefix("aqueduct-").tempdir().map(Arc::new);
        Ok(Place { agent, profile, home: directory()?, project: directory()? })
    }

    fn session(&self) -> Builder {
        let builder = Session::builder()
            .program(self.agent.as_os_str())
            .profile(self.profile)
            .directory(self.project.path())
            .argument("--auth-type=openai")
            .env_clear()
            .env("HOME", self.home.path().as_os_str())
            .env("OPENAI_API_KEY", "none")
            .env("OPENAI_MODEL", "scripted");
        ["PATH", "OPENAI_BASE_URL"].iter().fold(builder, |builder, name| match std::env::var_os(name) {
            Some(value) => builder.env(OsString::from(name), value),
            None => builder,
        })
    }

    /// A prompt that writes a file, and the file.
    fn writing(&self) -> (String, PathBuf) {
        let file = self.project.path().join("made.txt");
        (format!(r#"@tool write_file {{"file_path":"{}","content":"abc"}}"#, file.display()), file)
    }
}

fn described(error: Error) -> String {
    error.advised()
}

fn ensure(holds: bool, what: impl Into<String>) -> Played {
    if holds { Ok(()) } else { Err(what.into()) }
}

/// The final text of a run that came to its end.
fn text(outcome: &Outcome) -> Result<String, String> {
    match outcome {
        Outcome::Done(report) => Ok(report.text().to_owned()),
        other => Err(format!("the run ended otherwise: {other}")),
    }
}

async fn streaming(place: Place) -> Played {
    let (session, mut events) = place.session().partial_messages(true).start().await.map_err(described)?;
    session.send("@say a text that is long enough for several pieces").await.map_err(described)?;
    let (mut pieces, mut streamed) = (0, String::new());
    while let Some(event) = events.next().await {
        match event {
            Event::Frame(kept) => {
                if let FromAgent::StreamEvent(frame) = &kept.frame
                    && let StreamEvent::ContentBlockDelta(event) = &frame.event
                    && let Delta::Text(delta) = &event.delta
                {
                    pieces += 1;
                    streamed.push_str(&delta.text);
                }
            }
            Event::RunEnded(outcome) => {
                let whole = text(&outcome)?;
                session.close().await;
                return ensure(
                    pieces > 1 && whole == streamed,
                    format!("{pieces} pieces: {streamed} / {whole}"),
                );
            }
            _ => {}
        }
    }
    Err("the events ended before the run".to_owned())
}

async fn allow(place: Place) -> Played {
    let (prompt, file) = place.writing();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let builder =
        place.session().on_permission(move |request| {
            count.fetch_add(1, Ordering::Relaxed);
            async move {
                if request.tool() == "write_file" { Permission::allow() } else { Permission::deny("no") }
            }
        });
    let outcome = builder.query(prompt).await.map_err(described)?;
    text(&outcome)?;
    ensure(
        asked.load(Ordering::Relaxed) == 1 && file.exists(),
        "it was not asked once, or the file is missing",
    )
}

async fn deny(place: Place) -> Played {
    let (prompt, file) = place.writing();
    let builder = place.session().on_permission(|_| async { Permission::deny("not today") });
    let answer = text(&builder.query(prompt).await.map_err(described)?)?;
    ensure(answer.contains("not today") && !file.exists(), answer)
}

async fn no_user_to_ask(place: Place) -> Played {
    let (prompt, file) = place.writing();
    let answer = text(&place.session().query(prompt).await.map_err(described)?)?;
    ensure(answer.contains("Permission was not granted") && !file.exists(), answer)
}

async fn question(place: Place) -> Played {
    let builder = place.session().on_question(|asked| async move {
        let mut answers = Answers::new();
        for question in asked.questions() {
            answers.choose(&question.question, question.options.iter().map(|option| &*option.label).take(1));
        }
        answers
    });
    let prompt = r#"@tool ask_user_question {"questions":[{"question":"Which?","header":"Pick","options":[{"label":"Blue","description":"b"},{"label":"Red","description":"r"}],"multiSelect":false}]}"#;
    let answer = text(&builder.query(prompt).await.map_err(described)?)?;
    ensure(answer.contains("Blue") || answer.contains("The user answered"), answer)
}

async fn deny_and_interrupt(place: Place) -> Played {
    let (prompt, file) = place.writing();
    let builder = place.session().on_permission(|_| async { Permission::deny_and_interrupt("stop") });
    let outcome = builder.query(prompt).await.map_err(described)?;
    ensure(matches!(outcome, Outcome::Interrupted(_)) && !file.exists(), outcome.to_string())
}

async fn interrupt(place: Place) -> Played {
    let (session, mut events) = place.session().partial_messages(true).start().await.map_err(described)?;
    session.send("@slow 200 0.1").await.map_err(described)?;
    let mut asked = false;
    while let Some(event) = events.next().await {
        match event {
            Event::Frame(kept) if !asked && matches!(kept.frame, FromAgent::StreamEvent(_)) => {
                asked = true;
                session.interrupt().await.map_err(described)?;
            }
            Event::RunEnded(outcome) => {
                return ensure(matches!(outcome, Outcome::Interrupted(_)), outcome.to_string());
            }
            _ => {}
        }
    }
    Err("the events ended before the run".to_owned())
}

async fn resume(place: Place) -> Played {
    let id = "11111111-2222-4333-8444-555555555555";
    let first = place.session().session_id(id).query("@say first").await.map_err(described)?;
    ensure(text(&first)? == "first", "the first run")?;
    let second = place.session().resume(id).query("@say second").await.map_err(described)?;
    ensure(text(&second)? == "second", "the resumed run")?;
    let resumed = second.report().and_then(|report| report.session_id()).unwrap_or_default().to_owned();
    ensure(resumed == id, resumed)?;
    let third = place.session().continue_latest(true).query("@say third").await.map_err(described)?;
    ensure(text(&third)? == "third", "the continued run")
}

async fn set_model(place: Place) -> Played {
    let (session, events) = place.session().start().await.map_err(described)?;
    drop(events);
    session.set_model(Some("other")).await.map_err(described)?;
    let answer = text(&session.turn("@say switched").await.map_err(described)?)?;
    session.close().await;
    ensure(answer == "switched", answer)
}

async fn set_permission_mode(place: Place) -> Played {
    let (prompt, file) = place.writing();
    let (session, events) = place.session().start().await.map_err(described)?;
    drop(events);
    session.set_permission_mode(PermissionMode::AcceptEdits).await.map_err(described)?;
    text(&session.turn(prompt).await.map_err(described)?)?;
    session.close().await;
    ensure(file.exists(), "the file was not written")
}

async fn permission_mode(place: Place) -> Played {
    let (prompt, file) = place.writing();
    let builder = place.session().permission_mode(PermissionMode::AcceptEdits);
    text(&builder.query(prompt).await.map_err(described)?)?;
    ensure(file.exists(), "the file was not written")
}

async fn unsupported(place: Place) -> Played {
    let refused = place.session().max_budget_usd(1.0).query("@say x").await;
    ensure(matches!(refused, Err(Error::NotInProfile { .. })), format!("{refused:?}"))?;
    let (session, events) = place.session().start().await.map_err(described)?;
    drop(events);
    let refused = session.rewind_files("x").await;
    session.close().await;
    ensure(matches!(refused, Err(Error::NotInProfile { .. })), format!("{refused:?}"))
}

async fn two_prompts(place: Place) -> Played {
    let (session, events) = place.session().start().await.map_err(described)?;
    drop(events);
    let (one, two) = tokio::join!(session.turn("@say one"), async { session.turn("@say two").await });
    session.close().await;
    let (one, two) = (text(&one.map_err(described)?)?, text(&two.map_err(described)?)?);
    ensure(one == "one" && two == "two", format!("{one}, {two}"))
}

async fn close(place: Place) -> Played {
    let (session, events) = place.session().start().await.map_err(described)?;
    drop(events);
    text(&session.turn("@say bye").await.map_err(described)?)?;
    let exit = session.close().await;
    ensure(exit.to_string().contains("code 0") || exit.to_string().contains("ended"), exit.to_string())
}
