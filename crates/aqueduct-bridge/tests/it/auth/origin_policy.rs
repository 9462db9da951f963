//! Whether a request was meant for this bridge.

use std::net::SocketAddr;

use aqueduct_bridge::auth::{ConnectionInfo, OriginPolicy, RequestTarget};
use aqueduct_wire::hint::HintedError as _;
use hyper::Request;

/// The code of the refusal, or `None` if there is none.
struct Asked {
    origin_policy: OriginPolicy,
    connection: ConnectionInfo,
    target: RequestTarget,
}

impl Asked {
    fn at(local: &str) -> Self {
        let local: SocketAddr = local.parse().unwrap();
        Asked {
            origin_policy: OriginPolicy::default(),
            connection: ConnectionInfo { local: Some(local), secure: false },
            target: RequestTarget::Api,
        }
    }

    fn known_as(self, hosts: &[&str]) -> Self {
        let hosts = hosts.iter().map(|host| host.parse().unwrap()).collect();
        Asked { origin_policy: OriginPolicy::new(hosts), ..self }
    }

    fn over_tls(mut self) -> Self {
        self.connection.secure = true;
        self
    }

    fn for_page(mut self) -> Self {
        self.target = RequestTarget::Page;
        self
    }

    fn refusal(&self, uri: &str, headers: &[(&str, &str)]) -> Option<String> {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (head, ()) = request.body(()).unwrap().into_parts();
        self.origin_policy
            .check(self.target, &head, self.connection)
            .err()
            .map(|failure| failure.code.as_str().to_owned())
    }

    fn host(&self, host: &str) -> Option<String> {
        self.refusal("/", &[("host", host)])
    }

    #[track_caller]
    fn takes(&self, headers: &[(&str, &str)]) {
        assert_eq!(self.refusal("/", headers), None);
    }

    #[track_caller]
    fn forbids(&self, headers: &[(&str, &str)]) {
        assert_eq!(self.refusal("/", headers).as_deref(), Some("forbidden"));
    }
}

#[test]
fn the_bridge_is_known_by_its_address() {
    let asked = Asked::at("127.0.0.1:8765");
    for host in ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765"] {
        assert_eq!(asked.host(host), None, "{host}");
    }
    for host in [
        "evil.example:8765",
        "localhost",
        "localhost:8766",
        "127.0.0.1.evil.example:8765",
        "192.0.2.7:8765",
        "localhost.:8765",
    ] {
        assert_eq!(asked.host(host).as_deref(), Some("forbidden"), "{host}");
    }
    for host in ["", "a b", "localhost:8765, evil.example"] {
        assert_eq!(asked.host(host).as_deref(), Some("invalid_message"), "{host}");
    }
    assert_eq!(asked.refusal("/", &[]).as_deref(), Some("invalid_message"));
    let twice = [("host", "localhost:8765"), ("host", "localhost:8765")];
    assert_eq!(asked.refusal("/", &twice).as_deref(), Some("invalid_message"));
}

#[test]
fn a_wildcard_address_is_not_a_name_for_loopback() {
    let asked = Asked::at("192.0.2.7:80");
    assert_eq!(asked.host("192.0.2.7"), None);
    assert_eq!(asked.host("192.0.2.7:80"), None);
    assert_eq!(asked.host("localhost:80").as_deref(), Some("forbidden"));
    assert_eq!(Asked::at("192.0.2.7:443").over_tls().host("192.0.2.7"), None);
    assert_eq!(Asked::at("[::ffff:192.0.2.7]:80").host("192.0.2.7"), None);
}

#[test]
fn names_can_be_given() {
    let asked = Asked::at("127.0.0.1:8765").known_as(&["bridge.example", "other.example:9000"]);
    for host in ["bridge.example", "bridge.example:443", "other.example:9000"] {
        assert_eq!(asked.host(host), None, "{host}");
    }
    for host in ["other.example", "x.bridge.example", "bridge.example.evil.example"] {
        assert_eq!(asked.host(host).as_deref(), Some("forbidden"), "{host}");
    }
}

/// A name does not vouch for the other ports of its host, nor for another scheme.
#[test]
fn a_page_on_another_port_of_a_known_name_is_foreign() {
    let asked = Asked::at("192.0.2.7:8765").known_as(&["box"]);
    asked.takes(&[("host", "box:8765"), ("origin", "http://box:8765")]);
    asked.takes(&[("host", "192.0.2.7:8765"), ("origin", "http://192.0.2.7:8765")]);
    for origin in [
        "http://box",
        "http://box:3000",
        "https://box:8765",
        "https://box",
        "http://box.:8765",
        "http://sub.box:8765",
        "http://box.evil.example:8765",
        "http://192.0.2.7:8765",
        "http://box:8765@evil.example",
    ] {
        asked.forbids(&[("host", "box:8765"), ("origin", origin)]);
    }
    let tls = Asked::at("192.0.2.7:8765").known_as(&["box"]).over_tls();
    tls.takes(&[("host", "box:8765"), ("origin", "https://box:8765")]);
    tls.forbids(&[("host", "box:8765"), ("origin", "http://box:8765")]);
}

/// A proxy has the TLS, which only the configuration shows.
#[test]
fn an_origin_can_be_given() {
    let asked =
        Asked::at("127.0.0.1:8765").known_as(&["https://bridge.example", "https://other.example:8443"]);
    for host in ["bridge.example", "bridge.example:443", "other.example:8443"] {
        assert_eq!(asked.host(host), None, "{host}");
    }
    for host in ["bridge.example:80", "bridge.example:8765", "other.example"] {
        assert_eq!(asked.host(host).as_deref(), Some("forbidden"), "{host}");
    }
    asked.takes(&[("host", "bridge.example"), ("origin", "https://bridge.example")]);
    asked.takes(&[("host", "127.0.0.1:8765"), ("origin", "http://127.0.0.1:8765")]);
    // A proxy may put another name into Host, but not into Origin.
    asked.takes(&[("host", "127.0.0.1:8765"), ("origin", "https://bridge.example")]);
    for origin in [
        "http://bridge.example",
        "https://bridge.example:3000",
        "http://bridge.example:8765",
        "https://evil.example",
    ] {
        asked.forbids(&[("host", "bridge.example"), ("origin", origin)]);
        asked.forbids(&[("host", "127.0.0.1:8765"), ("origin", origin)]);
    }
    // Any client can send these.
    let forwarded = [
        ("host", "127.0.0.1:8765"),
        ("x-forwarded-host", "127.0.0.1:3000"),
        ("x-forwarded-proto", "https"),
        ("forwarded", "host=127.0.0.1:3000;proto=http"),
        ("origin", "http://127.0.0.1:3000"),
    ];
    asked.forbids(&forwarded);
}

#[test]
fn a_refused_page_behind_a_proxy_gets_advice() {
    let asked = Asked::at("127.0.0.1:8765").known_as(&["box.example"]);
    let request = Request::builder().header("host", "box.example").header("origin", "https://box.example");
    let (head, ()) = request.body(()).unwrap().into_parts();
    let refusal = asked.origin_policy.check(RequestTarget::Api, &head, asked.connection).unwrap_err();
    assert!(refusal.advised().contains("--url https://box.example"), "{refusal}");
}

#[test]
fn a_whole_url_must_match_host() {
    let asked = Asked::at("127.0.0.1:8765");
    let host = [("host", "localhost:8765")];
    assert_eq!(asked.refusal("http://localhost:8765/", &host), None);
    assert_eq!(asked.refusal("http://evil.example/", &host).as_deref(), Some("forbidden"));
    assert_eq!(asked.refusal("http://evil.example@localhost:8765/", &host).as_deref(), Some("forbidden"));
}

#[test]
fn pages_of_others_stay_outside() {
    let asked = Asked::at("127.0.0.1:8765");
    asked.takes(&[("host", "localhost:8765"), ("origin", "http://localhost:8765")]);
    for origin in
        ["http://evil.example", "null", "http://localhost:3000", "http://127.0.0.1:8765", "file://", ""]
    {
        asked.forbids(&[("host", "localhost:8765"), ("origin", origin)]);
    }
}

#[test]
fn a_unix_socket_has_any_name() {
    let mut asked = Asked::at("127.0.0.1:8765");
    asked.connection.local = None;
    assert_eq!(asked.host("bridge.example"), None);
    assert_eq!(asked.refusal("/", &[]), None);
    asked.takes(&[("host", "bridge.example"), ("origin", "http://bridge.example")]);
    for origin in ["https://evil.example", "https://bridge.example", "http://bridge.example:3000"] {
        asked.forbids(&[("host", "bridge.example"), ("origin", origin)]);
    }
    asked.forbids(&[("origin", "https://evil.example")]);
    let asked = asked.known_as(&["https://bridge.example"]);
    asked.takes(&[("host", "bridge.example"), ("origin", "https://bridge.example")]);
    asked.forbids(&[("host", "bridge.example"), ("origin", "http://bridge.example")]);
}

#[test]
fn what_the_browser_reports_counts() {
    let host = ("host", "localhost:8765");
    let api = Asked::at("127.0.0.1:8765");
    for site in ["same-origin", "none"] {
        api.takes(&[host, ("sec-fetch-site", site)]);
    }
    let navigation = [host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
    for site in ["cross-site", "same-site", "anything"] {
        api.forbids(&[host, ("sec-fetch-site", site)]);
        api.forbids(&[host, ("sec-fetch-site", site), ("sec-fetch-mode", "navigate")]);
    }
    let page = Asked::at("127.0.0.1:8765").for_page();
    page.takes(&navigation);
    page.takes(&[&navigation[..], &[("sec-fetch-dest", "document")]].concat());
    for frame in ["iframe", "frame", "object", "embed"] {
        page.forbids(&[&navigation[..], &[("sec-fetch-dest", frame)]].concat());
    }
    page.forbids(&[host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]);
}

#[test]
fn a_token_in_a_url_is_refused() {
    let asked = Asked::at("127.0.0.1:8765");
    let token = "aq_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    for uri in [
        "/ws?token=anything".to_owned(),
        "/ws?a=1&Access_Token=x".to_owned(),
        format!("/?q={token}"),
        format!("/?{token}"),
    ] {
        let refusal = asked.refusal(&uri, &[("host", "localhost:8765")]);
        assert_eq!(refusal.as_deref(), Some("unauthorized"), "{uri}");
    }
    assert_eq!(asked.refusal("/?token=&q=tokens", &[("host", "localhost:8765")]), None);
}
