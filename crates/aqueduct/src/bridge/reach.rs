use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use aqueduct_bridge::auth::{Authenticator, Grant, Token};
use aqueduct_bridge::log::{Log, LogError, Time};
use aqueduct_bridge::message::ErrorCode;
use aqueduct_bridge::message::bridge::{DeviceInfo, Devices, Done, Pairing};
use aqueduct_bridge::message::http::Paired;
use aqueduct_os::privacy::check_folder;
use aqueduct_wire::json::Raw;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::admin::BridgeRefusal;
use super::{Admin, grant};
use crate::config::Config;
use crate::explained::{HintedMessage, advice};

/// The note about a running bridge of another version.
const OTHER_VERSION: &str = "the running bridge is of another version";
const USE_ITS_PROGRAM: &str = "use its own program";

/// The answer of a running bridge can't be read.
pub(crate) fn other_version() -> HintedMessage {
    advice(OTHER_VERSION, USE_ITS_PROGRAM)
}

/// The bridge of a data folder.
pub(crate) enum Bridge<'a> {
    /// It runs.
    Running(&'a Config),
    /// It does not, and its log is open here.
    Resting(Box<StoppedBridge>),
}

/// The log of a bridge that does not run, and what it takes to use it.
pub(crate) struct StoppedBridge {
    pub(super) log: Log,
    pub(super) data: PathBuf,
    auth: Authenticator,
    pub(super) runtime: Runtime,
}

impl<'a> Bridge<'a> {
    /// Finds the bridge of a configuration. Its data folder is made if it is not there.
    pub(crate) fn reach(config: &'a Config) -> anyhow::Result<Self> {
        if config.data_dir.exists() {
            // No other process may answer for the bridge.
            check_folder(&config.data_dir).map_err(LogError::NotPrivate)?;
        }
        if Admin::connect(&config.admin_socket())?.is_some() {
            return Ok(Bridge::Running(config));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.context("can't start the runtime")?;
        let log = match Log::open(&config.data_dir) {
            Ok(log) => log,
            Err(error @ LogError::InUse { .. }) => {
                return Err(error).context(advice("the bridge is starting or stopping", "try again shortly"));
            }
            Err(error) => return Err(error.into()),
        };
        let auth = Authenticator::new(log.clone(), Arc::default());
        auth.configure(None, config.address().unwrap_or_else(|| "/".to_owned()));
        Ok(Bridge::Resting(Box::new(StoppedBridge { log, data: config.data_dir.clone(), auth, runtime })))
    }

    /// Whether it runs.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self, Bridge::Running(_))
    }

    /// Makes a link for a device that gets this grant.
    pub(crate) fn create_pairing(
        &self,
        name: Option<&str>,
        grant: Grant,
    ) -> anyhow::Result<Pairing<'static>> {
        match self {
            Bridge::Running(config) => invitation(config, name, &grant),
            Bridge::Resting(resting) => {
                resting.wait(resting.auth.create_pairing_for(name, grant, Time::now()))
            }
        }
    }

    /// The devices that have access.
    pub(crate) fn devices(&self) -> anyhow::Result<Vec<DeviceInfo<'static>>> {
        match self {
            Bridge::Running(config) => {
                let text = ask(config, "GET", "/devices", None)?;
                let raw = Raw::parse(&text)?;
                let devices = raw.view::<Devices<'_>>().context(other_version())?;
                Ok(devices.into_owned().devices)
            }
            Bridge::Resting(resting) => resting.wait(resting.auth.devices("")),
        }
    }

    /// Revokes access. Returns why that is not saved yet, if it is in effect without being saved.
    pub(crate) fn revoke(&self, device_id: &str) -> anyhow::Result<Option<String>> {
        match self {
            Bridge::Running(config) => {
                let text = ask(config, "DELETE", &format!("/devices/{device_id}"), None)?;
                let raw = Raw::parse(&text)?;
                let done = raw.view::<Done<'_>>().context(other_version())?;
                Ok(done.unsaved.map(|why| why.into_string()))
            }
            Bridge::Resting(resting) => {
                resting.wait(resting.auth.revoke(device_id, Time::now()))?;
                // No bridge runs that could remember it.
                let saved = resting.runtime.block_on(resting.auth.save_revocations());
                saved.context(advice(
                    "nothing was revoked",
                    "no bridge is running, so no device has access until one starts",
                ))?;
                Ok(None)
            }
        }
    }

    /// Renames a device.
    pub(crate) fn rename(&self, device_id: &str, name: &str) -> anyhow::Result<()> {
        match self {
            Bridge::Running(config) => {
                let body = json!({ "name": name });
                ask(config, "PUT", &format!("/devices/{device_id}/name"), Some(&body)).map(|_| ())
            }
            Bridge::Resting(resting) => resting.wait(resting.auth.rename(device_id, name)),
        }
    }

    /// Deletes a session that has ended and has no message that is newer; returns whether it was deleted.
    pub(crate) fn expire_session(&self, id: &str, before: Time) -> anyhow::Result<bool> {
        match self {
            Bridge::Running(config) => {
                let body = json!({ "before": before.0 });
                let asked = ask(config, "POST", &format!("/sessions/{id}/expire"), Some(&body));
                match asked {
                    Err(error) if stays(&error) => Ok(false),
                    asked => asked.map(|_| true),
                }
            }
            Bridge::Resting(resting) => {
                Ok(resting.runtime.block_on(resting.log.delete_ended_session(id, before))?)
            }
        }
    }

    /// Waits until deleted sessions have left the log, where the bridge does not do that itself.
    pub(crate) fn settle(&self) -> anyhow::Result<()> {
        match self {
            Bridge::Running(_) => Ok(()),
            Bridge::Resting(resting) => Ok(resting.runtime.block_on(resting.log.settle())?),
        }
    }

    /// A token for a program that gets this grant. It is returned here and stored nowhere.
    pub(crate) fn add_token(&self, name: &str, grant: Grant) -> anyhow::Result<Token> {
        match self {
            // A program pairs as a device does, with the kind of a program.
            Bridge::Running(config) => {
                let pairing = invitation(config, Some(name), &grant)?;
                let request = json!({ "code": pairing.code.as_str(), "name": name, "kind": "token" });
                let text = ask(config, "POST", "/pair", Some(&request))?;
                let raw = Raw::parse(&text)?;
                let paired = raw.view::<Paired<'_>>().context(other_version())?;
                let token = paired.token.context("the bridge sent no token")?;
                Ok(Token::given(token.as_str())?)
            }
            Bridge::Resting(resting) => resting.wait(resting.auth.add_token_with(name, grant, Time::now())),
        }
    }
}

impl StoppedBridge {
    fn wait<T>(&self, work: impl Future<Output = Result<T, aqueduct_bridge::Failure>>) -> anyhow::Result<T> {
        self.runtime.block_on(work).map_err(anyhow::Error::new)
    }
}

impl Drop for StoppedBridge {
    fn drop(&mut self) {
        self.runtime.block_on(self.log.close());
    }
}

/// Whether an error means that a session was used again, or is gone already.
fn stays(error: &anyhow::Error) -> bool {
    let codes = [ErrorCode::SessionConflict, ErrorCode::SessionNotFound];
    let refusal = error.downcast_ref::<BridgeRefusal>();
    refusal.is_some_and(|refusal| codes.iter().any(|code| refusal.code == code.as_str()))
}

pub(super) fn ask(config: &Config, method: &str, path: &str, body: Option<&Value>) -> anyhow::Result<String> {
    let admin =
        Admin::connect(&config.admin_socket())?.context(advice("the bridge has just ended", "try again"))?;
    admin.ask(method, path, body)
}

fn invitation(config: &Config, name: Option<&str>, grant: &Grant) -> anyhow::Result<Pairing<'static>> {
    let mut body = grant::members(grant);
    if let Some(name) = name {
        body["name"] = name.into();
    }
    let text = ask(config, "POST", "/pairings", Some(&body))?;
    let raw = Raw::parse(&text)?;
    Ok(raw.view::<Pairing<'_>>().context(other_version())?.into_owned())
}
