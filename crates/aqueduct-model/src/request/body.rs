//! The JSON of a request.

use std::fmt::Write as _;

use aqueduct_wire::json::{Json as _, Str};

use super::mark::{MARK, Marks, write_marked};
use super::{ModelMessage, ModelTool, Request, RequestRole, ThinkingMode};

impl Request {
    /// The body of a `POST /v1/messages` that streams.
    pub fn to_json(&self) -> String {
        let mut out = self.open();
        member(&mut out, "max_tokens");
        write_number(&mut out, self.max_tokens);
        self.write_prompt(&mut out);
        self.write_output_config(&mut out);
        if self.is_fast {
            member(&mut out, "speed");
            write_text(&mut out, "fast");
        }
        if let Some(user) = &self.user {
            member(&mut out, "metadata");
            out.push_str(r#"{"user_id":"#);
            write_text(&mut out, user);
            out.push('}');
        }
        out.push_str(r#","stream":true}"#);
        out
    }

    /// The body of a `POST /v1/messages/count_tokens`.
    pub fn to_count_json(&self) -> String {
        let mut out = self.open();
        self.write_prompt(&mut out);
        out.push('}');
        out
    }

    /// An object that has its first member.
    fn open(&self) -> String {
        let size: usize = self.messages.iter().map(|message| message.content.as_str().len() + 64).sum();
        let mut out = String::with_capacity(size + 64 * 1024);
        out.push_str(r#"{"model":"#);
        write_text(&mut out, self.model_name());
        out
    }

    /// How hard the model tries, and how far it may go.
    fn write_output_config(&self, out: &mut String) {
        if self.effort.is_none() && self.task_budget.is_none() {
            return;
        }
        member(out, "output_config");
        out.push('{');
        if let Some(effort) = &self.effort {
            out.push_str(r#""effort":"#);
            write_text(out, effort);
        }
        if let Some(total) = self.task_budget {
            out.push_str(if self.effort.is_some() { "," } else { "" });
            out.push_str(r#""task_budget":{"type":"tokens","total":"#);
            write_number(out, total);
            out.push('}');
        }
        out.push('}');
    }

    /// The members that both bodies have.
    fn write_prompt(&self, out: &mut String) {
        let marks = Marks::of(self);
        if !self.tools.is_empty() {
            member(out, "tools");
            list(out, &self.tools, |out, tool, last| tool.write(out, last && marks.tools));
        }
        if !self.system.is_empty() {
            member(out, "system");
            list(out, &self.system, |out, part, last| write_system(out, part, last && marks.system));
        }
        member(out, "messages");
        let mut index = 0;
        list(out, &self.messages, |out, message, _| {
            message.write(out, marks.messages.contains(&Some(index)));
            index += 1;
        });
        match self.thinking {
            ThinkingMode::Off => {}
            ThinkingMode::Disabled => {
                member(out, "thinking");
                out.push_str(r#"{"type":"disabled"}"#);
            }
            ThinkingMode::Adaptive => {
                member(out, "thinking");
                out.push_str(r#"{"type":"adaptive""#);
                self.close_thinking(out);
            }
            ThinkingMode::Budget(tokens) => {
                member(out, "thinking");
                out.push_str(r#"{"type":"enabled","budget_tokens":"#);
                // The answer's tokens include those of the thinking, and some must be left for the answer.
                write_number(out, tokens.min(self.max_tokens.saturating_sub(1)));
                self.close_thinking(out);
            }
        }
    }

    fn close_thinking(&self, out: &mut String) {
        if let Some(display) = &self.thinking_display {
            member(out, "display");
            write_text(out, display);
        }
        out.push('}');
    }
}

impl ModelMessage {
    fn write(&self, out: &mut String, marked: bool) {
        out.push_str(match self.role {
            RequestRole::User => r#"{"role":"user","content":"#,
            RequestRole::Assistant => r#"{"role":"assistant","content":"#,
        });
        match marked {
            true => write_marked(out, &self.content),
            false => self.content.write(out),
        }
        out.push('}');
    }
}

impl ModelTool {
    fn write(&self, out: &mut String, marked: bool) {
        match self {
            ModelTool::Server(raw) if marked => write_marked(out, raw),
            ModelTool::Server(raw) => raw.write(out),
            ModelTool::Local { name, description, schema } => {
                out.push_str(r#"{"name":"#);
                write_text(out, name);
                member(out, "description");
                write_text(out, description);
                member(out, "input_schema");
                schema.write(out);
                close(out, marked);
            }
        }
    }
}

fn write_system(out: &mut String, part: &str, marked: bool) {
    out.push_str(r#"{"type":"text","text":"#);
    write_text(out, part);
    close(out, marked);
}

/// Ends an object, with a mark if it gets one.
fn close(out: &mut String, marked: bool) {
    if marked {
        out.push(',');
        out.push_str(MARK);
    }
    out.push('}');
}

/// Writes a list; `write` receives whether the item is the last one.
fn list<T>(out: &mut String, items: &[T], mut write: impl FnMut(&mut String, &T, bool)) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, item, index + 1 == items.len());
    }
    out.push(']');
}

/// Writes the name of a member that is not the first.
fn member(out: &mut String, name: &str) {
    out.push_str(",\"");
    out.push_str(name);
    out.push_str("\":");
}

fn write_text(out: &mut String, text: &str) {
    Str::from(text).write(out);
}

fn write_number(out: &mut String, number: impl std::fmt::Display) {
    // Writing to a string does not fail.
    let _ = write!(out, "{number}");
}
