use reqwest::Url;
use serde_json::Value;

use super::address::check_form;
use super::error::SignInError;
use super::shown::shown;
use super::web::{text, texts};

/// What a server publishes about itself as a protected resource (RFC 9728).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ResourceMetadata {
    /// The name for which tokens are issued (RFC 8707).
    pub(super) resource: String,
    /// The first authorization server.
    pub(super) issuer: String,
    pub(super) scopes: Vec<String>,
}

/// What an authorization server publishes (RFC 8414, OpenID Connect Discovery).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IssuerMetadata {
    pub(super) issuer: String,
    pub(super) authorization: Url,
    pub(super) token: Url,
    pub(super) registration: Option<Url>,
    pub(super) revocation: Option<Url>,
    /// How clients authenticate at the token endpoint.
    pub(super) methods: Vec<String>,
    pub(super) scopes: Vec<String>,
    /// It puts its name into every redirect (RFC 9207).
    pub(super) names_itself: bool,
}

/// Where a server describes itself: at its own path, and at the root of its origin.
pub(super) fn resource_places(server: &Url) -> Vec<Url> {
    const NAME: &str = "/.well-known/oauth-protected-resource";
    let path = server.path().trim_end_matches('/');
    let mut places = vec![at(server, &format!("{NAME}{path}"))];
    if !path.is_empty() {
        places.push(at(server, NAME));
    }
    places
}

/// Where an authorization server describes itself.
pub(super) fn issuer_places(issuer: &Url) -> Vec<Url> {
    const OAUTH: &str = "/.well-known/oauth-authorization-server";
    const OPENID: &str = "/.well-known/openid-configuration";
    match issuer.path().trim_end_matches('/') {
        "" => vec![at(issuer, OAUTH), at(issuer, OPENID)],
        path => vec![
            at(issuer, &format!("{OAUTH}{path}")),
            at(issuer, &format!("{OPENID}{path}")),
            at(issuer, &format!("{path}{OPENID}")),
        ],
    }
}

fn at(origin: &Url, path: &str) -> Url {
    let mut url = origin.clone();
    url.set_path(path);
    url.set_query(None);
    url.set_fragment(None);
    url
}

/// The name of a server as a resource: its address without what is not sent there.
pub(super) fn resource_of(server: &Url) -> String {
    let mut url = server.clone();
    url.set_fragment(None);
    url.set_query(None);
    let text = url.as_str();
    match url.path() {
        "/" => text.trim_end_matches('/').to_owned(),
        _ => text.to_owned(),
    }
}

impl ResourceMetadata {
    /// Reads what a server publishes; what is wrong with it. It must be about the server that we use: another server's
    /// description would make us ask for tokens that are valid there.
    pub(super) fn read(value: &Value, server: &Url) -> Result<Self, String> {
        let resource = text(value, "resource").ok_or("it does not name its resource")?;
        if !is_about(&resource, server) {
            return Err(format!("it describes {}, which is another server", shown(&resource)));
        }
        let issuers = texts(value, "authorization_servers");
        let issuer = issuers.into_iter().next().ok_or("it names no authorization server")?;
        Ok(ResourceMetadata { resource, issuer, scopes: texts(value, "scopes_supported") })
    }
}

/// Whether a resource is a server, or all that is below a path of it.
fn is_about(resource: &str, server: &Url) -> bool {
    let Ok(resource) = Url::parse(resource) else { return false };
    let segments = |url: &Url| -> Vec<String> {
        url.path().split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    resource.fragment().is_none()
        && resource.origin() == server.origin()
        && segments(server).starts_with(&segments(&resource))
}

impl IssuerMetadata {
    /// Reads what an authorization server publishes; what is wrong with it. `issuer` is its name as the resource gave it:
    /// a document with another name belongs to another server.
    pub(super) fn read(value: &Value, issuer: &str) -> Result<Self, SignInError> {
        let invalid = |why: &str| SignInError::Invalid { place: shown(issuer), why: why.to_owned() };
        let named = text(value, "issuer").ok_or_else(|| invalid("its metadata does not name its issuer"))?;
        if named.trim_end_matches('/') != issuer.trim_end_matches('/') {
            let why = format!("its metadata is that of another issuer, {}", shown(&named));
            return Err(invalid(&why));
        }
        let address = |name: &str| -> Result<Option<Url>, SignInError> {
            let Some(written) = text(value, name) else { return Ok(None) };
            let url = Url::parse(&written).map_err(|_| invalid(&format!("its {name} is not an address")))?;
            check_form(&url)?;
            Ok(Some(url))
        };
        let needed = |name: &str| address(name)?.ok_or_else(|| invalid(&format!("it has no {name}")));
        // Without PKCE a stolen code is as good as a token (OAuth 2.1).
        if !texts(value, "code_challenge_methods_supported").iter().any(|method| method == "S256") {
            return Err(invalid("it does not support PKCE with S256, which a sign-in takes"));
        }
        Ok(IssuerMetadata {
            authorization: needed("authorization_endpoint")?,
            token: needed("token_endpoint")?,
            registration: address("registration_endpoint")?,
            revocation: address("revocation_endpoint")?,
            methods: texts(value, "token_endpoint_auth_methods_supported"),
            scopes: texts(value, "scopes_supported"),
            names_itself: value.get("authorization_response_iss_parameter_supported")
                == Some(&Value::Bool(true)),
            issuer: named,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn metadata_is_looked_for_at_well_known_places() {
        let places = |places: Vec<Url>| places.iter().map(Url::to_string).collect::<Vec<_>>();
        assert_eq!(
            places(resource_places(&url("https://a.example/x/mcp?key=1"))),
            [
                "https://a.example/.well-known/oauth-protected-resource/x/mcp",
                "https://a.example/.well-known/oauth-protected-resource"
            ]
        );
        assert_eq!(
            places(resource_places(&url("https://a.example"))),
            ["https://a.example/.well-known/oauth-protected-resource"]
        );
        assert_eq!(
            places(issuer_places(&url("https://a.example/tenant/"))),
            [
                "https://a.example/.well-known/oauth-authorization-server/tenant",
                "https://a.example/.well-known/openid-configuration/tenant",
                "https://a.example/tenant/.well-known/openid-configuration"
            ]
        );
    }

    #[test]
    fn a_resource_is_the_server_or_a_path_above_it() {
        let server = url("https://a.example/x/mcp?k=1");
        for resource in [
            "https://a.example/x/mcp",
            "https://a.example/x",
            "https://a.example",
            "https://A.example:443/x/",
        ] {
            assert!(is_about(resource, &server), "{resource}");
        }
        for resource in [
            "https://b.example/x/mcp",
            "http://a.example/x/mcp",
            "https://a.example:444/x/mcp",
            "https://a.example/x/mcp/y",
            "https://a.example/x/m",
            "mcp",
        ] {
            assert!(!is_about(resource, &server), "{resource}");
        }
    }

    #[test]
    fn the_name_of_a_resource_has_no_query() {
        assert_eq!(resource_of(&url("https://a.example/mcp?key=secret#x")), "https://a.example/mcp");
        assert_eq!(resource_of(&url("https://a.example/")), "https://a.example");
    }

    fn issuer(change: impl FnOnce(&mut Value)) -> Result<IssuerMetadata, String> {
        let mut value = json!({
            "issuer": "https://as.example/",
            "authorization_endpoint": "https://as.example/authorize",
            "token_endpoint": "https://as.example/token",
            "code_challenge_methods_supported": ["plain", "S256"],
        });
        change(&mut value);
        IssuerMetadata::read(&value, "https://as.example").map_err(|error| error.to_string())
    }

    #[test]
    fn an_issuer_must_be_itself_and_support_pkce() {
        assert!(issuer(|_| ()).is_ok());
        let error = issuer(|value| value["issuer"] = json!("https://evil.example")).unwrap_err();
        assert!(error.contains("another issuer"), "{error}");
        let error = issuer(|value| value["code_challenge_methods_supported"] = json!(["plain"])).unwrap_err();
        assert!(error.contains("PKCE"), "{error}");
        for endpoint in ["javascript:alert(1)", "http://as.example/authorize", "as.example"] {
            assert!(issuer(|value| value["authorization_endpoint"] = json!(endpoint)).is_err(), "{endpoint}");
        }
        assert!(issuer(|value| value["token_endpoint"] = json!(7)).is_err());
    }
}
