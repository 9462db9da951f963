/// Makes an option's value: the names that are known, and any other name that a newer agent knows. Names and their texts
/// come from one table.
macro_rules! option_value {
    (
        $(#[$doc:meta])+
        $name:ident {
            $( $(#[$vdoc:meta])+ $variant:ident = $text:literal, )+
        }
    ) => {
        $(#[$doc])+
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name {
            $( $(#[$vdoc])+ $variant, )+
            /// A name that is not in this list, for the agent to judge.
            Other(String),
        }

        impl $name {
            /// The name that the agent receives.
            ///
            /// ```
            #[doc = concat!("use aqueduct_client::", stringify!($name), ";")]
            ///
            $(
                #[doc = concat!(
                    "assert_eq!(", stringify!($name), "::", stringify!($variant), ".as_str(), \"", $text, "\");"
                )]
            )+
            /// ```
            pub fn as_str(&self) -> &str {
                match self {
                    $($name::$variant => $text,)+
                    $name::Other(name) => name,
                }
            }
        }

        impl From<&str> for $name {
            fn from(name: &str) -> Self {
                match name {
                    $($text => $name::$variant,)+
                    other => $name::Other(other.to_owned()),
                }
            }
        }

        impl From<String> for $name {
            fn from(name: String) -> Self {
                $name::from(name.as_str())
            }
        }
    };
}

option_value! {
    /// Which settings files an agent reads.
    ///
    /// ```
    /// use aqueduct_client::{Session, SettingSource};
    ///
    /// let builder = Session::builder().setting_sources(["user", "local"]);
    /// let builder = builder.setting_sources([SettingSource::User]);
    /// ```
    SettingSource {
        /// Those of the user.
        User = "user",
        /// Those that a project shares.
        Project = "project",
        /// Those of the user for a project.
        Local = "local",
    }
}

option_value! {
    /// Whether a model thinks before it answers.
    ///
    /// ```
    /// use aqueduct_client::{Session, Thinking};
    ///
    /// let builder = Session::builder().thinking("adaptive");
    /// let builder = builder.thinking(Thinking::Disabled);
    /// ```
    Thinking {
        /// As much as it sees fit.
        Adaptive = "adaptive",
        /// Not at all.
        Disabled = "disabled",
    }
}

option_value! {
    /// How hard a model tries.
    ///
    /// ```
    /// use aqueduct_client::{Effort, Session};
    ///
    /// let builder = Session::builder().effort("high");
    /// let builder = builder.effort(Effort::Max);
    /// ```
    Effort {
        /// Quick answers.
        Low = "low",
        /// In between.
        Medium = "medium",
        /// Thorough ones.
        High = "high",
        /// More than that.
        XHigh = "xhigh",
        /// As hard as it can.
        Max = "max",
    }
}
