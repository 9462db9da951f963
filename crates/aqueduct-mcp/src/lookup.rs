use aqueduct_os::environment::Environment;

/// Which part of the model's window tools may fill, in percent, before they are looked up.
const SHARE: u64 = 10;

/// When the model has to look tools up: `ENABLE_TOOL_SEARCH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// Never: it is reported all of them.
    Never,
    /// Always.
    Always,
    /// When they would fill more than so many percent of its window.
    Above(u64),
}

impl Lookup {
    /// The environment's values.
    pub(crate) fn of(environment: &Environment) -> Self {
        const NAME: &str = "ENABLE_TOOL_SEARCH";
        if environment.flag(NAME) {
            return Lookup::Always;
        }
        if environment.denies(NAME) {
            return Lookup::Never;
        }
        let percent = environment.variable(NAME).and_then(|text| text.strip_prefix("auto:")?.parse().ok());
        Lookup::Above(percent.unwrap_or(SHARE).min(100))
    }
}
