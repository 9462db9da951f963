//! Notifications, as push services and browsers see them.

mod deciding;
mod delivering;
mod refusing;
mod service;
mod subscribing;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use aqueduct_bridge::log::{Grant, Log, NewDevice, Time};
use aqueduct_bridge::message::ClientMessage;
use aqueduct_bridge::push::{NotificationKind, Push, PushNotification, PushPace, PushSettings};
use serde_json::json;
use tempfile::TempDir;
use tracing::subscriber::DefaultGuard;

pub(crate) use service::{Browser, Service};

/// Notifications without a bridge.
struct Scene {
    push: Push,
    log: Log,
    lines: Arc<Mutex<Vec<String>>>,
    _folder: TempDir,
    _log_guard: DefaultGuard,
}

fn settings() -> PushSettings {
    let pace = PushPace { pause: Duration::from_millis(1), ..PushPace::default() };
    PushSettings { loopback: true, pace, ..PushSettings::default() }
}

impl Scene {
    fn new() -> Scene {
        Scene::with(&settings())
    }

    fn with(settings: &PushSettings) -> Scene {
        let folder = crate::private_folder();
        let log = Log::open(folder.path()).unwrap();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let log_guard = crate::log_lines::collect(&lines);
        let push = Push::open(settings, folder.path(), log.clone(), Arc::default()).unwrap().unwrap();
        Scene { push, log, lines, _folder: folder, _log_guard: log_guard }
    }

    /// A device that is notified.
    async fn device(&self, number: u8, endpoint: &str, content: bool) -> Browser {
        let device = NewDevice {
            id: id(number),
            kind: "device".into(),
            name: "Phone".into(),
            token_hash: [number; 32],
            public_key: None,
            grant: Grant::full(),
        };
        self.log.add_device(device, Time(0)).await.unwrap();
        let browser = Browser::new(number);
        self.subscribe(number, endpoint, &browser, content).await.unwrap();
        browser
    }

    async fn subscribe(
        &self,
        number: u8,
        endpoint: &str,
        browser: &Browser,
        content: bool,
    ) -> Result<(), aqueduct_bridge::Failure> {
        let text = json!({
            "type": "subscribe_push", "endpoint": endpoint, "keys": browser.keys(), "content": content
        });
        let text = text.to_string();
        let Ok(ClientMessage::SubscribePush(message)) = ClientMessage::parse(&text) else { panic!("{text}") };
        self.push.subscribe(&id(number), &message).await
    }

    /// The addresses that are subscribed.
    async fn endpoints(&self) -> Vec<String> {
        self.log.pushes().await.unwrap().into_iter().map(|push| push.endpoint).collect()
    }

    fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }
}

/// The id of a device.
fn id(number: u8) -> String {
    format!("d-{number}")
}

fn notification(session: &str, kind: NotificationKind, text: &str) -> PushNotification {
    PushNotification {
        session: session.into(),
        folder: "/proj/api".into(),
        kind,
        title: "Fix the build".into(),
        text: text.into(),
        watching_devices: Vec::new(),
    }
}

/// The same, seen by a device that looks at the session.
fn seen_by(number: u8, notification: PushNotification) -> PushNotification {
    PushNotification { watching_devices: vec![id(number)], ..notification }
}
