//! Citations: where the claims of a text come from.

use crate::json::{Number, Str};
use crate::table::{record, union};

union! {
    /// The place a claim was taken from.
    Citation<'a> by "type" {
        "char_location" => Chars(CharLocation<'a>) since "2.1.37",
        "page_location" => Pages(PageLocation<'a>) since "2.1.37",
        "content_block_location" => Blocks(BlockLocation<'a>) since "2.1.37",
        "web_search_result_location" => WebSearchResult(WebSearchResultLocation<'a>) since "2.1.37",
        "search_result_location" => SearchResult(SearchResultLocation<'a>) since "2.1.37",
    }
}

record! {
    /// Characters of a plain-text document.
    CharLocation<'a> {
        essential { cited_text: Str<'a> }
        "2.1.37" {
            always document_index: Number<'a>,
            nullable document_title: Str<'a>,
            always start_char_index: Number<'a>,
            /// The character after the last.
            always end_char_index: Number<'a>,
            optional file_id: Str<'a>,
        }
    }
}

record! {
    /// Pages of a PDF.
    PageLocation<'a> {
        essential { cited_text: Str<'a> }
        "2.1.37" {
            always document_index: Number<'a>,
            nullable document_title: Str<'a>,
            /// The first page is 1.
            always start_page_number: Number<'a>,
            /// The page after the last.
            always end_page_number: Number<'a>,
            optional file_id: Str<'a>,
        }
    }
}

record! {
    /// Blocks of a document that is made of blocks.
    BlockLocation<'a> {
        essential { cited_text: Str<'a> }
        "2.1.37" {
            always document_index: Number<'a>,
            nullable document_title: Str<'a>,
            always start_block_index: Number<'a>,
            /// The block after the last.
            always end_block_index: Number<'a>,
            optional file_id: Str<'a>,
        }
    }
}

record! {
    /// A page that a web search found.
    WebSearchResultLocation<'a> {
        essential { cited_text: Str<'a> }
        "2.1.37" {
            always url: Str<'a>,
            nullable title: Str<'a>,
            /// To be sent back as it is.
            always encrypted_index: Str<'a>,
        }
    }
}

record! {
    /// Blocks of a `search_result` block.
    SearchResultLocation<'a> {
        essential { cited_text: Str<'a> }
        "2.1.37" {
            always source: Str<'a>,
            nullable title: Str<'a>,
            always search_result_index: Number<'a>,
            always start_block_index: Number<'a>,
            /// The block after the last.
            always end_block_index: Number<'a>,
        }
    }
}

record! {
    /// Whether the model may cite from a document or a search result.
    CitationsSwitch<'a> {
        "2.1.37" {
            always enabled: bool,
        }
    }
}
