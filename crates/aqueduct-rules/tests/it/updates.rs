//! Changes to the context, modes, trust and policies.

use aqueduct_rules::{Behavior, Call, Context, Error, Mode, Snapshot, Source, decide};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::Raw;
use aqueduct_wire::permission::{Destination, PermissionUpdate, RuleBehavior, RuleValue};

use crate::world::{context, shell};

fn add(rule: &str, destination: Source) -> PermissionUpdate<'static> {
    let rules = vec![rule.parse().expect("a rule")];
    PermissionUpdate::add_rules(rules, RuleBehavior::Allow, destination.into())
}

#[test]
fn rules_come_and_go() {
    let mut context = context();
    context.apply(&add("Bash(make:*)", Source::Session)).expect("applied");
    assert_eq!(shell(&context, "make").behavior, Behavior::Allow);
    let just = vec![RuleValue::with_content("Bash", "just:*")];
    let replace = PermissionUpdate::replace_rules(just.clone(), RuleBehavior::Allow, Destination::Session);
    context.apply(&replace).expect("applied");
    assert_eq!(shell(&context, "make").behavior, Behavior::Ask);
    assert_eq!(shell(&context, "just").behavior, Behavior::Allow);
    let remove = PermissionUpdate::remove_rules(just, RuleBehavior::Allow, Destination::Session);
    context.apply(&remove).expect("applied");
    assert_eq!(context.rules().count(), 0);
}

#[test]
fn directories_come_and_go() {
    let mut context = context();
    let directories = vec!["/srv/data".into()];
    let add = PermissionUpdate::add_directories(directories.clone(), Destination::Session);
    context.apply(&add).expect("applied");
    assert_eq!(shell(&context, "cat /srv/data/x").behavior, Behavior::Allow);
    assert_eq!(shell(&context, "cat /srv/database").behavior, Behavior::Ask);
    context.apply(&PermissionUpdate::remove_directories(directories, Destination::Session)).expect("applied");
    assert_eq!(shell(&context, "cat /srv/data/x").behavior, Behavior::Ask);
}

#[test]
fn some_sources_are_read_only() {
    for source in [Source::PolicySettings, Source::FlagSettings, Source::Command] {
        let refused = context().apply(&add("Bash(make)", source));
        assert_eq!(refused, Err(Error::ReadOnlySource { source_name: source }));
    }
}

#[test]
fn updates_that_can_not_be_applied_are_explained() {
    for (text, why) in [
        (
            r#"{"type":"addRules","rules":[{"toolName":"Bash"}],"destination":"session"}"#,
            "a permission update has no `behavior`",
        ),
        (
            r#"{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"allow"}"#,
            "a permission update has no `destination`",
        ),
        (
            r#"{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"maybe","destination":"session"}"#,
            "unknown behavior `maybe`; use one of allow, ask, deny",
        ),
        (
            r#"{"type":"addRules","rules":[{"toolName":"bash"}],"behavior":"allow","destination":"session"}"#,
            "rule `bash` names a tool in another case; names are compared as written, such as Bash or Read; \
             write it as `Tool` or `Tool(content)`",
        ),
        (
            r#"{"type":"setMode","mode":"fast","destination":"session"}"#,
            "unknown permission mode `fast`; use one of default, acceptEdits, plan, bypassPermissions, delegate, dontAsk",
        ),
        (r#"{"type":"forget"}"#, r#"a permission update is of no known kind: {"type":"forget"}"#),
    ] {
        let raw = Raw::parse(text).expect("JSON");
        let update: PermissionUpdate<'_> = raw.view().expect("an update");
        let mut context = context();
        let error = context.apply(&update).expect_err(text);
        assert_eq!(error.advised(), why);
        assert_eq!(context.rules().count(), 0);
    }
}

#[test]
fn rules_that_mean_nothing_are_passed_over_when_rules_are_removed() {
    let mut context = context();
    context.apply(&add("Bash(make:*)", Source::Session)).expect("applied");
    let rules = vec![RuleValue::new("bash"), RuleValue::with_content("Bash", "make:*")];
    let remove = PermissionUpdate::remove_rules(rules, RuleBehavior::Allow, Destination::Session);
    context.apply(&remove).expect("applied");
    assert_eq!(context.rules().count(), 0);
}

#[test]
fn names_are_those_of_the_wire() {
    for behavior in Behavior::ALL {
        assert_eq!(Behavior::try_from(&behavior.into()), Ok(behavior));
    }
    for mode in Mode::ALL {
        assert_eq!(mode.name().parse(), Ok(mode));
    }
    for source in Source::ALL {
        assert_eq!(Source::from_name(source.name()), Some(source));
    }
    assert_eq!("manual".parse(), Ok(Mode::Default));
}

#[test]
fn bypassing_must_have_been_made_available() {
    let mut plain = context();
    assert!(matches!(plain.set_mode(Mode::BypassPermissions), Err(Error::BypassUnavailable { .. })));
    let mut ready = context().with_bypass_available(true);
    assert_eq!(ready.set_mode(Mode::BypassPermissions), Ok(()));
    let forbidden = context().with_bypass_disabled(true).with_mode(Mode::BypassPermissions);
    assert!(matches!(forbidden, Err(Error::BypassUnavailable { .. })));
}

#[test]
fn auto_is_refused_with_a_way_out() {
    let error = "auto".parse::<Mode>().expect_err("refused");
    assert_eq!(
        error.advised(),
        "permission mode `auto` is not supported here; use `acceptEdits` with rules for the commands you trust"
    );
}

#[test]
fn a_local_settings_file_allows_nothing_until_the_folder_is_trusted() {
    let mut context = context().with_trust(false);
    context.add_rules(Source::LocalSettings, Behavior::Allow, ["Bash(make)", "Bash(just)"]).expect("rules");
    assert_eq!(shell(&context, "make").behavior, Behavior::Ask);
    // What a person grants counts, in this session and when it is read again.
    let grant = add("Bash(make)", Source::LocalSettings);
    let mut granted = self::context().with_trust(false);
    granted.apply(&grant).unwrap();
    assert_eq!(shell(&granted, "make").behavior, Behavior::Allow);
    let mut known = context.clone();
    known.apply(&grant).unwrap();
    assert_eq!(shell(&known, "make").behavior, Behavior::Allow, "it was there, withheld");
    let read_again = context.with_granted([(Source::LocalSettings, "Bash(make)".to_owned())]);
    assert_eq!(shell(&read_again, "make").behavior, Behavior::Allow);
    assert_eq!(shell(&read_again, "just").behavior, Behavior::Ask);
}

#[test]
fn a_project_allows_nothing_until_it_is_trusted() {
    let mut context = context().with_trust(false);
    context.add_rules(Source::ProjectSettings, Behavior::Allow, ["Bash(make:*)"]).expect("rules");
    context.add_rules(Source::ProjectSettings, Behavior::Deny, ["Bash(ls:*)"]).expect("rules");
    context.add_directories(Source::ProjectSettings, ["/srv"]);
    assert_eq!(shell(&context, "make").behavior, Behavior::Ask);
    assert_eq!(shell(&context, "ls").behavior, Behavior::Deny);
    assert_eq!(shell(&context, "cat /srv/x").behavior, Behavior::Ask);
    let trusted = context.with_trust(true);
    assert_eq!(shell(&trusted, "make").behavior, Behavior::Allow);
    assert_eq!(shell(&trusted, "cat /srv/x").behavior, Behavior::Allow);
}

#[test]
fn a_policy_can_let_only_its_own_rules_count() {
    let mut context = context().with_managed_rules_only(true);
    context.add_rules(Source::UserSettings, Behavior::Allow, ["Bash(make:*)"]).expect("rules");
    context.add_rules(Source::PolicySettings, Behavior::Allow, ["Bash(just:*)"]).expect("rules");
    assert_eq!(shell(&context, "make").behavior, Behavior::Ask);
    assert_eq!(shell(&context, "just").behavior, Behavior::Allow);
    let withheld = context.rules().next().and_then(|entry| entry.withheld);
    assert_eq!(withheld, Some("a policy lets only its own rules count"));
}

#[test]
fn the_context_can_be_shown_as_hosts_know_it() {
    let mut context = Context::new("/proj").with_bypass_available(true).with_prompts_avoided(true);
    context.add_rules(Source::Session, Behavior::Allow, ["Read(/path)", "Bash(npm:*)"]).expect("rules");
    context.add_rules(Source::UserSettings, Behavior::Deny, ["Bash(rm -rf:*)"]).expect("rules");
    context.add_directories(Source::CliArg, ["/more"]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&Snapshot::of(&context)).unwrap());
}

#[test]
fn without_a_user_what_would_be_asked_is_denied() {
    let context = Context::new("/proj").with_prompts_avoided(true);
    let decide = |tool: &str, input: serde_json::Value| decide(&context, &Call::new(tool, &input)).behavior;
    assert_eq!(decide("Bash", serde_json::json!({ "command": "make" })), Behavior::Deny);
    assert_eq!(decide("AskUserQuestion", serde_json::json!({ "questions": [] })), Behavior::Deny);
    assert_eq!(decide("Bash", serde_json::json!({ "command": "ls" })), Behavior::Allow);
}

#[test]
fn rules_that_cannot_be_used_are_an_error() {
    let mut context = Context::new("/proj");
    let rules = ["Bash(git log:*)", "bash(git push:*)", "Read(~/notes)"];
    let error = context.add_rules(Source::Session, Behavior::Deny, rules).expect_err("two of them");
    let places: Vec<String> = error.rules().iter().map(|rule| rule.place()).collect();
    // Without a home, nothing can be compared with the last one.
    assert_eq!(places, ["deny[1]", "deny[2]"]);
    assert_eq!(error.rules()[0].hint().as_deref(), Some("did you mean `Bash`?"));
    assert!(
        error.to_string().contains("deny[1]: rule `bash(git push:*)` names a tool in another case"),
        "{error}"
    );
    // Added again, it is still an error.
    assert!(context.add_rules(Source::Session, Behavior::Deny, [rules[1]]).is_err());
    // What it may have meant is asked, and nothing else changes.
    let input = serde_json::json!({"command": "git push"});
    assert_eq!(decide(&context, &Call::new("Bash", &input)).behavior, Behavior::Ask);
    let mut with_home = Context::new("/proj").with_home("/home/me");
    assert_eq!(with_home.add_rules(Source::Session, Behavior::Deny, [rules[0], rules[2]]), Ok(()));
}
