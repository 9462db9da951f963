use super::{AgentInfo, ModelInfo, SlashCommand};
use crate::json::{Number, Raw, Str};
use crate::mcp::McpServerStatus;
use crate::permission::{Destination, PermissionMode, RuleBehavior};
use crate::table::{names, record};

record! {
    /// The mode that holds now.
    SetPermissionModeReply<'a> {
        "2.1.37" {
            optional mode: PermissionMode<'a>,
        }
    }
}

record! {
    /// The model that will be used.
    SetModelReply<'a> {
        "2.1.325" {
            optional model: Str<'a>,
        }
    }
}

record! {
    /// The models that can be chosen.
    ListModelsReply<'a> {
        "2.1.325" {
            always models: Vec<ModelInfo<'a>>,
        }
    }
}

record! {
    /// The settings that hold.
    GetSettingsReply<'a> {
        "2.1.74" {
            /// All sources merged.
            always effective: Raw<'a>,
            /// Each source by itself.
            always sources: Vec<Raw<'a>>,
            /// What the session makes of them.
            always applied: AppliedSettings<'a>,
        }
    }
}

record! {
    /// What a session makes of its settings.
    AppliedSettings<'a> {
        "2.1.74" {
            always model: Str<'a>,
            nullable effort: Str<'a>,
        }
        "2.1.325" {
            nullable advisor: Raw<'a>,
            always ultracode: bool,
            always ultracode_requested = "ultracodeRequested": bool,
            always ultracode_available = "ultracodeAvailable": bool,
            always ultrathink_available = "ultrathinkAvailable": bool,
            always outside_reads_blocked = "outsideFileToolReadsBlocked": bool,
            always outside_writes_blocked = "outsideFileToolWritesBlocked": bool,
            always outside_blocks_count_launch_folders_only = "outsideBlocksCountLaunchFoldersOnly": bool,
            always launch_env_left_own_files_in_place = "launchEnvLeftOwnFilesInPlace": bool,
        }
    }
}

record! {
    /// The permission rules that hold.
    ListPermissionRulesReply<'a> {
        "2.1.325" {
            always state: PermissionRulesState<'a>,
        }
    }
}

record! {
    /// All permission rules, and what they apply to.
    PermissionRulesState<'a> {
        "2.1.325" {
            always rules: Vec<ListedRule<'a>>,
            always workspace_directories = "workspaceDirectories": Vec<ListedDirectory<'a>>,
            always original_cwd = "originalCwd": Str<'a>,
            /// Whether only an organisation's rules count.
            always managed_only = "managedOnly": bool,
            optional errors: Vec<Raw<'a>>,
            optional withheld: Raw<'a>,
        }
    }
}

record! {
    /// A permission rule and where it comes from.
    ListedRule<'a> {
        "2.1.325" {
            always behavior: RuleBehavior<'a>,
            always source: Destination<'a>,
            /// As written in settings, such as `Bash(git log:*)`.
            always rule: Str<'a>,
            optional description: Str<'a>,
            always editability: RuleEditability<'a>,
            optional not_in_effect = "notInEffect": Raw<'a>,
        }
    }
}

names! {
    /// Whether a rule can be changed, and for how long.
    RuleEditability<'a> {
        "persistent" => Persistent,
        "session" => Session,
        "readonly" => ReadOnly,
    }
}

record! {
    /// A working directory and where it comes from.
    ListedDirectory<'a> {
        "2.1.325" {
            always path: Str<'a>,
            always source: Str<'a>,
        }
    }
}

record! {
    /// The hooks that are configured.
    GetHooksListingReply<'a> {
        "2.1.325" {
            always events: Vec<Raw<'a>>,
            always hooks: Vec<Raw<'a>>,
            /// The events that there are.
            always event_catalog = "eventCatalog": Vec<Raw<'a>>,
            always policy: Raw<'a>,
            optional safe_mode = "safeMode": bool,
            optional bare_mode = "bareMode": bool,
            optional errors: Vec<Raw<'a>>,
        }
    }
}

record! {
    /// What the session has after plugins were loaded again.
    ReloadPluginsReply<'a> {
        "2.1.325" {
            always commands: Vec<SlashCommand<'a>>,
            always agents: Vec<AgentInfo<'a>>,
            always plugins: Vec<Raw<'a>>,
            always mcp_servers = "mcpServers": Vec<McpServerStatus<'a>>,
            always error_count: Number<'a>,
            /// Whether something was held back for the sake of the prompt cache.
            optional held: bool,
            optional cache_impact: Raw<'a>,
        }
    }
}

record! {
    /// The skills after they were loaded again.
    ReloadSkillsReply<'a> {
        "2.1.325" {
            always skills: Vec<Raw<'a>>,
        }
    }
}

record! {
    /// The output styles after they were loaded again.
    ReloadOutputStylesReply<'a> {
        "2.1.325" {
            always available_output_styles: Vec<Str<'a>>,
        }
    }
}
