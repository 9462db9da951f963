use crate::json::{Json, Str};

/// Text that grows by strings of frames.
///
/// A program that cuts text at UTF-16 indexes can cut a character in two, and each half comes as a lone
/// surrogate. Here the halves meet again; and a half that stays alone is written back as it came.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct GrowingText {
    text: String,
    /// The same as the inside of a JSON string, from the first lone surrogate on.
    token: Option<GrowingToken>,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct GrowingToken {
    json: String,
    /// How much of it is in `text`: all but a first half whose second may come.
    settled: usize,
}

impl GrowingText {
    pub(super) fn push(&mut self, piece: &Str<'_>) {
        if self.token.is_none() && !piece.is_broken() {
            self.text.push_str(piece);
            return;
        }
        let token = self.token.get_or_insert_with(|| {
            let json = inside(&Str::from(self.text.as_str()));
            GrowingToken { settled: json.len(), json }
        });
        token.json.push_str(&inside(piece));
        let new = &token.json[token.settled..];
        let new = &new[..new.len() - first_half_at_end(new)];
        self.text.push_str(&Str::from_token(new, true));
        token.settled += new.len();
    }

    /// The text so far, as far as it is made of whole characters.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.token.is_none()
    }

    pub(super) fn into_str(self) -> Str<'static> {
        match &self.token {
            Some(token) => Str::from_token(&token.json, true).into_owned(),
            None => self.text.into(),
        }
    }
}

impl From<&Str<'_>> for GrowingText {
    fn from(beginning: &Str<'_>) -> Self {
        let mut text = GrowingText::default();
        text.push(beginning);
        text
    }
}

/// The text between the quotes.
fn inside(text: &Str<'_>) -> String {
    let mut json = String::new();
    text.write(&mut json);
    json.pop();
    if !json.is_empty() {
        json.remove(0);
    }
    json
}

/// The length of the first half of a surrogate pair at the end of a token, as an escape; 0 if there is none.
fn first_half_at_end(token: &str) -> usize {
    const ESCAPE: usize = r"\ud83d".len();
    let bytes = token.as_bytes();
    let Some(start) = bytes.len().checked_sub(ESCAPE) else { return 0 };
    let [b'\\', b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..] = bytes[start..] else {
        return 0;
    };
    let slashes_before = bytes[..start].iter().rev().take_while(|byte| **byte == b'\\').count();
    if slashes_before % 2 == 0 { ESCAPE } else { 0 }
}
