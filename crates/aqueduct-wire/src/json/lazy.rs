use std::marker::PhantomData;

use super::{Fault, IntoOwned, Json, Raw, Reader};
use crate::definition::Shape;

/// A value whose type is known, kept as its text until it is read.
///
/// For large values that most readers pass over: reading one costs no more than finding its end, and it is
/// written back as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Lazy<'a, T> {
    raw: Raw<'a>,
    kind: PhantomData<T>,
}

impl<'a, T> Lazy<'a, T> {
    /// The value's text.
    pub fn raw(&self) -> &Raw<'a> {
        &self.raw
    }

    /// The value's text, for keeps.
    pub fn into_raw(self) -> Raw<'a> {
        self.raw
    }
}

impl<'a, T: Json<'a>> Lazy<'a, T> {
    /// The value. `None` where it has another shape.
    pub fn view(&'a self) -> Option<T> {
        self.raw.view()
    }
}

impl<'a, T> From<Raw<'a>> for Lazy<'a, T> {
    fn from(raw: Raw<'a>) -> Self {
        Lazy { raw, kind: PhantomData }
    }
}

impl<'a, T: Json<'a>> Json<'a> for Lazy<'a, T> {
    #[inline]
    fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        Ok(Lazy::from(reader.raw()?))
    }

    #[inline]
    fn write(&self, out: &mut String) {
        self.raw.write(out);
    }

    fn shape() -> Shape {
        T::shape()
    }
}

impl<T: IntoOwned> IntoOwned for Lazy<'_, T> {
    type Owned = Lazy<'static, T::Owned>;

    fn into_owned(self) -> Self::Owned {
        Lazy::from(self.raw.into_owned())
    }
}
