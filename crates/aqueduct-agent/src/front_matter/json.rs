//! Converts a value to JSON in which every item is on its line of the YAML, so that a reader of the JSON can report
//! errors with the line numbers of the file.

use aqueduct_wire::json::{Json as _, Str};

use super::yaml::{Scalar, ScalarKind, YamlNode, YamlValue};

/// An object with one member, laid out by the lines of its source.
pub(super) fn laid_out(key: &str, line: usize, node: &YamlNode) -> String {
    let mut out = JsonLayout { text: String::from("{"), line: 1 };
    out.member(key, line, node);
    out.text.push('}');
    out.text
}

/// JSON that is written line by line.
struct JsonLayout {
    text: String,
    line: usize,
}

impl JsonLayout {
    /// An error in a value is reported at its key.
    fn member(&mut self, key: &str, line: usize, node: &YamlNode) {
        self.go_to(line);
        Str::from(key).write(&mut self.text);
        self.text.push(':');
        self.value(&node.value);
    }

    fn go_to(&mut self, line: usize) {
        while self.line < line {
            self.text.push('\n');
            self.line += 1;
        }
    }

    fn value(&mut self, value: &YamlValue) {
        match value {
            YamlValue::Scalar(scalar) => self.scalar(scalar),
            YamlValue::List(items) => self.list(('[', ']'), items, |out, item| {
                out.go_to(item.line);
                out.value(&item.value);
            }),
            YamlValue::Map(members) => self.list(('{', '}'), members, |out, member| {
                out.member(&member.key, member.line, &member.value);
            }),
        }
    }

    fn scalar(&mut self, Scalar { text, kind }: &Scalar) {
        match kind {
            ScalarKind::Null => self.text.push_str("null"),
            ScalarKind::Bool(truth) => self.text.push_str(if *truth { "true" } else { "false" }),
            ScalarKind::Number(number) => self.text.push_str(number),
            ScalarKind::Text => Str::from(text.as_str()).write(&mut self.text),
        }
    }

    fn list<T>(&mut self, (open, close): (char, char), items: &[T], write: impl Fn(&mut Self, &T)) {
        self.text.push(open);
        for (index, item) in items.iter().enumerate() {
            self.text.push_str(if index > 0 { "," } else { "" });
            write(self, item);
        }
        self.text.push(close);
    }
}
