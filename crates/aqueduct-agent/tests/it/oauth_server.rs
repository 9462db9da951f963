//! A server for tests that requires a sign-in, and is its own authorization server.

use std::collections::{HashMap, HashSet};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Url;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::http_server::{Request, Server, respond};
use crate::mcp_network::answer;

/// Changes what a path answers.
pub(crate) type Change = fn(&str, &mut Value);

/// What the server knows, and how it behaves.
#[derive(Default)]
pub(crate) struct OAuthState {
    /// What was promised for each code.
    pub(crate) codes: HashMap<String, HashMap<String, String>>,
    /// Access tokens, each with its permissions.
    pub(crate) valid: HashMap<String, String>,
    pub(crate) refresh: HashSet<String>,
    pub(crate) issued: u32,
    /// How long the next access tokens are valid, in seconds; after the first an hour.
    pub(crate) first_expires: Option<u64>,
    /// Whether tokens can be refreshed.
    pub(crate) no_refresh: bool,
    /// The permission that calls of tools take.
    pub(crate) call_scope: Option<&'static str>,
    /// What was revoked.
    pub(crate) revoked: Vec<String>,
    /// Changes the answers of some paths.
    pub(crate) change: Option<Change>,
    /// Sends the browser back with this issuer.
    pub(crate) issuer: Option<String>,
    /// Sends the browser back with an error.
    pub(crate) denies: bool,
}

pub(crate) struct OAuthServer {
    pub(crate) server: Server,
    state: Arc<Mutex<OAuthState>>,
}

impl OAuthServer {
    pub(crate) fn start() -> Self {
        OAuthServer::with(OAuthState::default())
    }

    pub(crate) fn with(state: OAuthState) -> Self {
        let state = Arc::new(Mutex::new(state));
        let shared = state.clone();
        let server = Server::start(move |request, stream| {
            let mut state = shared.lock().unwrap();
            serve(&mut state, request, stream);
        });
        OAuthServer { server, state }
    }

    pub(crate) fn url(&self) -> String {
        format!("{}/mcp", self.server.url)
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, OAuthState> {
        self.state.lock().unwrap()
    }

    /// The forms that a path got.
    pub(crate) fn forms(&self, path: &str) -> Vec<HashMap<String, String>> {
        let requests = self.server.requests();
        requests.iter().filter(|request| request.path == path).map(|request| form(&request.text)).collect()
    }

    /// How many requests a path got.
    pub(crate) fn count(&self, path: &str) -> usize {
        self.server.requests().iter().filter(|request| request.path == path).count()
    }
}

/// What a browser does with a link: the address that it is sent to.
pub(crate) fn browse(link: &str) -> String {
    let (head, _) = get(link);
    let location = head.lines().find_map(|line| line.strip_prefix("location: "));
    location.unwrap_or_else(|| panic!("{link}: {head}")).to_owned()
}

/// Fetches a page: the head and the body of the answer.
pub(crate) fn get(link: &str) -> (String, String) {
    let url = Url::parse(link).unwrap();
    let port = url.port().unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let path = url.path();
    write!(stream, "GET {path}{query} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

fn form(text: &str) -> HashMap<String, String> {
    let url = Url::parse(&format!("http://form/?{text}")).unwrap();
    url.query_pairs().into_owned().collect()
}

fn serve(state: &mut OAuthState, request: &Request, stream: &mut TcpStream) {
    let url = format!("http://{}", request.header("host").unwrap_or_default());
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let document = match path {
        "/mcp" => return serve_mcp(state, request, stream, &url),
        "/authorize" => return authorize(state, &form(query), stream, &url),
        "/token" => return issue(state, &form(&request.text), stream),
        "/revoke" => {
            let token = form(&request.text).remove("token").unwrap_or_default();
            state.valid.remove(&token);
            state.refresh.remove(&token);
            state.revoked.push(token);
            return respond(stream, "200 OK", "", "");
        }
        "/register" => json!({ "client_id": "client-1", "redirect_uris": request.body["redirect_uris"] }),
        "/.well-known/oauth-protected-resource/mcp" => json!({
            "resource": format!("{url}/mcp"),
            "authorization_servers": [url],
            "scopes_supported": ["read", "write"],
        }),
        "/.well-known/oauth-authorization-server" => json!({
            "issuer": url,
            "authorization_endpoint": format!("{url}/authorize"),
            "token_endpoint": format!("{url}/token"),
            "registration_endpoint": format!("{url}/register"),
            "revocation_endpoint": format!("{url}/revoke"),
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "authorization_response_iss_parameter_supported": true,
        }),
        _ => return respond(stream, "404 Not Found", "", "no such page"),
    };
    let mut document = document;
    if let Some(change) = state.change {
        change(path, &mut document);
    }
    match document.get("redirect").and_then(Value::as_str) {
        Some(elsewhere) => respond(stream, "302 Found", &format!("location: {elsewhere}\r\n"), ""),
        None => respond_object(stream, "200 OK", "", &document),
    }
}

fn respond_object(stream: &mut TcpStream, status: &str, headers: &str, body: &Value) {
    respond(stream, status, &format!("content-type: application/json\r\n{headers}"), &body.to_string());
}

fn serve_mcp(state: &mut OAuthState, request: &Request, stream: &mut TcpStream, url: &str) {
    let token = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    let Some(scope) = token.and_then(|token| state.valid.get(token)) else {
        let place = format!("{url}/.well-known/oauth-protected-resource/mcp");
        let challenge = format!("www-authenticate: Bearer resource_metadata=\"{place}\", scope=\"read\"\r\n");
        return respond(stream, "401 Unauthorized", &challenge, "who are you?");
    };
    let needed = state.call_scope.filter(|_| request.body["method"] == "tools/call");
    if let Some(needed) = needed.filter(|needed| !scope.split(' ').any(|known| known == *needed)) {
        let challenge =
            format!("www-authenticate: Bearer error=\"insufficient_scope\", scope=\"{needed}\"\r\n");
        return respond(stream, "403 Forbidden", &challenge, "not you");
    }
    match answer(&request.body) {
        Some(reported) => respond_object(stream, "200 OK", "", &reported),
        None if request.method == "POST" => respond(stream, "202 Accepted", "", ""),
        None => respond(stream, "405 Method Not Allowed", "", ""),
    }
}

fn authorize(state: &mut OAuthState, asked: &HashMap<String, String>, stream: &mut TcpStream, url: &str) {
    assert_eq!(asked["response_type"], "code");
    assert_eq!(asked["code_challenge_method"], "S256");
    assert_eq!(asked["resource"], format!("{url}/mcp"));
    let code = format!("code+{}", state.codes.len());
    let mut back = Url::parse(&asked["redirect_uri"]).unwrap();
    let issuer = state.issuer.clone().unwrap_or_else(|| url.to_owned());
    let outcome = if state.denies { ("error", "access_denied") } else { ("code", code.as_str()) };
    back.query_pairs_mut().extend_pairs([outcome, ("state", &asked["state"]), ("iss", &issuer)]);
    state.codes.insert(code, asked.clone());
    respond(stream, "302 Found", &format!("location: {back}\r\n"), "");
}

fn issue(state: &mut OAuthState, asked: &HashMap<String, String>, stream: &mut TcpStream) {
    let refuse = |stream: &mut TcpStream| {
        let error = json!({ "error": "invalid_grant", "error_description": "no\u{1b}[2J more" });
        respond_object(stream, "400 Bad Request", "", &error);
    };
    let scope = match asked["grant_type"].as_str() {
        "authorization_code" => {
            // A code is used once, by who has begun, at the address that was promised.
            let Some(promised) = state.codes.remove(&asked["code"]) else { return refuse(stream) };
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(asked["code_verifier"].as_bytes()));
            let same =
                ["redirect_uri", "client_id", "resource"].iter().all(|name| asked[*name] == promised[*name]);
            if challenge != promised["code_challenge"] || !same {
                return refuse(stream);
            }
            promised.get("scope").cloned().unwrap_or_default()
        }
        _ => match state.refresh.remove(&asked["refresh_token"]) {
            true => "read".to_owned(),
            false => return refuse(stream),
        },
    };
    state.issued += 1;
    let (access, refresh) = (format!("access-{}", state.issued), format!("refresh-{}", state.issued));
    state.valid.insert(access.clone(), scope.clone());
    let expires = state.first_expires.take().unwrap_or(3600);
    let mut tokens =
        json!({ "access_token": access, "token_type": "bearer", "expires_in": expires, "scope": scope });
    if !state.no_refresh {
        tokens["refresh_token"] = refresh.as_str().into();
        state.refresh.insert(refresh);
    }
    respond_object(stream, "200 OK", "", &tokens);
}
