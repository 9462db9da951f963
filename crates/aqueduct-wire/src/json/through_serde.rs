//! Serde's traits for the types of this crate, through their JSON text: so with `serde_json` nothing is lost, and other
//! formats are not supported.

use serde::de::Deserializer;
use serde::ser::{Error as _, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Fault, Json, Number, Raw, Str};
use crate::table::through_serde;

/// Serializes a value as its JSON text.
pub fn serde_serialize<'a, T: Json<'a>, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let mut text = String::new();
    value.write(&mut text);
    RawValue::from_string(text).map_err(S::Error::custom)?.serialize(serializer)
}

/// The JSON text of the value that comes next.
pub fn serde_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(|raw| Box::<str>::from(raw).into_string())
}

/// The error for a value that does not fit its type.
pub fn serde_unfit<E: serde::de::Error>(fault: Fault) -> E {
    match fault {
        Fault::Misfit(wanted) => E::custom(format_args!("the value does not fit its type: {wanted}")),
        Fault::Retag => E::custom("a discriminator occurs twice with different values"),
        Fault::Parse(error) => E::custom(error),
    }
}

through_serde!(Number);
through_serde!(Raw);

impl Serialize for Str<'_> {
    /// As any other string, so that it can be a key of a map; one with a lone surrogate as its JSON text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_broken() { serde_serialize(self, serializer) } else { serializer.serialize_str(self) }
    }
}

impl<'de> Deserialize<'de> for Str<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = serde_text(deserializer)?;
        let read = Str::read(&mut super::Reader::new(&text));
        read.map(Str::into_owned).map_err(serde_unfit)
    }
}
