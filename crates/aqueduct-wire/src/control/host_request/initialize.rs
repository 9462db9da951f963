use crate::agent_definition::AgentDefinition;
use crate::hook::HookMatcher;
use crate::json::{Map, Number, Raw, Str};
use crate::mcp::McpToolPolicy;
use crate::table::{either, names, record};

record! {
    /// What the host brings to the session. Everything is optional: `{}` is a fine request.
    InitializeRequest<'a> {
        "2.1.37" {
            /// The hooks to call, by event. Some hosts send `null` for none.
            optional hooks: Map<'a, Vec<HookMatcher<'a>>>,
            /// The MCP servers that live in the host.
            optional sdk_mcp_servers = "sdkMcpServers": Vec<Str<'a>>,
            /// The shape of the result that the turn must end with.
            optional json_schema = "jsonSchema": Raw<'a>,
            optional system_prompt = "systemPrompt": SystemPrompt<'a>,
            optional append_system_prompt = "appendSystemPrompt": Str<'a>,
            /// Subagents, by name.
            optional agents: Map<'a, AgentDefinition<'a>>,
        }
        "2.1.50" {
            optional prompt_suggestions = "promptSuggestions": bool,
        }
        "2.1.325" {
            optional sdk_mcp_server_configs = "sdkMcpServerConfigs": Map<'a, SdkServerOptions<'a>>,
            /// What the servers would report on connect, so that the agent need not ask.
            optional sdk_mcp_server_manifests = "sdkMcpServerManifests": Map<'a, SdkServerManifest<'a>>,
            optional sdk_mcp_server_manifests_origin = "sdkMcpServerManifestsOrigin": ManifestsOrigin<'a>,
            optional system_prompt_snapshot = "systemPromptSnapshot": Raw<'a>,
            optional append_subagent_system_prompt = "appendSubagentSystemPrompt": Str<'a>,
            optional plan_mode_instructions = "planModeInstructions": Str<'a>,
            optional tool_aliases = "toolAliases": Raw<'a>,
            /// Leaves what changes from machine to machine out of the prompt, for the sake of the cache.
            optional exclude_dynamic_sections = "excludeDynamicSections": bool,
            optional title: Str<'a>,
            optional skills: Vec<Str<'a>>,
            optional agent_progress_summaries = "agentProgressSummaries": bool,
            /// Whether subagents' text is sent as well, not only their tools.
            optional forward_subagent_text = "forwardSubagentText": bool,
            optional forward_nested_subagent_tool_calls = "forwardNestedSubagentToolCalls": bool,
            /// The kinds of `request_user_dialog` that the host can show.
            optional supported_dialog_kinds = "supportedDialogKinds": Vec<Str<'a>>,
            optional per_task_stop_affordance = "perTaskStopAffordance": bool,
            optional plugins: Vec<PluginSource<'a>>,
            optional code_running_mcp_tools = "codeRunningMcpTools": Raw<'a>,
            optional web_search_isolation_exempt_mcp_servers = "webSearchIsolationExemptMcpServers": Vec<Str<'a>>,
            optional rapid_followup_preempt = "rapidFollowupPreempt": Raw<'a>,
            optional workspace_trust = "workspaceTrust": WorkspaceTrust<'a>,
            optional managed_settings = "managedSettings": Raw<'a>,
        }
    }
}

either! {
    /// A system prompt. One string in older hosts, a list of parts in newer ones; `[""]` is an empty prompt.
    SystemPrompt<'a> {
        /// The whole prompt.
        Text(Str<'a>),
        /// Its parts.
        Parts(Vec<Str<'a>>),
    }
}

record! {
    /// A host's description of an MCP server in it.
    SdkServerOptions<'a> {
        "2.1.325" {
            optional timeout: Number<'a>,
            optional tools: Vec<McpToolPolicy<'a>>,
        }
    }
}

record! {
    /// What an MCP server would answer to `initialize` and `tools/list`.
    SdkServerManifest<'a> {
        "2.1.325" {
            always initialize_result = "initializeResult": Raw<'a>,
            optional tools_list_result = "toolsListResult": Raw<'a>,
        }
    }
}

names! {
    /// When manifests were made.
    ManifestsOrigin<'a> {
        "host_per_send" => HostPerSend,
    }
}

record! {
    /// A plugin to load.
    PluginSource<'a> {
        "2.1.325" {
            /// `local`.
            always kind = "type": Str<'a>,
            always path: Str<'a>,
            optional skip_mcp_discovery = "skipMcpDiscovery": bool,
        }
    }
}

record! {
    /// Whether the user trusts a directory.
    WorkspaceTrust<'a> {
        "2.1.325" {
            always accepted: bool,
            always directory: Str<'a>,
        }
    }
}
