//! Inputs while a turn runs, and turns that are stopped.

use serde_json::{Value, json};

use crate::client::Client;
use crate::decisions::TOUCH;
use crate::place::Place;
use crate::verdict::{Trouble, ensure};

/// Inputs wait, are changed, moved and taken back, and run in the order that is left.
pub(crate) async fn queue(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    client.start(&place, json!({"text": format!("{TOUCH}\n@say One.")})).await?;
    let asked = client.asked().await?;
    for (place, name) in ["two", "three", "four"].into_iter().enumerate() {
        let input = json!({"type": "input", "text": format!("@say {name}"), "clientMessageId": name});
        let ack = client.ask(input).await?;
        ensure!(ack["state"] == "queued" && ack["position"] == place, "{name} was acknowledged as {ack}");
    }
    client.ask(json!({"type": "update_queued_input", "inputId": "two", "text": "@say Zwei."})).await?;
    client.ask(json!({"type": "cancel_queued_input", "inputId": "three"})).await?;
    client.ask(json!({"type": "move_queued_input", "inputId": "four", "position": 0})).await?;
    let state = client.ask(json!({"type": "get_session"})).await?;
    let waiting = state["snapshot"]["queue"].as_array().cloned().unwrap_or_default();
    let texts: Vec<&str> = waiting.iter().filter_map(|input| input["text"].as_str()).collect();
    ensure!(texts == ["@say four", "@say Zwei."], "{texts:?} wait");
    client.decide("approve", &asked, json!({})).await?;
    let rest = client
        .until("the last result", |message| message["type"] == "result" && message["result"] == "Zwei.");
    let rest = rest.await?;
    ensure!(rest.results() == ["One.", "four", "Zwei."], "the turns came to {:?}", rest.results());
    client.status("idle").await.map(drop)
}

/// An input that is sent again under its name runs once.
pub(crate) async fn sent_twice(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    let start = json!({"text": format!("{TOUCH}\n@say One."), "clientMessageId": "first"});
    client.start(&place, start.clone()).await?;
    let asked = client.asked().await?;
    // The client disconnected before it received an answer, and reconnects with everything that is
    // unconfirmed.
    let mut again = Client::connect(&place, client.session()).await?;
    again.start(&place, start).await?;
    let input = json!({"type": "input", "text": "@say Two.", "clientMessageId": "second"});
    client.ask(input.clone()).await?;
    let ack = again.ask(input).await?;
    ensure!(ack["type"] == "input_ack" && ack["position"] == 0, "it was acknowledged as {ack}");
    client.decide("approve", &asked, json!({})).await?;
    let rest =
        client.until("the last result", |message| message["type"] == "result" && message["result"] == "Two.");
    rest.await?;
    client.status("idle").await?;
    let history = client.ask(json!({"type": "get_history"})).await?;
    let messages = history["messages"].as_array().cloned().unwrap_or_default();
    let inputs: Vec<&Value> = messages
        .iter()
        .filter(|message| message["type"] == "user_input" && message["source"] == "client")
        .map(|message| &message["clientMessageId"])
        .collect();
    ensure!(inputs == ["first", "second"], "{inputs:?} were run");
    Ok(())
}

/// An input that steers reaches the agent while it works, and is over with the turn.
pub(crate) async fn steer(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    let wait =
        json!({"command": "touch began; while [ ! -e go ]; do sleep 0.05; done", "description": "wait"});
    client.start(&place, json!({"text": format!("@tool Bash {wait}\n@say One.")})).await?;
    let asked = client.asked().await?;
    client.decide("approve", &asked, json!({})).await?;
    place.wait_for("began").await?;
    let input =
        json!({"type": "input", "text": "@say Steered.", "priority": "steer", "clientMessageId": "steer"});
    client.ask(input.clone()).await?;
    let received =
        client.until("the steering input", |message| message["clientMessageId"] == "steer").await?;
    ensure!(received.of("result").is_empty(), "the turn was over before");
    place.write("go", "")?;
    let turn = client.turn().await?;
    // The reference puts it into what the tool gave, where the scripted model looks for no lines; what it can
    // show is that the turn took it up.
    let ack = client.ask(input).await?;
    ensure!(ack["state"] == "done", "after {:?} the input is {ack}", turn.results());
    let is_answered = turn.text() == "Steered." || turn.results() == ["One."];
    ensure!(is_answered, "the turns came to {:?}", turn.results());
    Ok(())
}

/// The turn ends when it is asked to, and the session lives on.
pub(crate) async fn interrupt(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    client.start(&place, json!({"text": "@slow 600 0.1"})).await?;
    client.until("a delta", |message| message["type"] == "stream_delta").await?;
    client.ask(json!({"type": "interrupt"})).await?;
    let turn = client.turn().await?;
    ensure!(turn.result()["interrupted"] == true, "the turn came to {}", turn.result());
    let next = client.talk("@say alive").await?;
    ensure!(next.text() == "alive", "the answer was {:?}", next.text());
    // One that goes first stops the turn by itself.
    client.input("@slow 600 0.1").await?;
    client.until("a delta", |message| message["type"] == "stream_delta").await?;
    client.ask(json!({"type": "input", "text": "@say urgent", "priority": "interrupt"})).await?;
    let urgent = client
        .until("the urgent answer", |message| message["type"] == "result" && message["result"] == "urgent");
    urgent.await.map(drop)
}

/// An agent that is ended in the middle is resumed by the next input.
pub(crate) async fn interrupt_hard(place: Place) -> Result<(), Trouble> {
    let mut client = place.started("@say before").await?;
    client.input("@slow 600 0.1").await?;
    client.until("a delta", |message| message["type"] == "stream_delta").await?;
    client.ask(json!({"type": "interrupt", "hard": true})).await?;
    let received = client.status("stopped").await?;
    let ends = received.notes("agent_exited");
    ensure!(ends.len() == 1 && ends[0]["expected"] == true, "its end was reported as {ends:?}");
    let next = client.talk("@say after").await?;
    ensure!(next.text() == "after", "the answer was {:?}", next.text());
    Ok(())
}
