//! Every route with every credential from every origin. What a page of another origin asks for is refused
//! before its credential is read; the bridge's own page and programs are treated according to their
//! credential.

use super::super::world::World;
use super::routes::{Wanted, credentials, outcome_of};
use super::world;

/// Where a request comes from: the lines that a browser sends, and whether it is accepted.
fn origins(world: &World) -> Vec<(&'static str, String, bool)> {
    let (host, port) = (world.address.ip(), world.address.port());
    let other = if port == 1 { 2 } else { port - 1 };
    vec![
        ("a program", String::new(), true),
        ("the page itself", format!("Origin: http://{host}:{port}\r\n"), true),
        ("another port", format!("Origin: http://{host}:{other}\r\n"), false),
        ("no port", format!("Origin: http://{host}\r\n"), false),
        ("another scheme", format!("Origin: https://{host}:{port}\r\n"), false),
        ("another scheme and port", format!("Origin: https://{host}:{other}\r\n"), false),
        ("another name of this machine", format!("Origin: http://localhost:{port}\r\n"), false),
        ("another site", "Origin: https://evil.example\r\n".to_owned(), false),
        ("a name that begins alike", format!("Origin: http://{host}:{port}.evil.example\r\n"), false),
        ("a page without an origin", "Origin: null\r\n".to_owned(), false),
        ("an extension", "Origin: chrome-extension://abcdef\r\n".to_owned(), false),
        (
            "a request across sites",
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n".to_owned(),
            false,
        ),
        (
            "a request within the site",
            "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: no-cors\r\n".to_owned(),
            false,
        ),
    ]
}

#[tokio::test]
async fn every_route_with_every_credential_from_every_origin() {
    let world = world().await;
    let credentials = credentials(&world).await;
    let mut requests = 0;
    for wanted in Wanted::all() {
        for (name, lines) in &credentials {
            let alone = outcome_of(&wanted, &wanted.ask(&world, lines).await);
            for (origin, sent, is_accepted) in origins(&world) {
                let reply = wanted.ask(&world, &format!("{lines}{sent}")).await;
                let found = outcome_of(&wanted, &reply);
                requests += 1;
                match is_accepted {
                    true => assert_eq!(found, alone, "{} with {name} from {origin}", wanted.name),
                    false => {
                        assert!(
                            reply.status == 403 && found.starts_with("403 "),
                            "{} with {name} from {origin}: {found}",
                            wanted.name
                        );
                    }
                }
            }
        }
    }
    assert!(requests > 4000, "{requests}");
}
