//! Pairing and access, from the link to revocation.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::served::{Served, aqueduct};
use crate::terminal::Place;

#[test]
fn a_link_lets_one_device_in_once() {
    let place = Place::new();
    let mut served = Served::start(&place, &[]);
    let code = served.code();
    assert_eq!(
        served.http("GET /api/v1/hello", None, None).status,
        401,
        "a request without a token is refused"
    );
    let body = json!({ "code": code, "name": "phone" });
    let paired = served.http("POST /api/v1/pair", None, Some(&body));
    assert_eq!(paired.status, 200, "{paired:?}");
    assert_eq!(paired.json()["device"]["name"], "phone");
    let token = paired.json()["token"].as_str().unwrap().to_owned();
    let hello = served.http("GET /api/v1/hello", Some(&token), None);
    assert_eq!(hello.status, 200);
    assert_eq!(hello.json()["defaultAgent"], "builtin");
    assert_eq!(hello.json()["roots"], json!([place.project()]));
    let again = served.http("POST /api/v1/pair", None, Some(&body));
    assert_eq!((again.status, again.json()["code"].as_str()), (403, Some("pairing_failed")), "{again:?}");
    let wrong = served.http("GET /api/v1/hello", Some("aq_wrong-token"), None);
    assert_eq!(wrong.status, 401);
}

#[test]
fn no_cookie_is_set_and_none_counts() {
    let place = Place::new();
    let mut served = Served::start(&place, &[]);
    let body = json!({ "code": served.code(), "cookie": true });
    let paired = served.http("POST /api/v1/pair", None, Some(&body));
    assert_eq!(paired.status, 200, "{paired:?}");
    assert!(!paired.head.to_lowercase().contains("set-cookie"), "{paired:?}");
    assert_eq!(paired.json()["device"]["credential"], "bearer");
}

#[test]
fn devices_and_tokens_are_made_listed_and_revoked() {
    let place = Place::new();
    let served = Served::start(&place, &["--no-pair"]);
    let made = aqueduct(&place, &["pair", "--name", "tablet", "--json"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let link: Value = serde_json::from_str(&made.out).unwrap();
    let address = format!("http://{}/#pair=", served.address);
    assert!(link["link"].as_str().unwrap().starts_with(&address), "{link}");
    let body = json!({ "code": link["code"], "name": "called otherwise" });
    let tablet =
        served.http("POST /api/v1/pair", None, Some(&body)).json()["token"].as_str().unwrap().to_owned();
    let token = aqueduct(&place, &["token", "new", "nightly"]);
    assert_eq!((token.code, token.err.as_str()), (0, ""));
    let token = token.out.trim_end().to_owned();
    for secret in [&tablet, &token] {
        assert_eq!(served.http("GET /api/v1/ping", Some(secret), None).status, 200);
    }
    let listed = aqueduct(&place, &["devices"]);
    let names: Vec<&str> = listed.out.lines().map(|line| line.split("  ").last().unwrap().trim()).collect();
    assert_eq!(names, ["name", "tablet", "nightly"], "{}", listed.out);
    let tokens: Value = serde_json::from_str(&aqueduct(&place, &["token", "list", "--json"]).out).unwrap();
    assert_eq!(tokens["devices"].as_array().unwrap().len(), 1);
    assert_eq!(tokens["devices"][0]["name"], "nightly");
    assert!(!listed.out.contains(&token) && !tokens.to_string().contains(&token), "a token is shown once");

    let id = tokens["devices"][0]["deviceId"].as_str().unwrap();
    let renamed = aqueduct(&place, &["devices", "rename", &id[..6], "weekly"]);
    assert_eq!((renamed.code, renamed.err.as_str()), (0, "aqueduct: nightly is weekly now\n"));
    assert_eq!(aqueduct(&place, &["devices", "rename", &id[..6], " "]).code, 2);
    let revoked = aqueduct(&place, &["token", "revoke", &id[..6]]);
    assert_eq!((revoked.code, revoked.err.as_str()), (0, "aqueduct: revoked access for weekly\n"));
    assert_eq!(served.http("GET /api/v1/ping", Some(&token), None).status, 401);
    assert_eq!(served.http("GET /api/v1/ping", Some(&tablet), None).status, 200);
    let unknown = aqueduct(&place, &["devices", "revoke", "zzz"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("no id begins with \"zzz\""), "{}", unknown.err);
}

#[test]
fn without_a_running_bridge_the_log_is_asked() {
    let place = Place::new();
    let none = aqueduct(&place, &["devices"]);
    assert_eq!((none.code, none.out.as_str()), (0, ""));
    assert!(none.err.contains("aqueduct pair"), "{}", none.err);
    assert!(!place.home().join(".local").exists(), "looking makes nothing");
    let token = aqueduct(&place, &["token", "new", "early", "--json"]);
    let token: Value = serde_json::from_str(&token.out).unwrap();
    let link = aqueduct(&place, &["pair"]);
    assert!(link.out.contains("http://127.0.0.1:8765/#pair="), "{}", link.out);
    assert!(link.err.contains("does not run"), "{}", link.err);
    let served = Served::start(&place, &["--no-pair"]);
    assert_eq!(served.http("GET /api/v1/ping", token["token"].as_str(), None).status, 200);
    let code = link.out.split("#pair=").nth(1).unwrap().split_whitespace().next().unwrap();
    let paired = served.http("POST /api/v1/pair", None, Some(&json!({ "code": code })));
    assert_eq!(paired.status, 200, "{paired:?}");
}

#[test]
fn a_token_has_a_scope_an_expiry_and_a_root() {
    let place = Place::new();
    let served = Served::start(&place, &["--no-pair"]);
    let made = aqueduct(&place, &["token", "new", "--scope", "decide", "--expires", "30d"]);
    assert_eq!((made.code, made.err.as_str()), (0, ""));
    let decides = made.out.trim_end().to_owned();
    let hello = served.http("GET /api/v1/hello", Some(&decides), None).json();
    assert_eq!((&hello["device"]["scope"], &hello["device"]["name"]), (&json!("decide"), &json!("token")));
    assert!(
        hello["device"]["expiresAt"].as_u64().unwrap() > hello["time"].as_u64().unwrap() + 29 * 86_400_000
    );
    let start = json!({ "projectPath": place.project() });
    let refused = served.http("POST /api/v1/sessions", Some(&decides), Some(&start));
    assert_eq!((refused.status, &refused.json()["scope"]), (403, &json!("operate")), "{refused:?}");

    let project = place.project().to_str().unwrap().to_owned();
    let made =
        aqueduct(&place, &["token", "new", "dashboard", "--scope", "watch", "--root", &project, "--json"]);
    let made: Value = serde_json::from_str(&made.out).unwrap();
    assert_eq!(
        (&made["scope"], &made["root"], &made["name"]),
        (&json!("watch"), &json!(project), &json!("dashboard"))
    );
    assert_eq!(made.get("expiresAt"), None);
    let usual = aqueduct(&place, &["token", "new", "nightly", "--json"]);
    let usual: Value = serde_json::from_str(&usual.out).unwrap();
    assert_eq!(usual["scope"], "operate");
    let link = aqueduct(&place, &["pair", "--scope", "admin", "--json"]);
    let link: Value = serde_json::from_str(&link.out).unwrap();
    assert_eq!(link["scope"], "admin", "the owner is asked nothing a second time");

    let listed = aqueduct(&place, &["token", "list"]);
    let shown: Vec<Vec<&str>> =
        listed.out.lines().map(|line| line.split_whitespace().skip(2).take(3).collect()).collect();
    assert_eq!(
        shown,
        [
            ["scope", "expires", "added"],
            ["decide", "in", "30"],
            ["watch", "never", "just"],
            ["operate", "never", "just"]
        ],
        "{}",
        listed.out
    );
    assert!(listed.out.contains(&format!("dashboard  only {project}")), "{}", listed.out);
}

#[test]
fn a_scope_that_is_none_is_refused_with_those_there_are() {
    let place = Place::new();
    for (arguments, reported) in [
        (["token", "new", "--scope", "root"], "use one of watch, decide, operate, admin"),
        (["pair", "--json", "--expires", "soon"], "use a time such as 90m, 12h or 30d, or never"),
        (["token", "new", "--expires", "0s"], "use a time such as 90m, 12h or 30d, or never"),
        (["token", "new", "--root", "/nowhere"], "name one that exists"),
    ] {
        let refused = aqueduct(&place, &arguments);
        assert_eq!(refused.code, 2, "{arguments:?}");
        assert!(refused.err.contains(reported), "{}", refused.err);
    }
}

/// The token of a variable has the configured scope.
#[test]
fn automation_can_be_limited() {
    let place = Place::new();
    let token = "automation-token-0123456789";
    fs::write(place.aside("token"), token).unwrap();
    let mut permissions = fs::metadata(place.aside("token")).unwrap().permissions();
    permissions.set_mode(0o600);
    fs::set_permissions(place.aside("token"), permissions).unwrap();
    let file = place.aside("token").to_str().unwrap().to_owned();
    let served = Served::start(&place, &["--no-pair", "--token-scope", "watch", "--token-file", &file]);
    assert_eq!(served.http("GET /api/v1/hello", Some(token), None).json()["device"]["scope"], "watch");
    assert_eq!(served.http("GET /api/v1/devices", Some(token), None).status, 403);
}
