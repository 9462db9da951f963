//! The event log.

mod appending;
mod clock;
mod copies;
mod crash;
mod decisions;
mod devices;
mod disk;
mod inputs;
mod opening;
mod paging;
mod privacy;
mod removed;
mod retention;
mod searching;
mod sessions;
mod usage;

use aqueduct_bridge::log::{
    Append, Log, LogEvent, NewEvent, NewInput, NewSession, PageLimits, PagePosition, Time,
};
use tempfile::TempDir;

/// A time that is the same in every run.
const NOON: Time = Time(1_750_000_000_000);
/// More than any test writes.
const ALL: PageLimits = PageLimits { count: 1_000_000, bytes: u64::MAX };

/// An open log in a folder of its own.
struct Scene {
    log: Log,
    folder: TempDir,
}

impl Scene {
    fn new() -> Self {
        let folder = crate::private_folder();
        Scene { log: Log::open(folder.path()).unwrap(), folder }
    }

    /// With sessions of these ids, in folders of the same names.
    async fn with_sessions(ids: &[&str]) -> Self {
        let scene = Scene::new();
        for id in ids {
            scene.log.create_session(new_session(id), Append::new(NOON)).await.unwrap();
        }
        scene
    }

    /// Closes the log and opens it again.
    async fn reopen(self) -> Self {
        self.log.close().await;
        Scene { log: Log::open(self.folder.path()).unwrap(), folder: self.folder }
    }

    async fn events(&self, session: &str) -> Vec<LogEvent> {
        self.log.page(session, PagePosition::After(0), ALL).await.unwrap().events
    }

    async fn payloads(&self, session: &str) -> Vec<String> {
        self.events(session).await.iter().map(|event| event.payload.to_string()).collect()
    }

    async fn assert_sound(&self) {
        assert_eq!(self.log.check().await.unwrap(), Vec::<String>::new());
    }
}

/// An input with nothing in it.
fn new_input(id: &str) -> NewInput {
    NewInput {
        id: id.into(),
        client_id: Some(format!("client-{id}")),
        sender: None,
        content: "{}".into(),
        position: None,
    }
}

fn new_session(id: &str) -> NewSession {
    NewSession::new(id, format!("/proj/{id}"), "builtin", "starting")
}

/// An event whose payload is this text as a JSON string.
fn event(text: &str) -> NewEvent {
    NewEvent::new("note", format!("\"{text}\""))
}

fn one(text: &str) -> Append {
    Append::new(NOON).event(event(text))
}

fn later(seconds: i64) -> Time {
    Time(NOON.0 + seconds * 1000)
}
