/// Implements serde's traits for a type through its JSON text, with the feature `serde`.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! through_serde {
    ($name:ident) => {
        impl $crate::table::serde::Serialize for $name<'_> {
            fn serialize<S: $crate::table::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                $crate::json::serde_serialize(self, serializer)
            }
        }

        impl<'de> $crate::table::serde::Deserialize<'de> for $name<'_> {
            fn deserialize<D: $crate::table::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                let text = $crate::json::serde_text(deserializer)?;
                let read = <$name<'_> as $crate::json::Json<'_>>::read(&mut $crate::json::Reader::new(&text));
                read.map($crate::json::IntoOwned::into_owned).map_err($crate::json::serde_unfit)
            }
        }
    };
}

/// Without the feature there is nothing to implement.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! through_serde {
    ($name:ident) => {};
}

pub use through_serde;
