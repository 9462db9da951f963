use serde_json::Value;

/// Messages that a client received, in order.
#[derive(Debug, Default)]
pub(crate) struct ReceivedMessages(pub(crate) Vec<Value>);

impl ReceivedMessages {
    /// The messages of a type.
    pub(crate) fn of(&self, kind: &str) -> Vec<&Value> {
        self.0.iter().filter(|message| message["type"] == kind).collect()
    }

    /// The last message.
    pub(crate) fn last(&self) -> &Value {
        self.0.last().unwrap_or(&Value::Null)
    }

    /// What the last turn came to.
    pub(crate) fn result(&self) -> &Value {
        self.of("result").last().copied().unwrap_or(&Value::Null)
    }

    /// The last words of the last turn.
    pub(crate) fn text(&self) -> &str {
        self.result()["result"].as_str().unwrap_or_default()
    }

    /// What the turns came to, in order.
    pub(crate) fn results(&self) -> Vec<&str> {
        self.of("result").iter().map(|result| result["result"].as_str().unwrap_or_default()).collect()
    }

    /// Notes about the session of one sort.
    pub(crate) fn notes(&self, subtype: &str) -> Vec<&Value> {
        self.of("system").into_iter().filter(|note| note["subtype"] == subtype).collect()
    }

    /// The kinds of the messages, for people.
    pub(crate) fn kinds(&self) -> String {
        let kind = |message: &Value| {
            let word = |name: &str| message[name].as_str().map(|word| format!("/{word}")).unwrap_or_default();
            let why = match message["type"] == "error" {
                true => format!(" ({} {})", message["message"], message["stderr"]),
                false => String::new(),
            };
            let kind = message["type"].as_str().unwrap_or("?");
            format!("{kind}{}{}{why}", word("subtype"), word("status"))
        };
        let kinds: Vec<String> = self.0.iter().map(kind).collect();
        // Deltas are many, and irrelevant here.
        let mut shown: Vec<&str> = kinds.iter().map(String::as_str).collect();
        shown.dedup();
        shown.join(" ")
    }
}

/// The blocks of an answer.
pub(crate) fn blocks(message: &Value) -> impl Iterator<Item = &Value> {
    message["message"]["content"].as_array().into_iter().flatten()
}
