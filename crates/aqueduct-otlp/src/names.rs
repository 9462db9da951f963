//! The names of all spans, attributes and metrics, with what docs/operations.md has about them.
//!
//! Names that begin with `gen_ai.` are those of the semantic conventions for generative AI; `aqueduct.` begins those for
//! which there is no convention.

/// A span, as the documentation lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanRow {
    /// Its name, with placeholders.
    pub name: &'static str,
    /// What it covers.
    pub about: &'static str,
}

/// An attribute, as the documentation lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttributeRow {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub about: &'static str,
}

/// A metric, as the documentation lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricRow {
    /// Its name.
    pub name: &'static str,
    /// The kind of instrument: `histogram` or `counter`.
    pub kind: &'static str,
    /// Its unit, in UCUM.
    pub unit: &'static str,
    /// What it measures.
    pub about: &'static str,
    /// Its attributes.
    pub attributes: &'static [&'static str],
}

/// Makes a constant for each attribute, and the table of all.
macro_rules! attributes {
    ($( $constant:ident = $name:literal: $about:literal; )*) => {
        $( pub(crate) const $constant: &str = $name; )*

        /// All attributes of spans and metrics.
        pub const ATTRIBUTES: &[AttributeRow] = &[$( AttributeRow { name: $name, about: $about }, )*];
    };
}

attributes! {
    OPERATION = "gen_ai.operation.name": "`invoke_agent`, `chat` or `execute_tool`";
    PROVIDER = "gen_ai.provider.name": "who serves the model, derived from its name: `anthropic`, `aws.bedrock`, `gcp.vertex_ai`, `gcp.gemini`, `openai`; `scripted` for the scripted model";
    CONVERSATION = "gen_ai.conversation.id": "the session's id";
    AGENT = "gen_ai.agent.name": "the agent by its name in the settings; for a subagent its type";
    AGENT_VERSION = "gen_ai.agent.version": "the agent's version, as it reports it";
    REQUEST_MODEL = "gen_ai.request.model": "the model that the session uses";
    RESPONSE_MODEL = "gen_ai.response.model": "the model that answered";
    RESPONSE_ID = "gen_ai.response.id": "the id of the answer";
    FINISH_REASONS = "gen_ai.response.finish_reasons": "why the model stopped";
    STREAM = "gen_ai.request.stream": "whether the answer was streamed to the bridge";
    INPUT_TOKENS = "gen_ai.usage.input_tokens": "all tokens that the model read, those of the cache included";
    OUTPUT_TOKENS = "gen_ai.usage.output_tokens": "the tokens that the model wrote";
    CACHE_READ_TOKENS = "gen_ai.usage.cache_read.input_tokens": "the tokens that were read from the prompt cache";
    CACHE_WRITE_TOKENS = "gen_ai.usage.cache_creation.input_tokens": "the tokens that were written to the prompt cache";
    TOKEN_TYPE = "gen_ai.token.type": "`input` or `output`; in `aqueduct.usage.tokens` also `cache_read` and `cache_write`, and then `input` is without them";
    TOOL = "gen_ai.tool.name": "the tool";
    TOOL_CALL = "gen_ai.tool.call.id": "the id of the call";
    ERROR_TYPE = "error.type": "why it failed: the agent's name for an error of the model or of a turn, `tool_error`, `permission_denied`, `incomplete`, `agent_ended`, `exit_code`, `signal` or `killed`";
    TURN_COST = "aqueduct.turn.cost": "what the turn cost, in US dollars, as the agent reports it";
    TURN_INTERRUPTED = "aqueduct.turn.interrupted": "`true` if a user or a program stopped the turn";
    PERMISSION_KIND = "aqueduct.permission.kind": "what was to be decided: `permission`, `question`, `plan`, `elicitation`, `retry`, `budget` or `resend`";
    PERMISSION_DECISION = "aqueduct.permission.decision": "`allowed`, `allowed_always`, `denied`, `answered` or `cancelled`";
    PERMISSION_BY = "aqueduct.permission.decided_by": "who decided: `device`, `token` (automation), `bridge`, or `agent` where the request was withdrawn";
    EXIT = "aqueduct.agent.exit": "how an agent's process ended: `requested`, `exit_code`, `signal`, `killed` (with its keeper) or `not_started`";
    EXIT_CODE = "aqueduct.agent.exit_code": "its exit code, or the number of the signal";
    DETACHED = "aqueduct.detached": "`true` if the bridge stopped before it ended; the agent continues, and the next bridge begins a new span";
}

/// All spans.
pub const SPANS: &[SpanRow] = &[
    SpanRow {
        name: "invoke_agent {agent}",
        about: "a turn, from the input to its result; the root of a trace. Also the work of a subagent, below its `execute_tool`",
    },
    SpanRow {
        name: "chat {model}",
        about: "a call of the model, from when the agent had everything for it to the end of the answer",
    },
    SpanRow {
        name: "execute_tool {tool}",
        about: "a call of a tool, from the model's request to the result; waiting for a permission is included",
    },
    SpanRow {
        name: "aqueduct.permission",
        about: "a request for a decision, from the question to the decision; below the call that it is about",
    },
    SpanRow {
        name: "aqueduct.agent_process {agent}",
        about: "an agent's process; a trace of its own, to which turns have links",
    },
];

/// Makes a constant for each metric, and the table of all.
macro_rules! metrics {
    ($( $constant:ident = $kind:literal $name:literal $unit:literal: $about:literal, [$($attribute:ident),*]; )*) => {
        $( pub(crate) const $constant: MetricRow = MetricRow {
            name: $name,
            kind: $kind,
            unit: $unit,
            about: $about,
            attributes: &[$($attribute),*],
        }; )*

        /// All metrics.
        pub const METRICS: &[MetricRow] = &[$($constant),*];
    };
}

metrics! {
    TOKEN_USAGE = "histogram" "gen_ai.client.token.usage" "{token}": "tokens of a call of the model", [OPERATION, PROVIDER, REQUEST_MODEL, RESPONSE_MODEL, TOKEN_TYPE];
    OPERATION_DURATION = "histogram" "gen_ai.client.operation.duration" "s": "duration of a call of the model", [OPERATION, PROVIDER, REQUEST_MODEL, RESPONSE_MODEL, ERROR_TYPE];
    FIRST_CHUNK = "histogram" "gen_ai.client.operation.time_to_first_chunk" "s": "time until the first content of an answer", [OPERATION, PROVIDER, REQUEST_MODEL, RESPONSE_MODEL];
    AGENT_DURATION = "histogram" "gen_ai.invoke_agent.duration" "s": "duration of a turn", [AGENT, REQUEST_MODEL, ERROR_TYPE];
    TOOL_DURATION = "histogram" "gen_ai.execute_tool.duration" "s": "duration of a call of a tool", [OPERATION, TOOL, ERROR_TYPE];
    TOKENS = "counter" "aqueduct.usage.tokens" "{token}": "tokens of ended turns, as the agent reports them", [AGENT, REQUEST_MODEL, TOKEN_TYPE];
    COST = "counter" "aqueduct.usage.cost" "{USD}": "cost of ended turns, as the agent reports it", [AGENT, REQUEST_MODEL];
    PERMISSION_WAIT = "histogram" "aqueduct.permission.wait" "s": "time until a decision", [PERMISSION_KIND, PERMISSION_DECISION, PERMISSION_BY, TOOL];
    INPUT_WAIT = "histogram" "aqueduct.input.wait" "s": "time that an input waited in the queue of its session", [AGENT];
    STARTED = "counter" "aqueduct.agent.started" "{process}": "agents' processes that run: started, or found running by a new bridge", [AGENT];
    ENDED = "counter" "aqueduct.agent.ended" "{process}": "agents' processes that ended, or could not be started", [AGENT, EXIT];
    DROPPED = "counter" "aqueduct.telemetry.dropped_spans" "{span}": "spans that were not delivered: the queue was full, or the collector did not accept them", [];
}
