//! Agents that choose their ids with intent: a question is named by the bridge, whatever id an agent sends.

use std::path::PathBuf;
use std::sync::Arc;

use aqueduct_bridge::settings::{
    AgentSettings, BridgeSettings, Explain, ExplainedCall, Explaining, Explanation,
};
use aqueduct_wire::permission::{Destination, PermissionPart, RuleBehavior};
use serde_json::{Value, json};

use super::world::{Client, World, of};

/// An agent that prints the frames of the file that an input names, and reports by which id it was answered.
const AGENT: &str = r#"
id_of() { id=${1#*'"request_id":"'}; id=${id%%'"'*}; }
while IFS= read -r line; do
  case "$line" in
    *'"subtype":"initialize"'*)
      id_of "$line"
      printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\n' "$id" ;;
    *'"type":"control_response"'*)
      id_of "$line"
      if test -f "$0.then"; then cat "$0.then"; fi
      printf '{"type":"assistant","session_id":"s","uuid":"u-%s","message":{"id":"m-%s","role":"assistant","content":[{"type":"text","text":"answered %s"}]}}\n' "$id" "$id" "$id" ;;
    *'frames:'*)
      name=${line#*frames:}; name=${name%%[!a-z]*}
      cat "$0.$name" ;;
  esac
done
"#;

fn script(settings: &BridgeSettings) -> PathBuf {
    settings.data.parent().unwrap().join("agent.sh")
}

/// A bridge whose agent is the one above.
async fn world(change: impl FnOnce(&mut BridgeSettings)) -> World {
    World::with(|settings| {
        std::fs::write(script(settings), AGENT).unwrap();
        let mut agent = AgentSettings::new("builtin", "/bin/sh");
        agent.leading = vec![script(settings).into()];
        settings.agents = vec![agent];
        change(settings);
    })
    .await
}

/// Writes down what the agent prints for `frames:NAME`.
fn frames(world: &World, name: &str, frames: &[Value]) {
    let text: String = frames.iter().map(|frame| format!("{frame}\n")).collect();
    let file = script(world.hub.settings()).with_extension(format!("sh.{name}"));
    std::fs::write(file, text).unwrap();
}

fn asks(request_id: &str, call: &str, tool: &str, input: Value) -> Value {
    json!({"type": "control_request", "request_id": request_id, "request": {
        "subtype": "can_use_tool", "tool_name": tool, "input": input, "tool_use_id": call,
    }})
}

fn bash(request_id: &str, call: &str) -> Value {
    asks(request_id, call, "Bash", json!({"command": format!("echo {request_id} {call}")}))
}

/// Starts a session whose agent prints some frames, and gives what it asks.
async fn asked(world: &World, client: &Client, name: &str, count: usize) -> (String, Vec<Value>) {
    let id = client.start(&world.project(), Some(&format!("frames:{name}"))).await;
    let mut requests = Vec::new();
    while requests.len() < count {
        let next = client.until(|message| message["type"] == "permission_request").await.pop().unwrap();
        assert_eq!(next["sessionId"], id.as_str());
        requests.push(next);
    }
    (id, requests)
}

/// The id by which the agent was answered.
async fn answered(client: &Client) -> String {
    let reported = client.until(|message| message["type"] == "assistant").await;
    let text = of(&reported, "assistant")[0]["message"]["content"][0]["text"].as_str().unwrap().to_owned();
    text.strip_prefix("answered ").unwrap().to_owned()
}

/// The ids of the questions that are open in a session.
async fn open(client: &Client, session: &str) -> Vec<Value> {
    let reply = client.ask(json!({"type": "get_session", "sessionId": session})).await;
    let pending = reply["snapshot"]["pending"].as_array().unwrap_or_else(|| panic!("{reply:#}"));
    pending.iter().map(|request| request["id"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ids_are_the_bridges_and_the_agent_is_answered_by_its_own() {
    let mut world = world(|_| {}).await;
    let client = world.client("laptop").await;
    // The mark of the bridge's own questions, once.
    let theirs = "bridge-6f1c2b7e-0000-4000-8000-000000000000";
    let twice = [bash(theirs, "t1"), bash(theirs, "t2"), bash(theirs, "t1"), bash("other", "t3")];
    frames(&world, "one", &twice);
    let (session, requests) = asked(&world, &client, "one", 2).await;
    let ids: Vec<&str> = requests.iter().map(|request| request["id"].as_str().unwrap()).collect();
    assert!(ids.iter().all(|id| id.starts_with("q-") && id.len() == 34), "{ids:?}");
    assert_eq!((&requests[0]["toolUseId"], &requests[1]["toolUseId"]), (&json!("t1"), &json!("t3")));
    // The same question has the same id for a bridge that comes later.
    drop(client);
    world.restart().await;
    let client = world.client("laptop").await;
    assert_eq!(open(&client, &session).await, ids);
    let allow =
        json!({"type": "approve", "id": ids[0], "sessionId": session, "inputHash": requests[0]["inputHash"]});
    assert_eq!(client.ask(allow).await["type"], "ok");
    assert_eq!(answered(&client).await, theirs);
    assert_eq!(open(&client, &session).await, [ids[1]]);
    // The agent's own id names nothing for a client.
    let wrong = client.ask(json!({"type": "approve", "id": "other"})).await;
    assert_eq!(wrong["code"], "permission_not_found", "{wrong}");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_cannot_reach_questions_of_others_by_their_ids() {
    let world = world(|_| {}).await;
    let client = world.client("laptop").await;
    frames(&world, "one", &[bash("r1", "t1")]);
    let (first, mine) = asked(&world, &client, "one", 1).await;
    let id = mine[0]["id"].as_str().unwrap();
    // Another agent calls its request, its call, and what it takes back by the id of the first one's question.
    let cancel = json!({"type": "control_cancel_request", "request_id": id});
    frames(&world, "copy", &[bash(id, id), cancel, bash("r2", "t2")]);
    let (second, theirs) = asked(&world, &client, "copy", 2).await;
    assert_eq!((theirs[0]["toolUseId"].as_str(), theirs[0]["id"] == id), (Some(id), false));
    assert_eq!(open(&client, &first).await, [id]);
    assert_eq!(open(&client, &second).await, [theirs[1]["id"].clone()]);
    frames(&world, "again", &[bash("r1", id)]);
    let (third, _) = asked(&world, &client, "again", 1).await;
    let refused = client.ask(json!({"type": "approve", "id": id, "sessionId": third})).await;
    assert_eq!(refused["code"], "permission_not_found", "{refused}");
    // A decision that comes too late for the first does not count for the third.
    let allow = json!({"type": "approve", "id": id});
    assert_eq!(client.ask(allow.clone()).await["type"], "ok");
    assert_eq!(answered(&client).await, "r1");
    let late = client.ask(allow).await;
    assert_eq!(late["type"], "error", "{late}");
    assert_eq!((open(&client, &first).await.len(), open(&client, &third).await.len()), (0, 1));
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_takes_back_what_it_asked_and_nothing_else() {
    let world = world(|_| {}).await;
    let client = world.client("laptop").await;
    frames(&world, "one", &[bash("r1", "t1"), bash("r2", "t2"), bash("r3", "t3")]);
    let (session, requests) = asked(&world, &client, "one", 3).await;
    let cancel = |id: &Value| json!({"type": "control_cancel_request", "request_id": id});
    frames(&world, "then", &[cancel(&requests[1]["id"]), cancel(&json!("r3"))]);
    client.say(json!({"type": "reject", "id": requests[0]["id"], "sessionId": session})).await;
    assert_eq!(answered(&client).await, "r1");
    assert_eq!(open(&client, &session).await, [requests[1]["id"].clone()]);
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_several_questions_are_about_names_none_of_them() {
    let world = world(|_| {}).await;
    let client = world.client("laptop").await;
    let question =
        json!({"questions": [{"question": "Which?", "header": "h", "options": [], "multiSelect": false}]});
    let ask = |request: &str| asks(request, "same", "AskUserQuestion", question.clone());
    frames(&world, "one", &[ask("r1")]);
    let (first, one) = asked(&world, &client, "one", 1).await;
    // The documents' message: while one question is about this call, its id is enough.
    frames(&world, "two", &[ask("r2"), ask("r3")]);
    let (second, _) = asked(&world, &client, "two", 2).await;
    let answer = json!({"type": "answer", "toolUseId": "same", "result": "This"});
    let refused = client.ask(answer.clone()).await;
    assert_eq!(refused["code"], "ambiguous_request", "{refused}");
    let mut named = answer.clone();
    named["sessionId"] = json!(second);
    let refused = client.ask(named.clone()).await;
    assert_eq!(refused["code"], "ambiguous_request", "{refused}");
    named["sessionId"] = json!(first);
    named["inputHash"] = json!("0".repeat(64));
    let refused = client.ask(named.clone()).await;
    assert_eq!(refused["code"], "input_changed", "{refused}");
    named["inputHash"] = one[0]["inputHash"].clone();
    assert_eq!(client.ask(named).await["type"], "ok");
    assert_eq!(answered(&client).await, "r1");
    let open_there = open(&client, &second).await;
    assert_eq!(open_there.len(), 2);
    let reject = json!({"type": "reject", "id": open_there[1], "sessionId": first});
    assert_eq!(client.ask(reject).await["code"], "permission_not_found");
    client.say(json!({"type": "reject", "id": open_there[1]})).await;
    assert_eq!(answered(&client).await, "r3");
    assert_eq!(client.ask(answer).await["type"], "ok");
    assert_eq!(answered(&client).await, "r2");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_strict_bridge_wants_session_and_hash() {
    let world = world(|settings| settings.strict_decisions = true).await;
    let client = world.client("laptop").await;
    frames(&world, "one", &[bash("r1", "t1")]);
    let (session, requests) = asked(&world, &client, "one", 1).await;
    let (id, hash) = (&requests[0]["id"], &requests[0]["inputHash"]);
    for kind in ["approve", "approve_always", "reject"] {
        for (message, missing) in [
            (json!({"type": kind, "id": id}), "`sessionId`"),
            (json!({"type": kind, "id": id, "inputHash": hash}), "`sessionId`"),
            (json!({"type": kind, "id": id, "sessionId": session}), "`inputHash`"),
        ] {
            let refused = client.ask(message).await;
            assert_eq!(refused["code"], "invalid_message", "{refused}");
            assert!(refused["message"].as_str().unwrap().starts_with(missing), "{refused}");
        }
        let other =
            client.ask(json!({"type": kind, "id": id, "sessionId": session, "inputHash": "00"})).await;
        assert_eq!(other["code"], "input_changed", "{other}");
    }
    let answer = client.ask(json!({"type": "answer", "toolUseId": id, "result": "x"})).await;
    assert_eq!(answer["code"], "invalid_message", "{answer}");
    assert_eq!(open(&client, &session).await, std::slice::from_ref(id));
    client.say(json!({"type": "approve", "id": id, "sessionId": session, "inputHash": hash})).await;
    assert_eq!(answered(&client).await, "r1");
    world.end().await;
}

/// Explains nothing, ever.
struct Silent;

impl Explain for Silent {
    fn explain(&self, _call: &ExplainedCall<'_>) -> Explaining {
        Box::pin(std::future::pending())
    }

    fn describe(&self, _rule: &str) -> Option<String> {
        None
    }
}

/// Questions are asked although their explanation never comes, on the one thread that all sessions share here.
#[tokio::test]
async fn an_explanation_that_never_comes_blocks_nothing() {
    let world = world(|settings| settings.explainer = Some(Arc::new(Silent))).await;
    frames(&world, "one", &[bash("r1", "t1"), bash("r2", "t2")]);
    let client = world.client("phone").await;
    let (_, requests) = asked(&world, &client, "one", 2).await;
    assert!(requests.iter().all(|request| request["parts"].is_null()), "{requests:?}");
    world.end().await;
}

/// Explains every call as something that a rule denies, and would allow everything.
struct Strict;

impl Explain for Strict {
    fn explain(&self, call: &ExplainedCall<'_>) -> Explaining {
        let mut part = PermissionPart::new(format!("all of {}", call.tool));
        part.behavior = Some(RuleBehavior::Deny);
        let rules = vec![("Bash".to_owned(), Destination::UserSettings, None)];
        Box::pin(async { Explanation { parts: vec![part], rules } })
    }

    fn describe(&self, rule: &str) -> Option<String> {
        Some(format!("in words: {rule}"))
    }
}

/// People see what the agent decided on, also where the bridge would have decided something else.
#[tokio::test]
async fn the_explanation_of_the_agent_is_shown() {
    let world = world(|settings| settings.explainer = Some(Arc::new(Strict))).await;
    let mut explained = bash("r1", "t1");
    explained["request"]["explanation"] = json!({"parts": [
        {"text": "echo r1 t1", "program": "echo", "verdict": "ask", "reason": "the agent's own reason", "x_new": 1},
    ]});
    explained["request"]["permission_suggestions"] = json!([{
        "type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "echo (r1)"}],
        "behavior": "allow", "destination": "session",
    }]);
    let mut without_parts = bash("r2", "t2");
    without_parts["request"]["explanation"] = json!({"parts": []});
    frames(&world, "one", &[explained.clone(), without_parts]);
    let client = world.client("phone").await;
    let (_, requests) = asked(&world, &client, "one", 2).await;
    assert_eq!(requests[0]["parts"], explained["request"]["explanation"]["parts"], "{requests:?}");
    assert_eq!(
        requests[0]["rules"],
        json!([{"rule": "Bash(echo (r1))", "destination": "session", "description": "in words: Bash(echo (r1))"}])
    );
    assert_eq!(requests[1]["parts"], json!([]), "{requests:?}");
    assert!(requests[1]["rules"].is_null(), "the agent suggests none: {requests:?}");
    world.end().await;
}

/// For an agent that sends no explanation the bridge finds it out.
#[tokio::test]
async fn an_agent_that_explains_nothing_is_explained_by_the_bridge() {
    let world = world(|settings| settings.explainer = Some(Arc::new(Strict))).await;
    frames(&world, "one", &[bash("r1", "t1")]);
    let client = world.client("phone").await;
    let (_, requests) = asked(&world, &client, "one", 1).await;
    assert_eq!(requests[0]["parts"], json!([{"text": "all of Bash", "verdict": "deny"}]));
    assert_eq!(requests[0]["rules"][0]["rule"], "Bash", "{requests:?}");
    world.end().await;
}

/// Lists count what waits, as the queue itself does.
#[tokio::test]
async fn lists_count_the_inputs_that_wait() {
    let world = world(|_| {}).await;
    let client = world.client("phone").await;
    // This agent never ends a turn, so that nothing leaves the queue.
    let id = client.start(&world.project(), Some("busy")).await;
    client.until(|message| message["type"] == "user_input").await;
    for (count, text) in (1..).zip(["one", "two", "three"]) {
        let ack = client.ask(json!({"type": "input", "sessionId": id, "text": text})).await;
        assert_eq!(ack["state"], "queued", "{ack}");
        let list = client.ask(json!({"type": "list_sessions"})).await;
        assert_eq!(list["sessions"][0]["queued"], count, "{list}");
        if count == 3 {
            let cancel = json!({"type": "cancel_queued_input", "sessionId": id, "inputId": ack["inputId"]});
            client.ask(cancel).await;
        }
    }
    let list = client.ask(json!({"type": "list_sessions"})).await;
    assert_eq!(list["sessions"][0]["queued"], 2, "{list}");
    world.end().await;
}
