use hyper::Method as HttpMethod;

use super::decode;
use crate::message::http::{Method, ROUTES, Route};

/// What a request asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RouteMatch {
    /// A route, and the members in the path.
    Route(&'static Route, Vec<(&'static str, String)>),
    /// Something for which there are other methods: these.
    OtherMethods(String),
    /// Nothing.
    Nothing,
}

/// The route of a request. `path` is what follows the API's prefix.
pub(super) fn find(method: &HttpMethod, path: &str) -> RouteMatch {
    let wanted = match *method {
        HttpMethod::GET | HttpMethod::HEAD => Some(Method::Get),
        HttpMethod::POST => Some(Method::Post),
        HttpMethod::PUT => Some(Method::Put),
        HttpMethod::DELETE => Some(Method::Delete),
        _ => None,
    };
    let mut others = Vec::new();
    let mut found = None;
    for route in ROUTES {
        let Some(members) = fit(route, path) else { continue };
        // A name in the table comes before a member: `recent` is no session.
        if *found.get_or_insert(route.path) != route.path {
            continue;
        }
        if wanted == Some(route.method) {
            return RouteMatch::Route(route, members);
        }
        others.push(route.method);
    }
    match others.is_empty() {
        true => RouteMatch::Nothing,
        false => RouteMatch::OtherMethods(allowed(&others)),
    }
}

/// The members in the path, if it is one of the route's.
fn fit(route: &Route, path: &str) -> Option<Vec<(&'static str, String)>> {
    let mut members = Vec::new();
    let mut given = path.split('/');
    for part in route.path.split('/') {
        let here = given.next()?;
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(_) if here.is_empty() => return None,
            Some(name) => members.push((name, decode::path(here)?)),
            None if part != here => return None,
            None => {}
        }
    }
    given.next().is_none().then_some(members)
}

fn allowed(methods: &[Method]) -> String {
    let mut names: Vec<&str> = methods.iter().map(|method| method.as_str()).collect();
    if methods.contains(&Method::Get) {
        names.push("HEAD");
    }
    names.push("OPTIONS");
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(found: RouteMatch) -> (&'static str, Vec<(&'static str, String)>) {
        match found {
            RouteMatch::Route(route, members) => (route.path, members),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_route_is_found_by_its_own_path() {
        for route in ROUTES {
            let method = HttpMethod::from_bytes(route.method.as_str().as_bytes()).unwrap();
            let path = route.path.replace('{', "%7B").replace('}', "%7D");
            let (found, members) = members(find(&method, &path));
            assert_eq!(found, route.path);
            let names: Vec<&str> = route.path_members().collect();
            let expected: Vec<_> = names.iter().map(|name| (*name, format!("{{{name}}}"))).collect();
            assert_eq!(members, expected);
        }
    }

    #[test]
    fn names_come_before_members() {
        assert_eq!(members(find(&HttpMethod::GET, "/sessions/recent")).0, "/sessions/recent");
        let (path, found) = members(find(&HttpMethod::HEAD, "/sessions/a%2Fb%20c"));
        assert_eq!((path, &*found), ("/sessions/{sessionId}", &[("sessionId", "a/b c".to_owned())][..]));
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        for path in
            ["", "/", "/nothing", "/sessions/", "/sessions//stop", "/sessions/%zz", "/hello/", "/%68ello"]
        {
            assert_eq!(find(&HttpMethod::GET, path), RouteMatch::Nothing, "{path}");
        }
        let others = |methods: &str| RouteMatch::OtherMethods(methods.to_owned());
        assert_eq!(find(&HttpMethod::PATCH, "/sessions"), others("GET, POST, HEAD, OPTIONS"));
        assert_eq!(find(&HttpMethod::GET, "/pair"), others("POST, OPTIONS"));
        assert_eq!(find(&HttpMethod::TRACE, "/hello"), others("GET, HEAD, OPTIONS"));
        assert_eq!(find(&HttpMethod::DELETE, "/sessions/recent"), others("GET, HEAD, OPTIONS"));
    }
}
