//! Client headers, read from any text.

use aqueduct_bridge::auth::{
    Authority, HostName, KnownHost, PublicKey, RequestOrigin, bearer, cookies, expired_cookie, subprotocols,
};
use proptest::prelude::*;

fn authority(text: &str) -> Option<String> {
    Authority::parse(text).map(|authority| authority.to_string())
}

#[test]
fn a_host_is_a_name_or_an_address_and_maybe_a_port() {
    for (text, canonical) in [
        ("localhost", "localhost"),
        ("LocalHost:8765", "localhost:8765"),
        ("127.0.0.1:80", "127.0.0.1:80"),
        ("[::1]", "[::1]"),
        ("[0:0::0:1]:8765", "[::1]:8765"),
        ("a-b.example_c", "a-b.example_c"),
    ] {
        assert_eq!(authority(text).as_deref(), Some(canonical), "{text}");
    }
    for text in [
        "", ":80", "a b", "a:", "a:b", "a:80:80", "a:65536", "a:+1", "user@a", "a/b", "[::1", "::1",
        "[::1]x", "[a]", "a,b", "a\t", " a", "é", "a:8765 ", "%31",
    ] {
        assert_eq!(authority(text), None, "{text}");
    }
    assert_eq!(authority(&"a".repeat(254)), None);
}

#[test]
fn an_origin_is_a_page_or_not_ours() {
    let is_page = |origin, of, tls| {
        RequestOrigin::parse(origin) == RequestOrigin::page(tls, &Authority::parse(of).unwrap())
    };
    for (origin, of, tls) in [
        ("http://localhost:8765", "localhost:8765", false),
        ("http://LOCALHOST:8765", "localhost:8765", false),
        ("http://a.example", "a.example", false),
        ("http://a.example:80", "a.example", false),
        ("http://a.example", "a.example:80", false),
        ("https://a.example", "a.example:443", true),
        ("http://[::1]:8765", "[0:0::1]:8765", false),
    ] {
        assert!(is_page(origin, of, tls), "{origin} of {of}");
    }
    for (origin, of, tls) in [
        ("http://a.example", "a.example", true),
        ("https://a.example", "a.example", false),
        ("http://a.example", "b.example", false),
        ("http://a.example.evil", "a.example", false),
        ("http://a.example.", "a.example", false),
        ("http://a.example:81", "a.example", false),
        ("https://a.example", "a.example:80", false),
        ("https://a.example:80", "a.example", true),
        ("http://localhost:3000", "localhost:8765", false),
        ("http://localhost:08765", "localhost:8765", false),
        ("http://localhost:8765:8765", "localhost:8765", false),
        ("http://127.0.0.1:8765", "localhost:8765", false),
        ("http://[::ffff:127.0.0.1]:8765", "127.0.0.1:8765", false),
        ("http://127.1:8765", "127.0.0.1:8765", false),
        ("null", "localhost:8765", false),
        ("file://localhost:8765", "localhost:8765", false),
        ("http://user@localhost:8765", "localhost:8765", false),
        ("http://localhost:8765@evil.example", "localhost:8765", false),
        ("http://localhost:8765/", "localhost:8765", false),
        ("http://localhost:8765 http://evil.example", "localhost:8765", false),
        ("HTTP://localhost:8765", "localhost:8765", false),
        ("", "localhost:8765", false),
    ] {
        assert!(!is_page(origin, of, tls), "{origin} of {of}");
    }
    assert_eq!(RequestOrigin::parse("null"), RequestOrigin::Null);
}

#[test]
fn cookies_are_found_by_their_name() {
    let all = |header: &str| cookies(header, "aqueduct").map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(all("aqueduct=a"), ["a"]);
    assert_eq!(all("x=1; aqueduct=a;aqueduct=\"b\" ; y"), ["a", "b"]);
    assert_eq!(all("xaqueduct=a; aqueduct2=b; Aqueduct=c; aqueduct"), [""; 0]);
    assert_eq!(all("aqueduct=a=b"), ["a=b"]);
}

#[test]
fn the_only_cookie_is_one_that_expires() {
    let expected = "aqueduct=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict";
    assert_eq!(expired_cookie(false), expected);
    assert_eq!(expired_cookie(true), format!("{expected}; Secure"));
}

#[test]
fn a_known_host_is_a_name_or_an_origin() {
    for (text, secure) in
        [("box", None), ("box:80", None), ("http://box", Some(false)), ("https://[::1]:9", Some(true))]
    {
        let known: KnownHost = text.parse().unwrap();
        assert_eq!((known.secure, known.to_string().as_str()), (secure, text));
    }
    assert_eq!("https://box/".parse::<KnownHost>().unwrap().to_string(), "https://box");
    for text in ["", "box/", "ftp://box", "https://", "https://box/path", "https://user@box", "HTTPS://box"] {
        assert!(text.parse::<KnownHost>().is_err(), "{text}");
    }
}

#[test]
fn a_bearer_token_is_one_word() {
    assert_eq!(bearer("Bearer secret-token"), Some("secret-token"));
    assert_eq!(bearer("bearer  secret-token "), Some("secret-token"));
    for header in [
        "",
        "Bearer",
        "Bearer ",
        "Basic secret-token",
        "Bearer two words",
        "Bearersecret-token",
        "Bearer short",
    ] {
        assert_eq!(bearer(header), None, "{header}");
    }
}

proptest! {
    /// No text makes a parser panic, and what is read is written as it is read.
    #[test]
    fn every_text_is_read_somehow(text in "\\PC{0,40}|[a-z0-9.:\\[\\]@/-]{0,40}") {
        if let Some(authority) = Authority::parse(&text) {
            prop_assert_eq!(Authority::parse(&authority.to_string()), Some(authority));
        }
        RequestOrigin::parse(&text);
        bearer(&text);
        subprotocols(&text).for_each(drop);
        cookies(&text, "aqueduct").for_each(drop);
        assert_eq!(PublicKey::parse(&text), None);
        if let Ok(known) = text.parse::<KnownHost>() {
            prop_assert_eq!(known.to_string().parse::<KnownHost>().unwrap(), known);
        }
    }

    #[test]
    fn hosts_go_there_and_back(name in "[a-z][a-z0-9-]{0,20}(\\.[a-z]{1,8}){0,3}", port: Option<u16>) {
        let authority = Authority { host: HostName::Name(name), port };
        prop_assert_eq!(Authority::parse(&authority.to_string()), Some(authority.clone()));
        for (scheme, secure) in [("http", false), ("https", true)] {
            let page = RequestOrigin::page(secure, &authority);
            prop_assert_eq!(RequestOrigin::parse(&format!("{scheme}://{authority}")), page.clone());
            prop_assert_eq!(RequestOrigin::parse(&page.to_string()), page);
        }
    }

    #[test]
    fn addresses_go_there_and_back(address: std::net::IpAddr, port: Option<u16>) {
        let authority = Authority { host: HostName::Address(address), port };
        prop_assert_eq!(Authority::parse(&authority.to_string()), Some(authority));
    }

    /// A page of one host is never a page of another.
    #[test]
    fn origins_of_others_are_others(one in "[a-c]{1,3}(:[1-3])?", other in "[a-c]{1,3}(:[1-3])?") {
        let host = Authority::parse(&other).unwrap();
        prop_assert_eq!(RequestOrigin::parse(&format!("http://{one}")) == RequestOrigin::page(false, &host), one == other);
        prop_assert_ne!(RequestOrigin::parse(&format!("https://{one}")), RequestOrigin::page(false, &host));
    }

    /// A cookie is found among others, at any position.
    #[test]
    fn a_cookie_is_found_among_others(
        before in proptest::collection::vec("[a-z]{1,5}=[a-z0-9]{0,5}", 0..4),
        value in "[A-Za-z0-9_-]{1,50}",
        after in proptest::collection::vec("[a-z]{1,5}=[a-z0-9]{0,5}", 0..4),
    ) {
        let mut all = before;
        all.push(format!("aqueduct={value}"));
        all.extend(after);
        let header = all.join("; ");
        prop_assert_eq!(cookies(&header, "aqueduct").collect::<Vec<_>>(), [&*value]);
    }
}
