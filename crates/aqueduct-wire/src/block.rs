//! Content blocks: what a message is made of.

use crate::json::{Raw, Str};
use crate::table::{either, record, union};

union! {
    /// A part of a message's content.
    ContentBlock<'a> by "type" {
        "text" => Text(TextBlock<'a>) since "2.1.37",
        "thinking" => Thinking(ThinkingBlock<'a>) since "2.1.37",
        "redacted_thinking" => RedactedThinking(RedactedThinkingBlock<'a>) since "2.1.37",
        "tool_use" => ToolUse(ToolUseBlock<'a>) since "2.1.37",
        "tool_result" => ToolResult(ToolResultBlock<'a>) since "2.1.37",
        "image" => Image(MediaBlock<'a>) since "2.1.37",
        "document" => Document(MediaBlock<'a>) since "2.1.37",
        "server_tool_use" => ServerToolUse(ToolUseBlock<'a>) since "2.1.37",
        "web_search_tool_result" => WebSearchToolResult(ServerToolResultBlock<'a>) since "2.1.37",
        "web_fetch_tool_result" => WebFetchToolResult(ServerToolResultBlock<'a>) since "2.1.37",
        "code_execution_tool_result" => CodeExecutionToolResult(ServerToolResultBlock<'a>) since "2.1.37",
        "advisor_tool_result" => AdvisorToolResult(ServerToolResultBlock<'a>) since "2.1.325",
        "mcp_tool_use" => McpToolUse(McpToolUseBlock<'a>) since "2.1.37",
        "mcp_tool_result" => McpToolResult(ToolResultBlock<'a>) since "2.1.37",
        "container_upload" => ContainerUpload(ContainerUploadBlock<'a>) since "2.1.37",
        "search_result" => SearchResult(SearchResultBlock<'a>) since "2.1.37",
        "tool_reference" => ToolReference(ToolReferenceBlock<'a>) since "2.1.325",
        "fallback" => Fallback(FallbackBlock<'a>) since "2.1.325",
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
            optional citations: Raw<'a>,
            optional cache_control: Raw<'a>,
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
            optional cache_control: Raw<'a>,
        }
        "2.1.325" {
            /// Who called the tool: the model, or code that the model runs.
            optional caller: Raw<'a>,
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
            optional cache_control: Raw<'a>,
        }
    }
}

record! {
    /// An image or a document.
    MediaBlock<'a> {
        essential { source: MediaSource<'a> }
        "2.1.37" {
            optional title: Str<'a>,
            optional context: Str<'a>,
            optional citations: Raw<'a>,
            optional cache_control: Raw<'a>,
        }
    }
}

union! {
    /// Where an image's or a document's bytes are.
    MediaSource<'a> by "type" {
        "base64" => Base64(Base64Source<'a>) since "2.1.37",
        "url" => Url(UrlSource<'a>) since "2.1.37",
        "text" => Text(TextSource<'a>) since "2.1.37",
        "content" => Content(ContentSource<'a>) since "2.1.37",
        "file" => File(FileSource<'a>) since "2.1.37",
    }
}

record! {
    /// Bytes in the frame itself.
    Base64Source<'a> {
        essential { data: Str<'a> }
        "2.1.37" {
            always media_type: Str<'a>,
        }
    }
}

record! {
    /// Bytes elsewhere.
    UrlSource<'a> {
        essential { url: Str<'a> }
    }
}

record! {
    /// A document that is plain text.
    TextSource<'a> {
        essential { data: Str<'a> }
        "2.1.37" {
            always media_type: Str<'a>,
        }
    }
}

record! {
    /// A document made of blocks.
    ContentSource<'a> {
        essential { content: Content<'a> }
    }
}

record! {
    /// A file that was uploaded before.
    FileSource<'a> {
        essential { file_id: Str<'a> }
    }
}

record! {
    /// What a tool on the model's side gave back. The content's shape is the tool's.
    ServerToolResultBlock<'a> {
        essential {
            tool_use_id: Str<'a>,
            content: Raw<'a>,
        }
        "2.1.325" {
            optional caller: Raw<'a>,
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
        }
    }
}

record! {
    /// A file put into the model's container.
    ContainerUploadBlock<'a> {
        essential { file_id: Str<'a> }
    }
}

record! {
    /// A passage that a search found, to be cited.
    SearchResultBlock<'a> {
        essential {
            source: Str<'a>,
            title: Str<'a>,
            content: Content<'a>,
        }
        "2.1.37" {
            optional citations: Raw<'a>,
        }
    }
}

record! {
    /// A tool that a tool search found.
    ToolReferenceBlock<'a> {
        essential { tool_name: Str<'a> }
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
