//! What a turn used: tokens and what they cost.

use crate::json::{Number, Raw, Str};
use crate::table::{names, record};

record! {
    /// Tokens of one model call or one turn. On synthetic messages many members are `null`; at the end of a
    /// stream often only the output tokens are reported.
    Usage<'a> {
        "2.1.37" {
            optional input_tokens: Number<'a>,
            always output_tokens: Number<'a>,
            optional cache_creation_input_tokens: Number<'a>,
            optional cache_read_input_tokens: Number<'a>,
            optional cache_creation: Box<CacheCreation<'a>>,
            optional server_tool_use: Box<ServerToolUsage<'a>>,
            /// Such as `standard`.
            optional service_tier: Str<'a>,
        }
        "2.1.74" {
            optional inference_geo: Str<'a>,
            /// One entry for each call of the model that the numbers add up.
            optional iterations: Vec<Raw<'a>>,
            /// Such as `standard`.
            optional speed: Str<'a>,
        }
        "2.1.325" {
            optional output_tokens_details: Box<OutputTokensDetails<'a>>,
            optional fallback_credit: Raw<'a>,
        }
    }
}

record! {
    /// Tokens written to the prompt cache, by how long they live there.
    CacheCreation<'a> {
        "2.1.37" {
            always ephemeral_5m_input_tokens: Number<'a>,
            always ephemeral_1h_input_tokens: Number<'a>,
        }
    }
}

record! {
    /// Calls of tools that ran on the model's side.
    ServerToolUsage<'a> {
        "2.1.37" {
            always web_search_requests: Number<'a>,
            always web_fetch_requests: Number<'a>,
        }
    }
}

record! {
    /// A breakdown of the output tokens.
    OutputTokensDetails<'a> {
        "2.1.325" {
            always thinking_tokens: Number<'a>,
        }
    }
}

record! {
    /// What one model used since the process started.
    ModelUsage<'a> {
        "2.1.37" {
            always input_tokens = "inputTokens": Number<'a>,
            always output_tokens = "outputTokens": Number<'a>,
            always cache_read_input_tokens = "cacheReadInputTokens": Number<'a>,
            always cache_creation_input_tokens = "cacheCreationInputTokens": Number<'a>,
            always web_search_requests = "webSearchRequests": Number<'a>,
            always cost_usd = "costUSD": Number<'a>,
            /// How many tokens the model can see at once.
            always context_window = "contextWindow": Number<'a>,
            always max_output_tokens = "maxOutputTokens": Number<'a>,
        }
        "2.1.325" {
            optional thinking_tokens = "thinkingTokens": Number<'a>,
            optional cache_creation_5m = "cacheCreationEphemeral5mInputTokens": Number<'a>,
            optional cache_creation_1h = "cacheCreationEphemeral1hInputTokens": Number<'a>,
            /// The model's own name, where it is called by another.
            optional canonical_model = "canonicalModel": Str<'a>,
            /// Who serves the model, such as `firstParty`.
            optional provider: Str<'a>,
            optional cost_basis = "costBasis": CostBasis<'a>,
        }
    }
}

names! {
    /// Which prices a cost was computed with.
    CostBasis<'a> {
        "list" => List,
        "managed" => Managed,
        "unknown" => Unknown,
    }
}
