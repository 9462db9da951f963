/// Makes an open list of names: an enum that also holds every string that is not in the list.
#[macro_export]
macro_rules! names {
    (
        $(#[doc = $doc:literal])*
        $name:ident<$a:lifetime> {
            $( $(#[doc = $vdoc:literal])* $value:literal => $variant:ident ),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name<$a> {
            $(
                #[doc = concat!("`", $value, "`")]
                $(#[doc = ""] #[doc = $vdoc])*
                $variant,
            )*
            /// A name that is not in the list.
            Other($crate::json::Str<$a>),
        }

        impl<$a> $name<$a> {
            /// The list.
            pub const DEFINITION: &'static $crate::table::Definition =
                &$crate::table::Definition::Names($crate::table::Names {
                    name: stringify!($name),
                    doc: &[$($doc),*],
                    values: &[$($value),*],
                    docs: &[$(&[$($vdoc),*]),*],
                });

            /// The name, if it is one of the list.
            pub fn listed(&self) -> Option<&'static str> {
                match self {
                    $($name::$variant => Some($value),)*
                    $name::Other(_) => None,
                }
            }

            /// The name on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $($name::$variant => $value,)*
                    $name::Other(other) => other,
                }
            }

            /// Copies what is borrowed, so that the value can outlive the line it was read from.
            pub fn into_owned(self) -> $name<'static> {
                $crate::json::IntoOwned::into_owned(self)
            }
        }

        impl<$a> From<$crate::json::Str<$a>> for $name<$a> {
            fn from(name: $crate::json::Str<$a>) -> Self {
                match name.as_str() {
                    $($value => $name::$variant,)*
                    _ => $name::Other(name),
                }
            }
        }

        impl<$a> From<&$a str> for $name<$a> {
            fn from(name: &$a str) -> Self {
                $name::from($crate::json::Str::from(name))
            }
        }

        impl<$a> $crate::json::Json<$a> for $name<$a> {
            fn read(reader: &mut $crate::json::Reader<$a>) -> Result<Self, $crate::json::Fault> {
                reader.string().map($name::from)
            }

            fn write(&self, out: &mut String) {
                match self {
                    $($name::$variant => out.push_str(concat!("\"", $value, "\"")),)*
                    $name::Other(other) => $crate::json::Json::write(other, out),
                }
            }

            fn shape() -> $crate::table::Shape {
                $crate::table::Shape::Defined(Self::DEFINITION)
            }

            fn leftovers(&self, walk: &mut $crate::json::Walk<'_>) {
                if let $name::Other(other) = self {
                    walk.found($crate::json::LeftoverKind::Name { family: stringify!($name) }, other);
                }
            }
        }

        impl<$a> $crate::json::IntoOwned for $name<$a> {
            type Owned = $name<'static>;

            fn into_owned(self) -> $name<'static> {
                match self {
                    $($name::$variant => $name::$variant,)*
                    $name::Other(other) => $name::Other($crate::json::IntoOwned::into_owned(other)),
                }
            }
        }

        $crate::table::through_serde!($name);

        impl std::fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

pub use names;
