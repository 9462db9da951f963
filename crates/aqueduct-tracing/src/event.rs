use tracing::Level;

/// A row of a table of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventRow {
    /// The name, which does not change: what happened to what, such as `device.paired`.
    pub name: &'static str,
    /// How serious it is.
    pub level: Level,
    /// The part of the program that it is from.
    pub target: &'static str,
    /// What happened, and what was done about it.
    pub message: &'static str,
    /// The fields of its lines.
    pub fields: &'static [&'static str],
}

/// Makes a table of events, and a function for each.
///
/// The first row names the table and the target of its events. A field's type is one that `tracing` records, such as
/// `&str`, `u64`, `Option<&str>`, or `fmt::Arguments<'_>` for what is formatted only when the event is written.
///
/// ```
/// aqueduct_tracing::events! {
///     /// The events of this library.
///     pub const EVENTS = "aqueduct::example";
///
///     /// A lamp was switched off by a timer.
///     pub fn lamp_off(lamp: &str, seconds: u64) = DEBUG "lamp.off": "the lamp was switched off by its timer";
/// }
///
/// lamp_off("kitchen", 90);
/// assert_eq!(EVENTS[0].name, "lamp.off");
/// ```
#[macro_export]
macro_rules! events {
    (
        $(#[$table_doc:meta])*
        $table_vis:vis const $table:ident = $target:literal;
        $(
            $(#[$doc:meta])*
            $vis:vis fn $function:ident($($field:ident: $type:ty),* $(,)?) = $level:ident $name:literal: $message:literal;
        )*
    ) => {
        $(#[$table_doc])*
        $table_vis const $table: &[$crate::EventRow] = &[$(
            $crate::EventRow {
                name: $name,
                level: $crate::tracing::Level::$level,
                target: $target,
                message: $message,
                fields: &[$(stringify!($field)),*],
            },
        )*];

        $(
            $(#[$doc])*
            $vis fn $function($($field: $type),*) {
                $crate::tracing::event!(
                    name: $name,
                    target: $target,
                    $crate::tracing::Level::$level,
                    { $($field = $field,)* message = $message }
                );
            }
        )*
    };
}
