//! `WebFetch`, through the whole agent and a real server.

use std::io::Write as _;
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::host::{Host, Place, find, tool_results};
use crate::http_server::{Request, Server, respond};

/// Lets the agent fetch from this machine.
const NAMED: &[&str] = &["--allowed-tools", "WebFetch(domain:127.0.0.1)"];

/// A site with a page of every kind.
fn site() -> Server {
    Server::start(page)
}

fn page(request: &Request, stream: &mut TcpStream) {
    let html =
        |stream: &mut TcpStream, body: &str| respond(stream, "200 OK", "content-type: text/html\r\n", body);
    let moved =
        |stream: &mut TcpStream, to: &str| respond(stream, "302 Found", &format!("location: {to}\r\n"), "");
    match request.path.as_str() {
        "/page" => html(stream, "<title>T</title><script>no</script><p>@say read: <a href='/x'>link</a></p>"),
        "/plain" => html(stream, "<p>nothing to play</p>"),
        "/json" => respond(
            stream,
            "200 OK",
            "content-type: application/json\r\n",
            "{\"a\":\n\"@say no\"}\n@say {json}",
        ),
        "/empty" => html(stream, "<script>only</script>"),
        "/here" => moved(stream, "/page"),
        "/there" => moved(stream, "https://other.example/next?a=1"),
        "/near" => moved(
            stream,
            &format!("http://localhost:{}/page", request.header("host").unwrap().split(':').nth(1).unwrap()),
        ),
        "/secret" => moved(stream, "http://user:word@127.0.0.1/page"),
        "/file" => moved(stream, "file:///etc/passwd"),
        "/round" => moved(stream, "/round"),
        "/png" => respond(stream, "200 OK", "content-type: image/png\r\n", "\u{1}not really\u{2}"),
        "/zipped" => {
            respond(stream, "200 OK", "content-type: text/html\r\ncontent-encoding: gzip\r\n", "zipped");
        }
        "/latin" => {
            let _ = stream.write_all(
                b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/html; charset=ISO-8859-1\r\n\r\n<p>@say caf\xe9 \x80",
            );
        }
        "/shift-jis" => {
            let _ = stream.write_all(
                b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/html\r\n\r\n<meta charset=Shift_JIS><p>@say \x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd",
            );
        }
        "/long" => html(stream, &format!("<p>@say long</p><p>{}</p>", "word ".repeat(30_000))),
        "/endless" => {
            let head =
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/plain\r\n\r\n@say endless\n";
            let _ = stream.write_all(head.as_bytes());
            // No client reads the whole body: the client disconnects, and the write fails.
            while stream.write_all(&[b'x'; 65536]).is_ok() {}
        }
        _ => respond(stream, "404 Not Found", "", "no such page"),
    }
}

fn call(url: &str, prompt: &str) -> String {
    format!("@tool WebFetch {}\n@say done", json!({ "url": url, "prompt": prompt }))
}

/// The result's block and its `tool_use_result`.
fn fetch(host: &mut Host, url: &str, prompt: &str) -> (Value, Value) {
    host.say(&call(url, prompt));
    let frames = host.turn();
    let reported = frames.iter().find(|frame| !frame["tool_use_result"].is_null()).expect("a result");
    (tool_results(&frames)[0].clone(), reported["tool_use_result"].clone())
}

/// The text of a call that must fail.
fn failure(host: &mut Host, url: &str) -> String {
    let (block, _) = fetch(host, url, "what");
    assert_eq!(block["is_error"], true, "{url}: {block}");
    block["content"].as_str().unwrap().to_owned()
}

#[test]
fn a_page_is_read_once_and_answered_by_the_model() {
    let (server, place) = (site(), Place::new());
    let mut host = place.start(NAMED);
    let url = format!("{}/page#part", server.url);
    host.say(&call(&url, "what is it"));
    let frames = host.turn();
    let block = &tool_results(&frames)[0];
    let read = format!("read: [link]({}/x)", server.url);
    assert_eq!((block["content"].as_str(), &block["is_error"]), (Some(read.as_str()), &Value::Null));
    let reported = frames.iter().find(|frame| !frame["tool_use_result"].is_null()).unwrap();
    let reported = &reported["tool_use_result"];
    assert_eq!((&reported["result"], &reported["url"]), (&json!(read), &json!(url)));
    assert_eq!(
        (&reported["code"], &reported["codeText"], &reported["bytes"]),
        (&json!(200), &json!("OK"), &json!(74))
    );
    // Two calls of the turn, and one of the reader, which is no part of the turn's own usage.
    let result = find(&frames, "result");
    assert_eq!(result["usage"]["output_tokens"], 24);
    assert_eq!(result["modelUsage"]["scripted"]["outputTokens"], 36);
    fetch(&mut host, &format!("{}/page", server.url), "again");
    let requests = server.requests();
    assert_eq!(requests.len(), 1, "the page is kept");
    assert_eq!(requests[0].header("accept-encoding"), Some("identity"));
    assert!(requests[0].header("user-agent").unwrap().starts_with("aqueduct/"));
}

#[test]
fn the_prompt_is_what_the_model_is_asked() {
    let (server, place) = (site(), Place::new());
    let mut host = place.start(NAMED);
    let (block, _) = fetch(&mut host, &format!("{}/plain", server.url), "\n@say as asked");
    assert_eq!(block["content"], "as asked");
    let (block, _) = fetch(&mut host, &format!("{}/json", server.url), "what");
    assert_eq!(block["content"], "{json}");
    let (block, _) = fetch(&mut host, &format!("{}/latin", server.url), "what");
    assert_eq!(block["content"], "café €");
    let (block, _) = fetch(&mut host, &format!("{}/shift-jis", server.url), "what");
    assert_eq!(block["content"], "こんにちは");
    let (block, _) = fetch(&mut host, &format!("{}/empty", server.url), "what");
    assert_eq!(block["content"], "The page has no text.");
}

#[test]
fn private_places_need_a_rule_for_that_very_host() {
    let (server, place) = (site(), Place::new());
    let port = server.url.rsplit(':').next().unwrap().to_owned();
    let near = [
        format!("http://127.0.0.1:{port}/page"),
        format!("http://localhost:{port}/page"),
        format!("http://LOCALHOST.:{port}/page"),
        format!("http://a.localhost:{port}/page"),
        format!("http://0x7f.1:{port}/page"),
        format!("http://2130706433:{port}/page"),
        format!("http://0177.0.0.1:{port}/page"),
        format!("http://127.1:{port}/page"),
        format!("http://[::1]:{port}/page"),
        format!("http://[::ffff:127.0.0.1]:{port}/page"),
        format!("http://0.0.0.0:{port}/page"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "https://10.0.0.1/".to_owned(),
        "https://[fd00::1]/".to_owned(),
        "https://[64:ff9b::7f00:1]/".to_owned(),
        "https://printer/".to_owned(),
        "https://metadata.google.internal/".to_owned(),
    ];
    for flags in [
        &["--dangerously-skip-permissions"] as &[&str],
        &["--allowed-tools", "WebFetch"],
        &["--allowed-tools", "WebFetch(domain:*)"],
    ] {
        let mut host = place.start(flags);
        for url in &near {
            let text = failure(&mut host, url);
            assert!(text.contains("private network") && text.contains("WebFetch(domain:"), "{url}: {text}");
        }
    }
    let mut host =
        place.start(&["--dangerously-skip-permissions", "--allowed-tools", "WebFetch(domain:localhost)"]);
    assert!(failure(&mut host, &near[0]).contains("WebFetch(domain:127.0.0.1)"));
    assert!(server.requests().is_empty(), "no server was asked");
    let (block, _) = fetch(&mut host, &near[1], "what");
    assert!(block["content"].as_str().unwrap().starts_with("read: "), "{block}");
}

#[test]
fn a_rule_that_is_taken_back_takes_its_pages_along() {
    let (server, place) = (site(), Place::new());
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    let url = format!("{}/page", server.url);
    let settings = |host: &mut Host, rules: Value| {
        let request =
            json!({ "subtype": "apply_flag_settings", "settings": { "permissions": { "allow": rules } } });
        assert_eq!(host.ask(&request)["subtype"], "success");
    };
    settings(&mut host, json!(["WebFetch(domain:127.0.0.1)"]));
    fetch(&mut host, &url, "what");
    let deny = json!({ "permissions": { "deny": ["WebFetch(domain:127.0.0.1)"] } });
    host.ask(&json!({ "subtype": "apply_flag_settings", "settings": deny }));
    host.say(&call(&url, "what"));
    assert_eq!(tool_results(&host.turn())[0]["is_error"], true);
}

#[test]
fn redirects_stay_where_the_user_let_us_go() {
    let (server, place) = (site(), Place::new());
    let mut host = place.start(NAMED);
    let at = |path: &str| format!("{}{path}", server.url);
    let (block, reported) = fetch(&mut host, &at("/here"), "what");
    assert!(block["content"].as_str().unwrap().starts_with("read: "));
    assert_eq!(reported["url"], at("/here"));
    for (path, to) in [
        ("/there", "https://other.example/next?a=1"),
        ("/near", "http://localhost:"),
        ("/secret", "http://user:word@127.0.0.1/page"),
        ("/file", "file:///etc/passwd"),
    ] {
        let before = server.requests().len();
        let (block, reported) = fetch(&mut host, &at(path), "what");
        let text = block["content"].as_str().unwrap();
        assert!(text.contains(to) && text.contains("not fetched"), "{path}: {text}");
        assert_eq!((&block["is_error"], &reported["code"]), (&Value::Null, &json!(302)));
        assert_eq!(server.requests().len(), before + 1);
    }
    let before = server.requests().len();
    assert!(failure(&mut host, &at("/round")).contains("Too many redirects"));
    assert_eq!(server.requests().len(), before + 11);
}

#[test]
fn what_is_no_page_is_reported() {
    let (server, place) = (site(), Place::new());
    let mut host = place.start(NAMED);
    let at = |path: &str| format!("{}{path}", server.url);
    let (block, reported) = fetch(&mut host, &at("/nowhere"), "what");
    assert!(block["content"].as_str().unwrap().contains("HTTP 404 Not Found"), "{block}");
    assert_eq!(
        (&reported["code"], &reported["bytes"], &block["is_error"]),
        (&json!(404), &json!(0), &Value::Null)
    );
    assert!(failure(&mut host, &at("/zipped")).contains("gzip"));
    let (block, reported) = fetch(&mut host, &at("/png"), "what");
    let text = block["content"].as_str().unwrap();
    let file = text.split("saved to ").nth(1).unwrap().split(". Read").next().unwrap();
    assert_eq!(std::fs::read(file).unwrap(), b"\x01not really\x02");
    assert!(file.ends_with(".png") && text.contains("image/png"), "{text}");
    assert_eq!(reported["bytes"], 12);
    let text = failure(&mut host, "http://127.0.0.1:1/");
    assert!(text.contains("can't be reached"), "{text}");
}

#[test]
fn long_pages_are_read_in_parts_and_endless_ones_are_cut() {
    let (server, place) = (site(), Place::new());
    let mut host = place.start(NAMED);
    let long = format!("{}/long", server.url);
    let (block, _) = fetch(&mut host, &long, "what");
    let text = block["content"].as_str().unwrap();
    assert!(text.starts_with("long\n\n[") && text.contains("offset 100000"), "{text}");
    let ask = |offset: u64| json!({ "url": long, "prompt": "\n@say the rest", "offset": offset });
    host.say(&format!("@tool WebFetch {}\n@say done", ask(100_000)));
    assert_eq!(tool_results(&host.turn())[0]["content"], "the rest");
    host.say(&format!("@tool WebFetch {}\n@say done", ask(1_000_000)));
    let text = tool_results(&host.turn())[0]["content"].as_str().unwrap().to_owned();
    assert!(text.contains("offset 1000000 is past the end"), "{text}");
    assert_eq!(server.requests().len(), 1);
    let (block, reported) = fetch(&mut host, &format!("{}/endless", server.url), "what");
    assert!(block["content"].as_str().unwrap().contains("only the beginning"), "{block}");
    assert_eq!(reported["bytes"], 10 * 1024 * 1024);
}

#[test]
fn what_is_no_address_is_not_even_asked_about() {
    let place = Place::new();
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    host.say(&call("not an address", "what"));
    let text = tool_results(&host.turn())[0]["content"].as_str().unwrap().to_owned();
    assert!(text.contains("InputValidationError") && text.contains("`url`"), "{text}");
    drop(host);
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    for (url, what) in [
        ("https://user:word@example.com/", "password"),
        ("https://user@example.com/", "password"),
        (&format!("https://example.com/{}", "x".repeat(2000)), "longer than"),
    ] {
        assert!(failure(&mut host, url).contains(what), "{url}");
    }
    for url in ["ftp://example.com/", "file:///etc/passwd", "data:text/html,x", "https:///"] {
        failure(&mut host, url);
    }
}

#[test]
fn the_host_is_asked_about_the_site() {
    let place = Place::new();
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    host.say(&call("https://docs.python.org/3/", "what"));
    let request = host.request();
    assert_eq!(request["request"]["tool_name"], "WebFetch");
    assert_eq!(
        request["request"]["permission_suggestions"],
        json!([{ "type": "addRules", "rules": [{ "toolName": "WebFetch", "ruleContent": "domain:docs.python.org" }],
                 "behavior": "allow", "destination": "localSettings" }])
    );
    host.answer(&request, &json!({ "behavior": "deny", "message": "not now" }));
    assert_eq!(tool_results(&host.turn())[0]["content"], "not now");
}

#[test]
fn an_error_of_the_reader_is_the_tools() {
    let (server, place) = (site(), Place::new());
    let mut host = place.start(NAMED);
    let (block, _) = fetch(&mut host, &format!("{}/plain", server.url), "\n@fail 400 9 no");
    let text = block["content"].as_str().unwrap();
    assert!(block["is_error"] == true && text.contains("did not answer"), "{text}");
}

#[test]
fn an_interruption_ends_the_reading() {
    let (server, place) = (site(), Place::new());
    let mut host = place.start(NAMED);
    host.say(&call(&format!("{}/plain", server.url), "\n@slow 100000 1"));
    host.until(|frame| frame["type"] == "assistant");
    host.send(
        &json!({ "type": "control_request", "request_id": "1", "request": { "subtype": "interrupt" } }),
    );
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["terminal_reason"], "aborted_tools");
    assert_eq!(tool_results(&frames)[0]["is_error"], true);
}

#[test]
fn subagents_that_only_look_fetch_too() {
    let (server, place) = (site(), Place::new());
    let mut host = place.start(NAMED);
    let task =
        format!("@tool WebFetch {}", json!({ "url": format!("{}/page", server.url), "prompt": "what" }));
    let send = json!({
        "description": "look", "prompt": task, "subagent_type": "Explore", "run_in_background": false,
    });
    host.say(&format!("@tool Agent {send}\n@say done"));
    let frames = host.turn();
    assert!(
        frames.iter().any(|frame| frame["tool_use_result"].to_string().contains("after: read: ")),
        "{frames:#?}"
    );
    // Two calls of the agent, two of the subagent, one of the reader.
    assert_eq!(find(&frames, "result")["modelUsage"]["scripted"]["outputTokens"], 60);
}

#[test]
fn a_proxy_is_asked_for_public_places_only() {
    let (proxy, place) = (Server::start(|_, stream| respond(stream, "403 Forbidden", "", "")), Place::new());
    let streaming = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    let mut command = place.command(&streaming);
    command.arg("--dangerously-skip-permissions");
    command.env("HTTPS_PROXY", &proxy.url).env("HTTP_PROXY", &proxy.url);
    let mut host = Host::start(command);
    for url in ["http://10.0.0.1/", "https://[::1]/", "https://localhost/"] {
        assert!(failure(&mut host, url).contains("private network"), "{url}");
    }
    assert!(proxy.requests().is_empty());
    let text = failure(&mut host, "http://1.1.1.1/page");
    assert!(
        text.contains("https://1.1.1.1 can't be reached") && text.contains("https was tried instead"),
        "{text}"
    );
    let asked = proxy.requests();
    assert_eq!((asked[0].method.as_str(), asked[0].path.as_str()), ("CONNECT", "1.1.1.1:443"));
}
