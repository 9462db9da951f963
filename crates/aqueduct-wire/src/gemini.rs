//! The stream-json of Gemini CLI: events of another dialect, which go in one direction only.
//!
//! They are not frames of the protocol: kinds of the same name (`error`, `result`) have other members. An
//! event is recognized by its content: see [`GeminiEvent::recognize`].

use crate::frame::line;
use crate::json::{Map, Number, Raw, Str};
use crate::table::{names, record, union};

union! {
    /// An event of Gemini CLI's `--output-format stream-json`.
    GeminiEvent<'a> by "type" {
        "init" => Init(GeminiInit<'a>) since "0.11.0",
        "message" => Message(GeminiMessage<'a>) since "0.11.0",
        "tool_use" => ToolUse(GeminiToolUse<'a>) since "0.11.0",
        "tool_result" => ToolResult(GeminiToolResult<'a>) since "0.11.0",
        "error" => Error(GeminiError<'a>) since "0.11.0",
        "result" => Result(Box<GeminiResult<'a>>) since "0.11.0",
    }
}

line::frame!(GeminiEvent);

impl<'a> GeminiEvent<'a> {
    /// Reads an event, if the line is one: of a known kind, with a timestamp and with what makes the kind. No frame
    /// of the protocol is.
    pub fn recognize(line: &'a str) -> Option<Self> {
        match GeminiEvent::parse(line) {
            Ok(GeminiEvent::Unknown(_)) | Err(_) => None,
            Ok(event) => Some(event),
        }
    }
}

record! {
    /// The beginning of a run.
    GeminiInit<'a> {
        essential { timestamp: Str<'a>, session_id: Str<'a> }
        "0.11.0" {
            always model: Str<'a>,
        }
    }
}

record! {
    /// A message of the user or the model.
    GeminiMessage<'a> {
        essential { timestamp: Str<'a>, role: GeminiRole<'a>, content: Str<'a> }
        "0.11.0" {
            /// A piece of a longer message.
            optional delta: bool,
        }
    }
}

names! {
    /// The role of a message.
    GeminiRole<'a> {
        "user" => User,
        "assistant" => Assistant,
    }
}

record! {
    /// The model uses a tool.
    GeminiToolUse<'a> {
        essential { timestamp: Str<'a>, tool_name: Str<'a>, tool_id: Str<'a> }
        "0.11.0" {
            always parameters: Raw<'a>,
        }
    }
}

record! {
    /// What a tool gave back.
    GeminiToolResult<'a> {
        essential { timestamp: Str<'a>, tool_id: Str<'a>, status: GeminiStatus<'a> }
        "0.11.0" {
            /// For people; the model gets more.
            optional output: Str<'a>,
            optional error: GeminiFailure<'a>,
        }
    }
}

names! {
    /// How something ended.
    GeminiStatus<'a> {
        "success" => Success,
        "error" => Error,
    }
}

record! {
    /// Why something failed.
    GeminiFailure<'a> {
        "0.11.0" {
            always kind = "type": Str<'a>,
            always message: Str<'a>,
        }
    }
}

record! {
    /// Something went wrong, and the run continues.
    GeminiError<'a> {
        essential { timestamp: Str<'a>, severity: GeminiSeverity<'a>, message: Str<'a> }
    }
}

names! {
    /// How bad it is.
    GeminiSeverity<'a> {
        "warning" => Warning,
        "error" => Error,
    }
}

record! {
    /// The end of a run.
    GeminiResult<'a> {
        essential { timestamp: Str<'a>, status: GeminiStatus<'a> }
        "0.11.0" {
            optional error: GeminiFailure<'a>,
            optional stats: GeminiStats<'a>,
        }
    }
}

record! {
    /// What a run took.
    GeminiStats<'a> {
        "0.11.0" {
            always total_tokens: Number<'a>,
            always input_tokens: Number<'a>,
            always output_tokens: Number<'a>,
            always cached: Number<'a>,
            /// The input that was not cached.
            always input: Number<'a>,
            always duration_ms: Number<'a>,
            always tool_calls: Number<'a>,
        }
        "0.61.0" {
            always models: Map<'a, GeminiModelStats<'a>>,
        }
    }
}

record! {
    /// What one model took.
    GeminiModelStats<'a> {
        "0.61.0" {
            always total_tokens: Number<'a>,
            always input_tokens: Number<'a>,
            always output_tokens: Number<'a>,
            always cached: Number<'a>,
            always input: Number<'a>,
        }
    }
}
