//! Scopes: how much a credential allows.

use aqueduct_wire::json::Str;
use aqueduct_wire::table::names;

/// Makes the scopes from one list: the ordered type that the bridge compares, and the names on the wire.
macro_rules! scopes {
    ($( $(#[doc = $doc:literal])* $value:literal => $variant:ident ),* $(,)?) => {
        /// How much a credential allows. Each scope includes those before it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Scope {
            $( $(#[doc = $doc])* $variant, )*
        }

        impl Scope {
            /// All scopes, the least first.
            pub const ALL: &'static [Scope] = &[$(Scope::$variant),*];

            /// The name on the wire and on the command line.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Scope::$variant => $value,)*
                }
            }

            /// The scope of a name.
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($value => Some(Scope::$variant),)*
                    _ => None,
                }
            }
        }

        names! {
            /// How much a credential allows. Each scope includes those before it.
            AccessScope<'a> {
                $( $(#[doc = $doc])* $value => $variant ),*
            }
        }
    };
}

scopes! {
    /// See sessions, their history and what happens in them, their folders' files and changes, search and usage.
    "watch" => Watch,
    /// Also answer open questions: approve once, reject, answer.
    "decide" => Decide,
    /// Also start, drive, change and delete sessions, browse folders, add rules to a session or project, and choose permission modes other than bypass.
    "operate" => Operate,
    /// Also pair, list and revoke devices, add rules to the user settings, and choose `bypassPermissions`.
    "admin" => Admin,
}

impl AccessScope<'_> {
    /// The scope; `None` for a name that is not one.
    pub fn scope(&self) -> Option<Scope> {
        Scope::parse(self.as_str())
    }
}

impl From<Scope> for AccessScope<'static> {
    fn from(scope: Scope) -> Self {
        AccessScope::from(Str::from(scope.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_ordered_and_named() {
        assert!(Scope::ALL.is_sorted());
        for scope in Scope::ALL {
            assert_eq!(Scope::parse(scope.as_str()), Some(*scope));
            assert_eq!(AccessScope::from(*scope).scope(), Some(*scope));
        }
        for name in ["", "Admin", "root", "watch ", "operator"] {
            assert_eq!(Scope::parse(name), None, "{name}");
        }
    }
}
