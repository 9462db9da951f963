//! Signing in to MCP servers on the network.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Stdio;

use aqueduct_testing::{wait_for, wait_until};
use reqwest::Url;
use serde_json::{Value, json};

use crate::host::{Host, Place};
use crate::http_server::{Server, respond};
use crate::mcp_network::add;
use crate::oauth_server::{Change, OAuthServer, OAuthState, browse, get};

fn config(url: &str, more: &Value) -> String {
    let mut entry = json!({ "type": "http", "url": url });
    for (name, value) in more.as_object().unwrap() {
        entry[name] = value.clone();
    }
    json!({ "mcpServers": { "net": entry } }).to_string()
}

fn start_with(place: &Place, url: &str, more: &Value) -> Host {
    place.start(&["--allowed-tools", "mcp__net", "--mcp-config", &config(url, more)])
}

fn start(place: &Place, server: &OAuthServer) -> Host {
    start_with(place, &server.url(), &json!({}))
}

fn status(host: &mut Host) -> Value {
    host.ask(&json!({ "subtype": "mcp_status" }))["response"]["mcpServers"][0].clone()
}

/// Waits until the server is in a state that lasts.
fn settled(host: &mut Host) -> Value {
    wait_for("the server is connected or not", || {
        let status = status(host);
        (status["status"] != "pending").then_some(status)
    })
}

fn begin(host: &mut Host) -> Value {
    host.ask(&json!({ "subtype": "mcp_authenticate", "serverName": "net" }))
}

/// Begins a sign-in: the link.
fn link(host: &mut Host) -> String {
    assert_eq!(settled(host)["status"], "needs-auth");
    let begun = begin(host);
    assert_eq!(begun["response"]["requiresUserAction"], true, "{begun}");
    begun["response"]["authUrl"].as_str().unwrap().to_owned()
}

fn paste(host: &mut Host, address: &str) -> Value {
    host.ask(&json!({ "subtype": "mcp_oauth_callback_url", "serverName": "net", "callbackUrl": address }))
}

/// Signs in with what the user pastes.
fn sign_in(host: &mut Host) {
    let address = browse(&link(host));
    assert_eq!(paste(host, &address)["subtype"], "success");
    assert_eq!(settled(host)["status"], "connected");
}

fn query(link: &str, name: &str) -> Option<String> {
    let url = Url::parse(link).unwrap();
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// The files of sign-ins.
fn records(place: &Place) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(place.home().join(".local/share/aqueduct/mcp-sign-ins")) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|kind| kind == "json")).collect()
}

fn record(place: &Place) -> Value {
    serde_json::from_slice(&fs::read(&records(place)[0]).unwrap()).unwrap()
}

#[test]
fn the_user_pastes_where_the_browser_ended() {
    let (place, server) = (Place::new(), OAuthServer::start());
    let mut host = start(&place, &server);
    let reported = settled(&mut host);
    assert!(reported["error"].as_str().unwrap().contains("aqueduct mcp login net"), "{reported}");
    sign_in(&mut host);
    assert_eq!(add(&mut host), json!([{ "type": "text", "text": "5" }]));
    let requests = server.server.requests();
    let registered = requests.iter().find(|request| request.path == "/register").unwrap();
    let redirect = registered.body["redirect_uris"][0].as_str().unwrap();
    assert!(redirect.starts_with("http://localhost:"), "{redirect}");
    let token = &server.forms("/token")[0];
    assert_eq!((token["redirect_uri"].as_str(), token["client_id"].as_str()), (redirect, "client-1"));
    assert_eq!(token["resource"], server.url());
    let mode = |path: &PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&records(&place)[0]), 0o600);
    assert_eq!(mode(&records(&place)[0].parent().unwrap().to_owned()), 0o700);
}

#[test]
fn a_browser_on_this_machine_ends_the_sign_in() {
    let (place, server) = (Place::new(), OAuthServer::start());
    let mut host = start(&place, &server);
    let link = link(&mut host);
    let back = browse(&link);
    // What does not belong to the sign-in changes nothing.
    let other = back.replace(&query(&link, "state").unwrap(), "another");
    assert!(get(&other).0.starts_with("HTTP/1.1 404"));
    assert!(get(&back.replace("/callback", "/x")).0.starts_with("HTTP/1.1 404"));
    let (head, page) = get(&back);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("content-security-policy: default-src 'none'"), "{head}");
    assert!(page.contains("close this page"), "{page}");
    wait_until("the server is connected", || status(&mut host)["status"] == "connected");
    // The port is closed: one callback is enough.
    let port = Url::parse(&back).unwrap().port().unwrap();
    wait_until("the port is closed", || std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[test]
fn another_session_is_signed_in_already() {
    let (place, server) = (Place::new(), OAuthServer::start());
    sign_in(&mut start(&place, &server));
    let mut host = start(&place, &server);
    assert_eq!(settled(&mut host)["status"], "connected");
    assert_eq!(server.count("/token"), 1);
    // Another server of the same name gets nothing of it.
    let other = OAuthServer::start();
    assert_eq!(settled(&mut start(&place, &other))["status"], "needs-auth");
    assert!(other.server.requests().iter().all(|request| request.header("authorization").is_none()));
}

#[test]
fn agents_that_run_at_once_renew_a_token_once() {
    let (place, server) = (Place::new(), OAuthServer::start());
    server.state().first_expires = Some(1);
    {
        let mut host = start(&place, &server);
        let address = browse(&link(&mut host));
        paste(&mut host, &address);
        host.end();
    }
    // The first connection has renewed it: it is as good as expired from the beginning.
    let renewed = |server: &OAuthServer| {
        server.forms("/token").iter().filter(|form| form["grant_type"] == "refresh_token").count()
    };
    assert_eq!(renewed(&server), 1);
    let mut expired = record(&place);
    expired["tokens"]["expires"] = 1.into();
    fs::write(&records(&place)[0], expired.to_string()).unwrap();
    let mut hosts: Vec<Host> = (0..4).map(|_| start(&place, &server)).collect();
    for host in &mut hosts {
        assert_eq!(settled(host)["status"], "connected");
    }
    assert_eq!(renewed(&server), 2);
    assert_eq!(server.state().refresh.len(), 1);
}

#[test]
fn a_token_that_the_server_rejects_is_renewed() {
    let (place, server) = (Place::new(), OAuthServer::start());
    let mut host = start(&place, &server);
    sign_in(&mut host);
    server.state().valid.clear();
    assert_eq!(add(&mut host), json!([{ "type": "text", "text": "5" }]));
    // Rotation: the token that was used is void, and the new one is kept.
    let kept = record(&place)["tokens"]["refresh"].as_str().unwrap().to_owned();
    assert_eq!(server.state().refresh.iter().collect::<Vec<_>>(), [&kept]);
}

#[test]
fn without_valid_tokens_the_user_has_to_sign_in_again() {
    let (place, server) = (Place::new(), OAuthServer::start());
    let mut host = start(&place, &server);
    sign_in(&mut host);
    {
        let mut state = server.state();
        state.valid.clear();
        state.refresh.clear();
    }
    let text = add(&mut host).to_string();
    assert!(text.contains("aqueduct mcp login net"), "{text}");
    assert_eq!(status(&mut host)["status"], "needs-auth");
    assert_eq!(record(&place)["tokens"], Value::Null);
    sign_in(&mut host);
    assert_eq!(add(&mut host), json!([{ "type": "text", "text": "5" }]));
    // The client is still registered, and its port was free.
    assert_eq!(server.count("/register"), 1);
}

#[test]
fn a_callback_that_belongs_to_no_sign_in_is_refused() {
    let (place, server) = (Place::new(), OAuthServer::start());
    let mut host = start(&place, &server);
    let link = link(&mut host);
    let back = browse(&link);
    let state = query(&link, "state").unwrap();
    let issuer = Url::parse(&server.server.url).unwrap();
    let port = issuer.port().unwrap().to_string();
    for (address, why) in [
        (back.replace(&state, "another"), "its state differs"),
        (back.replace(&format!("127.0.0.1%3A{port}"), "evil.example"), "its issuer differs"),
        (back.split("&iss=").next().unwrap().to_owned(), "its issuer differs"),
        (back.replace("/callback", "/other"), "does not begin with"),
        ("hello".to_owned(), "not the address"),
    ] {
        let refused = paste(&mut host, &address);
        assert_eq!(refused["subtype"], "error", "{address}");
        assert!(refused["error"].as_str().unwrap().contains(why), "{address}: {refused}");
    }
    assert_eq!(server.count("/token"), 0);
    // None of it has ended the sign-in.
    assert_eq!(paste(&mut host, &back)["subtype"], "success");
    let again = paste(&mut host, &back);
    assert!(again["error"].as_str().unwrap().contains("no sign-in to net is under way"), "{again}");
}

#[test]
fn a_user_may_refuse() {
    let (place, server) =
        (Place::new(), OAuthServer::with(OAuthState { denies: true, ..OAuthState::default() }));
    let mut host = start(&place, &server);
    let address = browse(&link(&mut host));
    let refused = paste(&mut host, &address);
    assert!(refused["error"].as_str().unwrap().contains("access_denied"), "{refused}");
    assert!(records(&place).is_empty());
}

#[test]
fn hostile_metadata_ends_a_sign_in() {
    const RESOURCE: &str = "/.well-known/oauth-protected-resource/mcp";
    const ISSUER: &str = "/.well-known/oauth-authorization-server";
    let changes: [(Change, &str); 9] = [
        (
            |path, value| {
                if path == RESOURCE {
                    value["resource"] = "https://bank.example/mcp".into();
                }
            },
            "another server",
        ),
        (
            |path, value| {
                if path == RESOURCE {
                    value["authorization_servers"] = json!(["http://93.184.215.14/"]);
                }
            },
            "not encrypted",
        ),
        (
            |path, value| {
                if path == RESOURCE {
                    value["authorization_servers"] = json!(["https://169.254.169.254/"]);
                }
            },
            "this machine's own link",
        ),
        (
            |path, value| {
                if path == ISSUER {
                    value["issuer"] = "https://bank.example".into();
                }
            },
            "another issuer",
        ),
        (
            |path, value| {
                if path == ISSUER {
                    value["authorization_endpoint"] = "javascript:alert(1)".into();
                }
            },
            "javascript:",
        ),
        (
            |path, value| {
                if path == ISSUER {
                    value["code_challenge_methods_supported"] = json!(["plain"]);
                }
            },
            "PKCE",
        ),
        (
            |path, value| {
                if path == ISSUER {
                    value["x"] = "x".repeat(300_000).into();
                }
            },
            "larger than",
        ),
        (
            |path, value| {
                if path == RESOURCE {
                    *value = json!({ "redirect": "https://elsewhere.example/" });
                }
            },
            "HTTP 302",
        ),
        (
            |path, value| {
                if path == "/register" {
                    *value = json!({ "client_name": "\u{1b}[2J" });
                }
            },
            "no client_id",
        ),
    ];
    let (place, server) = (Place::new(), OAuthServer::start());
    let mut host = start(&place, &server);
    settled(&mut host);
    for (change, why) in changes {
        server.state().change = Some(change);
        let refused = begin(&mut host);
        let error = refused["error"].as_str().unwrap_or_default();
        assert!(error.contains(why), "{why}: {refused}");
        assert!(!error.contains('\u{1b}'), "{refused}");
    }
}

#[test]
fn what_an_authorization_server_says_obeys_no_terminal() {
    let (place, server) = (Place::new(), OAuthServer::start());
    let mut host = start(&place, &server);
    let address = browse(&link(&mut host));
    let refused = paste(&mut host, &address.replace("code%2B0", "another"));
    assert_eq!(
        refused["error"],
        format!("{} refused the sign-in: invalid_grant (no[2J more)", server.server.url)
    );
}

#[test]
fn a_permission_that_is_missing_is_asked_for() {
    let state = OAuthState { call_scope: Some("write"), ..OAuthState::default() };
    let (place, server) = (Place::new(), OAuthServer::with(state));
    let mut host = start(&place, &server);
    let first = link(&mut host);
    assert_eq!(query(&first, "scope").as_deref(), Some("read"));
    paste(&mut host, &browse(&first));
    let text = add(&mut host).to_string();
    assert!(text.contains("lacks a permission"), "{text}");
    // Everything else still works.
    assert_eq!(status(&mut host)["status"], "connected");
    let second = begin(&mut host)["response"]["authUrl"].as_str().unwrap().to_owned();
    assert_eq!(query(&second, "scope").as_deref(), Some("write read"));
    paste(&mut host, &browse(&second));
    assert_eq!(add(&mut host), json!([{ "type": "text", "text": "5" }]));
}

#[test]
fn signing_out_revokes_the_tokens() {
    let (place, server) = (Place::new(), OAuthServer::start());
    let mut host = start(&place, &server);
    sign_in(&mut host);
    let out = host.ask(&json!({ "subtype": "mcp_clear_auth", "serverName": "net" }));
    assert_eq!(out["subtype"], "success", "{out}");
    assert_eq!(server.state().revoked, ["refresh-1", "access-1"]);
    assert!(records(&place).is_empty());
    assert_eq!(settled(&mut host)["status"], "needs-auth");
}

#[test]
fn a_client_that_the_user_has_registered_is_used() {
    let (place, server) = (Place::new(), OAuthServer::start());
    let mut host = start_with(&place, &server.url(), &json!({ "oauth": { "clientId": "mine" } }));
    sign_in(&mut host);
    assert_eq!(server.count("/register"), 0);
    assert_eq!(server.forms("/token")[0]["client_id"], "mine");
}

#[test]
fn a_header_of_the_configuration_is_used_instead() {
    let (place, server) = (Place::new(), OAuthServer::start());
    server.state().valid.insert("own".to_owned(), "read".to_owned());
    let headers = json!({ "headers": { "authorization": "Bearer own" } });
    let mut host = start_with(&place, &server.url(), &headers);
    assert_eq!(settled(&mut host)["status"], "connected");
    let refused = begin(&mut host);
    assert!(refused["error"].as_str().unwrap().contains("Authorization header"), "{refused}");
}

#[test]
fn a_server_without_a_sign_in_is_named() {
    let (place, server) =
        (Place::new(), Server::start(|_, stream| respond(stream, "401 Unauthorized", "", "")));
    let mut host = start_with(&place, &format!("{}/mcp", server.url), &json!({}));
    settled(&mut host);
    let refused = begin(&mut host);
    assert!(refused["error"].as_str().unwrap().contains("does not describe how to sign in"), "{refused}");
    let other = host.ask(&json!({ "subtype": "mcp_authenticate", "serverName": "missing" }));
    assert_eq!(other["error"], "Server not found: missing");
}

#[test]
fn a_file_that_others_can_read_is_not_used() {
    let (place, server) = (Place::new(), OAuthServer::start());
    sign_in(&mut start(&place, &server));
    fs::set_permissions(&records(&place)[0], fs::Permissions::from_mode(0o644)).unwrap();
    let mut host = start(&place, &server);
    let reported = settled(&mut host);
    assert_eq!(reported["status"], "failed");
    assert!(reported["error"].as_str().unwrap().contains("other users of this machine"), "{reported}");
}

/// `mcp login`, up to the link; the process, its stdout and the link.
fn login(place: &Place) -> (std::process::Child, BufReader<std::process::ChildStdout>, String) {
    let mut command = place.command(&["mcp", "login", "net", "--no-browser"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut link = String::new();
    while !link.starts_with("  http") {
        link.clear();
        assert!(output.read_line(&mut link).unwrap() > 0, "the program has ended");
    }
    (child, output, link.trim().to_owned())
}

fn rest(mut output: BufReader<std::process::ChildStdout>) -> String {
    let mut text = String::new();
    std::io::Read::read_to_string(&mut output, &mut text).unwrap();
    text
}

fn output_of(place: &Place, arguments: &[&str]) -> (String, String) {
    let output = place.command(arguments).stdin(Stdio::null()).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn listed(place: &Place) -> Value {
    serde_json::from_str(&output_of(place, &["mcp", "list", "--json"]).0).unwrap()
}

#[test]
fn the_command_line_signs_in_and_out() {
    let (place, server) = (Place::new(), OAuthServer::start());
    output_of(&place, &["mcp", "add", "--transport", "http", "net", &server.url()]);
    let described = |status: &str, is_signed_in: bool| {
        json!([{
            "name": "net", "transport": "http", "target": server.url(), "status": status, "signedIn": is_signed_in,
        }])
    };
    assert_eq!(listed(&place), described("needs-auth", false));
    // A browser on another machine: the user pastes, and not the right text at first.
    let (mut child, output, link) = login(&place);
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "\nhello\n{}", browse(&link)).unwrap();
    assert!(rest(output).ends_with("Signed in to net\n"));
    let finished = child.wait_with_output().unwrap();
    assert!(finished.status.success());
    let errors = String::from_utf8(finished.stderr).unwrap();
    assert!(errors.contains("copy the whole address"), "{errors}");
    assert_eq!(listed(&place), described("connected", true));
    assert!(output_of(&place, &["mcp", "list"]).0.contains("✔ Connected (signed in)"));
    assert_eq!(output_of(&place, &["mcp", "logout", "net"]).0, "Signed out of net\n");
    assert_eq!(output_of(&place, &["mcp", "logout", "net"]).0, "There was no sign-in to net\n");
    assert_eq!(listed(&place), described("needs-auth", false));
    // A browser on this machine.
    let (mut child, output, link) = login(&place);
    get(&browse(&link));
    assert!(rest(output).ends_with("Signed in to net\n"));
    assert!(child.wait().unwrap().success());
    assert_eq!(listed(&place), described("connected", true));
}

#[test]
fn a_sign_in_to_what_is_not_on_the_network_is_refused() {
    let place = Place::new();
    output_of(&place, &["mcp", "add", "here", "--", "true"]);
    let (_, error) = output_of(&place, &["mcp", "login", "here"]);
    assert_eq!(
        error,
        "Error: the MCP server here is not on the network: only servers of the types http and sse have a sign-in\n"
    );
    let (_, error) = output_of(&place, &["mcp", "login", "her"]);
    assert!(error.contains("Did you mean \"here\"?"), "{error}");
}
