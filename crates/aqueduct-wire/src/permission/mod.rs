//! Permissions: modes, rules, and the updates that change them.

mod explanation;
mod rule;
mod update;

pub use explanation::{PermissionExplanation, PermissionPart};
pub use rule::RuleSyntaxError;

use crate::json::Str;
use crate::table::{names, record, union};

names! {
    /// How an agent treats a tool call that no rule decides.
    PermissionMode<'a> {
        /// Asks, except for what is harmless.
        "default" => Default,
        /// Lets file edits inside the working directories through.
        "acceptEdits" => AcceptEdits,
        /// Lets everything through that no rule forbids.
        "bypassPermissions" => BypassPermissions,
        /// Reads and plans; changes nothing.
        "plan" => Plan,
        /// Never asks: what is not allowed is denied.
        "dontAsk" => DontAsk,
        /// Asks like `default`; used where agents work in teams.
        "delegate" => Delegate,
        /// Lets a classifier decide.
        "auto" => Auto,
        /// Another name for `default`, taken by the command line.
        "manual" => Manual,
    }
}

union! {
    /// A change to what is allowed. An agent suggests some with a permission request; a host sends back the
    /// ones the user chose.
    PermissionUpdate<'a> by "type" {
        "addRules" => AddRules(RulesUpdate<'a>) since "2.1.37",
        "replaceRules" => ReplaceRules(RulesUpdate<'a>) since "2.1.37",
        "removeRules" => RemoveRules(RulesUpdate<'a>) since "2.1.37",
        "setMode" => SetMode(ModeUpdate<'a>) since "2.1.37",
        "addDirectories" => AddDirectories(DirectoriesUpdate<'a>) since "2.1.37",
        "removeDirectories" => RemoveDirectories(DirectoriesUpdate<'a>) since "2.1.50",
    }
}

record! {
    /// Rules to add, to remove, or to put in place of all others of the same behaviour and destination.
    RulesUpdate<'a> {
        essential { rules: Vec<RuleValue<'a>> }
        "2.1.37" {
            always behavior: RuleBehavior<'a>,
            always destination: Destination<'a>,
        }
    }
}

record! {
    /// A mode to enter.
    ModeUpdate<'a> {
        essential { mode: PermissionMode<'a> }
        "2.1.37" {
            always destination: Destination<'a>,
        }
    }
}

record! {
    /// Directories that become working directories, or stop being so.
    DirectoriesUpdate<'a> {
        essential { directories: Vec<Str<'a>> }
        "2.1.37" {
            always destination: Destination<'a>,
        }
    }
}

record! {
    /// A rule: a tool, and which of its calls. `Bash(git log:*)` is the tool `Bash` with the content
    /// `git log:*`.
    RuleValue<'a> {
        essential { tool_name = "toolName": Str<'a> }
        "2.1.37" {
            /// Which calls; all of them if absent.
            optional rule_content = "ruleContent": Str<'a>,
        }
    }
}

names! {
    /// What a rule does with the calls it matches.
    RuleBehavior<'a> {
        "allow" => Allow,
        "deny" => Deny,
        "ask" => Ask,
    }
}

names! {
    /// Where a rule lives, and so how long.
    Destination<'a> {
        "userSettings" => UserSettings,
        "projectSettings" => ProjectSettings,
        "localSettings" => LocalSettings,
        /// Until the process ends.
        "session" => Session,
        "cliArg" => CliArg,
        /// Until a slash command is done.
        "command" => Command,
        /// Given by an organisation; can't be written.
        "policySettings" => PolicySettings,
        /// Given by the host at run time; can't be written.
        "flagSettings" => FlagSettings,
    }
}
