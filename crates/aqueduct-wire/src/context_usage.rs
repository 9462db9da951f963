//! What fills the model's context.

use crate::json::{Number, Str};
use crate::table::{names, record};

record! {
    /// What fills the model's context: the numbers behind `/context`.
    ContextUsage<'a> {
        essential {
            model: Str<'a>,
            total_tokens: Number<'a>,
        }
        "2.1.325" {
            /// The size of the model's context.
            always raw_max_tokens: Number<'a>,
            always percentage: Number<'a>,
            optional over_limit: Box<OverLimit<'a>>,
            always categories: Vec<ContextCategory<'a>>,
            always mcp_tools: Vec<ContextMcpTool<'a>>,
            always memory_files: Vec<ContextMemoryFile<'a>>,
            always agents: Vec<ContextAgent<'a>>,
            optional skills: Vec<ContextSkill<'a>>,
        }
    }
}

record! {
    /// The context is fuller than it may be.
    OverLimit<'a> {
        essential { tokens_over: Number<'a> }
        "2.1.325" {
            always kind: OverLimitKind<'a>,
        }
    }
}

names! {
    /// Which limit was passed.
    OverLimitKind<'a> {
        "hard_limit" => HardLimit,
        "compaction_window" => CompactionWindow,
    }
}

record! {
    /// A part of the context.
    ContextCategory<'a> {
        essential {
            name: Str<'a>,
            tokens: Number<'a>,
        }
        "2.1.325" {
            always kind: ContextCategoryKind<'a>,
        }
    }
}

names! {
    /// What a part of the context is.
    ContextCategoryKind<'a> {
        "used" => Used,
        "free" => Free,
        /// Kept free for compaction.
        "buffer" => Buffer,
        /// Not in the context until it is asked for.
        "deferred" => Deferred,
    }
}

record! {
    /// What the description of an MCP tool takes.
    ContextMcpTool<'a> {
        essential {
            name: Str<'a>,
            tokens: Number<'a>,
        }
        "2.1.325" {
            always server_name: Str<'a>,
        }
    }
}

record! {
    /// What a memory file takes.
    ContextMemoryFile<'a> {
        essential {
            path: Str<'a>,
            tokens: Number<'a>,
        }
        "2.1.325" {
            always kind = "type": Str<'a>,
        }
    }
}

record! {
    /// What the description of a subagent takes.
    ContextAgent<'a> {
        essential {
            agent_type: Str<'a>,
            tokens: Number<'a>,
        }
        "2.1.325" {
            always source: Str<'a>,
        }
    }
}

record! {
    /// What the description of a skill takes.
    ContextSkill<'a> {
        essential {
            name: Str<'a>,
            tokens: Number<'a>,
        }
        "2.1.325" {
            always source: Str<'a>,
            optional plugin_name: Str<'a>,
        }
    }
}
