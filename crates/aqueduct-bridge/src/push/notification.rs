use std::sync::Arc;

use serde_json::json;

/// The longest title and text of a notification, in characters.
const TITLE: usize = 80;
const TEXT: usize = 240;

/// An event of a session for devices that do not watch it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushNotification {
    /// The session.
    pub session: Arc<str>,
    /// The folder that it works in.
    pub folder: String,
    /// What happened.
    pub kind: NotificationKind,
    /// The session's title.
    pub title: String,
    /// Its content.
    pub text: String,
    /// Devices that watch the session and need no notification.
    pub watching_devices: Vec<String>,
}

/// The reason of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NotificationKind {
    /// A decision is needed.
    Waits,
    /// A turn is done, and nothing waits.
    Done,
    /// A turn failed, or the agent did.
    Failed,
    /// What was to be decided is decided.
    Settled,
    /// A test that a user requested.
    Test,
}

impl NotificationKind {
    /// What programs call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            NotificationKind::Waits => "waits",
            NotificationKind::Done => "done",
            NotificationKind::Failed => "failed",
            NotificationKind::Settled => "settled",
            NotificationKind::Test => "test",
        }
    }

    /// The text without content of the session.
    fn words(self) -> &'static str {
        match self {
            NotificationKind::Waits => "A session waits for you.",
            NotificationKind::Done => "A session is done.",
            NotificationKind::Failed => "A session has failed.",
            NotificationKind::Settled => "It was decided: the session no longer waits.",
            NotificationKind::Test => "Notifications reach this device.",
        }
    }

    /// How soon a service wakes a device for it, in the words of RFC 8030.
    pub(super) fn urgency(self) -> &'static str {
        match self {
            NotificationKind::Waits | NotificationKind::Test => "high",
            NotificationKind::Done | NotificationKind::Failed | NotificationKind::Settled => "normal",
        }
    }

    /// For how many seconds a service keeps it for a device that can't be reached.
    pub(super) fn keep(self) -> u32 {
        match self {
            NotificationKind::Waits | NotificationKind::Settled => 24 * 60 * 60,
            NotificationKind::Done | NotificationKind::Failed => 12 * 60 * 60,
            NotificationKind::Test => 60,
        }
    }
}

impl PushNotification {
    /// A test.
    pub(super) fn test() -> Self {
        PushNotification {
            session: "".into(),
            folder: String::new(),
            kind: NotificationKind::Test,
            title: String::new(),
            text: String::new(),
            watching_devices: Vec::new(),
        }
    }

    /// What the service worker gets, as JSON. `content`: whether it may contain text of the session.
    pub(super) fn payload(&self, content: bool) -> String {
        let (title, text) = match content {
            true => (brief(&self.title, TITLE), brief(&self.text, TEXT)),
            false => Default::default(),
        };
        let title = if title.is_empty() { "Aqueduct" } else { &title };
        let body = if text.is_empty() { self.kind.words() } else { &text };
        let mut payload = json!({"title": title, "body": body, "kind": self.kind.name()});
        if !self.session.is_empty() {
            payload["sessionId"] = json!(&*self.session);
        }
        payload.to_string()
    }
}

/// The beginning of a text, in one line, without characters that can't be seen and change what can.
fn brief(text: &str, longest: usize) -> String {
    let is_hidden = |character: char| matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    let mut line = Vec::with_capacity(longest + 1);
    let mut is_apart = false;
    for character in text.chars().filter(|character| !is_hidden(*character)) {
        if character.is_whitespace() || character.is_control() {
            is_apart = !line.is_empty();
            continue;
        }
        line.extend(std::mem::take(&mut is_apart).then_some(' '));
        line.push(character);
        if line.len() > longest {
            line.truncate(longest.saturating_sub(1));
            line.push('…');
            break;
        }
    }
    line.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::encrypt::LONGEST;
    use super::*;

    fn notification(title: &str, text: &str) -> PushNotification {
        PushNotification {
            session: "0198c0de".into(),
            folder: "/proj".into(),
            kind: NotificationKind::Waits,
            title: title.into(),
            text: text.into(),
            watching_devices: Vec::new(),
        }
    }

    #[test]
    fn words_are_for_those_who_asked_for_them() {
        let notification = notification("Fix the build", "Bash: npm test");
        assert_eq!(
            notification.payload(false),
            r#"{"body":"A session waits for you.","kind":"waits","sessionId":"0198c0de","title":"Aqueduct"}"#
        );
        assert_eq!(
            notification.payload(true),
            r#"{"body":"Bash: npm test","kind":"waits","sessionId":"0198c0de","title":"Fix the build"}"#
        );
        assert!(PushNotification::test().payload(true).contains("Notifications reach this device."));
    }

    #[test]
    fn nothing_is_too_long_or_hides() {
        assert_eq!(brief("one\n\ttwo \u{1b}[31m three", 80), "one two [31m three");
        assert_eq!(brief("a\u{202e}b\u{200b}c \u{feff}", 80), "abc");
        assert_eq!(brief("seven words of which some fit here", 20), "seven words of whic…");
        assert_eq!(brief(&"x".repeat(50), 10), "xxxxxxxxx…");
        let long = "\u{10ffff}\"\\".repeat(1000);
        assert!(notification(&long, &long).payload(true).len() <= LONGEST);
    }
}
