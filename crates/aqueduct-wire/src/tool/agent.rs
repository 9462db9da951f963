use crate::agent_definition::EffortLevel;
use crate::block::ContentBlock;
use crate::json::{Number, Str};
use crate::permission::PermissionMode;
use crate::table::{names, record, union};
use crate::usage::Usage;

record! {
    /// Starts a subagent.
    AgentInput<'a> {
        essential { prompt: Str<'a> }
        "2.1.37" {
            /// The task in a few words, for the user.
            always description: Str<'a>,
            optional subagent_type: Str<'a>,
            optional model: Str<'a>,
            optional run_in_background: bool,
            optional name: Str<'a>,
            optional team_name: Str<'a>,
            optional mode: PermissionMode<'a>,
            /// A subagent to resume.
            optional resume: Str<'a>,
            optional max_turns: Number<'a>,
        }
        "2.1.74" {
            optional isolation: AgentIsolation<'a>,
        }
        "2.1.325" {
            optional effort: EffortLevel<'a>,
        }
    }
}

names! {
    /// How a subagent's files are kept apart from the session's.
    AgentIsolation<'a> {
        /// A git worktree of its own.
        "worktree" => Worktree,
        /// Another machine.
        "remote" => Remote,
    }
}

union! {
    /// What became of a subagent.
    AgentResult<'a> by "status" {
        "completed" => Completed(Box<AgentCompleted<'a>>) since "2.1.37",
        /// It runs in the background.
        "async_launched" => Launched(Box<AgentLaunched<'a>>) since "2.1.50",
        "remote_launched" => LaunchedRemotely(Box<AgentLaunchedRemotely<'a>>) since "2.1.325",
    }
}

record! {
    /// A subagent is done.
    AgentCompleted<'a> {
        essential { content: Vec<ContentBlock<'a>> }
        "2.1.37" {
            always agent_id = "agentId": Str<'a>,
            always prompt: Str<'a>,
            always total_tool_use_count = "totalToolUseCount": Number<'a>,
            always total_duration_ms = "totalDurationMs": Number<'a>,
            always total_tokens = "totalTokens": Number<'a>,
            always usage: Box<Usage<'a>>,
        }
        "2.1.325" {
            optional agent_type = "agentType": Str<'a>,
            optional resolved_model = "resolvedModel": Str<'a>,
            optional models_used = "modelsUsed": Vec<Str<'a>>,
            optional tools_used = "toolsUsed": Vec<Str<'a>>,
            optional tool_stats = "toolStats": Box<AgentToolStats<'a>>,
            optional worktree_path = "worktreePath": Str<'a>,
            optional worktree_branch = "worktreeBranch": Str<'a>,
            optional can_continue_agent = "canContinueAgent": bool,
        }
    }
}

record! {
    /// What a subagent did, counted.
    AgentToolStats<'a> {
        "2.1.325" {
            always read_count = "readCount": Number<'a>,
            always search_count = "searchCount": Number<'a>,
            always bash_count = "bashCount": Number<'a>,
            always edit_file_count = "editFileCount": Number<'a>,
            always lines_added = "linesAdded": Number<'a>,
            always lines_removed = "linesRemoved": Number<'a>,
            always other_tool_count = "otherToolCount": Number<'a>,
            optional frame_count = "frameCount": Number<'a>,
        }
    }
}

record! {
    /// A subagent runs in the background.
    AgentLaunched<'a> {
        essential { agent_id = "agentId": Str<'a> }
        "2.1.50" {
            always description: Str<'a>,
            always prompt: Str<'a>,
            /// Where its output can be read.
            always output_file = "outputFile": Str<'a>,
            optional can_read_output_file = "canReadOutputFile": bool,
        }
        "2.1.325" {
            optional is_async = "isAsync": bool,
            optional resolved_model = "resolvedModel": Str<'a>,
            optional models_used = "modelsUsed": Vec<Str<'a>>,
            optional can_continue_agent = "canContinueAgent": bool,
        }
    }
}

record! {
    /// A subagent runs on another machine.
    AgentLaunchedRemotely<'a> {
        essential { task_id = "taskId": Str<'a> }
        "2.1.325" {
            always session_url = "sessionUrl": Str<'a>,
            always description: Str<'a>,
            always prompt: Str<'a>,
            always output_file = "outputFile": Str<'a>,
        }
    }
}
