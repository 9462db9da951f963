//! The services that environment variables ask for.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;

use super::{Bedrock, BedrockAuth, Service, Vertex, VertexAuth};
use crate::client::Endpoint;
use crate::error::{Error, ErrorKind};

/// The region of Bedrock where none is named.
const AWS_REGION: &str = "us-east-1";

/// The region of Vertex where none is named.
const GOOGLE_REGION: &str = "us-east5";

/// What a service may look up when it needs credentials: variables and the home folder. Nothing else of the process
/// is read.
#[derive(Clone, Default)]
pub struct Variables {
    /// Environment variables.
    pub values: HashMap<String, String>,
    /// The user's home, where AWS and Google tools keep credentials.
    pub home: Option<PathBuf>,
}

/// Without values: some are secrets.
impl fmt::Debug for Variables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Variables").field("count", &self.values.len()).finish_non_exhaustive()
    }
}

impl Variables {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    fn owned(&self, name: &str) -> Option<String> {
        self.get(name).map(str::to_owned)
    }

    fn flag(&self, name: &str) -> bool {
        self.get(name)
            .is_some_and(|value| ["1", "true", "yes", "on"].iter().any(|yes| value.eq_ignore_ascii_case(yes)))
    }
}

impl Endpoint {
    /// Changes to the service that variables ask for: `CLAUDE_CODE_USE_BEDROCK`, `CLAUDE_CODE_USE_VERTEX`,
    /// `CLAUDE_CODE_USE_FOUNDRY` and those that go with them. Returns whether they select one.
    pub fn use_service(&mut self, variables: Variables) -> Result<bool, Error> {
        if variables.flag("CLAUDE_CODE_USE_BEDROCK") {
            self.base_url = variables.owned("ANTHROPIC_BEDROCK_BASE_URL");
            self.service = Service::Bedrock(bedrock(variables));
        } else if variables.flag("CLAUDE_CODE_USE_VERTEX") {
            self.base_url = variables.owned("ANTHROPIC_VERTEX_BASE_URL");
            self.service = Service::Vertex(vertex(variables)?);
        } else if variables.flag("CLAUDE_CODE_USE_FOUNDRY") {
            self.use_foundry(&variables)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Changes to Microsoft Foundry, which is a Messages API with a key of its own.
    fn use_foundry(&mut self, variables: &Variables) -> Result<(), Error> {
        let resource = variables.get("ANTHROPIC_FOUNDRY_RESOURCE");
        let resource = resource.map(|name| format!("https://{name}.services.ai.azure.com/anthropic"));
        let Some(base) = variables.owned("ANTHROPIC_FOUNDRY_BASE_URL").or(resource) else {
            let error = Error::plain(ErrorKind::Invalid, "Microsoft Foundry needs an address");
            return Err(error.with_hint("Set ANTHROPIC_FOUNDRY_RESOURCE or ANTHROPIC_FOUNDRY_BASE_URL."));
        };
        self.base_url = Some(base);
        self.auth_token = None;
        // Its keys are for the Messages API that the user set it up for.
        self.key_helper = None;
        self.api_key = variables.owned("ANTHROPIC_FOUNDRY_API_KEY");
        if self.api_key.is_none() && !variables.flag("CLAUDE_CODE_SKIP_FOUNDRY_AUTH") {
            let error = Error::plain(ErrorKind::Authentication, "Microsoft Foundry needs a key");
            return Err(error.with_hint(
                "Set ANTHROPIC_FOUNDRY_API_KEY. Tokens of Entra ID are not supported; a gateway that adds them can be \
                 used with CLAUDE_CODE_SKIP_FOUNDRY_AUTH.",
            ));
        }
        Ok(())
    }
}

fn bedrock(variables: Variables) -> Bedrock {
    let region = ["AWS_REGION", "AWS_DEFAULT_REGION"].iter().find_map(|name| variables.owned(name));
    let auth = if variables.flag("CLAUDE_CODE_SKIP_BEDROCK_AUTH") {
        BedrockAuth::None
    } else if let Some(token) = variables.owned("AWS_BEARER_TOKEN_BEDROCK") {
        BedrockAuth::Bearer(token)
    } else {
        BedrockAuth::Aws(variables)
    };
    Bedrock { region: region.unwrap_or_else(|| AWS_REGION.to_owned()), auth }
}

fn vertex(variables: Variables) -> Result<Vertex, Error> {
    let project =
        ["ANTHROPIC_VERTEX_PROJECT_ID", "GCLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT", "google_cloud_project"];
    let Some(project) = project.iter().find_map(|name| variables.owned(name)) else {
        let error = Error::plain(ErrorKind::Invalid, "Vertex AI needs a Google Cloud project");
        return Err(error.with_hint("Set ANTHROPIC_VERTEX_PROJECT_ID."));
    };
    let region = variables.owned("CLOUD_ML_REGION").unwrap_or_else(|| GOOGLE_REGION.to_owned());
    let model_regions = variables
        .values
        .iter()
        .filter(|(name, value)| name.starts_with("VERTEX_REGION_") && !value.trim().is_empty())
        .map(|(name, value)| (name.clone(), value.trim().to_owned()))
        .collect();
    let auth = match variables.flag("CLAUDE_CODE_SKIP_VERTEX_AUTH") {
        true => VertexAuth::None,
        false => VertexAuth::Google(variables),
    };
    Ok(Vertex { project, region, model_regions, auth })
}
