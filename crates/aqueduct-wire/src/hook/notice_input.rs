use super::input::hook_input;
use crate::elicitation::{ElicitationAction, ElicitationMode};
use crate::json::{Number, Raw, Str};
use crate::table::names;

hook_input! {
    /// The user should look.
    NotificationInput<'a> [] {
        "2.1.50" {
            always message: Str<'a>,
            optional title: Str<'a>,
            always notification_type: Str<'a>,
        }
    }
}

hook_input! {
    /// The project is being set up.
    SetupInput<'a> [] {
        "2.1.50" {
            always trigger: SetupTrigger<'a>,
        }
    }
}

names! {
    /// Why a project is being set up.
    SetupTrigger<'a> {
        "init" => Init,
        "maintenance" => Maintenance,
    }
}

hook_input! {
    /// A member of a team has nothing to do.
    TeammateIdleInput<'a> [] {
        "2.1.50" {
            always teammate_name: Str<'a>,
            always team_name: Str<'a>,
        }
    }
}

hook_input! {
    /// A task of a team was created or completed.
    TeamTaskInput<'a> [] {
        "2.1.50" {
            always task_id: Str<'a>,
            always task_subject: Str<'a>,
            optional task_description: Str<'a>,
            optional teammate_name: Str<'a>,
            optional team_name: Str<'a>,
        }
    }
}

hook_input! {
    /// An MCP server asks the user something.
    ElicitationInput<'a> [] {
        "2.1.325" {
            always mcp_server_name: Str<'a>,
            always message: Str<'a>,
            optional mode: ElicitationMode<'a>,
            optional url: Str<'a>,
            optional elicitation_id: Str<'a>,
            optional requested_schema: Raw<'a>,
        }
    }
}

hook_input! {
    /// The user has answered an MCP server.
    ElicitationResultInput<'a> [] {
        "2.1.325" {
            always mcp_server_name: Str<'a>,
            always action: ElicitationAction<'a>,
            optional elicitation_id: Str<'a>,
            optional mode: ElicitationMode<'a>,
            optional content: Raw<'a>,
        }
    }
}

hook_input! {
    /// A settings file or a skill changed.
    ConfigChangeInput<'a> [] {
        "2.1.50" {
            always source: ConfigSource<'a>,
            optional file_path: Str<'a>,
        }
    }
}

names! {
    /// What changed.
    ConfigSource<'a> {
        "user_settings" => UserSettings,
        "project_settings" => ProjectSettings,
        "local_settings" => LocalSettings,
        "policy_settings" => PolicySettings,
        "skills" => Skills,
    }
}

hook_input! {
    /// A worktree is wanted; the hook may make it.
    WorktreeCreateInput<'a> [] {
        "2.1.50" {
            always name: Str<'a>,
        }
    }
}

hook_input! {
    /// A worktree is done with.
    WorktreeRemoveInput<'a> [] {
        "2.1.50" {
            always worktree_path: Str<'a>,
        }
    }
}

hook_input! {
    /// A file of instructions was loaded.
    InstructionsLoadedInput<'a> [] {
        "2.1.325" {
            always file_path: Str<'a>,
            always memory_type: MemoryType<'a>,
            always load_reason: InstructionsLoadReason<'a>,
            optional globs: Vec<Str<'a>>,
            optional trigger_file_path: Str<'a>,
            optional parent_file_path: Str<'a>,
        }
    }
}

names! {
    /// Whose instructions a file holds.
    MemoryType<'a> {
        "User" => User,
        "Project" => Project,
        "Local" => Local,
        "Managed" => Managed,
    }
}

names! {
    /// Why a file of instructions was loaded.
    InstructionsLoadReason<'a> {
        "session_start" => SessionStart,
        "nested_traversal" => NestedTraversal,
        "path_glob_match" => PathGlobMatch,
        "include" => Include,
        "compact" => Compact,
    }
}

hook_input! {
    /// The working directory changed.
    CwdChangedInput<'a> [] {
        "2.1.325" {
            always old_cwd: Str<'a>,
            always new_cwd: Str<'a>,
        }
    }
}

hook_input! {
    /// A watched file changed.
    FileChangedInput<'a> [] {
        "2.1.325" {
            always file_path: Str<'a>,
            always event: FileEvent<'a>,
        }
    }
}

names! {
    /// What happened to a file.
    FileEvent<'a> {
        "change" => Change,
        "add" => Add,
        "unlink" => Unlink,
    }
}

hook_input! {
    /// A directory became a working directory.
    DirectoryAddedInput<'a> [] {
        "2.1.325" {
            always directory: Str<'a>,
            always source: DirectorySource<'a>,
        }
    }
}

names! {
    /// Who added a directory.
    DirectorySource<'a> {
        "slash_command" => SlashCommand,
        "register_repo_root" => RegisterRepoRoot,
    }
}

hook_input! {
    /// A piece of an answer is about to be shown.
    MessageDisplayInput<'a> [] {
        "2.1.325" {
            always turn_id: Str<'a>,
            always message_id: Str<'a>,
            always index: Number<'a>,
            always is_final = "final": bool,
            always delta: Str<'a>,
        }
    }
}
