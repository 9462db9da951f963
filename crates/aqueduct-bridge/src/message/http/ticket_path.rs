use super::{PREFIX, ROUTES};

/// Whether a ticket can be issued for a path: that of an image or of a document, without a query.
pub fn is_ticket_path(path: &str) -> bool {
    let Some(path) = path.strip_prefix(PREFIX).filter(|path| !path.contains(['?', '#'])) else {
        return false;
    };
    ROUTES.iter().filter(|route| route.action.takes_ticket()).any(|route| {
        let (wanted, given) = (route.path.split('/'), path.split('/'));
        wanted.clone().count() == given.clone().count()
            && wanted.zip(given).all(|(wanted, given)| match wanted.starts_with('{') {
                true => !given.is_empty(),
                false => wanted == given,
            })
    })
}

/// The same as a pattern of JSON Schema.
pub(super) fn ticket_path_pattern() -> String {
    let paths = ROUTES.iter().filter(|route| route.action.takes_ticket()).map(|route| {
        let parts = route.path.split('/').map(|part| if part.starts_with('{') { "[^/?#]+" } else { part });
        parts.collect::<Vec<_>>().join("/")
    });
    format!("^{PREFIX}({})$", paths.collect::<Vec<_>>().join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_and_documents_take_tickets() {
        assert!(is_ticket_path("/api/v1/sessions/s/export/html"));
        assert!(is_ticket_path("/api/v1/sessions/s/messages/3/images/0"));
        for path in [
            "",
            "/sessions/s/export/html",
            "/api/v1/sessions/s",
            "/api/v1/sessions//export/html",
            "/api/v1/sessions/s/export/html?x=1",
            "/api/v1/sessions/s/export/html/",
            "/api/v1/sessions/s/export/a/b",
        ] {
            assert!(!is_ticket_path(path), "{path}");
        }
    }
}
