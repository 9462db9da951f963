use crate::json::{Number, Raw, Str};
use crate::table::record;

record! {
    /// A shell command.
    BashInput<'a> {
        essential { command: Str<'a> }
        "2.1.37" {
            /// In milliseconds.
            optional timeout: Number<'a>,
            /// What the command does, for the user.
            optional description: Str<'a>,
            optional run_in_background: bool,
            optional dangerously_disable_sandbox = "dangerouslyDisableSandbox": bool,
        }
    }
}

record! {
    /// What a shell command printed, and what became of it.
    BashResult<'a> {
        essential { stdout: Str<'a> }
        "2.1.37" {
            always stderr: Str<'a>,
            /// The user stopped it.
            always interrupted: bool,
            /// The output is an image as a data address.
            optional is_image = "isImage": bool,
            /// The task that the command became.
            optional background_task_id = "backgroundTaskId": Str<'a>,
        }
        "2.1.74" {
            /// The command prints nothing when all is well.
            optional no_output_expected = "noOutputExpected": bool,
            /// The whole output, where it was too long for the model.
            optional persisted_output_path = "persistedOutputPath": Str<'a>,
            optional persisted_output_size = "persistedOutputSize": Number<'a>,
            optional raw_output_path = "rawOutputPath": Str<'a>,
            optional backgrounded_by_user = "backgroundedByUser": bool,
            optional dangerously_disable_sandbox = "dangerouslyDisableSandbox": bool,
            /// What the exit code means for this command, where it is not what one expects.
            optional return_code_interpretation = "returnCodeInterpretation": Str<'a>,
            optional structured_content = "structuredContent": Vec<Raw<'a>>,
        }
        "2.1.325" {
            optional timed_out_after_ms = "timedOutAfterMs": Number<'a>,
            optional background_cwd_hint = "backgroundCwdHint": Str<'a>,
            optional background_ends_with_final_response = "backgroundEndsWithFinalResponse": bool,
            optional background_wakes_owner = "backgroundWakesOwner": bool,
            optional stale_read_file_state_hint = "staleReadFileStateHint": Str<'a>,
            optional gh_rate_limit_hint = "ghRateLimitHint": Str<'a>,
            /// What the command did to a git repository.
            optional git_operation = "gitOperation": Box<GitOperation<'a>>,
        }
    }
}

record! {
    /// What a command did to a git repository.
    GitOperation<'a> {
        "2.1.325" {
            optional commit: GitCommit<'a>,
            optional push: GitPush<'a>,
            optional branch: GitBranch<'a>,
            optional pr: Box<GitPullRequest<'a>>,
        }
    }
}

record! {
    /// A commit was made.
    GitCommit<'a> {
        essential { sha: Str<'a> }
        "2.1.325" {
            /// Such as `committed` or `amended`.
            always kind: Str<'a>,
            optional branch: Str<'a>,
        }
    }
}

record! {
    /// A branch was pushed.
    GitPush<'a> {
        essential { branch: Str<'a> }
    }
}

record! {
    /// A branch was merged or rebased.
    GitBranch<'a> {
        essential {
            /// The branch or commit.
            reference = "ref": Str<'a>,
        }
        "2.1.325" {
            always action: Str<'a>,
        }
    }
}

record! {
    /// Something was done to a pull request.
    GitPullRequest<'a> {
        essential { number: Number<'a> }
        "2.1.325" {
            optional url: Str<'a>,
            /// Such as `created`, `commented` or `merged`.
            always action: Str<'a>,
        }
    }
}

record! {
    /// Asks for the output of a background task.
    TaskOutputInput<'a> {
        essential { task_id: Str<'a> }
        "2.1.37" {
            /// Whether to wait for the task's end.
            optional block: bool,
            /// How long, in milliseconds.
            optional timeout: Number<'a>,
        }
    }
}

record! {
    /// Stops a background task.
    TaskStopInput<'a> {
        "2.1.37" {
            optional task_id: Str<'a>,
            /// The older name of `task_id`.
            optional shell_id: Str<'a>,
        }
    }
}

record! {
    /// A background task was stopped.
    TaskStopResult<'a> {
        "2.1.74" {
            always message: Str<'a>,
            always task_id: Str<'a>,
            always task_type: Str<'a>,
            optional command: Str<'a>,
        }
    }
}
