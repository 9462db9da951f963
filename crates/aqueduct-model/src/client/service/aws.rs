//! Signatures of AWS (SigV4), with the credentials that AWS tools use.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use reqsign_aws_v4::{Credential, DefaultCredentialProvider, RequestSigner};
use reqsign_core::hash::hex_sha256;
use reqsign_core::{CommandExecute, CommandOutput, Context, Error, FileRead, HttpSend, Signer, StaticEnv};
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderValue};

use super::Variables;
use crate::client::{ProxySettings, connections, reason};

/// How long a source of credentials on the network or a command may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The largest output of a source of credentials.
const LIMIT: usize = 1024 * 1024;

/// Headers that proxies change: they are not signed.
const UNSIGNED: [&str; 3] = ["user-agent", "accept-encoding", "connection"];

/// Why a request can't be signed.
#[derive(Debug, thiserror::Error)]
pub(super) enum SignError {
    #[error(transparent)]
    Request(#[from] http::Error),
    #[error(transparent)]
    Header(#[from] http::header::InvalidHeaderValue),
    #[error(transparent)]
    Credentials(#[from] Error),
}

/// Signs requests. Credentials are loaded for the first request and again when they expire.
pub(super) struct Aws {
    signer: Signer<Credential>,
}

impl std::fmt::Debug for Aws {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Aws").finish_non_exhaustive()
    }
}

impl Aws {
    pub(super) fn new(variables: &Variables, region: &str, proxy: &ProxySettings) -> Self {
        let env = StaticEnv { home_dir: variables.home.clone(), envs: variables.values.clone() };
        let context = Context::new()
            .with_env(env)
            .with_file_read(CredentialFiles)
            .with_http_send(CredentialHttp { proxy: proxy.clone() })
            .with_command_execute(CredentialCommands);
        let signer = RequestSigner::new("bedrock", region);
        Aws { signer: Signer::new(context, DefaultCredentialProvider::new(), signer) }
    }

    /// Adds the headers of a signature.
    pub(super) async fn sign(
        &self,
        url: &Url,
        headers: &mut HeaderMap,
        body: &[u8],
    ) -> Result<(), SignError> {
        let mut request = Request::post(signed_address(url)).body(())?;
        for (name, value) in headers.iter().filter(|(name, _)| !UNSIGNED.contains(&name.as_str())) {
            request.headers_mut().insert(name, value.clone());
        }
        let digest = HeaderValue::from_str(&hex_sha256(body))?;
        request.headers_mut().insert("x-amz-content-sha256", digest);
        let (mut parts, ()) = request.into_parts();
        self.signer.sign(&mut parts, None).await?;
        for (name, value) in parts.headers {
            // The connection writes the host itself.
            if let Some(name) = name.filter(|name| *name != http::header::HOST) {
                headers.insert(name, value);
            }
        }
        Ok(())
    }
}

/// The address to sign. Every service but S3 takes the path as it is sent and encodes it once more, and the signer
/// follows S3.
fn signed_address(url: &Url) -> String {
    let mut path = String::with_capacity(url.path().len() + 16);
    for byte in url.path().bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                path.push(char::from(byte));
            }
            _ => path.push_str(&format!("%{byte:02X}")),
        }
    }
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}{path}{query}", url.scheme(), url.host_str().unwrap_or_default())
}

#[derive(Debug)]
struct CredentialFiles;

impl FileRead for CredentialFiles {
    async fn file_read(&self, path: &str) -> Result<Vec<u8>, Error> {
        tokio::fs::read(path)
            .await
            .map_err(|error| Error::config_invalid(format!("can't read {path}: {error}")))
    }
}

/// The connections to services that hand out credentials: SSO, STS, the container and the machine.
#[derive(Debug)]
struct CredentialHttp {
    proxy: ProxySettings,
}

impl HttpSend for CredentialHttp {
    async fn http_send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, Error> {
        let failed = |why: String| Error::unexpected(why);
        let (parts, body) = request.into_parts();
        let url: Url =
            parts.uri.to_string().parse().map_err(|_| failed("an address is invalid".to_owned()))?;
        let client = connections(&url, &self.proxy).map_err(|error| failed(error.message))?;
        let call = client.request(parts.method, url).headers(parts.headers).body(body).timeout(PATIENCE);
        let mut answer = call.send().await.map_err(|error| failed(reason(&error)))?;
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| failed(reason(&error)))? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > LIMIT {
                return Err(failed("an answer is too long".to_owned()));
            }
        }
        let mut response = Response::new(Bytes::from(bytes));
        *response.status_mut() = answer.status();
        *response.headers_mut() = std::mem::take(answer.headers_mut());
        Ok(response)
    }
}

/// Runs what a profile names as `credential_process`.
#[derive(Debug)]
struct CredentialCommands;

impl CommandExecute for CredentialCommands {
    async fn command_execute<'a>(
        &'a self,
        program: &'a str,
        args: &'a [&'a str],
    ) -> Result<CommandOutput, Error> {
        let mut command = tokio::process::Command::new(program);
        command.args(args).kill_on_drop(true).stdin(std::process::Stdio::null());
        let failed = |why: String| Error::config_invalid(format!("can't run {program}: {why}"));
        let output = tokio::time::timeout(PATIENCE, command.output()).await;
        let output = output.map_err(|_| failed("it takes too long".to_owned()))?;
        let output = output.map_err(|error| failed(error.to_string()))?;
        Ok(CommandOutput {
            status: output.status.code().unwrap_or(-1),
            stdout: output.stdout,
            stderr: output.stderr,
        })
    }
}
