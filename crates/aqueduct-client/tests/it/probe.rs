//! What a program reports about itself.

use aqueduct_client::{Child, Version, probe};

/// A program may be started through another: `aqueduct agent`, `npx …`, `docker run …`.
#[tokio::test]
async fn leading_arguments_come_before_the_question() {
    let script = r#"[ "$1" = --version ] && echo "2.1.99 ($0)""#;
    let child = Child {
        program: "/bin/sh".into(),
        arguments: ["-c", script, "inner"].map(Into::into).to_vec(),
        ..Child::default()
    };
    let found = probe(&child).await.unwrap();
    assert_eq!((found.version, found.line.as_str()), (Version::new(2, 1, 99), "2.1.99 (inner)"));
}
