use crate::json::{Number, Raw, Str};
use crate::table::{names, record};

record! {
    /// A subagent, a shell command or a workflow begins to run on its own.
    TaskStarted<'a> {
        essential { task_id: Str<'a> }
        "2.1.50" {
            always description: Str<'a>,
            /// The call that started it.
            optional tool_use_id: Str<'a>,
            /// Such as `local_agent`, `local_bash`, `local_workflow` or `mcp_task`.
            optional task_type: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
        "2.1.74" {
            optional prompt: Str<'a>,
        }
        "2.1.325" {
            /// Distinguishes the runs of one task.
            optional run_id: Str<'a>,
            /// A subagent has started it.
            optional owned_by_subagent: bool,
            optional subagent_type: Str<'a>,
            /// The conversation does not wait for it.
            optional is_backgrounded: bool,
            optional spawn_depth: Number<'a>,
            optional parent_task_id: Str<'a>,
            optional workflow_name: Str<'a>,
            optional skip_transcript: bool,
            optional ambient: bool,
            optional awaited: bool,
        }
    }
}

record! {
    /// A task is still running.
    TaskProgress<'a> {
        essential { task_id: Str<'a> }
        "2.1.74" {
            /// What it does right now.
            always description: Str<'a>,
            always usage: Box<TaskUsage<'a>>,
            optional tool_use_id: Str<'a>,
            optional last_tool_name: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
        "2.1.325" {
            optional run_id: Str<'a>,
            optional subagent_type: Str<'a>,
            /// What it has done so far, where a host asked for summaries.
            optional summary: Str<'a>,
        }
    }
}

record! {
    /// What a task has used so far.
    TaskUsage<'a> {
        "2.1.50" {
            always total_tokens: Number<'a>,
            always tool_uses: Number<'a>,
            always duration_ms: Number<'a>,
        }
    }
}

record! {
    /// Something about a task changed.
    TaskUpdated<'a> {
        essential { task_id: Str<'a> }
        "2.1.325" {
            optional run_id: Str<'a>,
            /// Only what changed.
            always patch: Box<TaskPatch<'a>>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// The changed members of a task.
    TaskPatch<'a> {
        "2.1.325" {
            optional status: TaskState<'a>,
            optional description: Str<'a>,
            /// In milliseconds since 1970.
            optional end_time: Number<'a>,
            optional total_paused_ms: Number<'a>,
            optional error: Str<'a>,
            optional is_backgrounded: bool,
        }
    }
}

names! {
    /// The state of a task.
    TaskState<'a> {
        "pending" => Pending,
        "running" => Running,
        "completed" => Completed,
        "failed" => Failed,
        "killed" => Killed,
        "paused" => Paused,
    }
}

record! {
    /// A task ended. After one that ran in the background the agent begins a turn of its own.
    TaskNotification<'a> {
        essential { task_id: Str<'a> }
        "2.1.50" {
            always status: TaskEnd<'a>,
            /// Where its output can be read; empty where it has none.
            always output_file: Str<'a>,
            always summary: Str<'a>,
            optional tool_use_id: Str<'a>,
            optional usage: Box<TaskUsage<'a>>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
        "2.1.325" {
            optional run_id: Str<'a>,
            optional reason: TaskEndReason<'a>,
            optional resource_links: Vec<ResourceLink<'a>>,
            optional skip_transcript: bool,
            optional ambient: bool,
            optional handback: Raw<'a>,
            optional handback_report: Raw<'a>,
        }
    }
}

names! {
    /// How a task ended.
    TaskEnd<'a> {
        "completed" => Completed,
        "failed" => Failed,
        "stopped" => Stopped,
    }
}

names! {
    /// What ended a task from outside.
    TaskEndReason<'a> {
        "worker_restart" => WorkerRestart,
    }
}

record! {
    /// Something that a task made and that can be fetched.
    ResourceLink<'a> {
        essential { uri: Str<'a> }
        "2.1.325" {
            always name: Str<'a>,
            optional title: Str<'a>,
            optional description: Str<'a>,
            optional mime_type = "mimeType": Str<'a>,
            optional size: Number<'a>,
            optional annotations: Raw<'a>,
        }
    }
}

record! {
    /// All tasks that run in the background now. It replaces what was reported before.
    BackgroundTasksChanged<'a> {
        essential { tasks: Vec<RunningTask<'a>> }
        "2.1.325" {
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// A task that runs in the background.
    RunningTask<'a> {
        essential { task_id: Str<'a> }
        "2.1.325" {
            always task_type: Str<'a>,
            always description: Str<'a>,
            optional run_id: Str<'a>,
            optional subagent_type: Str<'a>,
            optional parent_task_id: Str<'a>,
            optional ambient: bool,
        }
    }
}
