use crate::json::{IntoOwned, Str};

/// A frame with the line it was read from, for those who store or forward what came and look at the typed
/// view on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameWithLine<'a, F> {
    /// The line as it came.
    pub line: Str<'a>,
    /// Its content.
    pub frame: F,
}

impl<F: IntoOwned> FrameWithLine<'_, F> {
    /// Copies what is borrowed, so that the value can outlive the line it was read from.
    pub fn into_owned(self) -> FrameWithLine<'static, F::Owned> {
        IntoOwned::into_owned(self)
    }
}

impl<F: IntoOwned> IntoOwned for FrameWithLine<'_, F> {
    type Owned = FrameWithLine<'static, F::Owned>;

    fn into_owned(self) -> Self::Owned {
        FrameWithLine { line: self.line.into_owned(), frame: self.frame.into_owned() }
    }
}
