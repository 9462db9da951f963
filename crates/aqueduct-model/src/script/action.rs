//! Lines that are a turn of the model.

use std::time::Duration;

use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::json::{IntoOwned, Json, Map, Raw, Reader, Str};

use super::error::ScriptLineError;
use super::line::{number, seconds, words};
use super::plan::{PlannedBlock, SIGNATURE, Size};
use super::play::to_json;

/// The most that a flood may be, the most of one delta, and the most words of `@slow`.
const FLOOD_BYTES: u64 = 4 << 30;
const FLOOD_DELTA: u64 = 1 << 20;
const SLOW_WORDS: u64 = 1_000_000;

/// The default number of tokens that `@toolong` reports, and the limit.
const TOO_MANY_TOKENS: u64 = 210_000;
const TOKEN_LIMIT: u64 = 200_000;

/// What the model does in a turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ScriptAction {
    /// It answers.
    Say {
        /// The blocks; calls whose id is empty get one.
        blocks: Vec<PlannedBlock>,
        /// The size of the deltas and the pause after each, if not as usual.
        pace: Option<(Size, Duration)>,
    },
    /// It fails some times, and then answers.
    Fail {
        /// The line, by which the failures are counted.
        line: String,
        /// The HTTP status.
        status: u16,
        /// How often.
        times: u64,
        /// The answer after that.
        text: String,
    },
    /// The conversation does not fit.
    TooLong {
        /// How many tokens it has.
        tokens: u64,
        /// How many fit.
        limit: u64,
    },
}

impl ScriptAction {
    /// Reads what follows a command; `None` if the command is no action.
    pub(super) fn parse(command: &str, rest: &str, line: &str) -> Result<Option<Self>, ScriptLineError> {
        let (blocks, pace) = match command {
            "@say" => (vec![PlannedBlock::text(rest)], None),
            "@think" => {
                let (thought, text) = rest.split_once('|').unwrap_or((rest, ""));
                (
                    vec![
                        PlannedBlock::thinking(format!("{} ", thought.trim())),
                        PlannedBlock::text(text.trim()),
                    ],
                    None,
                )
            }
            "@tool" => (vec![tool(rest)?], None),
            "@saytool" => {
                let Some((text, call)) = rest.split_once('|') else {
                    return Err(ScriptLineError::Form("TEXT | NAME JSON".into()));
                };
                (vec![PlannedBlock::text(text.trim()), tool(call.trim())?], None)
            }
            "@tools" => (tools(rest)?, None),
            "@blocks" => (blocks(rest)?, None),
            "@slow" => {
                let words = words(rest, 2, &["COUNT", "SECONDS"])?;
                let count = number(words[0], "COUNT", 0, SLOW_WORDS)?;
                let text: String = (0..count).map(|index| format!("w{index} ")).collect();
                (vec![PlannedBlock::text(text)], Some((Size::Word, seconds(words[1])?)))
            }
            "@flood" => {
                let words = words(rest, 2, &["BYTES", "DELTA_BYTES"])?;
                let bytes = number(words[0], "BYTES", 0, FLOOD_BYTES)?;
                let delta = number(words[1], "DELTA_BYTES", 1, FLOOD_DELTA)?;
                (
                    vec![PlannedBlock::Flood { bytes, delta: usize::try_from(delta).unwrap_or(usize::MAX) }],
                    None,
                )
            }
            "@fail" => return fail(rest, line).map(Some),
            "@toolong" => {
                let words = words(rest, 0, &["[TOKENS]", "[LIMIT]"])?;
                let given = |index: usize, name, usual| {
                    words.get(index).map_or(Ok(usual), |word| number(word, name, 0, u64::MAX))
                };
                let (tokens, limit) = (given(0, "TOKENS", TOO_MANY_TOKENS)?, given(1, "LIMIT", TOKEN_LIMIT)?);
                return Ok(Some(ScriptAction::TooLong { tokens, limit }));
            }
            _ => return Ok(None),
        };
        Ok(Some(ScriptAction::Say { blocks, pace }))
    }
}

fn fail(rest: &str, line: &str) -> Result<ScriptAction, ScriptLineError> {
    let mut parts = rest.splitn(3, ' ');
    let (Some(status), Some(times)) = (parts.next(), parts.next()) else {
        return Err(ScriptLineError::Form("STATUS TIMES TEXT".into()));
    };
    let status = u16::try_from(number(status, "STATUS", 400, 599)?).unwrap_or(500);
    let times = number(times, "TIMES", 0, u64::MAX)?;
    Ok(ScriptAction::Fail {
        line: line.to_owned(),
        status,
        times,
        text: parts.next().unwrap_or_default().to_owned(),
    })
}

fn tool(call: &str) -> Result<PlannedBlock, ScriptLineError> {
    let (name, input) = call.split_once(' ').unwrap_or((call, ""));
    if name.is_empty() {
        return Err(ScriptLineError::Form("NAME JSON".into()));
    }
    let input = if input.trim().is_empty() { "{}" } else { input };
    Ok(PlannedBlock::tool(name, object(Raw::parse(input).map_err(ScriptLineError::InputJson)?)?))
}

fn tools(list: &str) -> Result<Vec<PlannedBlock>, ScriptLineError> {
    const FORM: &str = "[[NAME, INPUT], …] in JSON";
    let list = Raw::parse(list).map_err(|error| ScriptLineError::Json { form: FORM, error })?;
    let calls: Vec<Vec<Raw<'_>>> = list.view().ok_or(ScriptLineError::Form(FORM.into()))?;
    let call = |call: &Vec<Raw<'_>>| {
        let [name, input] = call.as_slice() else { return Err(ScriptLineError::Form(FORM.into())) };
        let name: Str<'_> = name.view().ok_or(ScriptLineError::Form(FORM.into()))?;
        Ok(PlannedBlock::tool(name.into_string(), object(input.clone())?))
    };
    calls.iter().map(call).collect()
}

/// The input of a tool. No tool takes anything else than an object.
fn object(input: Raw<'_>) -> Result<Raw<'static>, ScriptLineError> {
    if input.as_str().starts_with('{') {
        Ok(input.into_owned())
    } else {
        Err(ScriptLineError::Input(input.to_string()))
    }
}

fn blocks(list: &str) -> Result<Vec<PlannedBlock>, ScriptLineError> {
    const FORM: &str = "a JSON list of content blocks";
    let list = Raw::parse(list).map_err(|error| ScriptLineError::Json { form: FORM, error })?;
    let list: Vec<Map<'_, Raw<'_>>> = list.view().ok_or(ScriptLineError::Form(FORM.into()))?;
    list.into_iter().map(|members| block(members).map(PlannedBlock::content)).collect()
}

/// A block, with what a script may leave out.
fn block(mut members: Map<'_, Raw<'_>>) -> Result<ContentBlock<'static>, ScriptLineError> {
    let kind = members.get("type").and_then(Raw::view::<Str<'_>>).unwrap_or_default().into_owned();
    let mut usual = |key: &'static str, value: serde_json::Value| {
        if members.get(key).is_none() {
            members.push(key, Raw::from(&value));
        }
    };
    match kind.as_str() {
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            usual("id", "".into());
            usual("input", serde_json::json!({}));
        }
        "thinking" => usual("signature", SIGNATURE.into()),
        _ => {}
    }
    let json = to_json(&members);
    let block = ContentBlock::read(&mut Reader::new(&json)).map(IntoOwned::into_owned);
    match block.map_err(ScriptLineError::Block)? {
        // Half of a surrogate pair can't be cut into pieces: it becomes what it reads as.
        ContentBlock::Text(mut block) => {
            block.text = block.text.into_string().into();
            Ok(ContentBlock::Text(block))
        }
        ContentBlock::Thinking(mut block) => {
            block.thinking = block.thinking.into_string().into();
            Ok(ContentBlock::Thinking(block))
        }
        ContentBlock::ToolUse(block) => {
            object(block.input.clone())?;
            Ok(ContentBlock::ToolUse(block))
        }
        ContentBlock::ServerToolUse(block) => {
            object(block.input.clone())?;
            Ok(ContentBlock::ServerToolUse(block))
        }
        ContentBlock::McpToolUse(block) => {
            object(block.input.clone())?;
            Ok(ContentBlock::McpToolUse(block))
        }
        ContentBlock::Unknown(unknown) if kind.is_empty() => {
            Err(ScriptLineError::BlockType(to_json(&ContentBlock::Unknown(unknown))))
        }
        other => Ok(other),
    }
}
