use serde_json::json;

use super::world::{World, of};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_streams_and_is_stored() {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = client.start(&world.project(), Some("@say Hello from the bridge.")).await;
    let turn = client.turn().await;
    let deltas: String =
        of(&turn, "stream_delta").iter().map(|delta| delta["text"].as_str().unwrap()).collect();
    assert_eq!(deltas, "Hello from the bridge.");
    let stored: Vec<u64> = turn.iter().filter_map(|message| message["seq"].as_u64()).collect();
    assert!(stored.windows(2).all(|pair| pair[1] == pair[0] + 1), "{turn:#?}");
    let result = of(&turn, "result");
    assert_eq!((result.len(), &result[0]["subtype"]), (1, &json!("success")));
    let history = client.ask(json!({"type": "get_history", "sessionId": id})).await;
    let kinds: Vec<&str> = history["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["system", "user_input", "system", "assistant", "result"], "{history:#}");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_permission_waits_and_the_first_decision_counts() {
    let world = World::new().await;
    let (first, second) = (world.client("laptop").await, world.client("phone").await);
    let script = "@tool Bash {\"command\":\"touch made\"}\n@say Done.";
    first.start(&world.project(), Some(script)).await;
    let asked = first.until(|message| message["type"] == "permission_request").await.pop().unwrap();
    assert_eq!(asked["input"]["command"], "touch made");
    second.until(|message| message["type"] == "permission_request").await;
    let allow = json!({"type": "approve", "id": asked["id"], "inputHash": asked["inputHash"]});
    assert_eq!(second.ask(allow.clone()).await["type"], "ok");
    let late = first.ask(allow).await;
    assert_eq!(late["code"], "already_resolved", "{late}");
    let turn = second.turn().await;
    assert_eq!(of(&turn, "result")[0]["subtype"], "success");
    assert!(world.project().join("made").exists());
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn inputs_wait_are_changed_and_run_in_order() {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = client.start(&world.project(), Some("@tool Bash {\"command\":\"touch made\"}\n@say One.")).await;
    let asked = client.until(|message| message["type"] == "permission_request").await.pop().unwrap();
    for text in ["@say Two.", "@say Three.", "@say Four."] {
        let ack = client
            .ask(json!({"type": "input", "sessionId": id, "text": text, "clientMessageId": text}))
            .await;
        assert_eq!((&ack["type"], &ack["state"]), (&json!("input_ack"), &json!("queued")), "{ack}");
    }
    let again = client
        .ask(json!({"type": "input", "sessionId": id, "text": "@say Two.", "clientMessageId": "@say Two."}))
        .await;
    assert_eq!(again["position"], 0, "{again}");
    let edit =
        json!({"type": "update_queued_input", "sessionId": id, "inputId": "@say Two.", "text": "@say Zwei."});
    assert_eq!(client.ask(edit).await["type"], "ok");
    let cancel = json!({"type": "cancel_queued_input", "sessionId": id, "inputId": "@say Three."});
    assert_eq!(client.ask(cancel).await["type"], "ok");
    let shift = json!({"type": "move_queued_input", "sessionId": id, "inputId": "@say Four.", "position": 0});
    assert_eq!(client.ask(shift).await["type"], "ok");
    client.say(json!({"type": "approve", "id": asked["id"]})).await;
    let rest = client.until(|message| message["type"] == "result" && message["result"] == "Zwei.").await;
    let results: Vec<&str> =
        of(&rest, "result").iter().map(|result| result["result"].as_str().unwrap()).collect();
    assert_eq!(results, ["One.", "Four.", "Zwei."]);
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_continues_while_the_bridge_is_away() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = client
        .start(&world.project(), Some("@tool Bash {\"command\":\"touch made\"}\n@say Still here."))
        .await;
    let before = client.until(|message| message["type"] == "permission_request").await;
    let last = before.iter().filter_map(|message| message["seq"].as_u64()).max().unwrap();
    client.ask(json!({"type": "input", "sessionId": id, "text": "@say Next."})).await;
    drop(client);
    world.restart().await;
    let client = world.client("laptop").await;
    let subscribed = client.ask(json!({"type": "subscribe", "sessionId": id, "sinceSeq": last})).await;
    let pending = &subscribed["snapshot"]["pending"];
    assert_eq!(pending.as_array().unwrap().len(), 1, "{subscribed:#}");
    assert_eq!(subscribed["snapshot"]["queue"].as_array().unwrap().len(), 1);
    client.say(json!({"type": "approve", "id": pending[0]["id"]})).await;
    let rest = client.until(|message| message["type"] == "result" && message["result"] == "Next.").await;
    let results: Vec<&str> =
        of(&rest, "result").iter().map(|result| result["result"].as_str().unwrap()).collect();
    assert_eq!(results, ["Still here.", "Next."]);
    let stored: Vec<u64> = rest.iter().filter_map(|message| message["seq"].as_u64()).collect();
    assert_eq!(stored, (last + 1..=last + stored.len() as u64).collect::<Vec<_>>());
    world.end().await;
}
