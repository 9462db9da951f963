//! `WebSearch`, through the whole agent.

use serde_json::{Value, json};

use crate::host::{Host, Place, find, lines, tool_results};

/// A call whose search the scripted model answers with these lines.
fn call(answer: &str) -> String {
    let query = format!("news of the day\n{answer}");
    format!("@tool WebSearch {}\n@say done", json!({ "query": query }))
}

fn searched(id: &str, content: Value) -> [Value; 2] {
    [
        json!({ "type": "server_tool_use", "id": id, "name": "web_search", "input": { "query": "news" } }),
        json!({ "type": "web_search_tool_result", "tool_use_id": id, "content": content }),
    ]
}

fn say(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn hit(title: &str, url: &str) -> Value {
    json!({ "type": "web_search_result", "title": title, "url": url, "encrypted_content": "x", "page_age": null })
}

fn start(place: &Place) -> Host {
    place.start(&["--allowed-tools", "WebSearch"])
}

fn result(frames: &[Value]) -> Value {
    let reported = frames.iter().find(|frame| !frame["tool_use_result"].is_null()).expect("a result");
    reported["tool_use_result"].clone()
}

#[test]
fn pages_and_texts_keep_their_order() {
    let place = Place::new();
    let mut host = start(&place);
    let [asks, found] =
        searched("s1", json!([hit("One", "https://one.example/"), hit("Two", "https://two.example/")]));
    let blocks = json!([say("I look."), asks, found, say("It is "), say("fine.")]);
    let usage = r#"@usage {"server_tool_use":{"web_search_requests":1}}"#;
    host.say(&call(&format!("{usage}\n@blocks {blocks}")));
    let frames = host.turn();
    let reported = result(&frames);
    assert_eq!(
        reported["results"],
        json!([
            "I look.",
            { "tool_use_id": "s1", "content": [
                { "url": "https://one.example/", "title": "One" }, { "url": "https://two.example/", "title": "Two" },
            ] },
            "It is fine.",
        ])
    );
    assert_eq!(reported["searchCount"], 1);
    assert!(reported["query"].as_str().unwrap().starts_with("news of the day"));
    assert!(reported["durationSeconds"].is_number());
    let text = tool_results(&frames)[0]["content"].as_str().unwrap().to_owned();
    assert!(text.contains("It is fine.") && text.contains("https://two.example/"), "{text}");
    let last = find(&frames, "result");
    assert_eq!(last["modelUsage"]["scripted"]["webSearchRequests"], 1);
    assert_eq!(
        last["usage"]["server_tool_use"]["web_search_requests"], 0,
        "the search is no part of the turn's own"
    );
}

#[test]
fn a_search_that_fails_reports_the_reason() {
    let place = Place::new();
    let mut host = start(&place);
    let error = json!({ "type": "web_search_tool_result_error", "error_code": "max_uses_exceeded" });
    let [asks, found] = searched("s1", error);
    host.say(&call(&format!("@blocks {}", json!([asks, found, say("No luck.")]))));
    assert_eq!(result(&host.turn())["results"], json!(["The search failed: max_uses_exceeded", "No luck."]));
    host.say(&call("@fail 400 9 no"));
    let block = tool_results(&host.turn())[0].clone();
    assert_eq!(block["is_error"], true);
    assert!(block["content"].as_str().unwrap().contains("The search failed"), "{block}");
}

#[test]
fn a_search_that_pauses_continues() {
    let place = Place::new();
    let mut host = start(&place);
    let [asks, found] = searched("s1", json!([hit("One", "https://one.example/")]));
    host.say(&call(&format!("@stop pause_turn\n@blocks {}\n@say Now I know.", json!([asks, found]))));
    let reported = result(&host.turn());
    assert_eq!(reported["results"][1], "Now I know.");
    assert_eq!(reported["results"][0]["content"][0]["title"], "One");
}

#[test]
fn what_makes_no_sense_is_not_even_asked_about() {
    let place = Place::new();
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    for (input, what) in [
        (json!({ "query": "x" }), "2 or more characters"),
        (
            json!({ "query": "both", "allowed_domains": ["a.example"], "blocked_domains": ["b.example"] }),
            "can't both",
        ),
    ] {
        host.say(&format!("@tool WebSearch {input}\n@say done"));
        let text = tool_results(&host.turn())[0]["content"].as_str().unwrap().to_owned();
        assert!(text.contains(what), "{text}");
    }
    host.say(
        "@tool WebSearch {\"query\":\"one list\",\"allowed_domains\":[\"a.example\"],\"blocked_domains\":[]}",
    );
    let request = host.request();
    assert_eq!(
        request["request"]["permission_suggestions"],
        json!([{ "type": "addRules", "rules": [{ "toolName": "WebSearch" }], "behavior": "allow",
                 "destination": "localSettings" }])
    );
}

#[test]
fn what_the_models_own_side_does_in_a_conversation_is_kept_as_it_came() {
    let place = Place::new();
    let mut host = place.start(&[]);
    let [asks, found] = searched("s1", json!([hit("One", "https://one.example/")]));
    let citation = json!({
        "type": "web_search_result_location", "url": "https://one.example/", "title": "One",
        "encrypted_index": "i", "cited_text": "so",
    });
    let cited = json!({ "type": "text", "text": "So it is.", "citations": [citation] });
    let blocks = [asks, found, cited];
    host.say(&format!("@blocks {}", json!(blocks)));
    let frames = host.turn();
    let session = find(&frames, "result")["session_id"].as_str().unwrap().to_owned();
    let kept: Vec<Value> = lines(&place.transcript(&session))
        .into_iter()
        .filter(|line| line["type"] == "assistant")
        .flat_map(|line| line["message"]["content"].as_array().cloned().unwrap_or_default())
        .collect();
    assert_eq!(kept, blocks);
    // The blocks are sent back to the model, and the conversation continues after them.
    host.say("@say still here");
    assert_eq!(find(&host.turn(), "result")["result"], "still here");
}
