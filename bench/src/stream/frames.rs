//! The frames that both streams have, with their members in the order in which agents write them.

use super::Lines;
use super::prose;
use super::random::Random;

pub(super) const MODEL: &str = "claude-opus-5-5";

/// What stays the same from frame to frame, and the random numbers for what does not.
pub(super) struct Session {
    pub(super) random: Random,
    pub(super) id: String,
    turn: usize,
    millis: usize,
}

/// A call of a tool: its name and input, and how its result will look.
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: &'static str,
    /// The input as JSON.
    pub(super) input: String,
}

impl Session {
    pub(super) fn new(mut random: Random) -> Self {
        let id = random.uuid();
        Session { random, id, turn: 0, millis: 0 }
    }

    /// Begins a turn: its number.
    pub(super) fn begin_turn(&mut self) -> usize {
        self.turn += 1;
        self.turn
    }

    pub(super) fn uuid(&mut self) -> String {
        self.random.uuid()
    }

    pub(super) fn timestamp(&mut self) -> String {
        self.millis += self.random.between(3, 4000);
        let (seconds, millis) = (self.millis / 1000 % 86_400, self.millis % 1000);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        format!("2026-11-15T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}Z")
    }

    /// The frame that opens a turn.
    pub(super) fn init(&mut self, lines: &mut Lines) {
        let (session, uuid) = (&self.id, self.random.uuid());
        lines.push(&format!(
            r#"{{"type":"system","subtype":"init","cwd":"/home/ada/basin","session_id":"{session}","tools":["Task","Bash","Edit","Glob","Grep","NotebookEdit","Read","Skill","TodoWrite","ToolSearch","WebFetch","WebSearch","Write"],"mcp_servers":[{{"name":"survey","status":"connected"}}],"model":"{MODEL}","permissionMode":"default","slash_commands":["clear","compact","context","cost","init","review","usage"],"apiKeySource":"none","claude_code_version":"2.1.325","output_style":"default","agents":["Explore","general-purpose","Plan"],"skills":["measure"],"plugins":[],"analytics_disabled":false,"uuid":"{uuid}","memory_paths":{{"auto":"/home/dev/.claude/projects/-work-basin/memory/"}},"fast_mode_state":"off"}}"#
        ));
    }

    /// A finished block of the model's answer.
    pub(super) fn assistant(
        &mut self,
        lines: &mut Lines,
        message: &str,
        request: &str,
        block: &str,
        tail: &str,
    ) {
        let usage = self.opening_usage();
        let (session, uuid, timestamp) = (self.id.clone(), self.uuid(), self.timestamp());
        lines.push(&format!(
            r#"{{"type":"assistant","message":{{"id":"{message}","type":"message","role":"assistant","model":"{MODEL}","content":[{block}],"stop_reason":null,"stop_sequence":null,"usage":{usage},"context_management":null}},"parent_tool_use_id":null,"session_id":"{session}","uuid":"{uuid}","timestamp":"{timestamp}","request_id":"{request}"{tail}}}"#
        ));
    }

    /// The usage in a message before it is complete.
    pub(super) fn opening_usage(&mut self) -> String {
        let (input, written, read) =
            (self.random.between(3, 900), self.random.between(100, 9000), self.random.between(9000, 190_000));
        format!(
            r#"{{"input_tokens":{input},"cache_creation_input_tokens":{written},"cache_read_input_tokens":{read},"cache_creation":{{"ephemeral_5m_input_tokens":{written},"ephemeral_1h_input_tokens":0}},"output_tokens":1,"service_tier":"standard","inference_geo":"not_available"}}"#
        )
    }

    /// A call of one of the usual tools.
    pub(super) fn call(&mut self) -> Call {
        let random = &mut self.random;
        let (name, input) = match random.between(0, 9) {
            0..=3 => {
                let command =
                    format!("rg -n \"{}\" src | head -{}", prose::word(random), random.between(5, 80));
                let why = prose::text(random, 30);
                ("Bash", format!(r#"{{"command":{},"description":{}}}"#, quoted(&command), quoted(&why)))
            }
            4..=6 => {
                let limit = random.between(40, 800);
                (
                    "Read",
                    format!(
                        r#"{{"file_path":"/home/ada/basin/src/{}.rs","limit":{limit}}}"#,
                        prose::word(random)
                    ),
                )
            }
            _ => {
                let (old_size, new_size) = (random.size(60, 800), random.size(60, 1200));
                let (old, new) = (prose::code(random, old_size), prose::code(random, new_size));
                let path = prose::word(random);
                (
                    "Edit",
                    format!(
                        r#"{{"file_path":"/home/ada/basin/src/{path}.rs","old_string":{},"new_string":{},"replace_all":false}}"#,
                        quoted(&old),
                        quoted(&new)
                    ),
                )
            }
        };
        Call { id: random.id("toolu"), name, input }
    }

    /// What a tool gave back, once for the model and once for the host.
    pub(super) fn tool_result(&mut self, lines: &mut Lines, call: &Call, size: usize) {
        let id = &call.id;
        let (content, result) = match call.name {
            "Bash" => {
                let output = quoted(&prose::output(&mut self.random, size));
                let result = format!(
                    r#"{{"stdout":{output},"stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}}"#
                );
                (output, result)
            }
            "Read" => {
                let code = prose::code(&mut self.random, size);
                let count = code.lines().count();
                let numbered: Vec<_> = code
                    .lines()
                    .enumerate()
                    .map(|(index, line)| format!("{:>6}\t{line}", index + 1))
                    .collect();
                let result = format!(
                    r#"{{"type":"text","file":{{"filePath":"/home/ada/basin/src/arch.rs","content":{},"numLines":{count},"startLine":1,"totalLines":{count}}}}}"#,
                    quoted(&code)
                );
                (quoted(&numbered.join("\n")), result)
            }
            _ => {
                let change = prose::code(&mut self.random, size);
                let patch: Vec<_> = change.lines().map(|line| quoted(&format!("+{line}"))).collect();
                let result = format!(
                    r#"{{"filePath":"/home/ada/basin/src/arch.rs","oldString":"","newString":{},"structuredPatch":[{{"oldStart":12,"oldLines":7,"newStart":12,"newLines":{},"lines":[{}]}}],"userModified":false,"replaceAll":false}}"#,
                    quoted(&change),
                    patch.len(),
                    patch.join(",")
                );
                (quoted("The file /home/ada/basin/src/arch.rs has been updated successfully."), result)
            }
        };
        let (session, uuid, timestamp) = (self.id.clone(), self.uuid(), self.timestamp());
        lines.push(&format!(
            r#"{{"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"{id}","type":"tool_result","content":{content},"is_error":false}}]}},"parent_tool_use_id":null,"session_id":"{session}","uuid":"{uuid}","timestamp":"{timestamp}","tool_use_result":{result},"tool_result_meta":[{{"id":"{id}","permission_decision":{{"decision":"accept","source":"config","reason_type":"mode"}}}}]}}"#
        ));
    }

    /// The frame that closes a turn. Its `type` is far from the front.
    pub(super) fn result(&mut self, lines: &mut Lines, answer: &str) {
        let random = &mut self.random;
        let (input, output, written, read) = (
            random.between(3, 9000),
            random.between(40, 9000),
            random.between(100, 90_000),
            random.between(9000, 900_000),
        );
        let cost = format!("0.{:06}", random.between(1000, 999_999));
        let (took, api, first) =
            (random.between(9000, 90_000), random.between(4000, 9000), random.between(400, 4000));
        let model_usage = format!(
            r#"{{"{MODEL}":{{"inputTokens":{input},"outputTokens":{output},"cacheReadInputTokens":{read},"cacheCreationInputTokens":{written},"webSearchRequests":0,"costUSD":{cost},"contextWindow":1000000,"maxOutputTokens":128000,"thinkingTokens":12,"cacheCreationEphemeral5mInputTokens":{written},"cacheCreationEphemeral1hInputTokens":0,"canonicalModel":"{MODEL}","provider":"firstParty","costBasis":"list"}},"claude-haiku-5":{{"inputTokens":911,"outputTokens":24,"cacheReadInputTokens":0,"cacheCreationInputTokens":0,"webSearchRequests":0,"costUSD":0.001031,"contextWindow":200000,"maxOutputTokens":64000,"thinkingTokens":0,"cacheCreationEphemeral5mInputTokens":0,"cacheCreationEphemeral1hInputTokens":0,"canonicalModel":"claude-haiku-5","provider":"firstParty","costBasis":"list"}}}}"#
        );
        let (session, uuid, answer) = (&self.id, random.uuid(), quoted(answer));
        let index = self.turn;
        lines.push(&format!(
            r#"{{"duration_api_ms":{api},"stop_reason":"end_turn","session_id":"{session}","total_cost_usd":{cost},"usage":{{"input_tokens":{input},"cache_creation_input_tokens":{written},"cache_read_input_tokens":{read},"output_tokens":{output},"output_tokens_details":{{"thinking_tokens":12}},"server_tool_use":{{"web_search_requests":0,"web_fetch_requests":0}},"service_tier":"standard","cache_creation":{{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":{written}}},"inference_geo":"","iterations":[],"speed":"standard","fallback_credit":null}},"modelUsage":{model_usage},"permission_denials":[],"terminal_reason":"completed","fast_mode_state":"off","subagent_stats":{{"spawned":0,"requested":{{"background":0,"foreground":0,"unset":0}},"started_in_background":0,"max_depth":0,"spawned_by_subagents":0,"completed":0,"failed":0,"killed":{{"parent":0,"user":0,"system":0}},"refused":{{"depth_limit":0,"concurrency_limit":0,"budget":0}},"by_type":{{}}}},"safety_stops":0,"is_error":false,"num_turns":4,"subtype":"success","api_error_status":null,"result":{answer},"ttft_ms":{first},"type":"result","duration_ms":{took},"uuid":"{uuid}","ttft_stream_ms":{first},"time_to_request_ms":31,"first_content_frame_ms":{first},"queued_turn_count":0,"result_index":{index},"model_usage_since_last_result":{model_usage}}}"#
        ));
    }
}

/// The blocks of a finished message.
pub(super) fn text_block(text: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, quoted(text))
}

pub(super) fn thinking_block(thinking: &str, signature: &str) -> String {
    format!(r#"{{"type":"thinking","thinking":{},"signature":"{signature}"}}"#, quoted(thinking))
}

pub(super) fn tool_use_block(call: &Call) -> String {
    let Call { id, name, input } = call;
    format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}"#)
}

/// Text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
