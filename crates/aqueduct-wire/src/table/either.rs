/// Makes a value that has several shapes, such as a string or a list of blocks. The shapes are tried
/// in the order of the table; the first that fits is taken.
#[macro_export]
macro_rules! either {
    (
        $(#[doc = $doc:literal])*
        $name:ident<$a:lifetime> {
            $( $(#[doc = $vdoc:literal])* $variant:ident($ty:ty) ),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum $name<$a> {
            $( $(#[doc = $vdoc])* $variant($ty), )*
        }

        impl<$a> $crate::json::Json<$a> for $name<$a> {
            fn read(reader: &mut $crate::json::Reader<$a>) -> Result<Self, $crate::json::Fault> {
                let start = reader.mark();
                $(
                    match <$ty as $crate::json::Json>::read(reader) {
                        Ok(value) => return Ok($name::$variant(value)),
                        Err($crate::json::Fault::Parse(error)) => return Err(error.into()),
                        Err(_) => reader.reset(start),
                    }
                )*
                Err($crate::json::Fault::Misfit(stringify!($name)))
            }

            fn write(&self, out: &mut String) {
                match self {
                    $($name::$variant(value) => $crate::json::Json::write(value, out),)*
                }
            }

            fn shape() -> $crate::table::Shape {
                $crate::table::Shape::Either(vec![$(<$ty as $crate::json::Json>::shape()),*])
            }

            fn leftovers(&self, walk: &mut $crate::json::Walk<'_>) {
                match self {
                    $($name::$variant(value) => $crate::json::Json::leftovers(value, walk),)*
                }
            }
        }

        impl<$a> $name<$a> {
            /// Copies what is borrowed, so that the value can outlive the line it was read from.
            pub fn into_owned(self) -> $name<'static> {
                $crate::json::IntoOwned::into_owned(self)
            }
        }

        $crate::table::through_serde!($name);

        impl<$a> $crate::json::IntoOwned for $name<$a> {
            type Owned = $name<'static>;

            fn into_owned(self) -> $name<'static> {
                match self {
                    $($name::$variant(value) => $name::$variant($crate::json::IntoOwned::into_owned(value)),)*
                }
            }
        }

        $(
            impl<$a> From<$ty> for $name<$a> {
                fn from(value: $ty) -> Self {
                    $name::$variant(value)
                }
            }
        )*
    };
}

pub use either;
