//! A message that only one browser can read (RFC 8291), in the content coding `aes128gcm` (RFC 8188).

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use ring::rand::{SecureRandom, SystemRandom};

/// The length of a public key: a point that is not compressed.
const POINT: usize = 65;

/// The length of a subscription's secret.
const SECRET: usize = 16;

/// The size of a record, as it is declared. A message is one record, and services take no more than this.
const RECORD: u32 = 4096;

/// Messages are filled up to a multiple of this, so that their length discloses little.
const STEP: usize = 512;

/// What fits into a message: a record less its header, its padding's mark and the cipher's tag.
pub(super) const LONGEST: usize = RECORD as usize - 86 - 1 - 16;

/// Browsers give keys without padding; some programs add it.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Whom a message is for: the keys of a subscription.
pub(super) struct SubscriptionKeys {
    point: [u8; POINT],
    secret: [u8; SECRET],
}

impl SubscriptionKeys {
    /// Reads the keys as the browser gave them.
    pub(super) fn new(p256dh: &str, auth: &str) -> Option<Self> {
        let decode = |text: &str| BASE64.decode(text).ok();
        Some(SubscriptionKeys {
            point: decode(p256dh)?.try_into().ok()?,
            secret: decode(auth)?.try_into().ok()?,
        })
    }

    /// Seals a message. It fails where the reader's key is not a point of the curve.
    pub(super) fn encrypt(&self, text: &[u8]) -> Result<Vec<u8>, Unspecified> {
        let random = SystemRandom::new();
        let mut salt = [0; 16];
        random.fill(&mut salt)?;
        let own = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
        let point: [u8; POINT] = own.compute_public_key()?.as_ref().try_into().map_err(|_| Unspecified)?;
        let filled = (text.len() + 1).next_multiple_of(STEP).min(LONGEST + 1);
        agree_ephemeral(own, &UnparsedPublicKey::new(&ECDH_P256, &self.point), |shared| {
            self.encrypt_with(shared, &point, salt, text, filled)
        })?
    }

    /// The same with everything that is random given, and the length of the record without the cipher's tag.
    fn encrypt_with(
        &self,
        shared: &[u8],
        own: &[u8; POINT],
        salt: [u8; 16],
        text: &[u8],
        filled: usize,
    ) -> Result<Vec<u8>, Unspecified> {
        let info = [&b"WebPush: info\0"[..], &self.point, own].concat();
        let input: [u8; 32] = expand(&Salt::new(HKDF_SHA256, &self.secret).extract(shared), &info)?;
        let key = Salt::new(HKDF_SHA256, &salt).extract(&input);
        let cipher: [u8; 16] = expand(&key, b"Content-Encoding: aes128gcm\0")?;
        let nonce: [u8; 12] = expand(&key, b"Content-Encoding: nonce\0")?;

        // What is last in a message ends with a two, and zeros fill it up.
        let mut record = [text, &[2]].concat();
        record.resize(filled.max(record.len()), 0);
        let cipher = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &cipher)?);
        cipher.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut record)?;

        let length = u8::try_from(POINT).map_err(|_| Unspecified)?;
        Ok([&salt[..], &RECORD.to_be_bytes(), &[length], own, &record].concat())
    }
}

/// Bytes that follow from a key.
fn expand<const N: usize>(key: &Prk, info: &[u8]) -> Result<[u8; N], Unspecified> {
    struct Length(usize);
    impl KeyType for Length {
        fn len(&self) -> usize {
            self.0
        }
    }
    let mut bytes = [0; N];
    key.expand(&[info], Length(N))?.fill(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 8291, section 5 and appendix A.
    #[test]
    fn the_example_of_the_standard() {
        let bytes = |text: &str| BASE64.decode(text).unwrap();
        let reader = SubscriptionKeys::new(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
        )
        .unwrap();
        let shared = bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let own =
            bytes("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let text = b"When I grow up, I want to be a watermelon";
        let sealed = reader.encrypt_with(&shared, &own.try_into().unwrap(), salt, text, 0).unwrap();
        let wanted = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc\
                      InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLV\
                      WGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(sealed, bytes(wanted));
    }

    #[test]
    fn lengths_disclose_little_and_fit_into_a_record() {
        let reader = SubscriptionKeys::new(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg==",
        )
        .unwrap();
        let length = |text: usize| reader.encrypt(&vec![b'x'; text]).unwrap().len();
        assert_eq!((length(1), length(500)), (86 + 512 + 16, 86 + 512 + 16));
        assert_eq!(length(512), 86 + 1024 + 16);
        assert_eq!(length(LONGEST), RECORD as usize);
        assert_ne!(reader.encrypt(b"x").unwrap(), reader.encrypt(b"x").unwrap());
    }

    #[test]
    fn keys_that_are_none() {
        let auth = "BTBZMqHH6r4Tts7J_aSIgg";
        for (p256dh, auth) in [("", auth), ("no base64!", auth), ("BCVxsr7N", auth), ("", "")] {
            assert!(SubscriptionKeys::new(p256dh, auth).is_none(), "{p256dh}");
        }
        // The right length, and no point of the curve.
        let reader = SubscriptionKeys::new(&BASE64.encode([4; POINT]), auth).unwrap();
        assert!(reader.encrypt(b"x").is_err());
    }
}
