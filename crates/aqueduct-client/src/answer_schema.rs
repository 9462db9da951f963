//! JSON Schemas of answers, in the form that agents accept.

use aqueduct_wire::json::{Map, Raw};

/// The member that names the dialect of a schema. The reference (2.1.325) knows draft 7 alone: it does not start with the
/// name of another, and older ones ignore such a schema.
const DIALECT: &str = "$schema";

/// A schema without the name of its dialect, and otherwise as it is.
pub(crate) fn accepted(schema: Raw<'static>) -> Raw<'static> {
    let Some(members) = schema.view::<Map<'_, Raw<'_>>>() else { return schema };
    if members.get(DIALECT).is_none() {
        return schema;
    }
    let mut rest = Map::default();
    for (name, value) in members.iter().filter(|(name, _)| *name != DIALECT) {
        rest.push(name.to_owned(), value.clone().into_owned());
    }
    Raw::written(&rest)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_dialect_goes_and_the_rest_stays() {
        let dialect = r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","b":1,"a":{"$schema":2}}"#;
        assert_eq!(
            accepted(Raw::parse(dialect).unwrap().into_owned()).as_str(),
            r#"{"type":"object","b":1,"a":{"$schema":2}}"#
        );
        let plain = r#"{ "type" : "object" }"#;
        assert_eq!(accepted(Raw::parse(plain).unwrap().into_owned()).as_str(), plain);
    }
}
