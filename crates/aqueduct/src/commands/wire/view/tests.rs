//! Streams as people see them.

use super::*;

fn shown_with(stream: &str, width: usize, thinking: bool) -> String {
    let screen = TerminalInfo {
        is_terminal: false,
        colour: false,
        notes_colour: false,
        width,
        notes_are_terminal: false,
        progress: false,
        is_dumb: false,
        links: false,
    };
    let mut out = Vec::new();
    let mut view = StreamView { conversation: ViewedConversation::new(&mut out, &screen, thinking) };
    let mut decoder = aqueduct_wire::codec::LineDecoder::default();
    let mut rest = stream.as_bytes();
    while let Some(line) = decoder.next_line(&mut rest) {
        view.line(line).unwrap();
    }
    view.conversation.finish().unwrap();
    drop(view);
    String::from_utf8(out).unwrap()
}

fn shown(stream: &str) -> String {
    shown_with(stream, 80, false)
}

const STREAMED: &str = concat!(
    r#"{"type":"system","subtype":"init","session_id":"0a1b2c3d-0","model":"m-1","cwd":"/home/dev/app","permissionMode":"default"}"#,
    "\n",
    r#"{"type":"stream_event","event":{"type":"message_start","message":{"id":"msg_1","content":[]}}}"#,
    "\n",
    r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}}"#,
    "\n",
    r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let me see"}}}"#,
    "\n",
    r#"{"type":"assistant","message":{"id":"msg_1","content":[{"type":"thinking","thinking":"Let me see","signature":"s"}]}}"#,
    "\n",
    r#"{"type":"stream_event","event":{"type":"content_block_stop","index":0}}"#,
    "\n",
    r#"{"type":"stream_event","event":{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}}"#,
    "\n",
    r#"{"type":"stream_event","event":{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"One\ntw"}}}"#,
    "\n",
    r#"{"type":"stream_event","event":{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"o"}}}"#,
    "\n",
    r#"{"type":"assistant","message":{"id":"msg_1","content":[{"type":"text","text":"One\ntwo, and"}]}}"#,
    "\n",
    r#"{"type":"stream_event","event":{"type":"content_block_stop","index":1}}"#,
    "\n",
    r#"{"type":"result","subtype":"success","is_error":false,"num_turns":1,"duration_ms":61500,"total_cost_usd":0.01234,"usage":{"input_tokens":1200,"cache_read_input_tokens":900,"output_tokens":34}}"#,
    "\n",
);

#[test]
fn text_streams_and_is_not_repeated() {
    insta::assert_snapshot!(shown(STREAMED));
}

const ASKED: &str = concat!(
    r#"{"t":0,"dir":"in","msg":{"type":"user","message":{"role":"user","content":"Make a file,\nplease"}}}"#,
    "\n",
    r#"{"t":1,"dir":"out","msg":{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"touch a"}}]}}}"#,
    "\n",
    r#"{"t":1,"dir":"out","msg":{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"t1","input":{"command":"touch a"}}}}"#,
    "\n",
    r#"{"t":2,"dir":"in","msg":{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"behavior":"allow","updatedInput":{ "command":"touch a" },"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"touch:*"}],"behavior":"allow","destination":"session"}]}}}}"#,
    "\n",
    r#"{"t":3,"dir":"out","msg":{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"made\nand\nmore"}]}}}"#,
    "\n",
    r#"{"t":4,"dir":"out","msg":{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"AskUserQuestion","input":{"questions":[{"question":"Which?","options":[{"label":"A"},{"label":"B"}]}]}}]}}}"#,
    "\n",
    r#"{"t":4,"dir":"out","msg":{"type":"control_request","request_id":"r2","request":{"subtype":"can_use_tool","tool_name":"AskUserQuestion","tool_use_id":"t2","input":{"questions":[{"question":"Which?","options":[{"label":"A"},{"label":"B"}]}]}}}}"#,
    "\n",
    r#"{"t":5,"dir":"in","msg":{"type":"control_response","response":{"subtype":"success","request_id":"r2","response":{"behavior":"allow","updatedInput":{"questions":[],"answers":{"Which?":["A","B"]}}}}}}"#,
    "\n",
    r#"{"t":6,"dir":"out","msg":{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t3","name":"Read","input":{"file_path":"/etc/passwd","limit":5}}]}}}"#,
    "\n",
    r#"{"t":6,"dir":"out","msg":{"type":"control_request","request_id":"r3","request":{"subtype":"can_use_tool","tool_name":"Read","tool_use_id":"t3","input":{"file_path":"/etc/passwd"},"decision_reason":"outside the project"}}}"#,
    "\n",
    r#"{"t":7,"dir":"in","msg":{"type":"control_response","response":{"subtype":"success","request_id":"r3","response":{"behavior":"deny","message":"no"}}}}"#,
    "\n",
    r#"{"t":8,"dir":"out","msg":{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t3","content":"no","is_error":true}]}}}"#,
    "\n",
    r#"{"t":9,"dir":"err","text":"warning: low disk"}"#,
    "\n",
    r#"{"t":9,"dir":"note","text":"exit 0"}"#,
    "\n",
);

#[test]
fn tools_with_a_permission_and_a_question() {
    insta::assert_snapshot!(shown(ASKED));
}

const NESTED: &str = concat!(
    r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Task","input":{"description":"look around","subagent_type":"explorer","prompt":"go"}}]}}"#,
    "\n",
    r#"{"type":"user","parent_tool_use_id":"t1","message":{"role":"user","content":"go and look"}}"#,
    "\n",
    r#"{"type":"stream_event","parent_tool_use_id":"t1","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"I look\nhere"}}}"#,
    "\n",
    r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Meanwhile"}}}"#,
    "\n",
    r#"{"type":"assistant","parent_tool_use_id":"t1","message":{"content":[{"type":"tool_use","id":"t2","name":"Grep","input":{"pattern":"fn main","path":"src"}}]}}"#,
    "\n",
    r#"{"type":"user","parent_tool_use_id":"t1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"","is_error":false}]}}"#,
    "\n",
    r#"{"type":"assistant","parent_tool_use_id":"t1","message":{"content":[{"type":"tool_use","id":"t3","name":"mcp__files__find","input":{"a":1,"b":2}}]}}"#,
    "\n",
    r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"done"}]}]}}"#,
    "\n",
);

#[test]
fn subagents_are_under_their_call() {
    insta::assert_snapshot!(shown(NESTED));
}

const TROUBLED: &str = concat!(
    "this is not a frame\n",
    r#"{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":555,"error_status":529,"error":"overloaded"}"#,
    "\n",
    r#"{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","rateLimitType":"five_hour","utilization":0.92,"resetsAt":1700000000}}"#,
    "\n",
    r#"{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"}}"#,
    "\n",
    r#"{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":155000,"post_tokens":12000}}"#,
    "\n",
    r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]}}"#,
    "\n",
    r#"{"type":"result","subtype":"error_during_execution","is_error":true,"duration_ms":10,"errors":["aborted"],"terminal_reason":"aborted_streaming"}"#,
    "\n",
    r#"{"type":"assistant","error":"invalid_request","message":{"content":[{"type":"text","text":"API Error: 400"}]}}"#,
    "\n",
    r#"{"type":"result","subtype":"success","is_error":true,"duration_ms":10,"result":"API Error: 400"}"#,
    "\n",
    r#"{"type":"result","subtype":"error_max_turns","is_error":true,"duration_ms":10,"errors":["Reached maximum number of turns (1)"]}"#,
    "\n",
    r#"{"type":"brand_new","x":1}"#,
    "\n",
);

#[test]
fn trouble_is_shown() {
    insta::assert_snapshot!(shown(TROUBLED));
}

#[test]
fn hostile_content_can_do_nothing() {
    let shown = shown_with(
        concat!(
            r#"{"type":"assistant","message":{"content":[{"type":"text","text":"a\u001b[2Jb\r\u009b1mc\u202ed"}]}}"#,
            "\n",
            r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash\u001b]0;x\u0007","input":{"command":"echo \u001b[31m\nrm"}}]}}"#,
            "\n",
            r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"\u001b[1A gone"}]}}"#,
            "\n",
            r#"{"type":"\u001b[2J"}"#,
            "\n",
            "\u{1b}[2J not a frame\n",
        ),
        60,
        true,
    );
    assert!(!shown.chars().any(|char| char.is_control() && char != '\n'), "{shown:?}");
    insta::assert_snapshot!(shown);
}

#[test]
fn thinking_is_shown_once_whichever_way_it_ends() {
    let lines: Vec<_> = STREAMED.lines().collect();
    let stop_first = [&lines[..4], &[lines[5], lines[4]], &lines[6..]].concat().join("\n") + "\n";
    assert_eq!(shown(&stop_first), shown(STREAMED));
    assert!(shown_with(STREAMED, 80, true).contains("Let me see\nOne\n"));
}
