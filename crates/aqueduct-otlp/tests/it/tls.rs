//! Collectors with TLS.

use std::path::PathBuf;
use std::sync::Arc;

use aqueduct_otlp::{ExportEvent, OtlpError, OtlpSettings};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::collector::{Answer, Collector, PATIENCE};
use super::delivery::{Export, settings};

fn fixture(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "aqueduct-bridge", "tests", "fixtures", "tls", name].iter().collect()
}

/// A collector whose certificate is signed by itself, and its address.
fn encrypted() -> (Collector, String) {
    let certificate = CertificateDer::from_pem_file(fixture("certificate.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(fixture("key.pem")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let config = Arc::new(config);
    let collector = Collector::over(
        |_, _| Answer::status(200),
        move |stream| Box::new(StreamOwned::new(ServerConnection::new(config.clone()).unwrap(), stream)),
    );
    let url = format!("https://localhost:{}", collector.address.port());
    (collector, url)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_with_a_given_certificate_gets_telemetry() {
    let (collector, url) = encrypted();
    let pem = std::fs::read(fixture("certificate.pem")).unwrap();
    let export = Export::start(&OtlpSettings { certificates: Some(pem), ..settings(&url) });
    assert_eq!(export.end(PATIENCE).await, []);
    assert_eq!(collector.next().headers["x-key"], "secret");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_with_an_unknown_certificate_gets_nothing() {
    let (collector, url) = encrypted();
    let export = Export::start(&settings(&url));
    let reported = export.end(PATIENCE).await;
    assert!(matches!(&reported[..], [ExportEvent::Failed { signal: "metrics", .. }]), "{reported:?}");
    assert!(collector.all().is_empty());
}

#[tokio::test]
async fn certificates_that_are_none_are_an_error() {
    let settings =
        OtlpSettings { certificates: Some(b"nothing".to_vec()), ..settings("https://localhost:4318") };
    let started = aqueduct_otlp::Exporter::start(&settings, Arc::new(|_| {}));
    assert!(matches!(started, Err(OtlpError::Certificates { .. })));
}
