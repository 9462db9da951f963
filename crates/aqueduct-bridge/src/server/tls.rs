use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::ServerStartError;

/// TLS with a certificate and a key from files. Clones share what they have read.
#[derive(Clone)]
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    config: Arc<RwLock<Arc<ServerConfig>>>,
}

impl Tls {
    /// Reads the files: PEM, the certificate with those that lead to its root, and the key.
    pub fn load(certificate: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Result<Self, ServerStartError> {
        let (certificate, key) = (certificate.into(), key.into());
        let config = read(&certificate, &key)?;
        Ok(Tls { certificate, key, config: Arc::new(RwLock::new(config)) })
    }

    /// Reads the files again, for the connections that come from now on. If that fails everything stays as it was.
    pub fn reload(&self) -> Result<(), ServerStartError> {
        let config = read(&self.certificate, &self.key)?;
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = config;
        Ok(())
    }

    pub(super) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.config.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn read(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, ServerStartError> {
    let file = |path: &Path| {
        fs::read(path)
            .map_err(|error| ServerStartError::TlsFile { path: path.to_owned(), error: Arc::new(error) })
    };
    let unusable = |problem: String| ServerStartError::Tls {
        certificate: certificate.to_owned(),
        key: key.to_owned(),
        problem,
    };
    let chain = CertificateDer::pem_slice_iter(&file(certificate)?).collect::<Result<Vec<_>, _>>();
    let chain = chain.map_err(|error| unusable(format!("the certificate is not PEM: {error}")))?;
    if chain.is_empty() {
        return Err(unusable("the first file has no certificate in it".to_owned()));
    }
    let secret = PrivateKeyDer::from_pem_slice(&file(key)?)
        .map_err(|error| unusable(format!("the second file has no key in it: {error}")))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(error.to_string()))?
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .map_err(|error| unusable(error.to_string()))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("certificate", &self.certificate).finish_non_exhaustive()
    }
}
