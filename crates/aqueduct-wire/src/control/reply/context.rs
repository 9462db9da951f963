use crate::json::{Number, Raw, Str};
use crate::table::{names, record};

record! {
    /// What fills the context.
    ContextUsageReply<'a> {
        "2.1.325" {
            always categories: Vec<ContextUsageCategory<'a>>,
            always total_tokens = "totalTokens": Number<'a>,
            always max_tokens = "maxTokens": Number<'a>,
            always raw_max_tokens = "rawMaxTokens": Number<'a>,
            always percentage: Number<'a>,
            /// The squares of the picture that the terminal shows, row by row.
            always grid_rows = "gridRows": Vec<Vec<ContextUsageSquare<'a>>>,
            always model: Str<'a>,
            always memory_files = "memoryFiles": Vec<Raw<'a>>,
            always mcp_tools = "mcpTools": Vec<Raw<'a>>,
            optional mcp_instructions = "mcpInstructions": Vec<Raw<'a>>,
            optional deferred_builtin_tools = "deferredBuiltinTools": Vec<Raw<'a>>,
            optional system_tools = "systemTools": Vec<Raw<'a>>,
            optional system_prompt_sections = "systemPromptSections": Vec<Raw<'a>>,
            always agents: Vec<Raw<'a>>,
            optional slash_commands = "slashCommands": ContextUsageCommands<'a>,
            optional skills: ContextUsageSkills<'a>,
            optional auto_compact_threshold = "autoCompactThreshold": Number<'a>,
            optional autocompact_source = "autocompactSource": Str<'a>,
            always is_auto_compact_enabled = "isAutoCompactEnabled": bool,
            optional message_breakdown = "messageBreakdown": ContextUsageMessages<'a>,
            nullable api_usage = "apiUsage": Raw<'a>,
        }
    }
}

record! {
    /// A share of the context.
    ContextUsageCategory<'a> {
        "2.1.325" {
            optional id: Str<'a>,
            always name: Str<'a>,
            always tokens: Number<'a>,
            always color: Str<'a>,
            optional is_deferred = "isDeferred": bool,
            always kind: ContextUsageKind<'a>,
        }
    }
}

names! {
    /// In which way a share counts.
    ContextUsageKind<'a> {
        "used" => Used,
        "free" => Free,
        "buffer" => Buffer,
        "deferred" => Deferred,
    }
}

record! {
    /// A square of the picture.
    ContextUsageSquare<'a> {
        "2.1.325" {
            always color: Str<'a>,
            always is_filled = "isFilled": bool,
            always category_name = "categoryName": Str<'a>,
            always tokens: Number<'a>,
            always percentage: Number<'a>,
            always square_fullness = "squareFullness": Number<'a>,
        }
    }
}

record! {
    /// What the slash commands take.
    ContextUsageCommands<'a> {
        "2.1.325" {
            always total_commands = "totalCommands": Number<'a>,
            always included_commands = "includedCommands": Number<'a>,
            always tokens: Number<'a>,
        }
    }
}

record! {
    /// What the skills take.
    ContextUsageSkills<'a> {
        "2.1.325" {
            always total_skills = "totalSkills": Number<'a>,
            always included_skills = "includedSkills": Number<'a>,
            always tokens: Number<'a>,
            always skill_frontmatter = "skillFrontmatter": Vec<ContextUsageSkill<'a>>,
        }
    }
}

record! {
    /// What one skill takes.
    ContextUsageSkill<'a> {
        "2.1.325" {
            always name: Str<'a>,
            always source: Str<'a>,
            always tokens: Number<'a>,
        }
    }
}

record! {
    /// What the messages take.
    ContextUsageMessages<'a> {
        "2.1.325" {
            always tool_call_tokens = "toolCallTokens": Number<'a>,
            always tool_result_tokens = "toolResultTokens": Number<'a>,
            always attachment_tokens = "attachmentTokens": Number<'a>,
            always assistant_message_tokens = "assistantMessageTokens": Number<'a>,
            always user_message_tokens = "userMessageTokens": Number<'a>,
            optional redirected_context_tokens = "redirectedContextTokens": Number<'a>,
            optional unattributed_tokens = "unattributedTokens": Number<'a>,
            always tool_calls_by_type = "toolCallsByType": Vec<Raw<'a>>,
            always attachments_by_type = "attachmentsByType": Vec<Raw<'a>>,
        }
    }
}
