/// Makes an open family of objects from a table of its kinds: discriminator value, Rust name, the record
/// (or inner union) that holds the rest, and the oldest version known to have it.
#[macro_export]
macro_rules! union {
    (
        $(#[doc = $doc:literal])*
        $name:ident<$a:lifetime> by $tag:literal {
            $( $(#[doc = $vdoc:literal])* $value:literal => $variant:ident($ty:ty) since $since:literal ),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum $name<$a> {
            $(
                #[doc = concat!("`", $value, "`, since ", $since)]
                $(#[doc = ""] #[doc = $vdoc])*
                $variant($ty),
            )*
            /// None of the above, kept as it came.
            Unknown($crate::table::Unknown<$a>),
        }

        impl<$a> $name<$a> {
            /// The family's table of kinds.
            pub const DEFINITION: &'static $crate::table::Definition =
                &$crate::table::Definition::Union($crate::table::Union {
                    name: stringify!($name),
                    doc: &[$($doc),*],
                    tag: $tag,
                    variants: &[
                        $($crate::table::Variant {
                            tag: $value,
                            since: $since,
                            definition: $crate::table::definition_of::<$ty>,
                        }),*
                    ],
                });

            /// The discriminator's value; empty where an unknown object has none.
            pub fn tag(&self) -> &str {
                match self {
                    $($name::$variant(_) => $value,)*
                    $name::Unknown(unknown) => unknown.tag.as_deref().unwrap_or_default(),
                }
            }

            /// Copies what is borrowed, so that the value can outlive the line it was read from.
            pub fn into_owned(self) -> $name<'static> {
                $crate::json::IntoOwned::into_owned(self)
            }
        }

        const _: () = {
            impl<$a> $name<$a> {
                /// Reads the kind that `tag` names; `None` where no kind has that name.
                #[inline]
                fn read_kind(
                    reader: &mut $crate::json::Reader<$a>,
                    outer: &$crate::json::Tags<'_>,
                    tag: &str,
                    settled: bool,
                    inside: Option<$crate::json::Mark>,
                ) -> Result<Option<Self>, $crate::json::Fault> {
                    let outer = Some(outer);
                    Ok(Some(match tag {
                        $($value => $name::$variant($crate::json::Tagged::read_tagged(
                            reader,
                            &$crate::json::Tags { tag: Some(($tag, $value)), outer, settled, inside },
                        )?),)*
                        _ => return Ok(None),
                    }))
                }

                /// Reads an object whose discriminator is not its next member, occurs in it twice, or names
                /// nothing that can be typed. `tried` is the value that has led to nothing, and how. The last
                /// value under the name is the one that counts; it is looked for only now, and read only if
                /// that can lead to something else.
                fn read_slowly(
                    reader: &mut $crate::json::Reader<$a>,
                    tags: &$crate::json::Tags<'_>,
                    tried: Option<(&$a str, $crate::json::Fault)>,
                ) -> Result<Self, $crate::json::Fault> {
                    use $crate::json::Fault;
                    use $crate::table::{Unknown, UnknownReason};
                    let start = reader.mark();
                    let mut why = UnknownReason::Tag;
                    let (first, fault) = match tried {
                        Some((tag, fault)) => (Some($crate::json::Str::from(tag)), Some(fault)),
                        None => match reader.find_tag($tag, false)? {
                            Some(tag) => match Self::read_kind(reader, tags, &tag, false, None) {
                                Ok(Some(value)) => return Ok(value),
                                Err(Fault::Parse(error)) => return Err(error.into()),
                                Ok(None) => (Some(tag), None),
                                Err(fault) => (Some(tag), Some(fault)),
                            },
                            None => (None, None),
                        },
                    };
                    reader.reset(start);
                    if let Some(Fault::Misfit(wanted)) = fault {
                        why = UnknownReason::Misfit(wanted);
                    }
                    let last = reader.find_tag($tag, true)?;
                    let ambiguous = last != first || fault == Some(Fault::Retag);
                    if let Some(tag) = &last
                        && ambiguous
                        && reader.may_read_again()
                    {
                        why = match Self::read_kind(reader, tags, tag, true, None) {
                            Ok(Some(value)) => return Ok(value),
                            Ok(None) => UnknownReason::Tag,
                            Err(Fault::Misfit(wanted)) => UnknownReason::Misfit(wanted),
                            Err(fault) => return Err(fault),
                        };
                        reader.reset(start);
                    }
                    tags.verify(reader)?;
                    Unknown::read(reader, last, why).map($name::Unknown)
                }
            }

            impl<$a> $crate::json::Tagged<$a> for $name<$a> {
                fn read_tagged(
                    reader: &mut $crate::json::Reader<$a>,
                    tags: &$crate::json::Tags<'_>,
                ) -> Result<Self, $crate::json::Fault> {
                    const FIRST: &str = concat!("{\"", $tag, "\":\"");
                    const NEXT: &str = concat!(",\"", $tag, "\":\"");
                    let start = tags.inside.unwrap_or_else(|| reader.mark());
                    let mut tried = None;
                    if let Some(tag) = reader.next_tag(tags.inside.is_some(), FIRST, NEXT) {
                        match Self::read_kind(reader, tags, tag, false, Some(start)) {
                            Ok(Some(value)) => return Ok(value),
                            Err($crate::json::Fault::Parse(error)) => return Err(error.into()),
                            Ok(None) => {}
                            Err(fault) => tried = Some((tag, fault)),
                        }
                    }
                    reader.reset(start);
                    Self::read_slowly(reader, tags, tried)
                }

                fn write_tagged(&self, tags: &$crate::json::Tags<'_>, out: &mut String) {
                    match self {
                        $($name::$variant(value) => $crate::json::Tagged::write_tagged(
                            value,
                            &tags.with($tag, $value),
                            out,
                        ),)*
                        $name::Unknown(unknown) => unknown.write(out),
                    }
                }
            }

            impl<$a> $crate::json::Json<$a> for $name<$a> {
                fn read(reader: &mut $crate::json::Reader<$a>) -> Result<Self, $crate::json::Fault> {
                    if reader.peek() == Some(b'{') {
                        return $crate::json::Tagged::read_tagged(reader, &$crate::json::Tags::NONE);
                    }
                    $crate::table::Unknown::read(reader, None, $crate::table::UnknownReason::Tag).map($name::Unknown)
                }

                fn write(&self, out: &mut String) {
                    $crate::json::Tagged::write_tagged(self, &$crate::json::Tags::NONE, out);
                }

                fn shape() -> $crate::table::Shape {
                    $crate::table::Shape::Defined(Self::DEFINITION)
                }

                fn leftovers(&self, walk: &mut $crate::json::Walk<'_>) {
                    match self {
                        $($name::$variant(value) => $crate::json::Json::leftovers(value, walk),)*
                        $name::Unknown(unknown) => unknown.leftovers(stringify!($name), walk),
                    }
                }
            }

            impl<$a> $crate::json::IntoOwned for $name<$a> {
                type Owned = $name<'static>;

                fn into_owned(self) -> $name<'static> {
                    match self {
                        $($name::$variant(value) => $name::$variant($crate::json::IntoOwned::into_owned(value)),)*
                        $name::Unknown(unknown) => $name::Unknown($crate::json::IntoOwned::into_owned(unknown)),
                    }
                }
            }

            $crate::table::through_serde!($name);
        };
    };
}

pub use union;
