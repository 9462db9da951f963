/// Makes a record from a table of its members.
///
/// The `essential` members come first and are plain values: an object without them is not of this kind.
/// The others are grouped by the oldest version known to have them, each with its presence: `always`,
/// `nullable` or `optional`; all of these are `Option`s. A member whose name on the wire is not a Rust name
/// gives it after `=`. Members in parentheses behind the name are arguments of `new` without being essential.
#[macro_export]
macro_rules! record {
    (
        $(#[doc = $doc:literal])*
        $name:ident<$a:lifetime> $(($($given:ident: $gty:ty),* $(,)?))? {
            $(essential {
                $( $(#[doc = $edoc:literal])* $efield:ident $(= $ekey:literal)? : $ety:ty ),* $(,)?
            })?
            $( $since:literal {
                $( $(#[doc = $fdoc:literal])* $presence:ident $field:ident $(= $key:literal)? : $ty:ty ),* $(,)?
            } )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub struct $name<$a> {
            $($(
                #[doc = concat!("`", $crate::table::record_key!($efield $($ekey)?), "`")]
                $(#[doc = ""] #[doc = $edoc])*
                pub $efield: $ety,
            )*)?
            $($(
                #[doc = concat!("`", $crate::table::record_key!($field $($key)?), "`, ", stringify!($presence), ", since ", $since)]
                $(#[doc = ""] #[doc = $fdoc])*
                pub $field: Option<$ty>,
            )*)*
            /// All other members of the object.
            pub extra: $crate::json::Extra<$a>,
        }

        const _: () = {
            #[allow(non_camel_case_types, dead_code, clippy::enum_variant_names)]
            enum MemberIndex { $($($field,)*)* __Count }

            #[allow(dead_code)]
            struct MemberKey;

            #[allow(non_upper_case_globals, dead_code)]
            impl MemberKey {
                $($(const $efield: &'static str = $crate::table::record_key!($efield $($ekey)?);)*)?
                $($(const $field: &'static str = $crate::table::record_key!($field $($key)?);)*)*
            }

            /// The names of the members that are `Option`s, in the order of their indices.
            const KEYS: &[&str] = &[$($(MemberKey::$field,)*)*];

            const _: () = assert!(MemberIndex::__Count as usize <= $crate::json::MAX_MEMBERS);

            const NULLS: u64 = 0 $($( | $crate::table::record_null!($presence MemberIndex::$field) )*)*;

            impl<$a> $name<$a> {
                /// The type's table of members.
                pub const DEFINITION: &'static $crate::table::Definition =
                    &$crate::table::Definition::Record($crate::table::Record {
                        name: stringify!($name),
                        doc: &[$($doc),*],
                        fields: &[
                            $($($crate::table::Field {
                                key: MemberKey::$efield,
                                doc: &[$($edoc),*],
                                presence: $crate::table::Presence::Essential,
                                since: "",
                                shape: <$ety as $crate::json::Json<$a>>::shape,
                            },)*)?
                            $($($crate::table::Field {
                                key: MemberKey::$field,
                                doc: &[$($fdoc),*],
                                presence: $crate::table::record_slot!($presence),
                                since: $since,
                                shape: <$ty as $crate::json::Json<$a>>::shape,
                            },)*)*
                        ],
                    });

                /// One with its essential members; those that are written as `null` when they have no
                /// value are `null`, the others are absent.
                #[allow(clippy::new_without_default, clippy::too_many_arguments)]
                pub fn new(
                    $($($efield: impl Into<$ety>,)*)?
                    $($($given: impl Into<$gty>,)*)?
                ) -> Self {
                    #[allow(unused_mut)]
                    let mut record = $name {
                        $($($efield: $efield.into(),)*)?
                        $($($field: None,)*)*
                        extra: $crate::json::Extra::with_nulls(NULLS),
                    };
                    $($(record.$given = Some($given.into());)*)?
                    record
                }

                /// Whether the member of this name was an explicit `null`.
                pub fn is_null(&self, key: &str) -> bool {
                    self.extra.is_null(KEYS, key)
                }

                /// Copies what is borrowed, so that the value can outlive the line it was read from.
                pub fn into_owned(self) -> $name<'static> {
                    $crate::json::IntoOwned::into_owned(self)
                }

                /// Passes the members to a visitor in the order in which they are written.
                #[inline]
                #[allow(unused_variables)]
                fn each_member(&self, visitor: &mut impl $crate::json::MemberVisitor) {
                    $($(
                        visitor.essential(
                            concat!("\"", $crate::table::record_key!($efield $($ekey)?), "\":"),
                            &self.$efield,
                        );
                    )*)?
                    $($(
                        visitor.optional(
                            concat!("\"", $crate::table::record_key!($field $($key)?), "\":"),
                            MemberIndex::$field as usize,
                            &self.$field,
                        );
                    )*)*
                }
            }

            impl<$a> $crate::json::Tagged<$a> for $name<$a> {
                fn read_tagged(
                    reader: &mut $crate::json::Reader<$a>,
                    tags: &$crate::json::Tags<'_>,
                ) -> Result<Self, $crate::json::Fault> {
                    let mut first = tags.enter(reader)?;
                    $($(let mut $efield: Option<$ety> = None;)*)?
                    $($(let mut $field: Option<$ty> = None;)*)*
                    let mut extra = $crate::json::Extra::default();
                    while let Some(key) = reader.next_key(first)? {
                        first = false;
                        // One `?` for all members: one for each would be most of what the compiler checks.
                        let read = match key.as_str() {
                            $($(MemberKey::$efield => reader.essential(&mut $efield),)*)?
                            $($(MemberKey::$field => {
                                reader.member(&mut $field, &mut extra, MemberIndex::$field as usize, key)
                            })*)*
                            _ => reader.other_member(tags, &mut extra, key),
                        };
                        read?;
                    }
                    Ok($name {
                        $($($efield: match $efield {
                            Some(value) => value,
                            None => return Err($crate::json::Fault::Misfit(MemberKey::$efield)),
                        },)*)?
                        $($($field,)*)*
                        extra,
                    })
                }

                fn write_tagged(&self, tags: &$crate::json::Tags<'_>, out: &mut String) {
                    const ESSENTIAL: &[&str] = &[$($(MemberKey::$efield,)*)?];
                    tags.open(out);
                    let mut writer = $crate::json::MemberWriter::new(out, &self.extra);
                    self.each_member(&mut writer);
                    writer.close(ESSENTIAL, KEYS);
                }
            }

            impl<$a> $crate::json::Json<$a> for $name<$a> {
                fn read(reader: &mut $crate::json::Reader<$a>) -> Result<Self, $crate::json::Fault> {
                    $crate::json::Tagged::read_tagged(reader, &$crate::json::Tags::NONE)
                }

                fn write(&self, out: &mut String) {
                    $crate::json::Tagged::write_tagged(self, &$crate::json::Tags::NONE, out);
                }

                fn shape() -> $crate::table::Shape {
                    $crate::table::Shape::Defined(Self::DEFINITION)
                }

                fn leftovers(&self, walk: &mut $crate::json::Walk<'_>) {
                    self.each_member(walk);
                    self.extra.leftovers(KEYS, walk);
                }
            }

            impl From<$name<'_>> for $crate::json::Raw<'static> {
                fn from(record: $name<'_>) -> Self {
                    $crate::json::Raw::written(&record)
                }
            }

            impl<$a> $crate::json::IntoOwned for $name<$a> {
                type Owned = $name<'static>;

                fn into_owned(self) -> $name<'static> {
                    $name {
                        $($($efield: $crate::json::IntoOwned::into_owned(self.$efield),)*)?
                        $($($field: $crate::json::IntoOwned::into_owned(self.$field),)*)*
                        extra: $crate::json::IntoOwned::into_owned(self.extra),
                    }
                }
            }

            $crate::table::through_serde!($name);
        };
    };
}

/// The name on the wire: the one that is given, or the field's.
#[doc(hidden)]
#[macro_export]
macro_rules! record_key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

/// The bit that a fresh record has set for a member: that of a nullable one.
#[doc(hidden)]
#[macro_export]
macro_rules! record_null {
    (nullable $index:expr) => {
        1 << ($index as u64)
    };
    ($other:ident $index:expr) => {
        0
    };
}

/// The presence that a row's first word names.
#[doc(hidden)]
#[macro_export]
macro_rules! record_slot {
    (always) => {
        $crate::table::Presence::Always
    };
    (nullable) => {
        $crate::table::Presence::Nullable
    };
    (optional) => {
        $crate::table::Presence::Optional
    };
}

pub use {record, record_key, record_null, record_slot};
