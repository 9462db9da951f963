//! A push service on loopback, and browsers that read what it gets. Programs' tests use this file too.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey as Signer};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;

/// How long anything may take before a test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// A push service.
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    received: mpsc::UnboundedReceiver<Received>,
    _task: JoinSet<()>,
}

/// What a service does with a notification.
#[derive(Clone)]
pub(crate) enum Answer {
    /// Answers with this status, and further lines of the head.
    Status(u16, &'static str),
    /// Accepts it when released.
    Hold(Arc<Notify>),
}

/// A notification, as a service gets it.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) path: String,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Service {
    /// One that takes everything.
    pub(crate) async fn start() -> Service {
        Service::answering(|_, _| Answer::Status(201, "")).await
    }

    /// One with scripted answers, by path and by the number of earlier requests.
    pub(crate) async fn answering(answer: impl Fn(&str, usize) -> Answer + Send + Sync + 'static) -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, received) = mpsc::unbounded_channel();
        let (answer, count) = (Arc::new(answer), Arc::new(std::sync::atomic::AtomicUsize::new(0)));
        let mut task = JoinSet::new();
        task.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                let (sender, answer, count) = (sender.clone(), answer.clone(), count.clone());
                connections.spawn(async move {
                    while let Some(received) = read(&mut stream).await {
                        let place = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                        let answer = answer(&received.path, place);
                        sender.send(received).unwrap();
                        let (status, lines) = match answer {
                            Answer::Status(status, lines) => (status, lines),
                            Answer::Hold(release) => {
                                release.notified().await;
                                (201, "")
                            }
                        };
                        let head = format!("HTTP/1.1 {status} X\r\n{lines}Content-Length: 0\r\n\r\n");
                        if stream.write_all(head.as_bytes()).await.is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Service { address, received, _task: task }
    }

    /// The address of a subscription.
    pub(crate) fn endpoint(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    /// The next notification.
    pub(crate) async fn next(&mut self) -> Received {
        let received = tokio::time::timeout(PATIENCE, self.received.recv()).await;
        received.expect("a notification in time").unwrap()
    }

    /// Whether nothing more has come so far.
    pub(crate) fn is_quiet(&mut self) -> bool {
        self.received.try_recv().is_err()
    }
}

async fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let path = lines.next()?.strip_prefix("POST ")?.split(' ').next()?.to_owned();
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers: HashMap<String, String> =
        headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    let mut body = bytes.split_off(end + 4);
    let length: usize = headers["content-length"].parse().unwrap();
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    Some(Received { path, headers, body })
}

impl Received {
    /// The sender's claims, if it has this key.
    pub(crate) fn claims(&self, key: &str) -> Value {
        let text = self.headers["authorization"].strip_prefix("vapid t=").unwrap();
        let (token, shown) = text.split_once(", k=").unwrap();
        assert_eq!(shown, key);
        let (text, signature) = token.rsplit_once('.').unwrap();
        let signer = Signer::new(&ECDSA_P256_SHA256_FIXED, URL_SAFE_NO_PAD.decode(key).unwrap());
        signer.verify(text.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap();
        let (head, claims) = text.split_once('.').unwrap();
        let json = |text| serde_json::from_slice::<Value>(&URL_SAFE_NO_PAD.decode(text).unwrap()).unwrap();
        assert_eq!(json(head), json!({"typ": "JWT", "alg": "ES256"}));
        json(claims)
    }
}

/// A browser that has subscribed.
pub(crate) struct Browser {
    /// Its private key. The library lets one be used once, so it is made again each time.
    private: [u8; 32],
    secret: [u8; 16],
}

impl Browser {
    /// Different numbers are different browsers.
    pub(crate) fn new(number: u8) -> Self {
        Browser { private: [number; 32], secret: [number; 16] }
    }

    #[allow(deprecated, reason = "no other way leads to a key that is known")]
    fn private(&self) -> EphemeralPrivateKey {
        let random = ring::test::rand::FixedSliceRandom { bytes: &self.private };
        EphemeralPrivateKey::generate(&ECDH_P256, &random).unwrap()
    }

    /// The keys of the subscription, as a page sees them.
    pub(crate) fn keys(&self) -> Value {
        let public = self.private().compute_public_key().unwrap();
        json!({"p256dh": URL_SAFE_NO_PAD.encode(public), "auth": URL_SAFE_NO_PAD.encode(self.secret)})
    }

    /// The content of a notification, which only this browser can read.
    pub(crate) fn open(&self, body: &[u8]) -> Value {
        let (salt, rest) = body.split_at(16);
        let (size, rest) = rest.split_at(4);
        assert!(body.len() <= u32::from_be_bytes(size.try_into().unwrap()) as usize);
        let (sender, sealed) = rest[1..].split_at(rest[0].into());
        let public = self.private().compute_public_key().unwrap();
        let info = [b"WebPush: info\0", public.as_ref(), sender].concat();
        let key = agree_ephemeral(self.private(), &UnparsedPublicKey::new(&ECDH_P256, sender), |shared| {
            let input: [u8; 32] = expand(&Salt::new(HKDF_SHA256, &self.secret).extract(shared), &info);
            Salt::new(HKDF_SHA256, salt).extract(&input)
        })
        .unwrap();
        let cipher: [u8; 16] = expand(&key, b"Content-Encoding: aes128gcm\0");
        let nonce = Nonce::assume_unique_for_key(expand(&key, b"Content-Encoding: nonce\0"));
        let cipher = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &cipher).unwrap());
        let mut sealed = sealed.to_vec();
        let opened = cipher.open_in_place(nonce, Aad::empty(), &mut sealed).expect("it is for this browser");
        let end = opened.iter().rposition(|byte| *byte != 0).unwrap();
        assert_eq!(opened[end], 2, "the mark of the last record");
        serde_json::from_slice(&opened[..end]).unwrap()
    }
}

fn expand<const N: usize>(key: &Prk, info: &[u8]) -> [u8; N] {
    struct Length(usize);
    impl KeyType for Length {
        fn len(&self) -> usize {
            self.0
        }
    }
    let mut bytes = [0; N];
    key.expand(&[info], Length(N)).unwrap().fill(&mut bytes).unwrap();
    bytes
}
