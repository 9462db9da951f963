//! Where the server listens, and where it refuses to.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;

use aqueduct_bridge::server::{Listen, ServerStartError, Tls};
use aqueduct_wire::hint::HintedError as _;
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::world::{Client, TOKEN, World, bearer};

fn fixture(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "fixtures", "tls", name].iter().collect()
}

fn listen(text: &str) -> Listen {
    text.parse().unwrap()
}

#[test]
fn a_place_is_an_address_or_a_path() {
    for (text, canonical) in [
        ("127.0.0.1:8765", "127.0.0.1:8765"),
        ("[::1]:0", "[::1]:0"),
        ("localhost:8765", "127.0.0.1:8765"),
        ("unix:/run/a.sock", "unix:/run/a.sock"),
    ] {
        assert_eq!(listen(text).to_string(), canonical);
    }
    for text in
        ["", "8765", ":8765", "127.0.0.1", "unix:", "example.com:80", "localhost:x", "127.0.0.1:99999"]
    {
        let error = text.parse::<Listen>().unwrap_err();
        assert!(error.advised().contains("127.0.0.1:8765"), "{error}");
    }
}

#[test]
fn a_public_address_needs_tls_or_an_explicit_flag() {
    for text in ["0.0.0.0:80", "[::]:80", "192.0.2.7:80"] {
        let error = listen(text).check(false, false).unwrap_err().advised();
        assert!(
            error.contains(text) && error.contains("--tls-cert") && error.contains("--insecure"),
            "{error}"
        );
        listen(text).check(true, false).unwrap();
        listen(text).check(false, true).unwrap();
    }
    for text in ["127.0.0.1:80", "127.1.2.3:80", "[::1]:80", "[::ffff:127.0.0.1]:80", "unix:/a"] {
        listen(text).check(false, false).unwrap();
    }
}

#[tokio::test]
async fn several_places_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bridge.sock");
    let unix = Listen::Unix(path.clone());
    let world = World::with(|options| options.listen.extend([listen("127.0.0.1:0"), unix.clone()])).await;
    let [Listen::Tcp(one), Listen::Tcp(other), place] = world.server.places() else { panic!() };
    assert_ne!(one.port(), other.port());
    assert_eq!(*place, unix);
    for address in [one, other] {
        let mut client = Client::new(TcpStream::connect(address).await.unwrap());
        client.send(format!("GET /healthz HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", address.port())).await;
        assert_eq!(client.reply().await.status, 200);
    }
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let mut client = Client::new(UnixStream::connect(&path).await.unwrap());
    // A socket of the file system has any name, and still wants a token.
    client.send("GET /api/v1/hello HTTP/1.1\r\nHost: anything\r\n\r\n").await;
    client.reply().await.assert_error(401, "unauthorized");
    client.send(format!("GET /api/v1/hello HTTP/1.1\r\n{}\r\n", bearer(TOKEN))).await;
    assert_eq!(client.reply().await.status, 200);
    world.stop().await;
    assert!(!path.exists());
}

#[tokio::test]
async fn a_place_in_use_is_refused_and_a_stale_one_taken() {
    let world = World::new().await;
    let again = |place: Listen, hub: aqueduct_bridge::hub::Hub| {
        let options = aqueduct_bridge::server::ServerOptions { listen: vec![place], ..Default::default() };
        aqueduct_bridge::server::Server::start(hub, options).map(drop)
    };
    let taken = again(Listen::Tcp(world.address), world.hub.clone()).unwrap_err();
    assert!(matches!(taken, ServerStartError::InUse { .. }), "{taken}");

    let path = world.folder.path().join("admin.sock");
    let taken = again(Listen::Unix(path), world.hub.clone()).unwrap_err();
    assert!(matches!(taken, ServerStartError::InUse { .. }), "{taken}");

    let stale = world.folder.path().join("stale.sock");
    drop(std::os::unix::net::UnixListener::bind(&stale).unwrap());
    assert!(stale.exists());
    again(Listen::Unix(stale), world.hub.clone()).unwrap();

    let file = world.folder.path().join("precious");
    std::fs::write(&file, "data").unwrap();
    let error = again(Listen::Unix(file.clone()), world.hub.clone()).unwrap_err();
    assert!(matches!(error, ServerStartError::NotASocket { .. }), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "data");
}

async fn over_tls(world: &World) -> Client<tokio_rustls::client::TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(fixture("certificate.pem")).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(world.address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    Client::new(TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap())
}

#[tokio::test]
async fn tls_with_given_files() {
    let tls = Tls::load(fixture("certificate.pem"), fixture("key.pem")).unwrap();
    let world = World::with(|options| options.tls = Some(tls.clone())).await;
    let mut client = over_tls(&world).await;
    let host = format!("localhost:{}", world.address.port());
    client
        .send(format!(
            "GET /api/v1/hello HTTP/1.1\r\nHost: {host}\r\nOrigin: https://{host}\r\n{}\r\n",
            bearer(TOKEN)
        ))
        .await;
    assert_eq!(client.reply().await.status, 200);
    // A page without TLS can't be ours.
    client.send(format!("GET /api/v1/hello HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\r\n")).await;
    client.reply().await.assert_error(403, "forbidden");
    let pairing = world.hub.auth().create_pairing(None, aqueduct_bridge::log::Time::now()).await.unwrap();
    assert!(pairing.link.starts_with("https://"), "{}", pairing.link);
    // The only cookie is one that removes that of an earlier version.
    client
        .send(format!("GET /api/v1/ping HTTP/1.1\r\nHost: {host}\r\nCookie: aqueduct=from-earlier\r\n\r\n"))
        .await;
    let reply = client.reply().await;
    reply.assert_error(401, "cookie_retired");
    assert_eq!(
        reply.header("set-cookie"),
        Some("aqueduct=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure")
    );

    // A client without TLS is not answered, and does not affect others.
    let mut plain = world.connect().await;
    plain.send("GET / HTTP/1.1\r\n\r\n").await;
    while plain.more().await {}
    tls.reload().unwrap();
    let mut again = over_tls(&world).await;
    again.send(format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n")).await;
    assert_eq!(again.reply().await.status, 200);
    world.stop().await;
}

#[test]
fn files_that_are_not_for_tls_are_named() {
    let (certificate, key) = (fixture("certificate.pem"), fixture("key.pem"));
    for (certificate, key, message) in [
        (fixture("nothing.pem"), key.clone(), "nothing.pem"),
        (key.clone(), key.clone(), "no certificate"),
        (certificate.clone(), certificate.clone(), "no key"),
    ] {
        let error = Tls::load(certificate, key).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
