use std::sync::Arc;

use bytes::Bytes;

use super::stored::placed;
use crate::log::Time;

/// The text of a message on its way to clients. The log's and every client's is the same: copies share it.
///
/// A stored message has no place in the sequence in its text, because it gets one when it is committed: the place comes
/// behind it, so that a large text needs no copy for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedText {
    body: Arc<str>,
    /// How much of the body belongs to the message.
    end: usize,
    place: Arc<str>,
}

impl SharedText {
    /// A stored message with its place.
    pub(crate) fn stored(payload: Arc<str>, session_id: &str, seq: u64, time: Time) -> Self {
        let (body, place) = placed(&payload, session_id, seq, time);
        let end = body.len();
        SharedText { body: payload, end, place: place.into() }
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.end + self.place.len()
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text, in two parts.
    pub fn parts(&self) -> [&str; 2] {
        [&self.body[..self.end], &self.place]
    }

    /// The first part without a copy: it lives as long as it is referenced.
    pub(crate) fn shared_body(&self) -> Bytes {
        Bytes::from_owner(TextBody(self.body.clone())).slice(..self.end)
    }
}

impl From<Arc<str>> for SharedText {
    fn from(body: Arc<str>) -> Self {
        SharedText { end: body.len(), body, place: Arc::default() }
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        SharedText::from(Arc::<str>::from(text))
    }
}

struct TextBody(Arc<str>);

impl AsRef<[u8]> for TextBody {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::SharedText;
    use crate::log::Time;
    use crate::outbox::stamped;

    #[test]
    fn a_stored_text_is_the_same_as_one_that_is_copied() {
        for payload in [r#"{"type":"system","subtype":"init"}"#, "{}"] {
            let shared = SharedText::stored(payload.into(), "s-1", 7, Time(9));
            assert_eq!(shared.parts().concat(), stamped(payload, "s-1", 7, Time(9)));
            assert_eq!(shared.len(), shared.parts().concat().len());
        }
    }

    /// However many clients get it, the text is there once.
    #[test]
    fn the_body_is_never_copied() {
        let payload: Arc<str> = format!("{{\"text\":\"{}\"}}", "x".repeat(1 << 16)).into();
        let shared = SharedText::stored(payload.clone(), "s", 1, Time(2));
        let (here, there) = (shared.clone().shared_body(), shared.shared_body());
        assert_eq!((here.as_ptr(), there.as_ptr()), (payload.as_ptr(), payload.as_ptr()));
    }
}
