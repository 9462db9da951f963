use crate::json::{IntoOwned, Json, ParseError, protect_line_ends};
use crate::{FromAgent, ToAgent};

/// The content of a line: a frame of either direction.
pub trait AnyFrame {
    /// The frame without a borrow from its line.
    type Owned: AnyFrame + 'static;

    /// Reads a frame and cuts it loose from its line.
    fn parse_owned(line: &str) -> Result<Self::Owned, ParseError>;

    /// Appends the frame as JSON.
    fn write_json(&self, out: &mut String);
}

macro_rules! frames {
    ($($frame:ident),*) => {$(
        impl AnyFrame for $frame<'_> {
            type Owned = $frame<'static>;

            fn parse_owned(line: &str) -> Result<$frame<'static>, ParseError> {
                $frame::parse(line).map(IntoOwned::into_owned)
            }

            fn write_json(&self, out: &mut String) {
                Json::write(self, out);
            }
        }
    )*};
}

frames!(FromAgent, ToAgent);

/// Appends a frame and its line end. Whatever the frame holds, this is one line, also for readers that
/// take U+2028 for a line end.
pub fn write_line(out: &mut Vec<u8>, frame: &impl AnyFrame) {
    let mut json = String::new();
    frame.write_json(&mut json);
    append_line(json, |bytes| out.extend_from_slice(bytes));
}

/// Returns the pieces of a line with the value of `json`.
pub(super) fn append_line(json: String, mut append: impl FnMut(&[u8])) {
    let json = protect_line_ends(json);
    let mut rest = json.as_bytes();
    // A frame read from several lines can have line ends between its values, where they mean nothing.
    while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
        append(&rest[..at]);
        rest = &rest[at + 1..];
    }
    append(rest);
    append(b"\n");
}
