/// Which settings files an agent reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingSource {
    /// Those of the user.
    User,
    /// Those that a project shares.
    Project,
    /// Those of the user for a project.
    Local,
}

impl SettingSource {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            SettingSource::User => "user",
            SettingSource::Project => "project",
            SettingSource::Local => "local",
        }
    }
}

/// Whether a model thinks before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    /// As much as it sees fit.
    Adaptive,
    /// Not at all.
    Disabled,
}

impl Thinking {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Thinking::Adaptive => "adaptive",
            Thinking::Disabled => "disabled",
        }
    }
}

/// How hard a model tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Quick answers.
    Low,
    /// In between.
    Medium,
    /// Thorough ones.
    High,
    /// More than that.
    XHigh,
    /// As hard as it can.
    Max,
}

impl Effort {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Effort::Low => "low",
            Effort::Medium => "medium",
            Effort::High => "high",
            Effort::XHigh => "xhigh",
            Effort::Max => "max",
        }
    }
}
