use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use aqueduct_bridge::auth::{KnownHost, Token};
use aqueduct_bridge::log::RetentionPolicy;
use aqueduct_bridge::message::Scope;
use aqueduct_bridge::push::PushWords;
use aqueduct_bridge::server::Listen;
use aqueduct_bridge::settings::ClientLimits;
use aqueduct_os::privacy::check_secret;
use aqueduct_tracing::{LogFilter, LogFormat};

use super::layer::GivenValue;
use super::{
    CollectorHeaders, ConfigLayer, NamedAgent, OtlpConfig, SettingOrigin, UserEnvironment, file, value,
};
use crate::explained::advice;

/// Where the bridge listens by default.
pub(crate) const DEFAULT_LISTEN: &str = "127.0.0.1:8765";

/// How long an unused agent is kept by default.
const DEFAULT_IDLE: Duration = Duration::from_secs(15 * 60);
/// How long an agent that waits for a decision is kept while no bridge runs.
const DEFAULT_DECISION_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// Which events are logged by default.
const DEFAULT_LOG: &str = "info";
/// How long a file of events becomes by default, and how many older ones are kept.
const DEFAULT_LOG_FILE_SIZE: usize = 10 << 20;
const DEFAULT_LOG_FILES: u32 = 5;

/// The variable that is a token for automation.
const TOKEN: &str = "AQUEDUCT_TOKEN";

/// The variable with headers for the collector of telemetry.
const OTLP_HEADERS: &str = "AQUEDUCT_OTLP_HEADERS";

/// The variable that names the file.
const FILE: &str = "AQUEDUCT_CONFIG";

/// The least that a message may hold: with less, a client could not even authenticate.
const SMALLEST_MESSAGE: usize = 4096;

/// The shortest time for which sessions can be kept, and the smallest log: a number without its unit is an error, and must
/// not delete nearly everything.
const SHORTEST_AGE: Duration = Duration::from_secs(60 * 60);
const SMALLEST_LOG: usize = 16 << 20;

/// What is in force.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    pub(crate) listen: Vec<Listen>,
    pub(crate) agent: String,
    pub(crate) root: Vec<PathBuf>,
    pub(crate) data_dir: PathBuf,
    pub(crate) idle: Duration,
    pub(crate) decision_wait: Duration,
    pub(crate) name: Option<String>,
    pub(crate) allow_bypass: bool,
    pub(crate) strict_decisions: bool,
    pub(crate) trust_workspace: bool,
    pub(crate) host: Vec<KnownHost>,
    /// Where clients find it: an origin.
    pub(crate) url: Option<KnownHost>,
    pub(crate) tls_cert: Option<PathBuf>,
    pub(crate) tls_key: Option<PathBuf>,
    pub(crate) insecure: bool,
    pub(crate) token_file: Option<PathBuf>,
    pub(crate) token_scope: Scope,
    pub(crate) no_pair: bool,
    pub(crate) push: PushWords,
    pub(crate) push_contact: Option<String>,
    pub(crate) push_loopback: bool,
    /// How long sessions are kept that have ended.
    pub(crate) retention: RetentionPolicy,
    pub(crate) limits: ClientLimits,
    pub(crate) log: LogConfig,
    pub(crate) otlp: OtlpConfig,
    /// The agents of the file.
    pub(crate) agents: Vec<NamedAgent>,
    /// The token for automation.
    pub(crate) token: Option<Secret>,
    /// The file that was read.
    pub(crate) file: Option<PathBuf>,
    /// The source of each setting; defaults are missing.
    pub(super) origins: BTreeMap<&'static str, SettingOrigin>,
}

/// Which events are logged, how and where.
#[derive(Debug, Clone)]
pub(crate) struct LogConfig {
    pub(crate) filter: LogFilter,
    pub(crate) format: LogFormat,
    pub(crate) file: Option<PathBuf>,
    pub(crate) file_size: usize,
    /// How many older files are kept.
    pub(crate) file_count: u32,
}

/// A token, and who gave it.
#[derive(Debug, Clone)]
pub(crate) struct Secret {
    pub(crate) token: Token,
    pub(crate) origin: SettingOrigin,
}

impl Config {
    /// What flags, variables and the file set together, by precedence. `named` is the file that a flag
    /// names.
    pub(crate) fn load(
        environment: &UserEnvironment,
        flags: &ConfigLayer,
        named: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let named = named.map(PathBuf::from).or_else(|| environment.variable(FILE).map(PathBuf::from));
        let is_named = named.is_some();
        let named = named.map(|path| environment.path(path.as_os_str(), &environment.cwd));
        let path = named.or_else(|| environment.config_file());
        let read = match &path {
            Some(path) => file::read(path, is_named)?,
            None => None,
        };
        let path = path.filter(|_| read.is_some());
        let read = read.unwrap_or_default();
        let variables = ConfigLayer::of_variables(environment);
        let mut given =
            GivenValues { layers: [flags, &variables, &read.layer], environment, origins: BTreeMap::new() };
        let mut config = given.config()?;
        config.token = given.token(config.token_file.as_deref())?;
        config.otlp.headers = given.otlp_headers(&config.otlp)?;
        config.origins = given.origins;
        config.agents = read.agents;
        config.file = path;
        Ok(config)
    }

    /// The source of a setting.
    pub(crate) fn origin(&self, name: &str) -> &SettingOrigin {
        self.origins.get(name).unwrap_or(&SettingOrigin::Default)
    }
}

/// What was given, by whom.
struct GivenValues<'a> {
    /// The strongest first.
    layers: [&'a ConfigLayer; 3],
    environment: &'a UserEnvironment,
    origins: BTreeMap<&'static str, SettingOrigin>,
}

impl GivenValues<'_> {
    fn config(&mut self) -> anyhow::Result<Config> {
        let usual = ClientLimits::default();
        let limits = ClientLimits {
            message_bytes: self
                .one("max_message", "a size, such as 32MiB", value::size)?
                .unwrap_or(usual.message_bytes),
            queued_inputs: self.count("max_queued")?.unwrap_or(usual.queued_inputs),
            history_page: self.count("max_page")?.unwrap_or(usual.history_page),
            clients: self.count("max_clients")?.unwrap_or(usual.clients),
        };
        ensure!(
            limits.message_bytes >= SMALLEST_MESSAGE,
            "{}: max_message must be at least {SMALLEST_MESSAGE} bytes",
            self.origins.get("max_message").unwrap_or(&SettingOrigin::Default)
        );
        let url = self.text("url")?;
        let url = url.map(|url| self.reported("url", address(&url))).transpose()?;
        Ok(Config {
            listen: self.listen()?,
            agent: self.text("agent")?.unwrap_or_else(|| "auto".to_owned()),
            root: self.roots()?,
            data_dir: self.data_dir()?,
            idle: self.one("idle", "a time, such as 90s, 15m or never", value::time)?.unwrap_or(DEFAULT_IDLE),
            decision_wait: self
                .one("decision_wait", "a time, such as 30m, 24h or never", value::time)?
                .unwrap_or(DEFAULT_DECISION_WAIT),
            name: self.text("name")?,
            allow_bypass: self.switch("allow_bypass")?,
            strict_decisions: self.switch("strict_decisions")?,
            trust_workspace: self.switch("trust_workspace")?,
            host: self.all("host")?.unwrap_or_default(),
            url,
            tls_cert: self.path("tls_cert")?,
            tls_key: self.path("tls_key")?,
            insecure: self.switch("insecure")?,
            token_file: self.path("token_file")?,
            token_scope: self
                .one("token_scope", "one of watch, decide, operate and admin", value::scope)?
                .unwrap_or(Scope::Admin),
            no_pair: self.switch("no_pair")?,
            push: self.one("push", "one of content, events and off", value::words)?.unwrap_or_default(),
            push_contact: self.one("push_contact", "mailto:ADDRESS or https://PAGE", value::contact)?,
            push_loopback: self.switch("push_loopback")?,
            retention: self.retention()?,
            limits,
            log: self.log()?,
            otlp: self.otlp()?,
            agents: Vec::new(),
            token: None,
            file: None,
            origins: BTreeMap::new(),
        })
    }

    fn log(&mut self) -> anyhow::Result<LogConfig> {
        let filter = self.one(
            "log",
            "a level (off, error, warn, info, debug, trace) or a filter, such as warn,bridge=debug",
            LogFilter::parse,
        )?;
        let filter =
            filter.or_else(|| LogFilter::parse(DEFAULT_LOG)).context("the default of log is not a filter")?;
        Ok(LogConfig {
            filter,
            format: self
                .one("log_format", "text or json", |text| LogFormat::parse(text.trim()))?
                .unwrap_or_default(),
            file: self.path("log_file")?,
            file_size: self
                .one("log_file_size", "a size, such as 10MiB", value::size)?
                .unwrap_or(DEFAULT_LOG_FILE_SIZE),
            file_count: self.count("log_file_count")?.unwrap_or(DEFAULT_LOG_FILES),
        })
    }

    fn otlp(&mut self) -> anyhow::Result<OtlpConfig> {
        let mut otlp = OtlpConfig {
            collector: self.text("otlp")?,
            headers_file: self.path("otlp_headers_file")?,
            ..OtlpConfig::default()
        };
        if let Some(signals) = self.all::<String>("otlp_signals")? {
            let chosen = otlp.choose(&signals);
            self.reported("otlp_signals", chosen)?;
        }
        Ok(otlp)
    }

    /// The headers for the collector, from the variable or from a file. They are read only where they are used.
    fn otlp_headers(&self, otlp: &OtlpConfig) -> anyhow::Result<Option<CollectorHeaders>> {
        if otlp.collector.is_none() {
            return Ok(None);
        }
        let (text, origin) = match (self.environment.variable(OTLP_HEADERS), &otlp.headers_file) {
            (Some(value), _) => {
                let text = value.to_str().with_context(|| format!("{OTLP_HEADERS} is not text"))?;
                (text.to_owned(), OTLP_HEADERS.to_owned())
            }
            (None, Some(path)) => {
                let origin = self.origins.get("otlp_headers_file").unwrap_or(&SettingOrigin::Default);
                let text = read_secret(path)
                    .with_context(|| format!("{origin}: can't read the headers in {}", path.display()))?;
                (text, path.display().to_string())
            }
            (None, None) => return Ok(None),
        };
        Ok(Some(CollectorHeaders { text: text.trim().to_owned(), origin }))
    }

    /// The value of the source with the highest precedence.
    fn given(&mut self, name: &'static str) -> Option<GivenValue> {
        let given = self.layers.iter().find_map(|layer| layer.get(name))?.clone();
        self.origins.insert(name, given.origin.clone());
        Some(given)
    }

    /// An error, with its source.
    fn reported<T>(&self, name: &'static str, result: anyhow::Result<T>) -> anyhow::Result<T> {
        result.with_context(|| self.origins.get(name).unwrap_or(&SettingOrigin::Default).to_string())
    }

    fn text(&mut self, name: &'static str) -> anyhow::Result<Option<String>> {
        let Some(given) = self.given(name) else { return Ok(None) };
        let text = last(&given).and_then(|value| utf8(&value));
        self.reported(name, text).map(|text| Some(text).filter(|text| !text.trim().is_empty()))
    }

    fn one<T>(
        &mut self,
        name: &'static str,
        what: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> anyhow::Result<Option<T>> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let value = read(&text).ok_or_else(|| anyhow!("`{text}` is not {what}"));
        self.reported(name, value).map(Some)
    }

    fn count<T: FromStr + PartialOrd + From<u8>>(&mut self, name: &'static str) -> anyhow::Result<Option<T>> {
        let positive = |text: &str| text.trim().parse().ok().filter(|count| *count >= T::from(1));
        self.one(name, "a whole number of at least 1", positive)
    }

    fn switch(&mut self, name: &'static str) -> anyhow::Result<bool> {
        Ok(self.one(name, "true or false", value::switch)?.unwrap_or(false))
    }

    /// A list of what can be read from text.
    fn all<T>(&mut self, name: &'static str) -> anyhow::Result<Option<Vec<T>>>
    where
        T: FromStr,
        T::Err: std::error::Error + Send + Sync + 'static,
    {
        let Some(given) = self.given(name) else { return Ok(None) };
        let read = |value: &OsString| utf8(value)?.trim().parse().map_err(anyhow::Error::new);
        let all: anyhow::Result<Vec<T>> = given.values.iter().map(read).collect();
        self.reported(name, all).map(Some)
    }

    fn retention(&mut self) -> anyhow::Result<RetentionPolicy> {
        let age = self.one("retain_age", "a time of at least 1h, such as 90d, or never", |text| {
            value::time(text).filter(|age| *age >= SHORTEST_AGE)
        })?;
        let bytes = self.one("retain_size", "a size of at least 16MiB, such as 2GiB", |text| {
            value::size(text).filter(|size| *size >= SMALLEST_LOG)
        })?;
        Ok(RetentionPolicy {
            age: age.filter(|age| *age < value::NEVER),
            bytes: bytes.map(|bytes| bytes as u64),
        })
    }

    fn listen(&mut self) -> anyhow::Result<Vec<Listen>> {
        let places = match self.all("listen")? {
            Some(places) => places,
            None => vec![DEFAULT_LISTEN.parse()?],
        };
        let some = if places.is_empty() {
            Err(anyhow!(advice("the list is empty", "name at least one place")))
        } else {
            Ok(())
        };
        self.reported("listen", some)?;
        let base = self.base("listen");
        let absolute = |place| match place {
            Listen::Unix(path) => Listen::Unix(self.environment.path(path.as_os_str(), &base)),
            place => place,
        };
        Ok(places.into_iter().map(absolute).collect())
    }

    /// The folder that a relative path means: the file's in the file, the current one elsewhere.
    fn base(&self, name: &str) -> PathBuf {
        match self.origins.get(name) {
            Some(SettingOrigin::File { path, .. }) => path.parent().map(Path::to_owned).unwrap_or_default(),
            _ => self.environment.cwd.clone(),
        }
    }

    fn paths(&mut self, name: &'static str) -> Option<Vec<PathBuf>> {
        let given = self.given(name)?;
        let base = self.base(name);
        Some(given.values.iter().map(|value| self.environment.path(value, &base)).collect())
    }

    fn path(&mut self, name: &'static str) -> anyhow::Result<Option<PathBuf>> {
        match self.paths(name).map(|mut paths| paths.pop()) {
            Some(Some(path)) if !path.as_os_str().is_empty() => Ok(Some(path)),
            Some(_) => self.reported(name, Err(anyhow!("the path is empty"))),
            None => Ok(None),
        }
    }

    fn data_dir(&mut self) -> anyhow::Result<PathBuf> {
        let named = self.path("data_dir")?;
        named
            .or_else(|| self.environment.data_folder())
            .context(advice("no home folder to store data in", "name a folder with --data-dir"))
    }

    /// Without a word about it: the home folder, or the current one where that is elsewhere.
    fn roots(&mut self) -> anyhow::Result<Vec<PathBuf>> {
        if let Some(roots) = self.paths("root") {
            let some = if roots.is_empty() {
                Err(anyhow!(advice("the list is empty", "name a folder")))
            } else {
                Ok(roots)
            };
            return self.reported("root", some);
        }
        let cwd = &self.environment.cwd;
        let is_everything = cwd.parent().is_none();
        match &self.environment.home {
            Some(home) if is_everything || is_below(cwd, home) => Ok(vec![home.clone()]),
            _ if is_everything => {
                bail!(advice("no home folder", "name the folder of your projects with --root"))
            }
            _ => Ok(vec![cwd.clone()]),
        }
    }

    /// The token for automation, from the variable or from a file.
    fn token(&self, file: Option<&Path>) -> anyhow::Result<Option<Secret>> {
        let (text, origin) = match (self.environment.variable(TOKEN), file) {
            (Some(value), _) => {
                let text = value.to_str().with_context(|| format!("{TOKEN} is not text"))?;
                (text.to_owned(), SettingOrigin::Variable(TOKEN.to_owned()))
            }
            (None, Some(path)) => {
                let origin = self.origins.get("token_file").cloned().unwrap_or(SettingOrigin::Default);
                let text = read_secret(path)
                    .with_context(|| format!("{origin}: can't read the token in {}", path.display()))?;
                (text, origin)
            }
            (None, None) => return Ok(None),
        };
        let token = Token::given(text.trim()).with_context(|| origin.to_string())?;
        Ok(Some(Secret { token, origin }))
    }
}

/// The text of a file that only this user may read.
fn read_secret(path: &Path) -> anyhow::Result<String> {
    let file = fs::File::open(path)?;
    check_secret(path, &file)?;
    Ok(io::read_to_string(file)?)
}

/// Whether a folder is another or is in it, wherever links lead.
fn is_below(folder: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    real(folder).starts_with(real(other))
}

/// Where pairing links lead: a URL with nothing behind its host.
fn address(url: &str) -> anyhow::Result<KnownHost> {
    let known = url.parse().ok().filter(|known: &KnownHost| known.secure.is_some());
    known.ok_or_else(|| {
        anyhow!(advice(
            format!("`{url}` is not where a bridge can be"),
            "give https://HOST or http://HOST:PORT"
        ))
    })
}

/// The last value, if a setting is given twice.
fn last(given: &GivenValue) -> anyhow::Result<OsString> {
    given.values.last().cloned().context("nothing was given")
}

fn utf8(value: &OsStr) -> anyhow::Result<String> {
    value.to_str().map(str::to_owned).context("the value is not text")
}
