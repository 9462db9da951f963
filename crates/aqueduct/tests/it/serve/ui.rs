//! The web UI, as the program serves it.

use super::served::Served;
use crate::terminal::Place;

#[test]
fn every_file_has_the_policy_that_the_ui_was_built_for() {
    let served = Served::start(&Place::new(), &["--no-pair"]);
    for path in ["/", "/index.html", "/manifest.webmanifest"] {
        let file = served.http(&format!("GET {path}"), None, None);
        let policy = format!("content-security-policy: {}\r\n", aqueduct_web::CONTENT_SECURITY_POLICY);
        assert!(file.status == 200 && file.head.contains(&policy), "{path}: {}", file.head);
    }
}
