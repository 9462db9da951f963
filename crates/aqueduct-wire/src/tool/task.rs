use crate::json::{Map, Raw, Str};
use crate::table::{names, record};

record! {
    /// The whole list of things to do.
    TodoWriteInput<'a> {
        essential { todos: Vec<Todo<'a>> }
    }
}

record! {
    /// The list before and after.
    TodoWriteResult<'a> {
        essential { new_todos = "newTodos": Vec<Todo<'a>> }
        "2.1.37" {
            always old_todos = "oldTodos": Vec<Todo<'a>>,
        }
        "2.1.74" {
            optional verification_nudge_needed = "verificationNudgeNeeded": bool,
        }
    }
}

record! {
    /// A thing to do.
    Todo<'a> {
        essential { content: Str<'a> }
        "2.1.37" {
            always status: TodoStatus<'a>,
            /// The same while it is being done, for the user.
            always active_form = "activeForm": Str<'a>,
        }
    }
}

names! {
    /// How far a thing to do is.
    TodoStatus<'a> {
        "pending" => Pending,
        "in_progress" => InProgress,
        "completed" => Completed,
    }
}

record! {
    /// Puts a task on the session's list.
    TaskCreateInput<'a> {
        essential { subject: Str<'a> }
        "2.1.37" {
            always description: Str<'a>,
            optional active_form = "activeForm": Str<'a>,
            optional metadata: Map<'a, Raw<'a>>,
        }
    }
}

record! {
    /// The task that was put on the list.
    TaskCreateResult<'a> {
        essential { task: Box<TrackedTask<'a>> }
    }
}

record! {
    /// Asks for a task.
    TaskGetInput<'a> {
        essential { task_id = "taskId": Str<'a> }
    }
}

record! {
    /// The task; `null` where there is none.
    TaskGetResult<'a> {
        "2.1.325" {
            nullable task: Box<TrackedTask<'a>>,
        }
    }
}

record! {
    /// Changes a task: only what is there.
    TaskUpdateInput<'a> {
        essential { task_id = "taskId": Str<'a> }
        "2.1.37" {
            optional subject: Str<'a>,
            optional description: Str<'a>,
            optional active_form = "activeForm": Str<'a>,
            optional status: TrackedTaskStatus<'a>,
            optional add_blocks = "addBlocks": Vec<Str<'a>>,
            optional add_blocked_by = "addBlockedBy": Vec<Str<'a>>,
            optional owner: Str<'a>,
            optional metadata: Map<'a, Raw<'a>>,
        }
    }
}

record! {
    /// What changed.
    TaskUpdateResult<'a> {
        essential { success: bool }
        "2.1.325" {
            always task_id = "taskId": Str<'a>,
            always updated_fields = "updatedFields": Vec<Str<'a>>,
            optional error: Str<'a>,
            optional status_change = "statusChange": Box<TaskStatusChange<'a>>,
        }
    }
}

record! {
    /// A task's status before and after.
    TaskStatusChange<'a> {
        essential {
            from: TrackedTaskStatus<'a>,
            to: TrackedTaskStatus<'a>,
        }
    }
}

record! {
    /// Asks for all tasks.
    TaskListInput<'a> {}
}

record! {
    /// All tasks.
    TaskListResult<'a> {
        essential { tasks: Vec<TrackedTask<'a>> }
    }
}

record! {
    /// A task on the session's list.
    TrackedTask<'a> {
        essential { id: Str<'a> }
        "2.1.325" {
            always subject: Str<'a>,
            optional description: Str<'a>,
            optional status: TrackedTaskStatus<'a>,
            optional owner: Str<'a>,
            /// Tasks that wait for this one.
            optional blocks: Vec<Str<'a>>,
            /// Tasks that this one waits for.
            optional blocked_by = "blockedBy": Vec<Str<'a>>,
        }
    }
}

names! {
    /// How far a task on the list is.
    TrackedTaskStatus<'a> {
        "pending" => Pending,
        "in_progress" => InProgress,
        "completed" => Completed,
        /// Taken off the list.
        "deleted" => Deleted,
    }
}
