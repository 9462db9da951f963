use super::PluginSource;
use crate::json::{Map, Number, Raw, Str};
use crate::permission::{Destination, PermissionMode};
use crate::table::{names, record};

record! {
    /// Enter a permission mode.
    SetPermissionModeRequest<'a> {
        essential { mode: PermissionMode<'a> }
    }
}

record! {
    /// Use another model from the next call on.
    SetModelRequest<'a> {
        "2.1.37" {
            /// Absent, `null` or `default` for the default.
            optional model: Str<'a>,
        }
    }
}

record! {
    /// Limit how much the model thinks.
    SetMaxThinkingTokensRequest<'a> {
        "2.1.37" {
            /// `null` for no limit of the host's.
            nullable max_thinking_tokens: Number<'a>,
        }
        "2.1.325" {
            optional thinking_display: ThinkingDisplay<'a>,
        }
    }
}

names! {
    /// How much of the thinking is sent.
    ThinkingDisplay<'a> {
        "summarized" => Summarized,
        "omitted" => Omitted,
        "highlights" => Highlights,
    }
}

record! {
    /// Override settings from files. A `null` removes an override.
    ApplyFlagSettingsRequest<'a> {
        essential { settings: Map<'a, Raw<'a>> }
    }
}

record! {
    /// Which settings hold?
    GetSettingsRequest<'a> {}
}

record! {
    /// Write settings to a file.
    UpdateSettingsRequest<'a> {
        essential { settings: Raw<'a> }
        "2.1.325" {
            always source: Destination<'a>,
        }
    }
}

record! {
    /// Which permission rules hold?
    ListPermissionRulesRequest<'a> {}
}

record! {
    /// Which hooks are there?
    GetHooksListingRequest<'a> {}
}

record! {
    /// Load plugins again.
    ReloadPluginsRequest<'a> {
        "2.1.325" {
            /// Whether to hold back what would spoil the prompt cache.
            optional hold_on_cache_impact: bool,
            optional add_plugins: Vec<PluginSource<'a>>,
            /// Whether to refuse while a turn runs.
            optional refuse_if_busy: bool,
        }
    }
}

record! {
    /// Load skills again.
    ReloadSkillsRequest<'a> {}
}

record! {
    /// Load output styles again.
    ReloadOutputStylesRequest<'a> {}
}
