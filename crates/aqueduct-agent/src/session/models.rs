//! The models that can be called.

use std::ffi::OsString;
use std::sync::Arc;

use aqueduct_model::client::{BadHeader, KeyHelper as _, ProxySettings, Service, Variables, parse_headers};
use aqueduct_model::{Endpoint, Model, ModelClient, Scripted, price};
use aqueduct_wire::hint::{Hint, HintedError};

use crate::environment::Environment;
use crate::key_helper::{CommandHelper, KEY_HELPER};
use crate::options::AgentOptions;
use crate::provider::Provider;
use crate::transcript::AnsweredBy;

/// The name of the model that needs no network.
pub(crate) const SCRIPTED: &str = "scripted";

/// The alias of the model for small work.
const SMALL: &str = "haiku";

/// The alias of the default model.
pub(super) const DEFAULT: &str = "default";

/// The models that can be called: those of an API, and the scripted one.
#[derive(Debug, Clone)]
pub(crate) struct AvailableModels {
    api: ModelClient,
    /// Whether there is an API without the key of a helper.
    has_api: bool,
    service: Service,
    scripted: Scripted,
    /// The model to use if none is named.
    usual: Option<String>,
    /// The variables with a key and with a token that are set.
    keys: [Option<&'static str>; 2],
    helper: Arc<CommandHelper>,
}

/// The environment names an API that can't be called.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ModelsError {
    /// The headers of calls are none.
    #[error("ANTHROPIC_CUSTOM_HEADERS: {0}")]
    Headers(#[from] BadHeader),
    /// The variables of a service can't be used.
    #[error(transparent)]
    Service(#[from] aqueduct_model::Error),
}

impl HintedError for ModelsError {
    fn hint(&self) -> Option<Hint> {
        match self {
            ModelsError::Headers(_) => None,
            ModelsError::Service(error) => error.hint(),
        }
    }
}

/// Which credentials are in effect, as hosts receive it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeySources {
    /// Where the key comes from.
    pub(crate) key: Option<&'static str>,
    /// Where the token comes from.
    pub(crate) token: Option<&'static str>,
}

impl AvailableModels {
    /// The models that this machine can call. Without a key or an address of an API there is only the
    /// scripted one, whose answers explain that.
    pub(crate) fn new(
        environment: &Environment,
        usual: Option<&str>,
        key_helper: Option<&str>,
        scripted: Scripted,
    ) -> Result<Self, ModelsError> {
        let helper = CommandHelper::new(environment, key_helper);
        let endpoint = endpoint(environment, &helper)?;
        let service = endpoint.service.clone();
        let has_api = endpoint.api_key.is_some()
            || endpoint.auth_token.is_some()
            || endpoint.base_url.is_some()
            || !matches!(service, Service::Api);
        let named = |name: &'static str| environment.variable(name).map(|_| name);
        let keys = [named("ANTHROPIC_API_KEY"), named("ANTHROPIC_AUTH_TOKEN")];
        let usual = environment.variable("ANTHROPIC_MODEL").or(usual).map(str::to_owned);
        Ok(AvailableModels {
            api: ModelClient::new(endpoint),
            has_api,
            service,
            scripted,
            usual,
            keys,
            helper,
        })
    }

    /// Whether an API can be called.
    fn has_api(&self) -> bool {
        self.has_api || self.helper.is_configured()
    }

    /// Takes another command that gives the key, or none.
    pub(crate) fn set_key_helper(&self, command: Option<&str>) {
        self.helper.set(command);
    }

    /// The full name of a model: the usual one for `None` or `default`.
    pub(crate) fn resolve(&self, asked: Option<&str>) -> String {
        let name = asked.filter(|name| *name != DEFAULT && !name.is_empty()).or(self.usual.as_deref());
        self.full_name(name.unwrap_or(if self.has_api() { DEFAULT } else { SCRIPTED }))
    }

    /// The model behind an alias. Services other than the public API have some models later.
    fn full_name(&self, name: &str) -> String {
        match name.strip_suffix(price::LONG_WINDOW_SUFFIX) {
            Some(short) => match self.service.alias(short) {
                Some(model) => price::resolve(&format!("{model}{}", price::LONG_WINDOW_SUFFIX), false),
                None => price::resolve(name, false),
            },
            None => price::resolve(self.service.alias(name).unwrap_or(name), false),
        }
    }

    /// The model to resume a conversation with, which was last answered by this one; `None` where the user or the
    /// environment names another. Settings don't: they are for new conversations.
    pub(crate) fn resumed(
        &self,
        by: AnsweredBy,
        options: &AgentOptions,
        environment: &Environment,
    ) -> Option<String> {
        if options.model.is_some() || environment.variable("ANTHROPIC_MODEL").is_some() {
            return None;
        }
        // A gateway may answer under a name that it can't be asked by.
        let name = if price::card(&by.model).is_some() { Some(by.model) } else { by.asked };
        name.filter(|name| !self.has_api() || name != SCRIPTED)
    }

    /// The model of a name. Without an API it is always the scripted one.
    pub(crate) fn get(&self, name: &str) -> Model {
        match self.has_api() && name != SCRIPTED {
            true => Model::Http(self.api.clone()),
            false => Model::Scripted(self.scripted.clone()),
        }
    }

    /// The model for small work beside another one. A gateway or a script may know no other model than the one that
    /// is used already.
    pub(crate) fn small(&self, environment: &Environment, beside: &str) -> String {
        let named = ["ANTHROPIC_SMALL_FAST_MODEL", "ANTHROPIC_DEFAULT_HAIKU_MODEL"];
        if let Some(name) = named.iter().find_map(|name| environment.variable(name)) {
            return price::resolve(name, false);
        }
        let is_public = self.has_api() && environment.variable("ANTHROPIC_BASE_URL").is_none();
        if is_public && beside != SCRIPTED { self.full_name(SMALL) } else { beside.to_owned() }
    }

    /// Where credentials come from, as hosts receive it.
    pub(crate) fn key_sources(&self) -> KeySources {
        let helper = self.helper.is_configured().then_some(KEY_HELPER);
        let [key, token] = self.keys;
        KeySources { key: key.or(helper), token: token.or(helper) }
    }

    /// Where the key comes from, as hosts receive it.
    pub(crate) fn key_source(&self) -> &'static str {
        self.key_sources().key.unwrap_or("none")
    }

    /// Whether calls are made without credentials of the Messages API, or with some.
    pub(crate) fn has_credentials(&self) -> bool {
        let sources = self.key_sources();
        !matches!(self.service, Service::Api) || sources.key.is_some() || sources.token.is_some()
    }
}

fn endpoint(environment: &Environment, helper: &Arc<CommandHelper>) -> Result<Endpoint, ModelsError> {
    let variable = |name: &str| environment.variable(name).map(str::to_owned);
    let mut endpoint = Endpoint {
        base_url: variable("ANTHROPIC_BASE_URL"),
        api_key: variable("ANTHROPIC_API_KEY"),
        auth_token: variable("ANTHROPIC_AUTH_TOKEN"),
        key_helper: Some(helper.clone()),
        ..Endpoint::default()
    };
    if let Some(retries) = environment.variable("CLAUDE_CODE_MAX_RETRIES").and_then(|text| text.parse().ok())
    {
        endpoint.max_retries = retries;
    }
    if let Some(headers) = environment.variable("ANTHROPIC_CUSTOM_HEADERS") {
        endpoint.headers = parse_headers(headers)?;
    }
    endpoint.proxy = proxy(environment);
    if Provider::of(environment).is_some() {
        let text =
            |(name, value): &(OsString, OsString)| Some((name.to_str()?.into(), value.to_str()?.into()));
        let values = environment.variables.iter().filter_map(text).collect();
        let variables = Variables { values, home: Some(environment.home.clone()) };
        endpoint.use_service(variables)?;
    }
    Ok(endpoint)
}

/// The proxies that the environment names.
pub(crate) fn proxy(environment: &Environment) -> ProxySettings {
    let variable = |name: &str| environment.variable(name).map(str::to_owned);
    let either = |upper: &str| variable(upper).or_else(|| variable(&upper.to_ascii_lowercase()));
    ProxySettings {
        http: either("HTTP_PROXY"),
        https: either("HTTPS_PROXY").or_else(|| either("ALL_PROXY")),
        none: either("NO_PROXY"),
    }
}
