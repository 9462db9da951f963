//! The standard variables of OpenTelemetry. The program passes them: this crate does not read the environment.

use std::time::Duration;

use reqwest::Url;

use crate::error::OtlpError;
use crate::settings::{OtlpPace, OtlpSettings};

/// Where a collector is by default.
const DEFAULT_ENDPOINT: &str = "http://localhost:4318";

const DISABLED: &str = "OTEL_SDK_DISABLED";
const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const METRICS_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT";
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";
const PROTOCOL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";
const TIMEOUT: &str = "OTEL_EXPORTER_OTLP_TIMEOUT";
const INTERVAL: &str = "OTEL_METRIC_EXPORT_INTERVAL";
const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";
const RESOURCE: &str = "OTEL_RESOURCE_ATTRIBUTES";

/// The variable that names a file with certificates.
pub const CERTIFICATE: &str = "OTEL_EXPORTER_OTLP_CERTIFICATE";

/// All variables that are honoured, and what each of them sets.
pub const VARIABLES: &[(&str, &str)] = &[
    (DISABLED, "`true`: nothing is sent"),
    (ENDPOINT, "the collector, if `otlp` is `env`"),
    (TRACES_ENDPOINT, "the whole address for traces, if `otlp` is `env`"),
    (METRICS_ENDPOINT, "the whole address for metrics, if `otlp` is `env`"),
    (HEADERS, "headers of every request: `name=value,name=value`; `AQUEDUCT_OTLP_HEADERS` is stronger"),
    (PROTOCOL, "`http/protobuf`; anything else is an error"),
    (CERTIFICATE, "a file with the certificates that the collector's has to be signed by, in PEM"),
    (TIMEOUT, "how long a request may take, in milliseconds"),
    (INTERVAL, "how often metrics are sent, in milliseconds"),
    (SERVICE_NAME, "the attribute `service.name`, `aqueduct` by default"),
    (RESOURCE, "further attributes of the resource: `name=value,name=value`"),
];

/// What the program has set itself.
#[derive(Debug, Clone, Default)]
pub struct GivenSettings {
    /// The collector; that of the variables if `None`.
    pub endpoint: Option<String>,
    /// Headers as `name=value,name=value`, with what they are from.
    pub headers: Option<(String, String)>,
    /// Certificates in PEM.
    pub certificates: Option<Vec<u8>>,
    /// Attributes of the resource. Those of the variables are stronger.
    pub resource: Vec<(String, String)>,
    /// Whether traces are sent.
    pub traces: bool,
    /// Whether metrics are sent.
    pub metrics: bool,
}

impl OtlpSettings {
    /// What the program and the variables set together; `None` if the variables turn all of it off.
    pub fn new(
        given: GivenSettings,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, OtlpError> {
        let variable = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        if variable(DISABLED).is_some_and(|value| value.trim().eq_ignore_ascii_case("true")) {
            return Ok(None);
        }
        if let Some(value) = variable(PROTOCOL).filter(|value| value.trim() != "http/protobuf") {
            return Err(OtlpError::Variable { variable: PROTOCOL, value, supported: "http/protobuf" });
        }
        let base = match &given.endpoint {
            Some(endpoint) => endpoint.clone(),
            None => variable(ENDPOINT).unwrap_or_else(|| DEFAULT_ENDPOINT.to_owned()),
        };
        let address = |whole: &str, path: &str| match variable(whole).filter(|_| given.endpoint.is_none()) {
            Some(whole) => address(&whole),
            None => Ok(below(address(&base)?, path)),
        };
        let traces = given.traces.then(|| address(TRACES_ENDPOINT, "v1/traces")).transpose()?;
        let metrics = given.metrics.then(|| address(METRICS_ENDPOINT, "v1/metrics")).transpose()?;
        let headers = given.headers.or_else(|| Some((variable(HEADERS)?, HEADERS.to_owned())));
        let headers = headers.map(|(text, from)| self::headers(&text, &from)).transpose()?;
        let headers = headers.unwrap_or_default();
        if !headers.is_empty() {
            traces.iter().chain(&metrics).try_for_each(encrypted)?;
        }
        let usual = OtlpPace::default();
        let millis = |name: &'static str, usual: Duration| match variable(name) {
            None => Ok(usual),
            Some(value) => match value.trim().parse() {
                Ok(millis) if millis > 0 => Ok(Duration::from_millis(millis)),
                _ => {
                    let supported = "a positive number of milliseconds";
                    Err(OtlpError::Variable { variable: name, value, supported })
                }
            },
        };
        let pace = OtlpPace {
            request: millis(TIMEOUT, usual.request)?,
            metrics: millis(INTERVAL, usual.metrics)?,
            ..usual
        };
        let mut resource = given.resource;
        let named = variable(RESOURCE).map(|text| pairs(&text, RESOURCE)).transpose()?.unwrap_or_default();
        let service = variable(SERVICE_NAME).map(|name| ("service.name".to_owned(), name));
        for (name, value) in named.into_iter().chain(service) {
            resource.retain(|(known, _)| *known != name);
            resource.push((name, value));
        }
        Ok(Some(OtlpSettings { traces, metrics, headers, certificates: given.certificates, resource, pace }))
    }
}

/// The address of a collector.
fn address(text: &str) -> Result<Url, OtlpError> {
    let url = Url::parse(text.trim())
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.host().is_some())
        .ok_or_else(|| OtlpError::Address { url: text.trim().to_owned() })?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(OtlpError::Credentials);
    }
    Ok(url)
}

/// The address of one kind of telemetry.
fn below(mut base: Url, path: &str) -> Url {
    let whole = format!("{}/{path}", base.path().trim_end_matches('/'));
    base.set_path(&whole);
    base
}

/// Secrets leave this machine only with TLS.
fn encrypted(url: &Url) -> Result<(), OtlpError> {
    let host = url.host_str().unwrap_or_default();
    let plain = host.trim_matches(['[', ']']);
    let is_local =
        plain == "localhost" || plain.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    match url.scheme() == "https" || is_local {
        true => Ok(()),
        false => Err(OtlpError::Unencrypted { host: host.to_owned() }),
    }
}

/// Headers as HTTP can have them.
fn headers(text: &str, from: &str) -> Result<Vec<(String, String)>, OtlpError> {
    let headers = pairs(text, from)?;
    for (name, value) in &headers {
        let is_name = reqwest::header::HeaderName::from_bytes(name.as_bytes()).is_ok();
        if !is_name || reqwest::header::HeaderValue::from_str(value).is_err() {
            return Err(OtlpError::Header { name: name.clone(), variable: from.to_owned() });
        }
    }
    Ok(headers)
}

/// Reads `name=value,name=value`. Values can have characters as `%2C`. An error has nothing of the text, which can be a
/// secret.
pub(crate) fn pairs(text: &str, from: &str) -> Result<Vec<(String, String)>, OtlpError> {
    let malformed = || OtlpError::List { variable: from.to_owned() };
    let mut pairs = Vec::new();
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').ok_or_else(malformed)?;
        let (name, value) = (name.trim(), decoded(value.trim()).ok_or_else(malformed)?);
        if name.is_empty() {
            return Err(malformed());
        }
        pairs.push((name.to_owned(), value));
    }
    Ok(pairs)
}

/// A text with each `%` and its two digits as a byte.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::hint::HintedError as _;
    use proptest::prelude::*;

    use super::*;

    fn given(endpoint: Option<&str>) -> GivenSettings {
        GivenSettings {
            endpoint: endpoint.map(str::to_owned),
            resource: vec![("service.name".to_owned(), "aqueduct".to_owned())],
            traces: true,
            metrics: true,
            ..GivenSettings::default()
        }
    }

    fn with(given: GivenSettings, variables: &[(&str, &str)]) -> Result<Option<OtlpSettings>, OtlpError> {
        OtlpSettings::new(given, |name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    fn addresses(settings: &OtlpSettings) -> (String, String) {
        let text = |url: &Option<Url>| url.as_ref().map(Url::to_string).unwrap_or_default();
        (text(&settings.traces), text(&settings.metrics))
    }

    #[test]
    fn the_flag_is_stronger_than_the_variables() {
        let variables = [(ENDPOINT, "http://localhost:1"), (TRACES_ENDPOINT, "http://localhost:2/own/path")];
        let settings = with(given(Some("https://collector.example/otlp/")), &variables).unwrap().unwrap();
        let (traces, metrics) = addresses(&settings);
        assert_eq!(traces, "https://collector.example/otlp/v1/traces");
        assert_eq!(metrics, "https://collector.example/otlp/v1/metrics");
        let (traces, metrics) = addresses(&with(given(None), &variables).unwrap().unwrap());
        assert_eq!((&*traces, &*metrics), ("http://localhost:2/own/path", "http://localhost:1/v1/metrics"));
        let (traces, _) = addresses(&with(given(None), &[]).unwrap().unwrap());
        assert_eq!(traces, "http://localhost:4318/v1/traces");
    }

    #[test]
    fn variables_set_headers_times_and_the_resource() {
        let settings = with(
            given(None),
            &[
                (HEADERS, "x-key=a%2Cb, x-other = c"),
                (TIMEOUT, "1500"),
                (INTERVAL, "2000"),
                (RESOURCE, "deployment.environment.name=test,service.name=weaker"),
                (SERVICE_NAME, "stronger"),
            ],
        );
        let settings = settings.unwrap().unwrap();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(settings.headers, [pair("x-key", "a,b"), pair("x-other", "c")]);
        assert_eq!(settings.pace.request, Duration::from_millis(1500));
        assert_eq!(settings.pace.metrics, Duration::from_secs(2));
        assert_eq!(
            settings.resource,
            [pair("deployment.environment.name", "test"), pair("service.name", "stronger")]
        );
        assert!(!format!("{settings:?}").contains("a,b"));
        assert!(with(given(None), &[(DISABLED, "True")]).unwrap().is_none());
    }

    #[test]
    fn what_is_wrong_is_an_error_that_says_what_to_do_and_has_no_secret() {
        let own = GivenSettings {
            headers: Some(("secret".to_owned(), "AQUEDUCT_OTLP_HEADERS".to_owned())),
            ..given(None)
        };
        let broken = GivenSettings {
            headers: Some(("x-key=a%0Asecret".to_owned(), "the file".to_owned())),
            ..given(None)
        };
        let far = GivenSettings {
            headers: Some(("x-key=secret".to_owned(), "the file".to_owned())),
            ..given(Some("http://collector.example:4318"))
        };
        let errors: Vec<String> = [
            with(given(Some("collector:4318")), &[]),
            with(given(Some("https://ada:secret@collector.example")), &[]),
            with(far, &[]),
            with(own, &[]),
            with(broken, &[]),
            with(given(None), &[(PROTOCOL, "grpc")]),
            with(given(None), &[(TIMEOUT, "soon")]),
            with(given(None), &[(RESOURCE, "name")]),
        ]
        .into_iter()
        .map(|settings| settings.unwrap_err().advised())
        .collect();
        insta::assert_snapshot!(errors.join("\n"), @r"
        `collector:4318` is not the address of a collector; give http://HOST:4318 or https://HOST:4318
        the address of the collector has a user or a password, which logs would show; give them as a header
        the collector at collector.example has headers that can be secrets, and no TLS; use https://, or a collector on this machine that forwards to it
        AQUEDUCT_OTLP_HEADERS is not a list of name=value, separated by commas; write commas and equals signs in values as %2C and %3D
        the header `x-key` of the file is not valid; write it as name=value
        OTEL_EXPORTER_OTLP_PROTOCOL is `grpc`, which is not supported; use http/protobuf
        OTEL_EXPORTER_OTLP_TIMEOUT is `soon`, which is not supported; use a positive number of milliseconds
        OTEL_RESOURCE_ATTRIBUTES is not a list of name=value, separated by commas; write commas and equals signs in values as %2C and %3D
        ");
        assert!(!errors.concat().contains("secret@"), "{errors:?}");
    }

    proptest! {
        #[test]
        fn pairs_that_were_encoded_are_read_again(names in "[a-z.]{1,8}", value in "\\PC{0,12}") {
            let encoded: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let read = pairs(&format!("{names}={encoded}"), "V").unwrap();
            prop_assert_eq!(read, vec![(names, value)]);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
            let _ = pairs(&text, "V");
        }
    }
}
