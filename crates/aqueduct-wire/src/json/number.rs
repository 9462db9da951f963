use std::borrow::Cow;
use std::fmt;

use super::{Fault, IntoOwned, Json, Reader};
use crate::definition::Shape;

/// A number with the digits it was written with: `1e2`, `-0.0` and integers of any length survive.
///
/// Two numbers are equal when they are written the same.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number<'a>(Cow<'a, str>);

impl<'a> Number<'a> {
    /// The digits as they are in the line.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The nearest double.
    pub fn as_f64(&self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }

    /// The value if it is a whole number in range. `1e2` and `100.0` are 100.
    pub fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok().or_else(|| whole(self.as_f64()).and_then(|value| u64::try_from(value).ok()))
    }

    /// The value if it is a whole number in range.
    pub fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok().or_else(|| whole(self.as_f64()).and_then(|value| i64::try_from(value).ok()))
    }

    /// A number from its digits, which the caller has written.
    #[cfg(feature = "recording")]
    pub(crate) fn from_digits(digits: String) -> Number<'static> {
        Number(Cow::Owned(digits))
    }

    /// The number for a double; `None` for NaN and the infinities, which JSON has no way to write.
    pub fn from_f64(value: f64) -> Option<Number<'static>> {
        value.is_finite().then(|| Number(Cow::Owned(value.to_string())))
    }
}

impl Number<'_> {
    /// Copies what is borrowed, so that the value can outlive the line it was read from.
    pub fn into_owned(self) -> Number<'static> {
        IntoOwned::into_owned(self)
    }
}

/// A double as an integer, if it is one that a double holds exactly.
fn whole(value: f64) -> Option<i128> {
    const EXACT: f64 = (1_u64 << 53) as f64;
    (value.fract() == 0.0 && value.abs() <= EXACT).then_some(value as i128)
}

impl<'a> Json<'a> for Number<'a> {
    #[inline]
    fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        Ok(Number(Cow::Borrowed(reader.number()?)))
    }

    #[inline]
    fn write(&self, out: &mut String) {
        out.push_str(&self.0);
    }

    fn shape() -> Shape {
        Shape::Number
    }
}

impl IntoOwned for Number<'_> {
    type Owned = Number<'static>;

    fn into_owned(self) -> Number<'static> {
        Number(Cow::Owned(self.0.into_owned()))
    }
}

macro_rules! from_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Number<'_> {
            fn from(value: $integer) -> Self {
                Number(Cow::Owned(value.to_string()))
            }
        }
    )*};
}

from_integers!(u8, u16, u32, u64, usize, i32, i64);

impl fmt::Debug for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
