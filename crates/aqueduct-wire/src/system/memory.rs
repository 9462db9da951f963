use crate::json::Str;
use crate::table::{names, record};

record! {
    /// Memories were put into the context.
    MemoryRecall<'a> {
        essential { memories: Vec<RecalledMemory<'a>> }
        "2.1.325" {
            always mode: MemoryMode<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

names! {
    /// How memories were recalled.
    MemoryMode<'a> {
        "select" => Select,
        "synthesize" => Synthesize,
    }
}

record! {
    /// A memory.
    RecalledMemory<'a> {
        essential { path: Str<'a> }
        "2.1.325" {
            always scope: MemoryScope<'a>,
            optional content: Str<'a>,
        }
    }
}

names! {
    /// Whose memory it is.
    MemoryScope<'a> {
        "personal" => Personal,
        "team" => Team,
        "organization" => Organization,
    }
}
