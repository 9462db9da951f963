//! What a builder passes to the agent's program.

use aqueduct_client::{Effort, Error, OPTIONS, Outcome, Permission, Session, SettingSource, Thinking};
use aqueduct_wire::agent_definition::AgentDefinition;
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::mcp::McpServerConfig;

use crate::peer::Peer;
use crate::script::Script;

/// The arguments that the agent gets, one a line in the result.
async fn arguments(
    configure: impl FnOnce(aqueduct_client::Builder) -> aqueduct_client::Builder,
) -> Vec<String> {
    let agent = Script::new(r#"all=$(printf '%s|' "$@" | tr '"' ^); ask; result "$all""#);
    let outcome = configure(agent.builder()).query("hello").await.unwrap();
    let Outcome::Done(report) = outcome else { panic!("{outcome:?}") };
    report.text().trim_end_matches('|').replace('^', "\"").split('|').map(str::to_owned).collect()
}

const FIXED: [&str; 5] = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];

#[tokio::test]
async fn without_any_option() {
    assert_eq!(arguments(|builder| builder).await, FIXED);
}

#[tokio::test]
async fn every_kind_of_option() {
    let arguments_of = arguments(|builder| {
        builder
            .model("-odd model")
            .allowed_tools(["Read", "Bash(git log:*)"])
            .tools([""; 0])
            .add_dirs(["/proj/a", "/proj/b"])
            .setting_sources([SettingSource::User, SettingSource::Local])
            .strict_mcp_config(true)
            .partial_messages(false)
            .max_turns(20)
            .max_budget_usd(0.5)
            .thinking(Thinking::Adaptive)
            .effort(Effort::XHigh)
            .json_schema(serde_json::json!({"type": "object"}))
            .on_permission(|_| async { Permission::allow() })
            .mcp_server("files", McpServerConfig::stdio("files", ["/proj"]))
            .mcp_server("docs", McpServerConfig::http("https://example.org"))
            .argument("--from-the-future")
            .argument("x")
    })
    .await;
    let mut expected: Vec<&str> = FIXED.to_vec();
    expected.extend([
        "--permission-prompt-tool=stdio",
        "--model=-odd model",
        "--allowedTools=Read,Bash(git log:*)",
        "--tools=",
        "--add-dir=/proj/a",
        "--add-dir=/proj/b",
        "--setting-sources=user,local",
        "--strict-mcp-config",
        "--max-turns=20",
        "--max-budget-usd=0.5",
        "--thinking=adaptive",
        "--effort=xhigh",
        r#"--json-schema={"type":"object"}"#,
        "--mcp-config",
        r#"{"mcpServers":{"files":{"command":"files","args":["/proj"]},"docs":{"type":"http","url":"https://example.org"}}}"#,
        "--from-the-future",
        "x",
    ]);
    assert_eq!(arguments_of, expected);
}

#[tokio::test]
async fn names_as_people_write_them() {
    let said = arguments(|builder| {
        builder
            .permission_mode("acceptEdits")
            .setting_sources(["user", "project"])
            .thinking("disabled")
            .effort("high")
    })
    .await;
    assert_eq!(
        said[5..],
        [
            "--permission-mode=acceptEdits",
            "--setting-sources=user,project",
            "--thinking=disabled",
            "--effort=high"
        ]
    );
    // What this crate does not know is for the agent to judge.
    let said = arguments(|builder| builder.effort("from-the-future")).await;
    assert_eq!(said[5..], ["--effort=from-the-future"]);
    assert_eq!(Effort::from("high"), Effort::High);
}

#[tokio::test]
async fn a_builder_serves_many_sessions() {
    fn is_shared<T: Clone + Send + Sync>(_: &T) {}
    let builder = Script::new(r#"ask; result "$GREETING""#).builder().env("GREETING", "hi");
    is_shared(&builder);
    let runs = (0..3).map(|_| tokio::spawn(builder.clone().query("hello").into_future()));
    for run in runs.collect::<Vec<_>>() {
        let outcome = run.await.unwrap().unwrap();
        assert_eq!(outcome.report().unwrap().text(), "hi");
    }
    // A pipe is used up by its first session.
    let (mut peer, builder) = Peer::new(Session::builder());
    let answering = async {
        peer.asked("initialize").await.answer(&mut peer, serde_json::json!({})).await;
        peer
    };
    let (_peer, started) = tokio::join!(answering, builder.clone().start());
    let _started = started.unwrap();
    assert!(matches!(builder.start().await, Err(Error::Options { problem, .. }) if problem.contains("pipe")));
}

#[tokio::test]
async fn another_tool_is_asked_for_permission() {
    let arguments_of = arguments(|builder| {
        builder.permission_prompt_tool("mcp__gate__ask").on_permission(|_| async { Permission::allow() })
    })
    .await;
    assert_eq!(arguments_of[5..], ["--permission-prompt-tool=mcp__gate__ask"]);
}

#[tokio::test]
async fn surroundings() {
    let agent = Script::new(
        r#"ask; result "$(pwd) [$GREETING] [${HOME-}] [${CLAUDECODE-}] [$CLAUDE_CODE_SDK_READS_SESSION_STATE] [${CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING-}]""#,
    );
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path().canonicalize().unwrap();
    let arguments_of = async |builder: aqueduct_client::Builder| match builder.query("hello").await.unwrap() {
        Outcome::Done(report) => report.text().to_owned(),
        other => panic!("{other:?}"),
    };
    let builder =
        agent.builder().directory(&here).env("GREETING", "hi").env_remove("HOME").file_checkpoints();
    assert_eq!(arguments_of(builder).await, format!("{} [hi] [] [] [1] [true]", here.display()));
    // The caller's word counts for more.
    let builder = agent.builder().env("CLAUDECODE", "1").env_remove("CLAUDE_CODE_SDK_READS_SESSION_STATE");
    let builder = builder.directory(&here).env_clear().env("PATH", "/usr/bin:/bin");
    assert_eq!(arguments_of(builder).await, format!("{} [] [] [1] [] []", here.display()));
}

#[tokio::test]
async fn agents_are_reported_by_initialize() {
    let reviewer = AgentDefinition::new("Reviews code", "You review code.");
    let (mut peer, builder) = Peer::new(Session::builder().define_agent("reviewer", reviewer));
    let agent = async {
        let asked = peer.asked("initialize").await;
        assert_eq!(asked.request["agents"]["reviewer"]["description"], "Reviews code");
        asked.answer(&mut peer, serde_json::json!({"models": [], "pid": 7})).await;
        peer
    };
    let (_peer, started) = tokio::join!(agent, builder.start());
    let (session, _events) = started.unwrap();
    assert!(session.initialized().unwrap().models.as_ref().unwrap().is_empty());
}

#[tokio::test]
async fn contradictions() {
    let wrong = async |builder: aqueduct_client::Builder| match builder.program("/nowhere").start().await {
        Err(error @ Error::Options { .. }) => error.advised(),
        other => panic!("{other:?}"),
    };
    let builder = Session::builder;
    assert!(wrong(builder().session_id("a").resume("b")).await.contains("`session_id`"));
    assert!(wrong(builder().session_id("a").continue_latest(true)).await.contains("`session_id`"));
    assert!(wrong(builder().fork_session(true)).await.contains("`fork_session`"));
    let reported = builder().without_initialize().define_agent("a", AgentDefinition::new("d", "p"));
    assert!(wrong(reported).await.contains("`initialize`"));
    assert!(wrong(builder().model("a\0b")).await.contains("zero byte"));
    // These are none.
    for builder in [
        builder().session_id("a").resume("b").fork_session(true),
        builder().resume("b").fork_session(false),
        builder().without_initialize(),
    ] {
        assert!(matches!(builder.program("/nowhere").start().await, Err(Error::Start { exit: None, .. })));
    }
}

#[test]
fn the_table_is_in_order() {
    for row in OPTIONS {
        assert!(row.flag.starts_with("--") && row.doc.trim().ends_with('.'), "{row:?}");
        assert!(row.since.parse::<aqueduct_client::Version>().is_ok(), "{row:?}");
        assert_eq!(OPTIONS.iter().filter(|other| other.name == row.name).count(), 1, "{row:?}");
    }
}
