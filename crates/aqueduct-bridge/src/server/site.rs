use bytes::Bytes;
use hyper::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, ETAG, HeaderName, HeaderValue,
    IF_NONE_MATCH, VARY,
};
use hyper::{HeaderMap, Method, StatusCode};

use super::response::{self, HttpResponse};
use crate::Failure;
use crate::message::ErrorCode;

/// The files of the web UI, provided by the program that starts the server.
pub trait Assets: Send + Sync {
    /// The file of a path, such as `/index.html`. A path is looked up and never opened.
    fn find(&self, path: &str) -> Option<Asset>;

    /// What its pages may do: the `Content-Security-Policy` of every file.
    fn policy(&self) -> &'static str;
}

/// A file of the web UI.
#[derive(Debug, Clone)]
pub struct Asset {
    /// Its type, such as `text/html; charset=utf-8`.
    pub content_type: &'static str,
    /// Names its contents, with quotes: `"3f2a"`.
    pub etag: &'static str,
    /// Whether its path changes with its contents, so that it can be kept for ever.
    pub immutable: bool,
    /// The contents.
    pub plain: &'static [u8],
    /// The same, packed with gzip.
    pub gzip: Option<&'static [u8]>,
    /// The same, packed with Brotli.
    pub brotli: Option<&'static [u8]>,
}

/// The page of a server that has no UI in it.
const NO_UI: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>Aqueduct</title>
<h1>Aqueduct</h1>
<p>The bridge runs. This build has no web UI in it; the API is there:</p>
<pre>curl -H \"Authorization: Bearer $TOKEN\" URL/api/v1/hello</pre>
<p>A token comes of pairing: <code>aqueduct pair</code> makes a code, and <code>POST /api/v1/pair</code> takes it.
<code>GET /api/v1/openapi.json</code> describes all routes, docs/bridge-api.md explains them.</p>
</html>
";

/// What can be done with a file.
const METHODS: &str = "GET, HEAD, OPTIONS";

/// A file of the UI. Any path without a file is a page of the UI, which is one document.
pub(super) fn page(
    assets: Option<&dyn Assets>,
    method: &Method,
    headers: &HeaderMap,
    path: &str,
) -> HttpResponse {
    if *method == Method::OPTIONS {
        return response::options(METHODS);
    }
    if !matches!(*method, Method::GET | Method::HEAD) {
        return response::wrong_method(method, METHODS);
    }
    let Some(assets) = assets else {
        let status = if path == "/" { StatusCode::OK } else { StatusCode::NOT_FOUND };
        return response::of_type(status, "text/html; charset=utf-8", NO_UI);
    };
    let names_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let found = assets.find(path).or_else(|| if names_file { None } else { assets.find("/index.html") });
    match found {
        Some(asset) => file(&asset, assets.policy(), headers),
        None => {
            response::failure(&Failure::new(ErrorCode::UnknownMessage, format!("nothing is at {path:.80}")))
        }
    }
}

fn file(asset: &Asset, policy: &'static str, headers: &HeaderMap) -> HttpResponse {
    let known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let is_known =
        known.flat_map(|tags| tags.split(',')).any(|tag| tag.trim().trim_start_matches("W/") == asset.etag);
    let (encoding, bytes) = match () {
        () if is_known => (None, &[][..]),
        () => packed(asset, headers),
    };
    let mut answer = response::of_type(StatusCode::OK, asset.content_type, Bytes::from_static(bytes));
    if is_known {
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let caching = if asset.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut set = |name: HeaderName, value: &'static str| {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    };
    set(CACHE_CONTROL, caching);
    set(CONTENT_SECURITY_POLICY, policy);
    set(ETAG, asset.etag);
    set(VARY, "accept-encoding");
    if let Some(encoding) = encoding {
        set(CONTENT_ENCODING, encoding);
    }
    answer
}

/// The form of a file that is smallest and that the client takes.
fn packed(asset: &Asset, headers: &HeaderMap) -> (Option<&'static str>, &'static [u8]) {
    let accepted = |name: &str| {
        let values = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).any(|coding| {
            let mut parts = coding.split(';').map(str::trim);
            let is_it = parts.next().is_some_and(|coding| coding.eq_ignore_ascii_case(name));
            let refused = |part: &str| {
                part.strip_prefix("q=").is_some_and(|weight| weight.trim_matches(['0', '.']).is_empty())
            };
            is_it && !parts.any(refused)
        })
    };
    let forms = [("br", asset.brotli), ("gzip", asset.gzip)];
    let packed = forms.into_iter().find_map(|(name, bytes)| Some((name, bytes?)).filter(|_| accepted(name)));
    packed.map_or((None, asset.plain), |(name, bytes)| (Some(name), bytes))
}
