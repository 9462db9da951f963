/// Who serves a model, derived from its name: agents don't report it for a single call.
pub(crate) fn provider_of(model: &str) -> &'static str {
    let known = [
        ("scripted", "scripted"),
        ("anthropic.", "aws.bedrock"),
        ("arn:aws:bedrock", "aws.bedrock"),
        ("gemini", "gcp.gemini"),
        ("gpt-", "openai"),
    ];
    // An inference profile of Bedrock has a region before the vendor: `eu.anthropic.…`.
    let is_of = |prefix: &str| {
        model.starts_with(prefix) || model.split_once('.').is_some_and(|(_, rest)| rest.starts_with(prefix))
    };
    match known.iter().find(|(prefix, _)| is_of(prefix)) {
        Some((_, provider)) => provider,
        // Vertex AI has the version behind an `@`.
        None if model.contains('@') => "gcp.vertex_ai",
        None => "anthropic",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_has_the_provider_whose_names_it_follows() {
        for (model, provider) in [
            ("claude-opus-4-5", "anthropic"),
            ("us.anthropic.claude-opus-4-5-v1:0", "aws.bedrock"),
            ("anthropic.claude-3-haiku", "aws.bedrock"),
            ("claude-opus-4-5@20251101", "gcp.vertex_ai"),
            ("gemini-3-pro", "gcp.gemini"),
            ("gpt-5.1", "openai"),
            ("scripted", "scripted"),
            ("", "anthropic"),
        ] {
            assert_eq!(provider_of(model), provider, "{model}");
        }
    }
}
