//! A stream with partial messages: a turn is hundreds of short stream events and a few whole frames.

use super::Lines;
use super::frames::{self, MODEL, Session, quoted, text_block, thinking_block, tool_use_block};
use super::prose;

/// Adds a turn: one to four calls of the model, all but the last with a tool at their end.
pub(super) fn turn(session: &mut Session, lines: &mut Lines) {
    // Agents of today write an event's `type` last; older ones, and events that the agent makes up
    // itself, have it first.
    let type_last = !session.begin_turn().is_multiple_of(3);
    session.init(lines);
    let calls = session.random.between(1, 4);
    let mut answer = String::new();
    for call in 1..=calls {
        let mut message = Message::begin(session, lines, type_last);
        if session.random.percent(60) {
            message.thinking(session, lines);
        }
        if call == calls || session.random.percent(70) {
            answer = message.text(session, lines);
        }
        let tool = (call < calls).then(|| message.tool_use(session, lines));
        message.end(session, lines, tool.is_some());
        if let Some(tool) = tool {
            let size = session.random.size(200, 3000);
            session.tool_result(lines, &tool, size);
        }
    }
    session.result(lines, &answer);
}

/// A message as it streams in.
struct Message {
    id: String,
    request: String,
    type_last: bool,
    index: usize,
}

impl Message {
    fn begin(session: &mut Session, lines: &mut Lines, type_last: bool) -> Self {
        let (id, request) = (session.random.id("msg"), session.random.id("req"));
        let (name, uuid, usage) = (session.id.clone(), session.uuid(), session.opening_usage());
        lines.push(&format!(
            r#"{{"type":"system","subtype":"status","status":"requesting","session_id":"{name}","uuid":"{uuid}"}}"#
        ));
        let message = Message { id, request, type_last, index: 0 };
        let body = format!(
            r#""message":{{"id":"{}","type":"message","role":"assistant","model":"{MODEL}","content":[],"stop_reason":null,"stop_sequence":null,"usage":{usage}}}"#,
            message.id
        );
        let first = session.random.between(300, 4000);
        message.event(session, lines, "message_start", &body, &format!(r#","ttft_ms":{first}"#));
        message
    }

    fn thinking(&mut self, session: &mut Session, lines: &mut Lines) {
        const DISPLAY: &str = r#","thinking_display":"updates""#;
        let size = session.random.size(200, 4000);
        let thinking = prose::text(&mut session.random, size);
        self.start(session, lines, r#"{"type":"thinking","thinking":"","signature":""}"#, DISPLAY);
        let mut tokens = 0;
        for piece in prose::pieces(&mut session.random, &thinking, 8, 90) {
            let more = piece.len().div_ceil(4);
            tokens += more;
            let (name, uuid) = (session.id.clone(), session.uuid());
            if session.random.percent(25) {
                lines.push(&format!(
                    r#"{{"type":"system","subtype":"thinking_tokens","estimated_tokens":{tokens},"estimated_tokens_delta":{more},"session_id":"{name}","uuid":"{uuid}"}}"#
                ));
            }
            let delta = format!(r#"{{"type":"thinking_delta","thinking":{}}}"#, quoted(piece));
            self.delta(session, lines, &delta, DISPLAY);
        }
        let signature = session.random.letters(344);
        self.delta(session, lines, &format!(r#"{{"type":"signature_delta","signature":"{signature}"}}"#), "");
        self.stop(session, lines, &thinking_block(&thinking, &signature), DISPLAY);
    }

    fn text(&mut self, session: &mut Session, lines: &mut Lines) -> String {
        let size = session.random.size(300, 6000);
        let text = prose::text(&mut session.random, size);
        self.start(session, lines, r#"{"type":"text","text":""}"#, "");
        for piece in prose::pieces(&mut session.random, &text, 4, 120) {
            self.delta(session, lines, &format!(r#"{{"type":"text_delta","text":{}}}"#, quoted(piece)), "");
        }
        self.stop(session, lines, &text_block(&text), "");
        text
    }

    fn tool_use(&mut self, session: &mut Session, lines: &mut Lines) -> frames::Call {
        let call = session.call();
        let block =
            format!(r#"{{"type":"tool_use","id":"{}","name":"{}","input":{{}}}}"#, call.id, call.name);
        self.start(session, lines, &block, "");
        for piece in prose::pieces(&mut session.random, &call.input, 6, 60) {
            let delta = format!(r#"{{"type":"input_json_delta","partial_json":{}}}"#, quoted(piece));
            self.delta(session, lines, &delta, "");
        }
        self.stop(session, lines, &tool_use_block(&call), "");
        call
    }

    fn end(self, session: &mut Session, lines: &mut Lines, for_tool: bool) {
        let reason = if for_tool { "tool_use" } else { "end_turn" };
        let output = session.random.between(20, 2000);
        let body = format!(
            r#""delta":{{"stop_reason":"{reason}","stop_sequence":null}},"usage":{{"input_tokens":4,"cache_creation_input_tokens":1200,"cache_read_input_tokens":48211,"output_tokens":{output}}}"#
        );
        self.event(session, lines, "message_delta", &body, "");
        self.event(session, lines, "message_stop", "", "");
    }

    fn start(&self, session: &mut Session, lines: &mut Lines, block: &str, tail: &str) {
        let body = format!(r#""index":{},"content_block":{block}"#, self.index);
        self.event(session, lines, "content_block_start", &body, tail);
    }

    fn delta(&self, session: &mut Session, lines: &mut Lines, delta: &str, tail: &str) {
        let body = format!(r#""index":{},"delta":{delta}"#, self.index);
        self.event(session, lines, "content_block_delta", &body, tail);
    }

    /// Ends a block. The finished one comes before the stream reports its end.
    fn stop(&mut self, session: &mut Session, lines: &mut Lines, block: &str, tail: &str) {
        session.assistant(lines, &self.id, &self.request, block, tail);
        let body = format!(r#""index":{}"#, self.index);
        self.event(session, lines, "content_block_stop", &body, "");
        self.index += 1;
    }

    fn event(&self, session: &mut Session, lines: &mut Lines, kind: &str, body: &str, tail: &str) {
        let comma = if body.is_empty() { "" } else { "," };
        let event = if self.type_last {
            format!(r#"{{{body}{comma}"type":"{kind}"}}"#)
        } else {
            format!(r#"{{"type":"{kind}"{comma}{body}}}"#)
        };
        let (name, uuid, id) = (session.id.clone(), session.uuid(), &self.id);
        lines.push(&format!(
            r#"{{"type":"stream_event","event":{event},"session_id":"{name}","parent_tool_use_id":null,"uuid":"{uuid}"{tail},"api_message_id":"{id}"}}"#
        ));
    }
}
