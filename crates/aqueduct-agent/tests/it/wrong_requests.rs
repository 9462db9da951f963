//! Control requests with invalid members: each is answered and has no effect, and the conversation continues.

use serde_json::{Value, json};

use crate::host::{Place, find};

/// Sends requests and returns the code of each error. The session is unchanged and serves a turn.
fn errors(subtype: &str, requests: &[Value]) -> Vec<Value> {
    let place = Place::new();
    let mut host = place.start(&[]);
    let mut errors = Vec::new();
    for request in requests {
        let mut request = request.clone();
        request["subtype"] = json!(subtype);
        let answer = host.ask(&request);
        assert_eq!(answer["subtype"], "error", "{request}");
        assert!(!answer["error"].as_str().unwrap().is_empty(), "{request}");
        errors.push(answer.get("error_code").cloned().unwrap_or_default());
    }
    let applied = host.ask(&json!({ "subtype": "get_settings" }));
    assert_eq!(applied["response"]["effective"], json!({}), "{applied}");
    host.say("@say hi");
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["result"], "hi");
    let init = find(&frames, "system");
    assert_eq!((&init["permissionMode"], &init["model"]), (&json!("default"), &json!("scripted")));
    errors
}

#[test]
fn settings_of_the_host_count_as_a_whole_or_not_at_all() {
    let requests: Vec<Value> = [json!(0), json!("dark"), json!([]), json!(null), json!(true)]
        .into_iter()
        .chain([
            json!({ "model": 5 }),
            json!({ "model": "other", "permissions": 5 }),
            json!({ "model": "other", "permissions": { "allow": "x" } }),
            json!({ "permissions": { "allow": ["Bash(x:*)"], "defaultMode": "bogus" } }),
            json!({ "permissions": { "allow": ["Bash(x:*)"], "defaultMode": "bypassPermissions" } }),
            json!({ "model": "other", "env": 5 }),
            json!({ "model": "other", "outputStyle": 5 }),
            json!({ "hooks": { "PreToolUse": 5 } }),
            json!({ "effortLevel": 5 }),
        ])
        .map(|settings| json!({ "settings": settings }))
        .chain([json!({})])
        .collect();
    // The reference gives these no code.
    assert_eq!(errors("apply_flag_settings", &requests), vec![Value::Null; requests.len()]);
}

#[test]
fn a_limit_of_thinking_is_a_whole_number() {
    let values = [json!("x"), json!("5"), json!(1.5), json!(true), json!([]), json!({})];
    let mut requests: Vec<Value> = values.map(|value| json!({ "max_thinking_tokens": value })).to_vec();
    requests.push(json!({ "max_thinking_tokens": 5, "thinking_display": "bogus" }));
    requests.push(json!({ "max_thinking_tokens": 5, "thinking_display": 5 }));
    assert_eq!(errors("set_max_thinking_tokens", &requests), vec![Value::Null; requests.len()]);
    let place = Place::new();
    let mut host = place.start(&[]);
    for value in [json!(-1), json!(0), json!(5000), json!(1e30), json!(null)] {
        let answer = host.ask(&json!({ "subtype": "set_max_thinking_tokens", "max_thinking_tokens": value }));
        assert_eq!(answer["subtype"], "success", "{value}");
    }
}

#[test]
fn a_model_has_a_name() {
    let values = [json!(5), json!([]), json!({}), json!(true)];
    let requests: Vec<Value> = values.map(|value| json!({ "model": value })).to_vec();
    assert_eq!(errors("set_model", &requests), vec![json!("invalid_request"); requests.len()]);
    assert_eq!(errors("set_model", &[json!({ "model": "" })]), [json!("catalog_unknown")]);
}

#[test]
fn a_permission_mode_is_one_of_those_there_are() {
    let values = [json!(5), json!([]), json!(null), json!(""), json!("bogus"), json!("Plan"), json!({})];
    let requests: Vec<Value> =
        values.into_iter().map(|value| json!({ "mode": value })).chain([json!({})]).collect();
    assert_eq!(errors("set_permission_mode", &requests), vec![json!("invalid_mode"); requests.len()]);
    let bypass = json!({ "mode": "bypassPermissions" });
    assert_eq!(errors("set_permission_mode", &[bypass]), [json!("bypass_not_launched")]);
}
