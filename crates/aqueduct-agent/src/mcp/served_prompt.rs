use std::sync::Arc;

use aqueduct_wire::json::Raw;
use serde_json::{Map, Value};

use super::name;
use super::object::Object;

/// A prompt of a server, which people use as a slash command.
#[derive(Debug)]
pub(crate) struct ServedPrompt {
    /// The command, without the slash.
    pub(crate) name: String,
    /// What it is for.
    pub(crate) description: String,
    /// What the server calls it.
    pub(super) own_name: String,
    /// The server.
    pub(super) server: String,
    arguments: Vec<Argument>,
}

#[derive(Debug)]
struct Argument {
    name: String,
    is_required: bool,
}

impl ServedPrompt {
    /// The prompts of a `prompts/list` answer.
    pub(super) fn list(server: &str, result: &Raw<'_>) -> Vec<Arc<ServedPrompt>> {
        let listed = Object::of(result);
        let prompts = listed.list("prompts");
        prompts.iter().filter_map(|prompt| ServedPrompt::read(server, prompt)).map(Arc::new).collect()
    }

    fn read(server: &str, raw: &Raw<'_>) -> Option<ServedPrompt> {
        let prompt = Object::of(raw);
        let own_name = prompt.text("name").filter(|name| !name.is_empty())?;
        let arguments = prompt.list("arguments");
        let arguments = arguments.iter().filter_map(|argument| {
            let argument = Object::of(argument);
            let is_required = argument.flag("required") == Some(true);
            argument.text("name").map(|name| Argument { name, is_required })
        });
        Some(ServedPrompt {
            name: name::full(server, &own_name),
            description: prompt.text("description").or_else(|| prompt.text("title")).unwrap_or_default(),
            server: server.to_owned(),
            arguments: arguments.collect(),
            own_name,
        })
    }

    /// What may follow the command, for people.
    pub(crate) fn argument_hint(&self) -> String {
        let shown = |argument: &Argument| match argument.is_required {
            true => format!("<{}>", argument.name),
            false => format!("[{}]", argument.name),
        };
        self.arguments.iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    /// The arguments in what follows the command; what is missing. Words count in their order, quotes hold words
    /// together, and the last argument takes what is left.
    pub(super) fn fill(&self, text: &str) -> Result<Map<String, Value>, String> {
        let mut rest = text.trim();
        let mut filled = Map::new();
        for (index, argument) in self.arguments.iter().enumerate() {
            let is_last = index + 1 == self.arguments.len();
            let (word, after) = if is_last && !rest.starts_with('"') { (rest, "") } else { word(rest) };
            if word.is_empty() && argument.is_required {
                return Err(format!("/{} needs {}", self.name, self.argument_hint()));
            }
            if !word.is_empty() {
                filled.insert(argument.name.clone(), word.into());
            }
            rest = after;
        }
        Ok(filled)
    }
}

/// The first word of a text, and what follows it.
fn word(text: &str) -> (&str, &str) {
    if let Some((quoted, after)) = text.strip_prefix('"').and_then(|inner| inner.split_once('"')) {
        return (quoted, after.trim_start());
    }
    let (word, after) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, after.trim_start())
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::json::Raw;
    use serde_json::{Value, json};

    use super::ServedPrompt;

    fn filled(text: &str) -> Result<Value, String> {
        let listed = json!({ "prompts": [{
            "name": "greet", "arguments": [{ "name": "who", "required": true }, { "name": "how" }],
        }] });
        let prompts = ServedPrompt::list("hall", &Raw::from(&listed));
        assert_eq!(prompts[0].name, "mcp__hall__greet");
        assert_eq!(prompts[0].argument_hint(), "<who> [how]");
        prompts[0].fill(text).map(Value::Object)
    }

    #[test]
    fn words_are_arguments_in_their_order() {
        assert_eq!(filled("Ada"), Ok(json!({ "who": "Ada" })));
        assert_eq!(filled("\"Ada L\" very warmly"), Ok(json!({ "who": "Ada L", "how": "very warmly" })));
        assert_eq!(filled(" Ada  \"so so\" and more"), Ok(json!({ "who": "Ada", "how": "so so" })));
        assert!(filled("  ").is_err_and(|error| error.contains("<who>")));
    }
}
