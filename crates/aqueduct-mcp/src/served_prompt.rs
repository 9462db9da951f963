use std::sync::Arc;

use aqueduct_wire::json::Raw;
use serde_json::{Map, Value};

use crate::error::PromptError;
use crate::name;
use crate::object::Object;

/// A prompt of a server, which people use as a slash command.
#[derive(Debug)]
pub struct ServedPrompt {
    /// The command, without the slash.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What the server calls it.
    pub(crate) own_name: String,
    /// The server.
    pub(crate) server: String,
    arguments: Vec<Argument>,
}

#[derive(Debug)]
struct Argument {
    name: String,
    is_required: bool,
}

impl ServedPrompt {
    /// The prompts of a `prompts/list` answer.
    pub(crate) fn list(server: &str, result: &Raw<'_>) -> Vec<Arc<ServedPrompt>> {
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
    pub fn argument_hint(&self) -> String {
        let shown = |argument: &Argument| match argument.is_required {
            true => format!("<{}>", argument.name),
            false => format!("[{}]", argument.name),
        };
        self.arguments.iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    /// The arguments in what follows the command, a word each in their order. Further words are
    /// left out.
    pub(crate) fn fill(&self, text: &str) -> Result<Map<String, Value>, PromptError> {
        let mut words = text.split_whitespace();
        let mut filled = Map::new();
        for argument in &self.arguments {
            match words.next() {
                Some(word) => drop(filled.insert(argument.name.clone(), word.into())),
                None if argument.is_required => {
                    let (prompt, arguments) = (self.name.clone(), self.argument_hint());
                    return Err(PromptError::MissingArguments { prompt, arguments });
                }
                None => (),
            }
        }
        Ok(filled)
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::json::Raw;
    use serde_json::{Value, json};

    use super::ServedPrompt;
    use crate::error::PromptError;

    fn filled(text: &str) -> Result<Value, PromptError> {
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
        assert_eq!(filled(" Ada   warmly "), Ok(json!({ "who": "Ada", "how": "warmly" })));
        // Quotes are letters, and further words are left out: hosts of other agents expect that.
        assert_eq!(filled("\"Ada L\" warmly"), Ok(json!({ "who": "\"Ada", "how": "L\"" })));
        assert_eq!(filled("it's very warm"), Ok(json!({ "who": "it's", "how": "very" })));
        assert!(filled("  ").is_err_and(|error| error.to_string().contains("<who>")));
    }
}
