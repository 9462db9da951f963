use crate::environment::Environment;

/// A text with `${NAME}` and `${NAME:-default}` replaced by values from the environment. A name that is not set and has
/// no default stays as it was written, and is added to the list.
pub(super) fn expand(text: &str, environment: &Environment, missing: &mut Vec<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let Some(end) = rest[start..].find('}').map(|length| start + length) else { break };
        let inner = &rest[start + 2..end];
        let (name, default) = match inner.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inner, None),
        };
        out.push_str(&rest[..start]);
        match environment.variable(name).or(default) {
            Some(value) => out.push_str(value),
            None => {
                missing.push(name.to_owned());
                out.push_str(&rest[start..=end]);
            }
        }
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::expand;
    use crate::environment::Environment;

    fn expanded(text: &str) -> (String, Vec<String>) {
        let environment = Environment {
            cwd: PathBuf::from("/proj"),
            home: PathBuf::from("/home/ada"),
            config: PathBuf::from("/home/ada/.claude"),
            temporary: PathBuf::from("/tmp"),
            variables: vec![("KEY".into(), "k3y".into()), ("EMPTY".into(), "".into())],
            guard: Vec::new(),
        };
        let mut missing = Vec::new();
        (expand(text, &environment, &mut missing), missing)
    }

    #[test]
    fn variables_are_replaced() {
        assert_eq!(expanded("a ${KEY} b ${KEY}"), ("a k3y b k3y".to_owned(), vec![]));
        assert_eq!(expanded("${NONE:-left} ${EMPTY:-right} ${KEY:-no}").0, "left right k3y");
        assert_eq!(expanded("${NONE:-}").0, "");
        assert_eq!(expanded("${NONE:-a:-b}").0, "a:-b");
    }

    #[test]
    fn what_is_not_set_stays_and_is_named() {
        assert_eq!(expanded("x ${NONE} ${KEY}"), ("x ${NONE} k3y".to_owned(), vec!["NONE".to_owned()]));
    }

    #[test]
    fn what_is_no_variable_stays() {
        for text in ["$KEY", "${KEY", "$", "{KEY}", "plain", "${"] {
            assert_eq!(expanded(text), (text.to_owned(), vec![]));
        }
    }
}
