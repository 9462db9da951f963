use crate::agent_definition::EffortLevel;
use crate::json::{Map, Number, Raw, Str};
use crate::permission::PermissionMode;
use crate::table::{names, record};

record! {
    /// What the agent has to offer. Hosts take an answer with empty lists as well.
    InitializeReply<'a> {
        "2.1.37" {
            always commands: Vec<SlashCommand<'a>>,
            always output_style: Str<'a>,
            always available_output_styles: Vec<Str<'a>>,
            always models: Vec<ModelInfo<'a>>,
            always account: AccountInfo<'a>,
        }
        "2.1.74" {
            always agents: Vec<AgentInfo<'a>>,
            /// The agent's process.
            always pid: Number<'a>,
        }
        "2.1.325" {
            /// Whether the request's hooks are in place.
            optional hooks_applied: bool,
            /// Whether `onFailure` of a matcher is honoured.
            optional hook_on_failure_supported: bool,
            optional plugins_applied: bool,
            /// What became of the request's manifests, by server.
            optional sdk_mcp_manifests_parked: Map<'a, ManifestFate<'a>>,
            optional claude_code_version: Str<'a>,
            optional fast_mode_state: FastModeState<'a>,
            optional fast_mode_disabled_reason: Str<'a>,
            optional current_permission_mode: PermissionMode<'a>,
            optional session_state: Str<'a>,
            /// Names of what this agent can do beyond the common ground.
            optional capabilities: Vec<Str<'a>>,
            optional user_output_styles_dir: Str<'a>,
            optional other_hook_ask_outranks_host: bool,
            optional feedback_mode: FeedbackMode<'a>,
            optional analytics_disabled: bool,
            optional remote_control_available: bool,
            optional remote_control_auto_enable: bool,
            optional remote_control_auto_connect_default: bool,
            optional remote_control_auto_on_by_default: bool,
            optional ide_rc_auto_enable_gate: bool,
            optional managed_settings_applied: Raw<'a>,
            optional code_running_mcp_tools_applied: Raw<'a>,
        }
    }
}

record! {
    /// A slash command.
    SlashCommand<'a> {
        "2.1.37" {
            /// Without the slash.
            always name: Str<'a>,
            always description: Str<'a>,
            always argument_hint = "argumentHint": Str<'a>,
        }
        "2.1.325" {
            optional aliases: Vec<Str<'a>>,
            optional builtin: bool,
        }
    }
}

record! {
    /// A subagent that the model can call.
    AgentInfo<'a> {
        "2.1.74" {
            always name: Str<'a>,
            always description: Str<'a>,
            optional model: Str<'a>,
        }
    }
}

record! {
    /// A model that can be chosen.
    ModelInfo<'a> {
        "2.1.37" {
            /// What `set_model` takes.
            always value: Str<'a>,
            always display_name = "displayName": Str<'a>,
            always description: Str<'a>,
        }
        "2.1.50" {
            optional supports_effort = "supportsEffort": bool,
            optional supported_effort_levels = "supportedEffortLevels": Vec<EffortLevel<'a>>,
            optional supports_adaptive_thinking = "supportsAdaptiveThinking": bool,
        }
        "2.1.74" {
            optional supports_fast_mode = "supportsFastMode": bool,
            optional supports_auto_mode = "supportsAutoMode": bool,
        }
        "2.1.325" {
            /// The model that an alias denotes.
            optional resolved_model = "resolvedModel": Str<'a>,
            optional supports_thinking_off = "supportsThinkingOff": bool,
        }
    }
}

record! {
    /// Who pays.
    AccountInfo<'a> {
        "2.1.37" {
            optional email: Str<'a>,
            optional organization: Str<'a>,
            optional subscription_type = "subscriptionType": Str<'a>,
            optional token_source = "tokenSource": Str<'a>,
            optional api_key_source = "apiKeySource": Str<'a>,
        }
        "2.1.325" {
            optional api_provider = "apiProvider": ApiProvider<'a>,
        }
    }
}

names! {
    /// Who runs the model.
    ApiProvider<'a> {
        "firstParty" => FirstParty,
        "bedrock" => Bedrock,
        "vertex" => Vertex,
        "foundry" => Foundry,
        "anthropicAws" => AnthropicAws,
        "anthropicGoogleCloud" => AnthropicGoogleCloud,
        "mantle" => Mantle,
        "gateway" => Gateway,
    }
}

names! {
    /// What became of a server's manifest.
    ManifestFate<'a> {
        "parked" => Parked,
        "already_connected" => AlreadyConnected,
        "protocol_version_mismatch" => ProtocolVersionMismatch,
        "malformed" => Malformed,
        "not_honoured" => NotHonoured,
    }
}

names! {
    /// Whether answers come faster for more money.
    FastModeState<'a> {
        "off" => Off,
        "cooldown" => Cooldown,
        "on" => On,
    }
}

record! {
    /// Whether the user can send feedback.
    FeedbackMode<'a> {
        "2.1.325" {
            always kind: Str<'a>,
        }
    }
}
