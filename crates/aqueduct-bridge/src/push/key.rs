use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;

use super::PushError;

/// The file, in the data folder.
const FILE: &str = "push.key";

/// The key by which push services know this bridge (VAPID). Subscriptions are made for it, so it is made once and kept.
pub(super) struct VapidKey {
    pair: EcdsaKeyPair,
    random: SystemRandom,
    public: String,
}

impl VapidKey {
    /// The key of a data folder. The first time it is made.
    pub(super) fn open(data: &Path) -> Result<Self, PushError> {
        let path = data.join(FILE);
        let random = SystemRandom::new();
        let failed = |error| PushError::File { path: path.clone(), error };
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
                    .map_err(|_| PushError::Random)?;
                keep(&path, made.as_ref()).map_err(failed)?;
                made.as_ref().to_vec()
            }
            Err(error) => return Err(failed(error)),
        };
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &bytes, &random)
            .map_err(|_| PushError::NoKey { path: path.clone() })?;
        let public = URL_SAFE_NO_PAD.encode(pair.public_key());
        Ok(VapidKey { pair, random, public })
    }

    /// What browsers subscribe with: the point as it is, in base64 for URLs.
    pub(super) fn public(&self) -> &str {
        &self.public
    }

    /// Identifies this server to a service, until a time in seconds since 1970: the header `Authorization`.
    pub(super) fn authorization(
        &self,
        audience: &str,
        contact: &str,
        expires: i64,
    ) -> Result<String, PushError> {
        let encode = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let head = encode(json!({"typ": "JWT", "alg": "ES256"}));
        let claims = encode(json!({"aud": audience, "exp": expires, "sub": contact}));
        let text = format!("{head}.{claims}");
        let signature = self.pair.sign(&self.random, text.as_bytes()).map_err(|_| PushError::Random)?;
        Ok(format!("vapid t={text}.{}, k={}", URL_SAFE_NO_PAD.encode(signature), self.public))
    }
}

/// Writes a file for this user alone, whole or not at all.
fn keep(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = path.with_extension("new");
    // One that a crash has left behind.
    match fs::remove_file(&fresh) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&fresh, path)?;
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    use super::*;

    #[test]
    fn the_key_is_made_once_for_this_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let public = VapidKey::open(folder.path()).unwrap().public().to_owned();
        assert_eq!(URL_SAFE_NO_PAD.decode(&public).unwrap().len(), 65);
        let file = folder.path().join(FILE);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(VapidKey::open(folder.path()).unwrap().public(), public);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");

        fs::write(&file, "no key").unwrap();
        let error = VapidKey::open(folder.path()).err().unwrap();
        assert!(matches!(error, PushError::NoKey { .. }), "{error}");
    }

    #[test]
    fn a_crash_during_creation_is_recovered() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("push.new"), "half a k").unwrap();
        VapidKey::open(folder.path()).unwrap();
        assert!(!folder.path().join("push.new").exists());
    }

    #[test]
    fn who_has_the_public_key_can_see_that_it_is_us() {
        let folder = tempfile::tempdir().unwrap();
        let key = VapidKey::open(folder.path()).unwrap();
        let header =
            key.authorization("https://push.example.org", "mailto:ada@example.org", 1_800_000_000).unwrap();
        let (token, public) = header.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
        assert_eq!(public, key.public());
        let (text, signature) = token.rsplit_once('.').unwrap();
        let public = URL_SAFE_NO_PAD.decode(public).unwrap();
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public).verify(text.as_bytes(), &signature).unwrap();
        let claims = URL_SAFE_NO_PAD.decode(text.split_once('.').unwrap().1).unwrap();
        let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
        assert_eq!(
            claims,
            json!({"aud": "https://push.example.org", "exp": 1_800_000_000, "sub": "mailto:ada@example.org"})
        );
    }
}
