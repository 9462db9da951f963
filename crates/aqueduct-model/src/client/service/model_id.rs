//! What the services call a model.

use crate::price;

/// The names under which the public API knows models that Bedrock and Vertex have without a date.
const UNDATED: &[&str] = &[
    "claude-fable-5-2",
    "claude-fable-5-1",
    "claude-fable-5",
    "claude-opus-5-5",
    "claude-opus-5",
    "claude-opus-4-8",
    "claude-opus-4-7",
    "claude-opus-4-6",
    "claude-sonnet-5-5",
    "claude-sonnet-5",
    "claude-sonnet-4-6",
    "claude-haiku-5-5",
];

/// Where a model's Bedrock id ends in another way than by the rule.
const BEDROCK_ENDINGS: &[(&str, &str)] =
    &[("claude-opus-4-6", "-v1"), ("claude-3-5-sonnet-20241022", "-v2:0")];

/// Where a model's Vertex id differs from the rule.
const VERTEX_NAMES: &[(&str, &str)] = &[("claude-3-5-sonnet-20241022", "claude-3-5-sonnet-v2@20241022")];

/// Which inference profiles a region has.
const PROFILES: &[(&str, &str)] = &[("us-gov-", "us-gov"), ("us-", "us"), ("eu-", "eu"), ("ap-", "apac")];

/// The Bedrock id of a model: the inference profile of the region for a model that the public API knows by this
/// name. Ids of Bedrock, ARNs and unknown names stay as they are.
pub(super) fn bedrock(model: &str, region: &str) -> String {
    let ending = match BEDROCK_ENDINGS.iter().find(|(name, _)| *name == model) {
        Some((_, ending)) => ending,
        None if UNDATED.contains(&model) => "",
        None if dated(model).is_some() => "-v1:0",
        None => return model.to_owned(),
    };
    let profile = PROFILES.iter().find(|(start, _)| region.starts_with(start));
    let profile = profile.map_or("global", |(_, profile)| profile);
    format!("{profile}.anthropic.{model}{ending}")
}

/// The Vertex id of a model: its date follows an `@`.
pub(super) fn vertex(model: &str) -> String {
    if let Some((_, id)) = VERTEX_NAMES.iter().find(|(name, _)| *name == model) {
        return (*id).to_owned();
    }
    match dated(model) {
        Some((name, date)) => format!("{name}@{date}"),
        None => model.to_owned(),
    }
}

/// The variable that names the Vertex region of a model: `VERTEX_REGION_CLAUDE_4_5_SONNET`. `None` for unknown
/// models.
pub(super) fn vertex_region_variable(model: &str) -> Option<String> {
    let name = price::PriceTable::default().canonical(model)?;
    let parts: Vec<&str> = name.strip_prefix("claude-")?.split('-').collect();
    let is_number = |part: &&&str| part.bytes().all(|byte| byte.is_ascii_digit());
    let mut numbers: Vec<&str> = parts.iter().filter(is_number).copied().collect();
    let family = parts.iter().find(|part| !is_number(part))?;
    numbers.resize(2, "0");
    Some(format!("VERTEX_REGION_CLAUDE_{}_{}", numbers.join("_"), family.to_ascii_uppercase()))
}

/// A name of the public API that ends in a date: the name and the date.
fn dated(model: &str) -> Option<(&str, &str)> {
    let (name, date) = model.rsplit_once('-')?;
    let is_date = date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit());
    (is_date && name.starts_with("claude-")).then_some((name, date))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the reference CLI 2.1.325 sends for these names.
    #[test]
    fn names_become_the_ids_that_the_services_know() {
        for (model, in_bedrock, in_vertex) in [
            ("claude-opus-5-5", "us.anthropic.claude-opus-5-5", "claude-opus-5-5"),
            ("claude-opus-4-6", "us.anthropic.claude-opus-4-6-v1", "claude-opus-4-6"),
            (
                "claude-sonnet-4-5-20250929",
                "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
                "claude-sonnet-4-5@20250929",
            ),
            (
                "claude-3-5-sonnet-20241022",
                "us.anthropic.claude-3-5-sonnet-20241022-v2:0",
                "claude-3-5-sonnet-v2@20241022",
            ),
            ("claude-opus-4-1", "claude-opus-4-1", "claude-opus-4-1"),
            ("claude-mythos-5-2", "claude-mythos-5-2", "claude-mythos-5-2"),
            ("anthropic.claude-x", "anthropic.claude-x", "anthropic.claude-x"),
            (
                "arn:aws:bedrock:us-east-2:1:application-inference-profile/abc",
                "arn:aws:bedrock:us-east-2:1:application-inference-profile/abc",
                "arn:aws:bedrock:us-east-2:1:application-inference-profile/abc",
            ),
            ("claude-sonnet-4-5@20250929", "claude-sonnet-4-5@20250929", "claude-sonnet-4-5@20250929"),
        ] {
            assert_eq!(bedrock(model, "us-east-1"), in_bedrock);
            assert_eq!(vertex(model), in_vertex);
        }
    }

    #[test]
    fn a_region_chooses_the_inference_profile() {
        for (region, profile) in [
            ("us-west-2", "us"),
            ("us-gov-west-1", "us-gov"),
            ("eu-north-1", "eu"),
            ("ap-northeast-1", "apac"),
            ("ca-central-1", "global"),
            ("sa-east-1", "global"),
        ] {
            assert_eq!(bedrock("claude-opus-5-5", region), format!("{profile}.anthropic.claude-opus-5-5"));
        }
    }

    #[test]
    fn a_model_can_have_a_vertex_region_of_its_own() {
        let variable = |model: &str| vertex_region_variable(model).unwrap_or_default();
        assert_eq!(variable("claude-sonnet-4-5@20250929"), "VERTEX_REGION_CLAUDE_4_5_SONNET");
        assert_eq!(variable("claude-opus-5-5"), "VERTEX_REGION_CLAUDE_5_5_OPUS");
        assert_eq!(variable("claude-3-5-haiku@20241022"), "VERTEX_REGION_CLAUDE_3_5_HAIKU");
        assert_eq!(variable("foo"), "");
    }
}
