use std::sync::Arc;

use serde_json::json;

/// The longest title and text of a notification, in characters.
const TITLE: usize = 80;
const TEXT: usize = 240;

/// Something that happened in a session and that somebody may want to hear of who looks elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// The session.
    pub session: Arc<str>,
    /// The folder that it works in.
    pub folder: String,
    /// What happened.
    pub occasion: Occasion,
    /// What the session is called.
    pub title: String,
    /// What it says.
    pub text: String,
    /// Devices that see it anyway.
    pub looking: Vec<String>,
}

/// Why somebody is notified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Occasion {
    /// Somebody has to decide.
    Waits,
    /// A turn is done, and nothing waits.
    Done,
    /// A turn failed, or the agent did.
    Failed,
    /// What was to be decided is decided.
    Settled,
    /// Somebody wants to see whether notifications come.
    Test,
}

impl Occasion {
    /// What programs call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Occasion::Waits => "waits",
            Occasion::Done => "done",
            Occasion::Failed => "failed",
            Occasion::Settled => "settled",
            Occasion::Test => "test",
        }
    }

    /// What is said where nothing of the session may be told.
    fn words(self) -> &'static str {
        match self {
            Occasion::Waits => "A session waits for you.",
            Occasion::Done => "A session is done.",
            Occasion::Failed => "A session has failed.",
            Occasion::Settled => "It was decided: the session no longer waits.",
            Occasion::Test => "Notifications reach this device.",
        }
    }

    /// How soon a service wakes a device for it, in the words of RFC 8030.
    pub(super) fn urgency(self) -> &'static str {
        match self {
            Occasion::Waits | Occasion::Test => "high",
            Occasion::Done | Occasion::Failed | Occasion::Settled => "normal",
        }
    }

    /// For how many seconds a service keeps it for a device that can't be reached.
    pub(super) fn keep(self) -> u32 {
        match self {
            Occasion::Waits | Occasion::Settled => 24 * 60 * 60,
            Occasion::Done | Occasion::Failed => 12 * 60 * 60,
            Occasion::Test => 60,
        }
    }
}

impl News {
    /// A test.
    pub(super) fn test() -> Self {
        News {
            session: "".into(),
            folder: String::new(),
            occasion: Occasion::Test,
            title: String::new(),
            text: String::new(),
            looking: Vec::new(),
        }
    }

    /// What the service worker gets, as JSON. `content` says whether it may hold words of the session.
    pub(super) fn payload(&self, content: bool) -> String {
        let (title, text) = match content {
            true => (brief(&self.title, TITLE), brief(&self.text, TEXT)),
            false => Default::default(),
        };
        let title = if title.is_empty() { "Aqueduct" } else { &title };
        let body = if text.is_empty() { self.occasion.words() } else { &text };
        let mut payload = json!({"title": title, "body": body, "kind": self.occasion.name()});
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
    use super::super::seal::LONGEST;
    use super::*;

    fn news(title: &str, text: &str) -> News {
        News {
            session: "0198c0de".into(),
            folder: "/proj".into(),
            occasion: Occasion::Waits,
            title: title.into(),
            text: text.into(),
            looking: Vec::new(),
        }
    }

    #[test]
    fn words_are_for_those_who_asked_for_them() {
        let news = news("Mend the build", "Bash: npm test");
        assert_eq!(
            news.payload(false),
            r#"{"body":"A session waits for you.","kind":"waits","sessionId":"0198c0de","title":"Aqueduct"}"#
        );
        assert_eq!(
            news.payload(true),
            r#"{"body":"Bash: npm test","kind":"waits","sessionId":"0198c0de","title":"Mend the build"}"#
        );
        assert!(News::test().payload(true).contains("Notifications reach this device."));
    }

    #[test]
    fn nothing_is_too_long_or_hides() {
        assert_eq!(brief("one\n\ttwo \u{1b}[31m three", 80), "one two [31m three");
        assert_eq!(brief("a\u{202e}b\u{200b}c \u{feff}", 80), "abc");
        assert_eq!(brief("seven words of which some fit here", 20), "seven words of whic…");
        assert_eq!(brief(&"x".repeat(50), 10), "xxxxxxxxx…");
        let long = "\u{10ffff}\"\\".repeat(1000);
        assert!(news(&long, &long).payload(true).len() <= LONGEST);
    }
}
