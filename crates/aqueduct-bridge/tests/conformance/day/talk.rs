//! A session that starts and sends an input.

use serde_json::{Value, json};

use crate::place::Place;
use crate::received::blocks;
use crate::verdict::{Trouble, ensure};

/// A picture of one dot.
const PICTURE: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0,
    0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 0x0d, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63,
    0xf8, 0xcf, 0xc0, 0xf0, 0x1f, 0, 5, 0, 1, 0xff, 0x56, 0xc7, 0x2f, 0x0d, 0, 0, 0, 0, b'I', b'E', b'N',
    b'D', 0xae, 0x42, 0x60, 0x82,
];

/// The agent is there, starts with the first input, identifies itself and answers.
pub(crate) async fn start(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    let agents = client.hello()["agents"].as_array().cloned().unwrap_or_default();
    let known = agents.iter().find(|agent| agent["name"] == place.agent());
    ensure!(known.is_some_and(|agent| agent["available"] == true), "hello lists {agents:?}");
    let reply =
        client.start(&place, json!({"text": "@say Good morning.", "clientMessageId": "first"})).await?;
    ensure!(reply["sessionId"] == client.session(), "it was started as {reply}");
    let turn = client.turn().await?;
    ensure!(turn.text() == "Good morning.", "the answer was {:?}", turn.text());
    ensure!(turn.result()["subtype"] == "success", "the result was {}", turn.result());
    ensure!(turn.of("user_input").len() == 1, "received {}", turn.kinds());
    let notes = turn.notes("init");
    let tools = notes.first().and_then(|note| note["tools"].as_array()).map_or(0, Vec::len);
    ensure!(tools > 0, "it reported no tools: {notes:?}");
    ensure!(notes.first().is_some_and(|note| note["model"].is_string()), "it reported no model: {notes:?}");
    Ok(())
}

/// The answer grows before it is complete, and both report its position.
pub(crate) async fn streaming(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    // Slow enough that the pieces are not sent as one.
    client.start(&place, json!({"text": "@slow 8 0.1"})).await?;
    let text: String = (0..8).map(|word| format!("w{word} ")).collect();
    let turn = client.turn().await?;
    let complete = turn.0.iter().position(|message| message["type"] == "assistant").unwrap_or_default();
    let (before, after) = turn.0.split_at(complete);
    let deltas: Vec<&Value> = before.iter().filter(|message| message["type"] == "stream_delta").collect();
    let grown: String = deltas.iter().filter_map(|delta| delta["text"].as_str()).collect();
    ensure!(deltas.len() > 1, "{} deltas came", deltas.len());
    ensure!(grown == text, "the deltas gave {grown:?}");
    let Some(answer) = after.first() else { return Err(Trouble::failed("no answer came")) };
    let (id, index) = (&answer["message"]["id"], &answer["index"]);
    ensure!(
        deltas.iter().all(|delta| delta["messageId"] == *id && delta["index"] == *index),
        "the answer is {id} at {index}, and the first delta {}",
        deltas[0]
    );
    ensure!(!after.iter().any(|message| message["type"] == "stream_delta"), "deltas came after the answer");
    Ok(())
}

/// Thinking is separate from the answer and has its own index.
pub(crate) async fn thinking(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    client.start(&place, json!({"text": "@think Which way does it run? | Downhill."})).await?;
    let turn = client.turn().await?;
    let thought: String =
        turn.of("thinking_delta").iter().filter_map(|delta| delta["text"].as_str()).collect();
    ensure!(thought.contains("Which way"), "the thinking deltas gave {thought:?}");
    let answers = turn.of("assistant");
    let places: Vec<u64> = answers.iter().filter_map(|answer| answer["index"].as_u64()).collect();
    ensure!(places == [0, 1], "the parts of the answer are at {places:?}");
    ensure!(turn.text() == "Downhill.", "the answer was {:?}", turn.text());
    Ok(())
}

/// Tools that are called at once give a result each.
pub(crate) async fn tools_at_once(place: Place) -> Result<(), Trouble> {
    let mut calls = Vec::new();
    for name in ["one", "two", "three"] {
        place.write(name, format!("this is {name}\n"))?;
        calls.push(json!(["Read", {"file_path": place.file(name)}]));
    }
    let mut client = place.client().await?;
    client.start(&place, json!({"text": format!("@tools {}\n@say read", Value::from(calls))})).await?;
    let turn = client.turn().await?;
    let called: Vec<&Value> = turn
        .of("assistant")
        .into_iter()
        .flat_map(blocks)
        .filter(|block| block["type"] == "tool_use")
        .map(|call| &call["id"])
        .collect();
    ensure!(called.len() == 3, "called {called:?}");
    // Tools run side by side, and the agent reports their results as they end.
    let results = turn.of("tool_result");
    ensure!(results.len() == 3, "{} results: {}", results.len(), turn.kinds());
    for (call, name) in called.into_iter().zip(["one", "two", "three"]) {
        let result = results.iter().find(|result| result["toolUseId"] == *call);
        let Some(result) = result else { return Err(Trouble::failed(format!("{call} gave nothing"))) };
        ensure!(result["toolName"] == "Read", "the result is of {}", result["toolName"]);
        let text = result["content"].as_str().unwrap_or_default();
        ensure!(text.contains(&format!("this is {name}")), "the result of {name} is {text:?}");
    }
    Ok(())
}

/// An image goes to the agent with an input, and one that a tool gives comes back whole.
pub(crate) async fn images(place: Place) -> Result<(), Trouble> {
    place.write("dot.png", PICTURE)?;
    let read = json!({"file_path": place.file("dot.png")});
    let mut client = place.client().await?;
    let image = json!({"mediaType": "image/png", "data": base64(PICTURE), "name": "dot.png"});
    client.start(&place, json!({"text": format!("@tool Read {read}\n@say seen"), "images": [image]})).await?;
    let turn = client.turn().await?;
    let sent =
        turn.of("user_input").first().map_or(0, |input| input["images"].as_array().map_or(0, Vec::len));
    ensure!(sent == 1, "the input was reported with {sent} images");
    let results = turn.of("tool_result");
    let kept = results.first().and_then(|result| result["images"].as_array()).cloned().unwrap_or_default();
    ensure!(kept.len() == 1, "the tool's result has {} images: {results:?}", kept.len());
    let is_there = kept[0]["data"].is_string() || kept[0]["url"].is_string();
    ensure!(is_there && kept[0]["mediaType"].is_string(), "the image is {}", kept[0]);
    ensure!(turn.text() == "seen", "the answer was {:?}", turn.text());
    Ok(())
}

/// Messages and calls of a subagent are marked with the call that started it.
pub(crate) async fn subagent(place: Place) -> Result<(), Trouble> {
    place.write("letter.txt", "Dear Ada\n")?;
    let read = json!({"file_path": place.file("letter.txt")});
    let prompt = format!("@tool Read {read}\n@say found it");
    // In the background, it may outlive the turn that is looked at.
    let call = json!({"description": "look it up", "subagent_type": "general-purpose", "prompt": prompt,
        "run_in_background": false});
    let mut client = place.client().await?;
    client.start(&place, json!({"text": format!("@tool Task {call}\n@say over")})).await?;
    let turn = client.turn().await?;
    let theirs: Vec<&Value> =
        turn.0.iter().filter(|message| message["parentToolUseId"].is_string()).collect();
    if theirs.is_empty() {
        let result_text = turn.of("tool_result").first().map(|result| result["content"].to_string());
        return Err(Trouble::can_not(format!("it started no subagent: {}", result_text.unwrap_or_default())));
    }
    let calls: Vec<&Value> = turn
        .of("assistant")
        .into_iter()
        .filter(|answer| answer["parentToolUseId"].is_null())
        .flat_map(blocks)
        .filter(|block| block["type"] == "tool_use")
        .map(|call| &call["id"])
        .collect();
    ensure!(
        theirs.iter().all(|message| calls.contains(&&message["parentToolUseId"])),
        "the calls are {calls:?}, and a message is of {}",
        theirs[0]["parentToolUseId"]
    );
    ensure!(
        theirs.iter().any(|message| message["type"] == "tool_result"),
        "the subagent's tool gave nothing: {}",
        turn.kinds()
    );
    Ok(())
}

/// A failed call of the model is reported and retried.
pub(crate) async fn api_retry(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    let text = format!("@fail 529 1 after all, {}", client.session());
    client.start(&place, json!({"text": text})).await?;
    let turn = client.turn().await?;
    ensure!(turn.text().starts_with("after all"), "the answer was {:?}", turn.text());
    match turn.of("retry").first() {
        Some(retry) => ensure!(retry["attempt"] == 1, "the retry was reported as {retry}"),
        None => return Err(Trouble::can_not("it tries again without a word")),
    }
    Ok(())
}

/// Bytes for JSON.
fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
