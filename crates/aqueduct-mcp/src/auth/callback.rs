use reqwest::Url;

use super::error::CallbackError;

/// What a browser brings back from a sign-in: the query of the redirect address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInCallback {
    /// By which it belongs to a sign-in.
    pub state: String,
    /// The authorization server, if it names itself.
    pub issuer: Option<String>,
    /// A code for tokens, or why there is none.
    pub outcome: Result<String, CallbackRefusal>,
}

/// Why an authorization server gives no code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackRefusal {
    /// The error code.
    pub error: String,
    /// Its description.
    pub description: Option<String>,
}

impl SignInCallback {
    /// Reads the address that a browser was sent back to, such as a user copies it.
    pub fn read(address: &str, redirect: &Url) -> Result<Self, CallbackError> {
        let address = Url::parse(address.trim()).map_err(|_| CallbackError::NotAnAddress)?;
        let place = |url: &Url| {
            (
                url.scheme().to_owned(),
                url.host_str().map(str::to_owned),
                url.port_or_known_default(),
                url.path().to_owned(),
            )
        };
        if place(&address) != place(redirect) {
            return Err(CallbackError::WrongPlace(redirect.to_string()));
        }
        // A parameter that is there twice could be read differently elsewhere.
        let one = |name: &'static str| {
            let mut values = address.query_pairs().filter(|(key, _)| key == name).map(|(_, value)| value);
            match (values.next(), values.next()) {
                (Some(value), None) if !value.is_empty() => Ok(Some(value.into_owned())),
                (None, None) => Ok(None),
                _ => Err(CallbackError::Incomplete(name)),
            }
        };
        let outcome = match (one("error")?, one("code")?) {
            (Some(error), _) => Err(CallbackRefusal { error, description: one("error_description")? }),
            (None, Some(code)) => Ok(code),
            (None, None) => return Err(CallbackError::Incomplete("code")),
        };
        let state = one("state")?.ok_or(CallbackError::Incomplete("state"))?;
        Ok(SignInCallback { state, issuer: one("iss")?, outcome })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(address: &str) -> Result<SignInCallback, CallbackError> {
        SignInCallback::read(address, &Url::parse("http://localhost:7/callback").unwrap())
    }

    #[test]
    fn the_address_of_the_browser_is_read() {
        let callback =
            read(" http://localhost:7/callback?code=a%2Bb&state=s&iss=https%3A%2F%2Fas\n").unwrap();
        assert_eq!(callback.outcome, Ok("a+b".to_owned()));
        assert_eq!((callback.state.as_str(), callback.issuer.as_deref()), ("s", Some("https://as")));
        let refusal =
            read("http://localhost:7/callback?error=access_denied&state=s").unwrap().outcome.unwrap_err();
        assert_eq!(refusal.error, "access_denied");
    }

    #[test]
    fn what_is_not_a_callback_is_refused() {
        use CallbackError::{Incomplete, NotAnAddress};
        assert_eq!(read("code=a&state=s"), Err(NotAnAddress));
        for place in [
            "http://localhost:8/callback",
            "https://localhost:7/callback",
            "http://evil:7/callback",
            "http://localhost:7/x",
        ] {
            let read = read(&format!("{place}?code=a&state=s"));
            assert!(matches!(read, Err(CallbackError::WrongPlace(_))), "{place}");
        }
        assert_eq!(read("http://localhost:7/callback?code=a"), Err(Incomplete("state")));
        assert_eq!(read("http://localhost:7/callback?state=s"), Err(Incomplete("code")));
        assert_eq!(read("http://localhost:7/callback?code=a&code=b&state=s"), Err(Incomplete("code")));
        assert_eq!(read("http://localhost:7/callback?code=a&state=s&state=s"), Err(Incomplete("state")));
        assert_eq!(read("http://localhost:7/callback?code=&state=s"), Err(Incomplete("code")));
    }

    proptest! {
        #[test]
        fn any_text_can_be_pasted(text in "\\PC{0,60}|http://localhost:7/callback[?](code|state|iss|error|[&=%a0]){0,12}") {
            let _ = read(&text);
        }
    }
}
