//! The scripted model in process.

use std::time::Duration;

use aqueduct_model::script::{MessagePlan, PlaybackStep, ScriptError, ScriptedAnswer};
use aqueduct_model::{ModelEvent, ModelMessage, ModelTool, Request, RequestRole, RetryNotice, Scripted};
use aqueduct_wire::FromAgent;
use aqueduct_wire::assemble::Assembler;
use aqueduct_wire::event::StreamEvent;
use aqueduct_wire::json::{Json, Raw, Reader, Walk};
use proptest::prelude::*;
use serde_json::{Value, json};

fn say(role: RequestRole, content: Value) -> ModelMessage {
    ModelMessage { role, content: Raw::from(&content) }
}

fn user(text: &str) -> ModelMessage {
    say(RequestRole::User, json!(text))
}

fn assistant() -> ModelMessage {
    say(RequestRole::Assistant, json!("…"))
}

fn result(content: Value, is_error: bool) -> ModelMessage {
    let block =
        json!({ "type": "tool_result", "tool_use_id": "t", "content": content, "is_error": is_error });
    say(RequestRole::User, json!([block]))
}

fn ask(messages: Vec<ModelMessage>) -> Request {
    Request { model: "scripted".to_owned(), messages, ..Request::default() }
}

fn plan(scripted: &Scripted, messages: Vec<ModelMessage>) -> MessagePlan {
    match scripted.answer(&ask(messages)) {
        ScriptedAnswer::Message(plan) => plan,
        ScriptedAnswer::Failure(failure, _) => panic!("{failure:?}"),
    }
}

fn value<'a>(json: &impl Json<'a>) -> Value {
    let mut text = String::new();
    json.write(&mut text);
    serde_json::from_str(&text).unwrap()
}

/// The content of the answer to one prompt.
fn content(prompt: &str) -> Value {
    value(&plan(&Scripted::default(), vec![user(prompt)]).message())["content"].take()
}

fn text(plan: &MessagePlan) -> String {
    let message = value(&plan.message());
    let blocks = message["content"].as_array().unwrap();
    blocks.iter().filter_map(|block| block["text"].as_str()).collect()
}

fn answer(scripted: &Scripted, messages: Vec<ModelMessage>) -> String {
    text(&plan(scripted, messages))
}

/// Everything that comes during a call: events in short, and the error.
async fn events(scripted: &Scripted, prompt: &str) -> Vec<String> {
    let mut stream = scripted.stream(ask(vec![user(prompt)]));
    let mut seen = Vec::new();
    while let Some(event) = stream.next().await {
        seen.push(match event {
            Ok(ModelEvent::Accepted { request_id, .. }) => format!("accepted {}", request_id.unwrap()),
            Ok(ModelEvent::Stream(json)) => {
                let event: Value = serde_json::from_str(&json).unwrap();
                let delta = event["delta"]["text"].as_str().or(event["delta"]["partial_json"].as_str());
                [event["type"].as_str().unwrap(), delta.unwrap_or_default()].join(" ").trim_end().to_owned()
            }
            Ok(ModelEvent::Retry(RetryNotice { attempt, delay, status, kind, .. })) => {
                format!("retry {attempt} in {delay:?}: {kind:?} {status:?}")
            }
            Ok(other) => format!("{other:?}"),
            Err(error) => {
                format!("{:?} {:?} {:?} streamed={}", error.kind, error.status, error.name, error.streamed)
            }
        });
    }
    seen
}

#[tokio::test]
async fn a_message_is_streamed_as_the_api_does() {
    insta::assert_snapshot!(events(&Scripted::default(), r#"@saytool I look|Bash {"command":"ls -l src"}"#).await.join("\n"), @r#"
    accepted req_0001
    message_start
    content_block_start
    content_block_delta I look
    content_block_stop
    content_block_start
    content_block_delta {"command":"ls -l sr
    content_block_delta c"}
    content_block_stop
    message_delta
    message_stop
    "#);
}

#[test]
fn every_line_has_its_answer() {
    assert_eq!(content("@say hi there"), json!([{ "type": "text", "text": "hi there" }]));
    assert_eq!(
        content("@think one two | three"),
        json!([
            { "type": "thinking", "thinking": "one two ", "signature": "c2ln" },
            { "type": "text", "text": "three" },
        ])
    );
    assert_eq!(
        content(r#"@tools [["A",{"n":1}],["B",{}]]"#),
        json!([
            { "type": "tool_use", "id": "toolu_0001", "name": "A", "input": { "n": 1 } },
            { "type": "tool_use", "id": "toolu_0002", "name": "B", "input": {} },
        ])
    );
    assert_eq!(content("@tool A")[0]["input"], json!({}));
    assert_eq!(content("@slow 3 0")[0]["text"], "w0 w1 w2 ");
    assert_eq!(content("@flood 10 4")[0]["text"], "Much water");
    assert_eq!(
        content(
            r#"@blocks [{"type":"redacted_thinking","data":"x"},{"type":"server_tool_use","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_0001","content":[]},{"type":"text","text":"a\nb"}]"#
        ),
        json!([
            { "type": "redacted_thinking", "data": "x" },
            { "type": "server_tool_use", "id": "srvtoolu_0001", "name": "web_search", "input": { "query": "q" } },
            { "type": "web_search_tool_result", "tool_use_id": "srvtoolu_0001", "content": [] },
            { "type": "text", "text": "a\nb" },
        ])
    );
}

#[test]
fn a_script_continues_from_turn_to_turn() {
    let scripted = Scripted::default();
    let script = user("first\n@tool A {}\nbetween\n@repeat 2\n@tool B {}\n@say done");
    let mut messages = vec![script];
    let mut answer_text = Vec::new();
    for turn in 0..5 {
        let message = value(&plan(&scripted, messages.clone()).message());
        let block = &message["content"][0];
        answer_text.push(block["name"].as_str().or(block["text"].as_str()).unwrap().to_owned());
        messages
            .extend([assistant(), result(json!([{ "type": "text", "text": format!("r{turn}") }]), false)]);
    }
    assert_eq!(answer_text, ["A", "B", "B", "done", "after: r3"]);
}

#[test]
fn a_result_beyond_the_script_is_cut_to_eighty_characters() {
    let messages = vec![user("@tool A"), assistant(), result(json!("ü".repeat(90)), false)];
    assert_eq!(answer(&Scripted::default(), messages), format!("after: {}", "ü".repeat(80)));
}

#[test]
fn the_newest_words_with_a_script_count() {
    let reminder = json!([{ "type": "text", "text": "<system-reminder>demo</system-reminder>" }, { "type": "text", "text": "@say new" }]);
    let messages = vec![user("@say old"), assistant(), say(RequestRole::User, reminder)];
    assert_eq!(answer(&Scripted::default(), messages), "new");
    // A mentioned file is not a script.
    assert!(answer(&Scripted::default(), vec![user("@src/main.rs @you")]).contains("demo without a model"));
}

#[test]
fn of_prompts_in_one_message_the_last_counts() {
    let interrupted = json!({ "type": "text", "text": "@say one\n@say two" });
    let note = json!({ "type": "text", "text": "[Request interrupted by user]" });
    let next = json!({ "type": "text", "text": "@say three" });
    let message = say(RequestRole::User, json!([interrupted, note, next]));
    assert_eq!(answer(&Scripted::default(), vec![message]), "three");
}

#[test]
fn a_wrong_line_is_named() {
    let wrong = |script: &str| answer(&Scripted::default(), vec![user(script)]);
    insta::assert_snapshot!(
        [
            "@nonsense", "@tool", "@tool A [1]", "@tool A {", "@tools {}", "@tools [[1,{}]]", "@slow x 1", "@slow 1 -1",
            "@fail 200 1 x", "@fail 500", "@flood 1 0", "@blocks {}", r#"@blocks [{"text":"x"}]"#, "@saytool x",
            "@usage 5\n@say x", "@delta 0\n@say x", "@stop\n@say x", "@wait\n@say x", "@repeat 0\n@say x", "@drop 1",
            "@limits\n@say x", "@limits a\u{e4}\n@say x", "@limits a b soon\n@say x", "@limits a b 1 c\n@say x",
        ].map(wrong).join("\n"), @r##"
    Line 1 of the script is wrong: `@nonsense`: unknown command @nonsense.
    Line 1 of the script is wrong: `@tool`: expected NAME JSON.
    Line 1 of the script is wrong: `@tool A [1]`: a tool's input must be a JSON object, not [1].
    Line 1 of the script is wrong: `@tool A {`: invalid input: not JSON: expected a member name in quotes at byte 1.
    Line 1 of the script is wrong: `@tools {}`: expected [[NAME, INPUT], …] in JSON.
    Line 1 of the script is wrong: `@tools [[1,{}]]`: expected [[NAME, INPUT], …] in JSON.
    Line 1 of the script is wrong: `@slow x 1`: COUNT must be a whole number from 0 to 1000000, not "x".
    Line 1 of the script is wrong: `@slow 1 -1`: SECONDS must be a number such as 2 or 0.05, not "-1".
    Line 1 of the script is wrong: `@fail 200 1 x`: STATUS must be a whole number from 400 to 599, not "200".
    Line 1 of the script is wrong: `@fail 500`: expected STATUS TIMES TEXT.
    Line 1 of the script is wrong: `@flood 1 0`: DELTA_BYTES must be a whole number from 1 to 1048576, not "0".
    Line 1 of the script is wrong: `@blocks {}`: expected a JSON list of content blocks.
    Line 1 of the script is wrong: `@blocks [{"text":"x"}]`: a block needs a "type": {"text":"x"}.
    Line 1 of the script is wrong: `@saytool x`: expected TEXT | NAME JSON.
    Line 1 of the script is wrong: `@usage 5`: expected a JSON object such as {"output_tokens":5}.
    Line 1 of the script is wrong: `@delta 0`: CHARS must be a whole number from 1 to 1048576, not "0".
    Line 1 of the script is wrong: `@stop`: expected REASON [SEQUENCE].
    Line 1 of the script is wrong: `@wait`: expected SECONDS.
    Line 1 of the script is wrong: `@repeat 0`: TURNS must be a whole number from 1 to 4294967295, not "0".
    Line 1 of the script is wrong: `@drop 1`: it changes the turn that follows, and none follows.
    Line 1 of the script is wrong: `@limits`: expected STATUS [TYPE [RESETS_AT]].
    Line 1 of the script is wrong: `@limits aä`: STATUS must consist of letters, digits, _ and -, not "aä".
    Line 1 of the script is wrong: `@limits a b soon`: RESETS_AT must be a whole number from 0 to 18446744073709551615, not "soon".
    Line 1 of the script is wrong: `@limits a b 1 c`: expected STATUS [TYPE [RESETS_AT]].
    "##);
}

#[test]
fn a_line_can_change_the_turn_that_follows() {
    let scripted = Scripted::default();
    let one = |script: &str| value(&plan(&scripted, vec![user(script)]).message());
    assert_eq!(one("@stop refusal\n@say I won't")["stop_reason"], "refusal");
    assert_eq!(one("@stop max_tokens\n@say cut")["stop_reason"], "max_tokens");
    assert_eq!(one("@stop pause_turn\n@say later")["stop_reason"], "pause_turn");
    let stopped = one("@stop stop_sequence END\n@say x");
    assert_eq!(
        (&stopped["stop_reason"], &stopped["stop_sequence"]),
        (&json!("stop_sequence"), &json!("END"))
    );
    let usage = &one("@usage {\"input_tokens\":7,\"output_tokens\":9}\n@say x")["usage"];
    assert_eq!(
        *usage,
        json!({ "input_tokens": 7, "output_tokens": 9, "cache_creation_input_tokens": 100,
                "cache_read_input_tokens": 50, "service_tier": "standard" })
    );
}

#[tokio::test]
async fn limits_are_reported_only_if_the_script_sets_them() {
    let limits = async |script: &str| {
        let mut stream = Scripted::default().stream(ask(vec![user(script)]));
        let Some(Ok(ModelEvent::Accepted { rate_limits, .. })) = stream.next().await else {
            panic!("not accepted")
        };
        rate_limits.into_iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>()
    };
    assert_eq!(limits("@say x").await, [""; 0]);
    assert_eq!(limits("@limits allowed\n@say x").await, ["anthropic-ratelimit-unified-status: allowed"]);
    assert_eq!(
        limits("@limits allowed_warning five_hour 1893456000\n@say x").await,
        [
            "anthropic-ratelimit-unified-status: allowed_warning",
            "anthropic-ratelimit-unified-reset: 1893456000",
            "anthropic-ratelimit-unified-representative-claim: five_hour",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_stall_is_waited_out_like_one_of_an_api() {
    let start = tokio::time::Instant::now();
    let seen = events(&Scripted::default(), "@stall 1 1\n@say hello world").await;
    assert_eq!(seen.last().unwrap(), "message_stop");
    assert_eq!(start.elapsed(), aqueduct_model::stream::SILENCE + Duration::from_millis(500));
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_too_long_is_an_error() {
    let seen = events(&Scripted::default(), "@retry-after 3600\n@fail 429 1 x").await;
    assert_eq!(seen, [r#"RateLimit Some(429) Some("rate_limit_error") streamed=false"#]);
}

#[tokio::test(start_paused = true)]
async fn deltas_have_the_size_and_the_pauses_that_are_asked_for() {
    let start = tokio::time::Instant::now();
    let seen = events(&Scripted::default(), "@wait 5\n@delta 3 2\n@say abcdefg").await;
    let deltas: Vec<_> = seen.iter().filter_map(|event| event.strip_prefix("content_block_delta ")).collect();
    assert_eq!(deltas, ["abc", "def", "g"]);
    assert_eq!(start.elapsed(), Duration::from_secs(5 + 3 * 2));
}

#[tokio::test(start_paused = true)]
async fn failures_that_pass_are_tried_again() {
    let scripted = Scripted::default();
    insta::assert_snapshot!(events(&scripted, "@fail 529 2 ok").await[..4].join("\n"), @r##"
    retry 1 in 500ms: Overloaded Some(529)
    retry 2 in 1s: Overloaded Some(529)
    accepted req_0003
    message_start
    "##);
    // The line has failed as often as it should.
    assert_eq!(events(&scripted, "@fail 529 2 ok").await[0], "accepted req_0004");
    let seen = events(&scripted, "@retry-after 7\n@fail 429 99 never").await;
    assert_eq!((seen.len(), seen[9].as_str()), (11, "retry 10 in 7s: RateLimit Some(429)"));
    assert_eq!(seen[10], r#"RateLimit Some(429) Some("rate_limit_error") streamed=false"#);
    let slow = Scripted::default().with_retry_delay(Duration::ZERO);
    assert_eq!(events(&slow, "@fail 500 1 ok").await[0], "retry 1 in 0ns: Server Some(500)");
}

#[tokio::test(start_paused = true)]
async fn failures_that_last_end_the_call() {
    let scripted = Scripted::default();
    for (script, error) in [
        ("@fail 400 9 x", r#"Invalid Some(400) Some("invalid_request_error") streamed=false"#),
        ("@fail 403 9 x", r#"Permission Some(403) Some("permission_error") streamed=false"#),
        ("@toolong", r#"ContextTooLong Some(400) Some("invalid_request_error") streamed=false"#),
    ] {
        assert_eq!(events(&scripted, script).await, [error]);
    }
}

#[tokio::test(start_paused = true)]
async fn streams_break_where_they_should() {
    let scripted = Scripted::default();
    let ends = async |script: &str| events(&scripted, script).await.pop().unwrap();
    assert_eq!(
        ends("@error 1 overloaded_error\n@say hello world").await,
        r#"Overloaded None Some("overloaded_error") streamed=false"#
    );
    assert_eq!(ends("@drop 1\n@say hello world").await, "Connection None None streamed=false");
    assert_eq!(ends("@stall 2\n@say hello world").await, "Stalled None None streamed=false");
    // More deltas than there are: before the end.
    let seen = events(&scripted, "@drop 99\n@say hello world").await;
    assert_eq!(seen[seen.len() - 2..], ["content_block_stop", "Connection None None streamed=true"]);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_breaks_before_any_output_is_tried_again() {
    let seen = events(&Scripted::default(), "@drop 0 1\n@say hello").await;
    assert_eq!(
        seen[..4],
        ["accepted req_0001", "message_start", "retry 1 in 500ms: Connection None", "accepted req_0002"]
    );
    assert_eq!(seen.last().unwrap(), "message_stop");
}

#[tokio::test]
async fn a_reader_that_goes_away_ends_the_call() {
    let mut stream = Scripted::default().stream(ask(vec![user("@flood 4000000000 10")]));
    for _ in 0..100 {
        assert!(matches!(stream.next().await, Some(Ok(_))));
    }
    drop(stream);
}

const SCRIPT: &str = r#"
# Titles are asked for by another prompt.
when system contains "title"
@say A title

when prompt like "fix *bug?" and model is "scripted"
@saytool Looking|Read {"file_path":"/proj/a.rs"}
@say fixed

when result contains "No such file"
@say It is not there.

when prompt starts-with "once \"upon\"" times 1
@say the first time

otherwise
@say otherwise
"#;

#[test]
fn a_script_file_answers_by_rules() {
    let scripted = Scripted::from_script(SCRIPT).unwrap();
    let one = |prompt: &str| answer(&scripted, vec![user(prompt)]);
    assert_eq!(one("fix the bug!"), "Looking");
    assert_eq!(one("fix the bug"), "otherwise");
    assert_eq!(one(r#"once "upon" a time"#), "the first time");
    assert_eq!(one(r#"once "upon" a time"#), "otherwise");
    assert_eq!(one("@say in the prompt"), "in the prompt");
    let tool = vec![user("fix the bug!"), assistant(), result(json!("fn main"), false)];
    assert_eq!(answer(&scripted, tool), "fixed");
    let failed = vec![user("continue"), assistant(), result(json!("No such file"), true)];
    assert_eq!(answer(&scripted, failed), "It is not there.");
    let mut request = ask(vec![user("fix the bug!")]);
    request.system = vec!["You are".to_owned(), "Make a title".to_owned()];
    let ScriptedAnswer::Message(plan) = scripted.answer(&request) else { panic!("no message") };
    assert_eq!(text(&plan), "A title");
}

#[test]
fn a_wrong_script_file_is_refused_with_the_line() {
    let error = |text: &str| {
        let ScriptError { line, error } = Scripted::from_script(text).unwrap_err();
        format!("{line}: {error}")
    };
    insta::assert_snapshot!(
        [
            "hello", "@say x", "when", "when prompt", "when prompt contains hello\n@say x", "when prompt is \"x",
            "when weather is \"x\"", "when prompt is \"x\" or", "when prompt is \"x\" times many", "otherwise not",
            "when prompt is \"x\" times 1 2", "# c\n\nwhen prompt is \"x\"\n", "otherwise\n@say x\n@tool\n",
        ].map(error).join("\n"), @r##"
    1: "hello" is none of: `when …`, `otherwise`, an @ line, or a comment after #
    1: a line `when …` or `otherwise` must precede it
    1: expected one of prompt, system, result, model, not ""
    1: expected one of contains, is, starts-with, like, not ""
    1: expected a text in quotes, not "hello"
    1: expected a text in quotes, not "\"x"
    1: expected one of prompt, system, result, model, not "weather"
    1: expected `and`, `times` or the end of the line, not "or"
    1: expected a number after `times`, not "many"
    1: nothing may follow `otherwise`
    1: nothing may follow `times N`, but "2" does
    3: @ lines must follow it
    3: @tool: expected NAME JSON
    "##);
}

fn tool(name: &str) -> ModelTool {
    ModelTool::Local { name: name.to_owned(), description: String::new(), schema: Raw::from(&json!({})) }
}

/// A whole tour: texts and calls, a line for each turn of the model.
fn tour(tools: &[&str], system: &str, refused: &str) -> String {
    let scripted = Scripted::default();
    let mut request = ask(vec![user("Show me the demo, please")]);
    request.tools = tools.iter().map(|name| tool(name)).collect();
    request.system = vec![system.to_owned()];
    let mut out = String::new();
    loop {
        let ScriptedAnswer::Message(plan) = scripted.answer(&request) else { panic!("no message") };
        let message = value(&plan.message());
        let call = message["content"].as_array().unwrap().iter().find(|block| block["type"] == "tool_use");
        out += text(&plan).lines().next().unwrap();
        let Some(call) = call else { return out };
        out += &format!(
            "\n  {} {}\n",
            call["name"].as_str().unwrap(),
            call["input"].to_string().chars().take(70).collect::<String>()
        );
        let is_refused = call["name"] == refused;
        request.messages.extend([assistant(), result(json!("a\nb\n"), is_refused)]);
    }
}

#[test]
fn the_demo_shows_what_the_tools_allow() {
    let all = ["Bash", "Write", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode"];
    insta::assert_snapshot!(tour(&all, "Working directory: /proj/\n", ""), @r##"
    Welcome to the demo! I have **no model** behind me, but everything else is real.
      Bash {"command":"ls","description":"List the files here"}
    I got **2 lines** back.
      Write {"content":"Hello from the demo.\n","file_path":"/proj/demo.txt"}
    Done: there is a file `demo.txt` now.
      AskUserQuestion {"questions":[{"header":"First task","multiSelect":false,"options":[{"
    Thank you, noted.
      EnterPlanMode {}
    From here on I may only look.
      ExitPlanMode {"plan":"# Tidy up after the demo\n\n1. Look whether `demo.txt` is the
    Approved. I promised to do nothing, and I keep that.
    "##);
    insta::assert_snapshot!(tour(&all, "", "EnterPlanMode"), @r##"
    Welcome to the demo! I have **no model** behind me, but everything else is real.
      Bash {"command":"ls","description":"List the files here"}
    I got **2 lines** back.
      Bash {"command":"touch demo.txt","description":"Make an empty file"}
    Done: there is a file `demo.txt` now.
      AskUserQuestion {"questions":[{"header":"First task","multiSelect":false,"options":[{"
    Thank you, noted.
      EnterPlanMode {}
    No plan then.
    "##);
    insta::assert_snapshot!(tour(&["Glob", "ExitPlanMode"], "", "Glob"), @r##"
    Welcome to the demo! I have **no model** behind me, but everything else is real.
      Glob {"pattern":"*"}
    That did not work here. Never mind.
    "##);
    insta::assert_snapshot!(tour(&[], "", ""), @"That was the demo. In a few words:");
}

/// Plays a plan and checks every event, up to a size. Returns the message that the assembler makes of it.
fn played(plan: MessagePlan) -> Option<Value> {
    let mut assembler = Assembler::new();
    let mut size = 0;
    let mut is_known = true;
    for time in plan.play() {
        let PlaybackStep::Say(event) = time else { continue };
        let mut json = String::new();
        event.write(&mut json);
        size += json.len();
        if size > 1 << 20 {
            return None;
        }
        let read = StreamEvent::read(&mut Reader::new(&json)).unwrap().into_owned();
        read.leftovers(&mut Walk::new(&mut |_| is_known = false));
        let frame = format!(r#"{{"type":"stream_event","event":{json}}}"#);
        assembler.push(&FromAgent::parse(&frame).unwrap());
    }
    assert!(is_known);
    Some(value(&assembler.message(None)?.to_message()))
}

#[test]
fn what_the_stars_of_a_rule_matched_is_in_its_lines() {
    let script = "when prompt like \"run * in *\"\n@tool Bash {\"command\":\"{1}\",\"cwd\":\"{2}\"}\n@say ran {1} in {2}\n";
    let scripted = Scripted::from_script(script).unwrap();
    let prompt = user("run echo \"a\" in /proj in the end");
    let called = value(&plan(&scripted, vec![prompt.clone()]).message());
    let input = json!({ "command": "echo \"a\"", "cwd": "/proj in the end" });
    assert_eq!(called["content"][0]["input"], input);
    let messages = vec![prompt, assistant()];
    let answer_text = value(&plan(&scripted, messages).message());
    assert_eq!(answer_text["content"][0]["text"], "ran echo \"a\" in /proj in the end");
}

proptest! {
    #[test]
    fn what_is_played_is_what_was_planned(
        thought in "[a-zä ]{0,20}", answer_text in "\\PC{0,40}", size in 1usize..30, key in "[a-z]{1,9}", number: i32, flood in 0u32..300,
    ) {
        let scripted = Scripted::default();
        let input = json!({ key: number, "said": answer_text });
        for script in [
            format!("@delta {size}\n@think {thought} | {answer_text}"),
            format!("@say {answer_text}"),
            format!("@delta {size}\n@saytool {thought} | ModelTool {input}"),
            format!("@flood {flood} {size}"),
            format!("@delta word\n@blocks {}", json!([{ "type": "text", "text": answer_text }, { "type": "thinking", "thinking": thought }])),
        ] {
            let plan = plan(&scripted, vec![user(&script)]);
            let planned = value(&plan.message());
            prop_assert_eq!(played(plan), Some(planned));
        }
    }

    #[test]
    fn no_prompt_and_no_file_is_too_much(lines in proptest::collection::vec("(@(say|tool|tools|think|slow|fail|blocks|usage|delta|stop|drop|error|stall|repeat|flood|wait|toolong)|when prompt|otherwise) ?\\PC{0,20}", 0..6)) {
        let script = lines.join("\n");
        let _ = Scripted::from_script(&script);
        if let ScriptedAnswer::Message(plan) = Scripted::default().answer(&ask(vec![user(&script)])) {
            plan.play().take(1000).for_each(drop);
        }
    }
}
