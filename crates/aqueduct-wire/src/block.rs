//! Content blocks: what a message is made of.

use crate::citation::{Citation, CitationsSwitch};
use crate::json::{Raw, Str};
use crate::media::MediaSource;
use crate::table::{either, record, union};

union! {
    /// A part of a message's content.
    ContentBlock<'a> by "type" {
        "text" => Text(TextBlock<'a>) since "2.1.37",
        "thinking" => Thinking(ThinkingBlock<'a>) since "2.1.37",
        "redacted_thinking" => RedactedThinking(RedactedThinkingBlock<'a>) since "2.1.37",
        "tool_use" => ToolUse(ToolUseBlock<'a>) since "2.1.37",
        "tool_result" => ToolResult(ToolResultBlock<'a>) since "2.1.37",
        "image" => Image(Box<MediaBlock<'a>>) since "2.1.37",
        "document" => Document(Box<MediaBlock<'a>>) since "2.1.37",
        "server_tool_use" => ServerToolUse(ToolUseBlock<'a>) since "2.1.37",
        "web_search_tool_result" => WebSearchToolResult(Box<ServerToolResultBlock<'a>>) since "2.1.37",
        "web_fetch_tool_result" => WebFetchToolResult(Box<ServerToolResultBlock<'a>>) since "2.1.37",
        "code_execution_tool_result" => CodeExecutionToolResult(Box<ServerToolResultBlock<'a>>) since "2.1.37",
        "advisor_tool_result" => AdvisorToolResult(Box<ServerToolResultBlock<'a>>) since "2.1.325",
        "mcp_tool_use" => McpToolUse(Box<McpToolUseBlock<'a>>) since "2.1.37",
        "mcp_tool_result" => McpToolResult(ToolResultBlock<'a>) since "2.1.37",
        "container_upload" => ContainerUpload(ContainerUploadBlock<'a>) since "2.1.37",
        "search_result" => SearchResult(Box<SearchResultBlock<'a>>) since "2.1.37",
        "tool_reference" => ToolReference(ToolReferenceBlock<'a>) since "2.1.325",
        "fallback" => Fallback(Box<FallbackBlock<'a>>) since "2.1.325",
    }
}

either! {
    /// Content in either of the forms in which it is sent.
    Content<'a> {
        /// A plain string.
        Text(Str<'a>),
        /// A list of blocks.
        Blocks(Vec<ContentBlock<'a>>),
    }
}

impl<'a> Content<'a> {
    /// The text of the content: the string, or the text blocks one after the other.
    pub fn text(&self) -> String {
        match self {
            Content::Text(text) => text.to_string(),
            Content::Blocks(blocks) => blocks
                .iter()
                .filter_map(|block| match block {
                    ContentBlock::Text(block) => Some(block.text.as_str()),
                    _ => None,
                })
                .collect(),
        }
    }

    /// The blocks; a plain string has none.
    pub fn blocks(&self) -> &[ContentBlock<'a>] {
        match self {
            Content::Text(_) => &[],
            Content::Blocks(blocks) => blocks,
        }
    }
}

record! {
    /// Text.
    TextBlock<'a> {
        essential { text: Str<'a> }
        "2.1.37" {
            /// Where the text's claims come from.
            optional citations: Vec<Citation<'a>>,
            optional cache_control: Box<CacheControl<'a>>,
        }
    }
}

record! {
    /// What the model thought before it answered. The signature must be sent back unchanged.
    ThinkingBlock<'a> {
        essential { thinking: Str<'a> }
        "2.1.37" {
            always signature: Str<'a>,
        }
    }
}

record! {
    /// Thinking that may not be shown, to be sent back as it is.
    RedactedThinkingBlock<'a> {
        essential { data: Str<'a> }
    }
}

record! {
    /// A call of a tool, on this side (`tool_use`) or on the model's (`server_tool_use`).
    ToolUseBlock<'a> {
        essential {
            id: Str<'a>,
            name: Str<'a>,
            /// The arguments. Empty in a stream's `content_block_start`: they follow as deltas.
            input: Raw<'a>,
        }
        "2.1.37" {
            optional cache_control: Box<CacheControl<'a>>,
        }
        "2.1.325" {
            optional caller: Box<ToolCaller<'a>>,
        }
    }
}

record! {
    /// Who called a tool: the model itself (`direct`), or code that the model runs.
    ToolCaller<'a> {
        essential { kind = "type": Str<'a> }
        "2.1.325" {
            /// The call whose code made this one.
            optional tool_id: Str<'a>,
        }
    }
}

record! {
    /// What a tool gave back.
    ToolResultBlock<'a> {
        essential { tool_use_id: Str<'a> }
        "2.1.37" {
            /// A string or blocks; text and images mostly.
            optional content: Content<'a>,
            optional is_error: bool,
            optional cache_control: Box<CacheControl<'a>>,
        }
    }
}

record! {
    /// A mark that lets the model's side keep the prompt up to here for the next call.
    CacheControl<'a> {
        essential {
            /// `ephemeral`.
            kind = "type": Str<'a>,
        }
        "2.1.37" {
            /// How long it is kept: `5m` or `1h`.
            optional ttl: Str<'a>,
        }
    }
}

record! {
    /// An image or a document.
    MediaBlock<'a> {
        essential { source: MediaSource<'a> }
        "2.1.37" {
            optional title: Str<'a>,
            /// What the model should know about the document beside its text.
            optional context: Str<'a>,
            optional citations: CitationsSwitch<'a>,
            optional cache_control: CacheControl<'a>,
        }
    }
}

record! {
    /// What a tool on the model's side gave back. The content's shape is the tool's.
    ServerToolResultBlock<'a> {
        essential {
            tool_use_id: Str<'a>,
            content: Raw<'a>,
        }
        "2.1.37" {
            optional cache_control: CacheControl<'a>,
        }
        "2.1.325" {
            optional caller: ToolCaller<'a>,
        }
    }
}

record! {
    /// A call of a tool of an MCP server that the model's side is connected to.
    McpToolUseBlock<'a> {
        essential {
            id: Str<'a>,
            name: Str<'a>,
            input: Raw<'a>,
        }
        "2.1.37" {
            always server_name: Str<'a>,
            optional cache_control: CacheControl<'a>,
        }
    }
}

record! {
    /// A file put into the model's container.
    ContainerUploadBlock<'a> {
        essential { file_id: Str<'a> }
        "2.1.37" {
            optional cache_control: Box<CacheControl<'a>>,
        }
    }
}

record! {
    /// A passage that a search found, to be cited.
    SearchResultBlock<'a> {
        essential {
            /// Where the passage is from; an address mostly.
            source: Str<'a>,
            title: Str<'a>,
            content: Content<'a>,
        }
        "2.1.37" {
            optional citations: CitationsSwitch<'a>,
            optional cache_control: CacheControl<'a>,
        }
    }
}

record! {
    /// A tool that a tool search found. From here on the model may call it.
    ToolReferenceBlock<'a> {
        essential { tool_name: Str<'a> }
        "2.1.325" {
            optional cache_control: Box<CacheControl<'a>>,
        }
    }
}

record! {
    /// A note that another model took over.
    FallbackBlock<'a> {
        "2.1.325" {
            optional from: Raw<'a>,
            optional to: Raw<'a>,
        }
    }
}
