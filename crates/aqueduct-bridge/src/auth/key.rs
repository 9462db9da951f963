use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

/// An uncompressed point of P-256: a tag and two coordinates.
const POINT_BYTES: usize = 65;
const UNCOMPRESSED: u8 = 4;

/// What every signed message begins with, so that a signature made for something else never signs a device in.
const CONTEXT: &str = "aqueduct sign-in v1";

/// The public key of a device, as WebCrypto exports it in the format `raw`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey(Vec<u8>);

impl PublicKey {
    /// Reads a key in base64url without padding.
    pub fn parse(text: &str) -> Option<Self> {
        PublicKey::from_bytes(URL_SAFE_NO_PAD.decode(text).ok()?)
    }

    /// Reads a key as it is stored.
    pub fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        (bytes.len() == POINT_BYTES && bytes.first() == Some(&UNCOMPRESSED)).then_some(PublicKey(bytes))
    }

    /// The key as it is stored.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Whether a signature is one of this key over this message: ECDSA with SHA-256, both numbers one after the other
    /// (IEEE P1363), in base64url without padding.
    pub fn verifies(&self, message: &str, signature: &str) -> bool {
        let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else { return false };
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &self.0);
        key.verify(message.as_bytes(), &signature).is_ok()
    }
}

/// The message that a device signs: what it is for, the page's origin, the device and the challenge, a line each.
pub fn sign_in_message(origin: &str, device_id: &str, challenge: &str) -> String {
    format!("{CONTEXT}\n{origin}\n{device_id}\n{challenge}")
}
