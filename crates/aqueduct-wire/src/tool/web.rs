use crate::json::{Number, Str};
use crate::table::{either, record};

record! {
    /// Fetches a page and asks a model about it.
    WebFetchInput<'a> {
        essential { url: Str<'a> }
        "2.1.37" {
            always prompt: Str<'a>,
        }
        "2.1.325" {
            /// Where in a long page to continue.
            optional offset: Number<'a>,
        }
    }
}

record! {
    /// The page's text.
    WebFetchResult<'a> {
        essential { result: Str<'a> }
        "2.1.37" {
            always url: Str<'a>,
            always bytes: Number<'a>,
            /// The HTTP status.
            always code: Number<'a>,
            always code_text = "codeText": Str<'a>,
            always duration_ms = "durationMs": Number<'a>,
        }
    }
}

record! {
    /// Searches the web.
    WebSearchInput<'a> {
        essential { query: Str<'a> }
        "2.1.37" {
            optional allowed_domains: Vec<Str<'a>>,
            optional blocked_domains: Vec<Str<'a>>,
        }
    }
}

record! {
    /// What the search found.
    WebSearchResult<'a> {
        essential { query: Str<'a> }
        "2.1.37" {
            always results: Vec<WebSearchPart<'a>>,
            always duration_seconds = "durationSeconds": Number<'a>,
        }
        "2.1.325" {
            optional search_count = "searchCount": Number<'a>,
        }
    }
}

either! {
    /// A part of a search's answer.
    WebSearchPart<'a> {
        /// The answer of the model that searched.
        Text(Str<'a>),
        /// Pages.
        Hits(WebSearchHits<'a>),
    }
}

record! {
    /// The pages that one search found.
    WebSearchHits<'a> {
        essential { content: Vec<WebSearchHit<'a>> }
        "2.1.37" {
            always tool_use_id: Str<'a>,
        }
    }
}

record! {
    /// A page that a search found.
    WebSearchHit<'a> {
        essential { url: Str<'a> }
        "2.1.37" {
            always title: Str<'a>,
        }
        "2.1.325" {
            optional snippet: Str<'a>,
        }
    }
}
