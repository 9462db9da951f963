//! The files of the web UI.

use std::sync::Arc;

use aqueduct_bridge::server::{Asset, Assets};

use super::world::World;

struct Ui;

const POLICY: &str = "default-src 'none'; script-src 'self'; frame-ancestors 'none'";

impl Assets for Ui {
    fn find(&self, path: &str) -> Option<Asset> {
        let page = Asset {
            content_type: "text/html; charset=utf-8",
            etag: "\"page\"",
            immutable: false,
            plain: b"<!doctype html>",
            gzip: Some(b"gzipped"),
            brotli: None,
        };
        match path {
            "/" | "/index.html" => Some(page),
            "/app-3f2a.js" => Some(Asset {
                content_type: "text/javascript",
                etag: "\"app\"",
                immutable: true,
                plain: b"plain",
                gzip: Some(b"gzipped"),
                brotli: Some(b"brotli"),
            }),
            _ => None,
        }
    }

    fn policy(&self) -> &'static str {
        POLICY
    }
}

async fn world() -> World {
    World::with(|options| options.assets = Some(Arc::new(Ui))).await
}

#[tokio::test]
async fn files_are_served_in_the_smallest_form_that_is_taken() {
    let world = world().await;
    for (accepted, encoding, body) in [
        ("", None, "plain"),
        ("Accept-Encoding: gzip, deflate, br\r\n", Some("br"), "brotli"),
        ("Accept-Encoding: gzip;q=0.5\r\n", Some("gzip"), "gzipped"),
        ("Accept-Encoding: br;q=0, gzip;q=0.0, identity\r\n", None, "plain"),
    ] {
        let reply = world.ask("GET", "/app-3f2a.js", accepted, "").await;
        assert_eq!(
            (reply.status, reply.header("content-encoding"), &*reply.text()),
            (200, encoding, body),
            "{accepted}"
        );
        assert_eq!(reply.header("cache-control"), Some("public, max-age=31536000, immutable"));
        assert_eq!(reply.header("vary"), Some("accept-encoding"));
        assert_eq!(reply.header("content-security-policy"), Some(POLICY));
        reply.assert_guarded();
    }
}

#[tokio::test]
async fn what_a_browser_has_is_not_sent_again() {
    let world = world().await;
    let page = world.ask("GET", "/", "", "").await;
    assert_eq!((page.header("etag"), page.header("cache-control")), (Some("\"page\""), Some("no-cache")));
    for tags in ["\"page\"", "\"x\", W/\"page\""] {
        let mut client = world.connect().await;
        client.send(world.request("GET", "/", &format!("If-None-Match: {tags}\r\n"), "")).await;
        assert_eq!(client.head().await.status, 304);
    }
}

#[tokio::test]
async fn every_other_path_is_a_page_of_the_ui() {
    let world = world().await;
    for path in ["/", "/sessions/0198c0de", "/settings?tab=1", "/healthz/x"] {
        assert_eq!(world.ask("GET", path, "", "").await.text(), "<!doctype html>", "{path}");
    }
    world.ask("GET", "/app-0000.js", "", "").await.assert_error(404, "unknown_message");
    world.ask("GET", "/api/v1/nothing", "", "").await.assert_error(404, "unknown_message");
}

/// A link from elsewhere may lead to a page; nothing else from elsewhere may use our files.
#[tokio::test]
async fn links_from_elsewhere_lead_here() {
    let world = world().await;
    let link = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n";
    assert_eq!(world.ask("GET", "/", link, "").await.status, 200);
    let script = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n";
    world.ask("GET", "/app-3f2a.js", script, "").await.assert_error(403, "forbidden");
}

#[tokio::test]
async fn a_build_without_ui_reports_it() {
    let world = World::new().await;
    let page = world.ask("GET", "/", "", "").await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(page.text().contains("no web UI") && page.text().contains("/api/v1/hello"));
    page.assert_guarded();
    assert_eq!(world.ask("GET", "/anything", "", "").await.status, 404);
}
