use crate::json::Str;
use crate::table::record;

record! {
    /// Asks to make a plan first.
    EnterPlanModeInput<'a> {}
}

record! {
    /// The session is in plan mode.
    EnterPlanModeResult<'a> {
        "2.1.50" {
            always message: Str<'a>,
        }
    }
}

record! {
    /// Asks to carry out a plan.
    ExitPlanModeInput<'a> {
        "2.1.37" {
            /// The plan itself, where the model sends it here and not in a file.
            optional plan: Str<'a>,
            /// What the plan will want to do, so that it can be allowed beforehand.
            optional allowed_prompts = "allowedPrompts": Vec<AllowedPrompt<'a>>,
        }
    }
}

record! {
    /// Something a plan will want to do.
    AllowedPrompt<'a> {
        essential { tool: Str<'a> }
        "2.1.37" {
            /// In words.
            always prompt: Str<'a>,
        }
    }
}

record! {
    /// The plan was approved.
    ExitPlanModeResult<'a> {
        "2.1.37" {
            nullable plan: Str<'a>,
            /// A subagent made the plan.
            always is_agent = "isAgent": bool,
            optional file_path = "filePath": Str<'a>,
        }
        "2.1.74" {
            optional has_task_tool = "hasTaskTool": bool,
            optional awaiting_leader_approval = "awaitingLeaderApproval": bool,
            optional request_id = "requestId": Str<'a>,
        }
        "2.1.325" {
            optional plan_was_edited = "planWasEdited": bool,
        }
    }
}
