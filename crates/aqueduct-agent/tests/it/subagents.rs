//! Subagents: sent by the model, in the foreground and in the background.

use serde_json::{Value, json};

use crate::host::{Place, find, kinds, lines, tool_results};

const ID: &str = "5b1d7c1e-0f64-4a8e-9a35-8f3f0f2d7a10";

/// A prompt that makes the model send a subagent.
fn send(task: &str, more: Value) -> String {
    let mut input = json!({ "description": "look", "prompt": task });
    for (key, value) in more.as_object().unwrap() {
        input[key] = value.clone();
    }
    format!("@tool Agent {input}")
}

fn waiting(task: &str) -> String {
    send(task, json!({ "run_in_background": false }))
}

fn of_subagent(frames: &[Value]) -> Vec<Value> {
    frames.iter().filter(|frame| frame["parent_tool_use_id"].is_string()).cloned().collect()
}

fn subtypes(frames: &[Value]) -> Vec<&str> {
    let tasks =
        ["task_started", "task_progress", "task_updated", "task_notification", "background_tasks_changed"];
    frames.iter().filter_map(|frame| frame["subtype"].as_str()).filter(|name| tasks.contains(name)).collect()
}

#[test]
fn a_subagent_works_in_a_conversation_of_its_own_and_reports() {
    let place = Place::new();
    let mut host = place.start(&["--session-id", ID, "--dangerously-skip-permissions"]);
    host.say(&waiting("@tool Bash {\"command\":\"echo inner\"}\n@say the report"));
    let frames = host.turn();
    assert_eq!(subtypes(&frames), ["task_started", "task_progress", "task_updated", "task_notification"]);
    let started = frames.iter().find(|frame| frame["subtype"] == "task_started").unwrap();
    assert_eq!(started["is_backgrounded"], false);
    assert_eq!(started["subagent_type"], "general-purpose");
    let inner = of_subagent(&frames);
    assert_eq!(kinds(&inner), ["user/text", "assistant/tool_use", "user/tool_result"]);
    for frame in &inner {
        assert_eq!(frame["parent_tool_use_id"], started["tool_use_id"]);
        assert_eq!(frame["agent_id"], started["task_id"]);
        assert_eq!(frame["task_description"], "look");
    }
    let outer: Vec<Value> =
        frames.iter().filter(|frame| frame["parent_tool_use_id"].is_null()).cloned().collect();
    let result = outer.iter().find(|frame| frame["tool_use_result"].is_object()).unwrap();
    assert_eq!(result["tool_use_result"]["status"], "completed");
    assert_eq!(result["tool_use_result"]["content"][0]["text"], "the report");
    assert_eq!(result["tool_use_result"]["totalToolUseCount"], 1);
    assert!(
        result["message"]["content"][0]["content"][0]["text"].as_str().unwrap().contains("\n  the report\n")
    );
    // Four calls: two of the agent, two of the subagent.
    let reported = find(&frames, "result");
    assert_eq!(reported["usage"]["output_tokens"], 24);
    assert_eq!(reported["modelUsage"]["scripted"]["outputTokens"], 48);
    assert_eq!(reported["num_turns"], 2);

    let agent = started["task_id"].as_str().unwrap();
    let main = place.transcript(ID);
    let file = main.with_extension("").join(format!("subagents/agent-{agent}.jsonl"));
    let kept = lines(&file);
    assert_eq!(kept.len(), 4);
    assert!(kept.iter().all(|line| line["isSidechain"] == true && line["agentId"] == agent));
    let about: Value =
        serde_json::from_str(&std::fs::read_to_string(file.with_extension("meta.json")).unwrap()).unwrap();
    assert_eq!(about["toolUseId"], started["tool_use_id"]);
    assert!(lines(&main).iter().all(|line| line["isSidechain"] != true));
}

#[test]
fn a_subagent_in_the_background_does_not_block_and_its_report_begins_a_turn() {
    let place = Place::new();
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    place.write("wait", "");
    host.say(&send(
        "@tool Bash {\"command\":\"until [ -e go ]; do sleep 0.02; done\"}\n@say found it",
        json!({}),
    ));
    let frames = host.turn();
    assert_eq!(tool_results(&frames)[0]["content"][0]["type"], "text");
    let started = frames.iter().find(|frame| frame["subtype"] == "task_started").unwrap().clone();
    assert_eq!(started["is_backgrounded"], true);
    host.say("@say meanwhile");
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["result"], "meanwhile");
    place.write("go", "");
    let frames = host.turn();
    let ended = frames.iter().find(|frame| frame["subtype"] == "task_notification").unwrap();
    assert_eq!((&ended["status"], &ended["summary"]), (&json!("completed"), &json!("found it")));
    assert!(of_subagent(&frames).iter().any(|frame| frame["message"]["content"][0]["text"] == "found it"));
    let result = find(&frames, "result");
    assert_eq!(
        result["origin"],
        json!({ "kind": "task-notification", "producer": "session-task", "runId": started["run_id"] })
    );
    let (_, status) = host.end();
    assert!(status.success());
}

#[test]
fn the_end_of_stdin_waits_for_subagents() {
    let place = Place::new();
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    host.say(&send("@say late", json!({})));
    let (frames, status) = host.end();
    assert_eq!(frames.iter().filter(|frame| frame["type"] == "result").count(), 2, "{:#?}", kinds(&frames));
    assert!(status.success());
}

#[test]
fn several_work_at_once() {
    let place = Place::new();
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    let one = "@tool Bash {\"command\":\"until [ -e two ]; do sleep 0.02; done; touch one\"}\n@say first";
    let two = "@tool Bash {\"command\":\"touch two; until [ -e one ]; do sleep 0.02; done\"}\n@say second";
    let call =
        |task: &str| json!(["Agent", { "description": "d", "prompt": task, "run_in_background": false }]);
    host.say(&format!("@tools {}", json!([call(one), call(two)])));
    let frames = host.turn();
    let reports: Vec<&Value> =
        frames.iter().filter(|frame| frame["tool_use_result"]["status"] == "completed").collect();
    assert_eq!(reports.len(), 2);
}

#[test]
fn an_interruption_reaches_subagents_of_both_kinds() {
    let place = Place::new();
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    let task = "@tool Bash {\"command\":\"touch at-work; sleep 600\"}";
    host.say(&waiting(task));
    host.until(|frame| frame["subtype"] == "task_progress");
    host.send(
        &json!({ "type": "control_request", "request_id": "1", "request": { "subtype": "interrupt" } }),
    );
    let frames = host.turn();
    let ended = frames.iter().find(|frame| frame["subtype"] == "task_notification").unwrap();
    assert_eq!(ended["status"], "stopped");
    assert_eq!(find(&frames, "result")["terminal_reason"], "aborted_tools");

    host.say(&send(task, json!({})));
    host.turn();
    host.send(
        &json!({ "type": "control_request", "request_id": "2", "request": { "subtype": "interrupt" } }),
    );
    host.until(|frame| frame["subtype"] == "task_notification");
    // After an interrupt, the notification does not start a turn.
    host.say("@say quiet");
    assert_eq!(find(&host.turn(), "result")["result"], "quiet");
}

#[test]
fn a_subagent_can_be_stopped_and_asked_for() {
    let place = Place::new();
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    host.say(&send("@tool Bash {\"command\":\"sleep 600\"}", json!({})));
    let frames = host.turn();
    let id = frames.iter().find(|frame| frame["subtype"] == "task_started").unwrap()["task_id"].clone();
    host.say(&format!("@tool TaskOutput {}", json!({ "task_id": id, "block": false })));
    let frames = host.turn();
    assert!(tool_results(&frames)[0]["content"].as_str().unwrap().contains("<status>running</status>"));
    host.ask(&json!({ "subtype": "stop_task", "task_id": id }));
    let frames = host.turn();
    let ended = frames.iter().find(|frame| frame["subtype"] == "task_notification").unwrap();
    assert_eq!(ended["status"], "stopped");
    host.say(&format!("@tool TaskStop {}", json!({ "task_id": id })));
    assert_eq!(tool_results(&host.turn())[0]["is_error"], true);
}

#[test]
fn kinds_come_from_files_flags_and_the_host() {
    let place = Place::new();
    place.write(
        ".claude/agents/tester.md",
        "---\nname: tester\ndescription: Tests\ntools: Read\nmodel: haiku\n---\nYou test.\n",
    );
    place.write_home(".claude/agents/mine.md", "---\ndescription: Mine\n---\nYou are mine.\n");
    let flag = json!({ "flagged": { "description": "d", "prompt": "p" } }).to_string();
    let mut host = place.start(&["--agents", &flag, "--dangerously-skip-permissions"]);
    let answer = host.ask(&json!({
        "subtype": "initialize",
        "agents": { "hosted": { "description": "From the host", "prompt": "You host.", "maxTurns": 1 } },
    }));
    let names: Vec<&str> = answer["response"]["agents"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|agent| agent["name"].as_str())
        .collect();
    let all = ["Explore", "flagged", "general-purpose", "hosted", "mine", "Plan", "tester"];
    assert_eq!(names, all);
    let kind =
        |kind: &str, task: &str| send(task, json!({ "subagent_type": kind, "run_in_background": false }));
    host.say(&kind("tester", "@tool Bash {\"command\":\"touch made\"}\n@say tested"));
    let frames = host.turn();
    assert_eq!(frames[0]["agents"], json!(all));
    // It has no Bash, and a model of its own.
    assert!(
        of_subagent(&frames).iter().any(|frame| frame.to_string().contains("No such tool available: Bash"))
    );
    let result = frames.iter().find(|frame| frame["tool_use_result"].is_object()).unwrap();
    assert!(result["tool_use_result"]["resolvedModel"].as_str().unwrap().contains("haiku"));
    host.say(&kind("hosted", "@tool Bash {\"command\":\"true\"}\n@say never"));
    let report =
        host.turn().iter().find(|frame| frame["tool_use_result"].is_object()).unwrap()["tool_use_result"]
            .clone();
    assert!(report["content"][0]["text"].as_str().unwrap().contains("stopped after 1"), "{report}");
    host.say(&kind("missing", "@say x"));
    let failed = tool_results(&host.turn());
    assert!(
        failed[0]["content"]
            .as_str()
            .unwrap()
            .starts_with("Agent type 'missing' not found. Available agents: Explore,")
    );
    // An agent file that is added during the session is loaded.
    place.write(".claude/agents/new.md", "---\ndescription: New\n---\nYou are new.\n");
    host.say(&kind("new", "@say fresh"));
    assert!(host.turn().iter().any(|frame| frame["tool_use_result"]["agentType"] == "new"));
}

#[test]
fn tools_of_a_kind_are_those_of_its_yaml() {
    let place = Place::new();
    let kinds = [
        ("a", "tools: # Bash is too dangerous\n- Read", Some(false)),
        ("b", "tools: []", Some(false)),
        ("c", "tools:", Some(false)),
        ("d", "tools: *", Some(true)),
        ("e", "model: inherit", Some(true)),
        ("f", "disallowedTools: # Read\n  - Bash", Some(false)),
        ("g", "disallowedTools: '*'", Some(false)),
        ("h", "disallowedTools:\n- Bash, Write", Some(false)),
        ("i", "tools: |\n  Read\n  # Bash", None),
        ("j", "tools: {Read: true}", None),
        ("k", "disallowedTools: [Bash(rm, x), Read]", None),
        ("l", "disallowedTools: Bash\ndisallowedTools: Read", None),
        ("m", "disallowedTools: Bash\nodd: *x", None),
        ("n", "permissionMode: [plan]", None),
        ("o", "Disallowed-Tools: Bash", None),
        ("p", "allowed-tools: Read", None),
        ("q", "tool: Read", None),
        ("r", "permissionMode: careful", None),
        ("s", "permissionMode: auto", Some(true)),
        ("t", "hooks: x", None),
        ("u", "hooks: [PreToolUse]", None),
        ("v", "hook:\n  PreToolUse: []", None),
        ("w", "hooks:\n  PreToolUze: []", None),
        ("x", "hooks:\n  PreToolUse:\n  - matcher: Bash\n    hooks: [{type: command, comand: exit 2}]", None),
        (
            "y",
            "hooks:\n  PreToolUse:\n  - matcher: Bash\n    hooks: [{type: telepathy, prompt: fine?}]",
            None,
        ),
        ("z", "hooks:\n  TeammateIdle: []", Some(true)),
    ];
    for (name, yaml, _) in kinds {
        let text = format!("---\nname: {name}\ndescription: Kind {name}: x\n{yaml}\n---\nYou work.\n");
        place.write(&format!(".claude/agents/{name}.md"), &text);
    }
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    for (name, yaml, has_bash) in kinds {
        let prompt = "@tool Bash {\"command\":\"touch made\"}\n@say done";
        let call =
            json!({"description": "d", "prompt": prompt, "subagent_type": name, "run_in_background": false});
        host.say(&format!("@tool Agent {call}"));
        let frames = host.turn();
        let is_known = frames[0]["agents"].as_array().unwrap().contains(&json!(name));
        let made = place.project().join("made");
        assert_eq!(
            (is_known, made.exists()),
            (has_bash.is_some(), has_bash == Some(true)),
            "{yaml}: {frames:#?}"
        );
        if made.exists() {
            std::fs::remove_file(made).unwrap();
        }
    }
}

#[test]
fn errors_in_agent_files_are_reported_and_the_rest_works() {
    let place = Place::new();
    place.write(
        ".claude/agents/odd.md",
        "---\nname: odd\ndescription: Odd\ntols: Read\npermissionMode: sideways\nmaxTurns: many\nhooks: x\n---\nOdd.\n",
    );
    place.write(".claude/agents/silent.md", "---\nname: silent\n---\nx\n");
    let output = place.command(&["-p", "@say fine"]).output().unwrap();
    let project = place.project().display().to_string();
    let stderr = String::from_utf8_lossy(&output.stderr).replace(&project, "/proj");
    insta::assert_snapshot!(stderr.trim_end(), @"
    /proj/.claude/agents/odd.md:4: tols is not known here and is ignored
    /proj/.claude/agents/odd.md:5: permissionMode: unknown permission mode `sideways`; use one of default, acceptEdits, plan, bypassPermissions, delegate, dontAsk
    /proj/.claude/agents/odd.md:5: the permission mode can't be read; the agent is left out
    /proj/.claude/agents/odd.md:6: maxTurns must be a number above 0
    /proj/.claude/agents/odd.md:7: hooks must have members below it
    /proj/.claude/agents/odd.md:7: the agent is left out: a hook that can't be read may guard what it does
    /proj/.claude/agents/silent.md:1: an agent needs a description, for the model to choose by; it is left out
    ");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "fine\n");
}

#[test]
fn permission_requests_and_hooks_of_a_subagent_have_its_id() {
    let place = Place::new();
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    let hooks = ["PreToolUse", "SubagentStart", "SubagentStop"]
        .map(|event| (event.to_owned(), json!([{ "hookCallbackIds": [event] }])));
    let hooks: serde_json::Map<String, Value> = hooks.into_iter().collect();
    host.ask(&json!({ "subtype": "initialize", "hooks": hooks }));
    host.say(&waiting("@tool Bash {\"command\":\"touch made\"}\n@say done"));
    let mut seen = Vec::new();
    let mut agent = Value::Null;
    while seen.len() < 5 {
        let request = host.request();
        let body = &request["request"];
        match body["subtype"].as_str().unwrap() {
            "can_use_tool" => {
                assert_eq!(body["agent_id"], agent);
                seen.push("can_use_tool".to_owned());
                host.answer(&request, &json!({ "behavior": "allow", "updatedInput": body["input"] }));
            }
            _ => {
                let event = body["callback_id"].as_str().unwrap();
                if event == "SubagentStart" {
                    agent = body["input"]["agent_id"].clone();
                    assert!(agent.is_string());
                }
                let tool = body["input"]["tool_name"].as_str().unwrap_or_default();
                assert_eq!(body["input"]["agent_id"].is_string(), tool != "Agent");
                seen.push(format!("{event} {tool}").trim().to_owned());
                host.answer(&request, &json!({}));
            }
        }
    }
    assert_eq!(
        seen,
        ["PreToolUse Agent", "SubagentStart", "PreToolUse Bash", "can_use_tool", "SubagentStop"]
    );
    host.turn();
    assert!(place.read("made").is_some());
}

#[test]
fn words_of_subagents_are_sent_where_the_host_wants_them() {
    let place = Place::new();
    let mut host = place.start(&["--forward-subagent-text"]);
    host.say(&waiting("@say my words"));
    let subagent_frames = of_subagent(&host.turn());
    assert_eq!(kinds(&subagent_frames), ["user/text", "assistant/text"]);
}

#[test]
fn subagents_send_subagents_but_not_for_ever() {
    let place = Place::new();
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    let mut task = "@say deep".to_owned();
    for _ in 0..5 {
        task = waiting(&task);
    }
    host.say(&task);
    let frames = host.turn();
    let depths: Vec<u64> = frames.iter().filter_map(|frame| frame["spawn_depth"].as_u64()).collect();
    assert_eq!(depths, [1, 2, 3, 4]);
    let started: Vec<&Value> = frames.iter().filter(|frame| frame["subtype"] == "task_started").collect();
    assert_eq!(started[1]["parent_task_id"], started[0]["task_id"]);
    // Hosts see the messages of those only that the agent itself has sent.
    assert!(of_subagent(&frames).iter().all(|frame| frame["agent_id"] == started[0]["task_id"]));
}

#[test]
fn a_copy_of_the_conversation_identifies_the_subagent() {
    let place = Place::new();
    let mut host = place.start(&["--session-mirror"]);
    host.say(&waiting("@say copied"));
    let frames = host.turn();
    let copies: Vec<&Value> = frames.iter().filter(|frame| frame["type"] == "transcript_mirror").collect();
    let copies: Vec<&Value> = copies
        .into_iter()
        .filter(|copy| copy["filePath"].as_str().unwrap().contains("/subagents/"))
        .collect();
    let first = &copies[0]["entries"][0];
    assert_eq!((&first["type"], &first["agentType"]), (&json!("agent_metadata"), &json!("general-purpose")));
    assert!(copies.iter().any(|copy| copy.to_string().contains("copied")));
}

#[test]
fn hooks_of_a_subagent_hold_while_it_is_at_work() {
    let place = Place::new();
    place.write_home(
        ".claude/agents/careful.md",
        "---\nname: careful\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: echo no shell >&2; exit 2\n  Stop:\n    - hooks:\n        - type: command\n          command: touch stopped\n---\nBe careful.\n",
    );
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    let task = json!({
        "description": "d", "prompt": "@tool Bash {\"command\":\"touch inside\"}", "subagent_type": "careful",
        "run_in_background": false,
    });
    host.say(&format!("@tool Agent {task}\n@tool Bash {{\"command\":\"touch outside\"}}"));
    let frames = host.turn();
    // The result reports the denial, too.
    assert_eq!(find(&frames, "result")["permission_denials"][0]["tool_input"]["command"], "touch inside");
    assert_eq!(place.read("inside"), None);
    assert!(place.read("stopped").is_some() && place.read("outside").is_some());
}

/// A prompt that makes the model continue a subagent.
fn message(to: &str, text: &str) -> String {
    format!("@tool SendMessage {}\n@say sent", json!({ "to": to, "message": text, "summary": "continue" }))
}

fn started(frames: &[Value]) -> &Value {
    frames.iter().find(|frame| frame["subtype"] == "task_started").unwrap()
}

fn answer(frames: &[Value]) -> Value {
    let result = frames.iter().find(|frame| frame["tool_use_result"].is_object()).unwrap();
    result["tool_use_result"].clone()
}

#[test]
fn a_subagent_that_has_reported_continues_with_its_conversation() {
    let place = Place::new();
    let mut host = place.start(&["--session-id", ID]);
    host.say(&waiting("@say first"));
    let frames = host.turn();
    let first = started(&frames).clone();
    let agent = first["task_id"].as_str().unwrap();
    assert_eq!(answer(&frames)["canContinueAgent"], true);

    let continued = |host: &mut crate::host::Host, text: &str| {
        host.say(&message(agent, text));
        let mut frames = host.turn();
        // The notification begins another turn.
        frames.extend(host.turn());
        frames
    };
    let frames = continued(&mut host, "@say second");
    let reported = answer(&frames);
    assert_eq!((&reported["success"], &reported["resumedAgentId"]), (&json!(true), &json!(agent)));
    let again = started(&frames);
    assert_eq!((&again["task_id"], &again["is_backgrounded"]), (&first["task_id"], &json!(true)));
    assert_ne!(again["run_id"], first["run_id"]);
    assert_ne!(again["tool_use_id"], first["tool_use_id"]);
    assert_eq!(again["prompt"], "@say second");
    let ended = frames.iter().find(|frame| frame["subtype"] == "task_notification").unwrap();
    assert_eq!((&ended["summary"], &ended["tool_use_id"]), (&json!("second"), &again["tool_use_id"]));
    host.end();

    let mut host = place.start(&["--resume", ID]);
    let frames = continued(&mut host, "@say third");
    let ended = frames.iter().find(|frame| frame["subtype"] == "task_notification").unwrap();
    assert_eq!(ended["summary"], "third");
    host.end();
    let file = place.transcript(ID).with_extension("").join(format!("subagents/agent-{agent}.jsonl"));
    let kept = lines(&file);
    let kinds: Vec<&str> = kept.iter().filter_map(|line| line["type"].as_str()).collect();
    assert_eq!(kinds, ["user", "assistant", "user", "assistant", "user", "assistant"]);
    for pair in kept.windows(2) {
        assert_eq!(pair[1]["parentUuid"], pair[0]["uuid"]);
    }
}

#[test]
fn a_message_reaches_a_subagent_at_work() {
    let place = Place::new();
    let mut host = place.start(&["--session-id", ID, "--dangerously-skip-permissions"]);
    let wait = "@tool Bash {\"command\":\"until test -e go; do sleep 0.02; done\"}\n@say done";
    let task = send(wait, json!({ "name": "worker" }));
    host.say(&format!(
        "{task}\n@tool SendMessage {{\"to\":\"worker\",\"message\":\"look again\"}}\n@say sent"
    ));
    let frames = host.turn();
    let reported = frames.iter().filter(|frame| frame["tool_use_result"]["success"] == true).count();
    assert_eq!(reported, 1, "{frames:#?}");
    let agent = started(&frames)["task_id"].as_str().unwrap().to_owned();
    place.write("go", "");
    host.turn();
    host.end();
    let file = place.transcript(ID).with_extension("").join(format!("subagents/agent-{agent}.jsonl"));
    let kept = lines(&file);
    let message = kept.iter().find(|line| line["isMeta"] == true).unwrap();
    assert!(message["message"]["content"].as_str().unwrap().contains("\nlook again\n"), "{message}");
}

#[test]
fn a_message_to_an_unknown_agent_is_not_sent() {
    let place = Place::new();
    let mut host = place.start(&[]);
    for to in ["missing", "../../x", ""] {
        host.say(&message(to, "hello"));
        assert_eq!(answer(&host.turn())["success"], false, "{to}");
    }
    host.end();
}

#[test]
fn a_subagent_has_mcp_servers_of_its_own() {
    let place = Place::new();
    let log = place.project().join("received");
    let agent = |tools: Value| {
        let server = json!({ "one": crate::mcp_server::entry(&json!({ "log": log })) });
        json!({ "w": { "description": "d", "prompt": "p", "mcpServers": [server], "tools": tools } })
    };
    for tools in [Value::Null, json!(["Read"])] {
        let agents = agent(tools).to_string();
        let mut host = place.start(&["--dangerously-skip-permissions", "--agents", &agents]);
        let task = "@tool mcp__one__echo {\"x\":1}\n@say used";
        host.say(&send(task, json!({ "subagent_type": "w", "run_in_background": false })));
        let frames = host.turn();
        let init = frames.iter().find(|frame| frame["subtype"] == "init").unwrap();
        assert_eq!(init["mcp_servers"], json!([]), "the session has no server");
        let results = tool_results(&of_subagent(&frames));
        assert_eq!(results[0]["content"][0]["text"], "{\"x\":1}", "{results:#?}");
        host.say("@tool mcp__one__echo {}\n@say ended");
        let after = host.turn();
        assert_eq!(tool_results(&after)[0]["is_error"], true, "it ended with the subagent");
        host.end();
    }
}

#[test]
fn servers_of_a_projects_subagent_need_trust() {
    let place = Place::new();
    let entry = json!({ "command": "touch", "args": [place.project().join("started")] });
    let front = format!("name: w\ndescription: d\nmcpServers:\n  - one: {entry}");
    place.write(".claude/agents/w.md", &format!("---\n{front}\n---\np\n"));
    let run = |arguments: &[&str]| {
        let mut host = place.start(arguments);
        host.say(&send("@say done", json!({ "subagent_type": "w", "run_in_background": false })));
        host.turn();
        host.end();
        place.read("started").is_some()
    };
    assert!(!run(&[]), "no user trusts the folder");
    place.trust();
    assert!(!run(&["--strict-mcp-config"]), "only --mcp-config counts");
    assert!(run(&[]));
}

#[test]
fn a_process_waits_for_subagents_no_longer_than_it_may() {
    let place = Place::new();
    let wait = "@tool Bash {\"command\":\"until test -e never; do sleep 0.02; done\"}\n@say done";
    let mut command = place.command(&[crate::host::STREAM, &["--dangerously-skip-permissions"]].concat());
    command.env("CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS", "1");
    let mut host = crate::host::Host::start(command);
    host.say(&send(wait, json!({})));
    let (frames, status) = host.end();
    let ended = frames.iter().find(|frame| frame["subtype"] == "task_notification").unwrap();
    assert_eq!(ended["status"], "stopped");
    assert_eq!(frames.iter().filter(|frame| frame["type"] == "result").count(), 1);
    assert!(status.success());
}
