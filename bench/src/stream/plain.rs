//! A stream without partial messages: finished messages and what tools gave back.

use super::Lines;
use super::frames::{Session, text_block, thinking_block, tool_use_block};
use super::prose;

/// Adds a turn: two to eight calls of the model, all but the last with a tool at their end.
pub(super) fn turn(session: &mut Session, lines: &mut Lines) {
    session.begin_turn();
    session.init(lines);
    let calls = session.random.between(2, 8);
    let mut answer = String::new();
    for call in 1..=calls {
        let (message, request) = (session.random.id("msg"), session.random.id("req"));
        if session.random.percent(40) {
            let size = session.random.size(200, 4000);
            let (thinking, signature) = (prose::text(&mut session.random, size), session.random.letters(344));
            let block = thinking_block(&thinking, &signature);
            session.assistant(lines, &message, &request, &block, r#","thinking_duration_ms":2410"#);
        }
        if call == calls || session.random.percent(50) {
            let size = session.random.size(80, 3000);
            answer = prose::text(&mut session.random, size);
            session.assistant(lines, &message, &request, &text_block(&answer), "");
        }
        if call < calls {
            let tool = session.call();
            session.assistant(lines, &message, &request, &tool_use_block(&tool), "");
            let size = session.random.size(200, 20_000);
            session.tool_result(lines, &tool, size);
        }
    }
    session.result(lines, &answer);
}
