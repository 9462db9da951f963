//! The MCP servers of an agent, and signing in to them from a client.

use aqueduct_bridge::settings::AgentSettings;
use serde_json::{Value, json};

use super::world::{Client, World};

/// An agent with a server that needs a sign-in. It answers what it was sent, so that a test sees it.
const AGENT: &str = r#"
id_of() { id=${1#*'"request_id":"'}; id=${id%%'"'*}; }
reply() { printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":%s}}\n' "$id" "$1"; }
refuse() { printf '{"type":"control_response","response":{"subtype":"error","request_id":"%s","error":"%s"}}\n' "$id" "$1"; }
state=needs-auth
while IFS= read -r line; do
  case "$line" in
    *'"type":"user"'*)
      printf '{"type":"result","subtype":"success","session_id":"s","uuid":"u-1","is_error":false,"num_turns":1,"result":"done"}\n'
      continue ;;
    *'"type":"control_request"'*) id_of "$line" ;;
    *) continue ;;
  esac
  case "$line" in
    *'"subtype":"mcp_status"'*)
      reply '{"mcpServers":[{"name":"docs","status":"'$state'","error":"HTTP 401","transport":"http","tools":[{"name":"a"},{"name":"b"}]}]}' ;;
    *'"subtype":"mcp_authenticate"'*'"serverName":"evil"'* | *'"serverName":"evil"'*'"subtype":"mcp_authenticate"'*)
      reply '{"authUrl":"javascript:alert(1)","requiresUserAction":true}' ;;
    *'"subtype":"mcp_authenticate"'*) reply '{"authUrl":"https://auth.example/authorize?state=s","requiresUserAction":true}' ;;
    *'callback?code=good'*) state=connected; reply '{}' ;;
    *'"subtype":"mcp_oauth_callback_url"'*) refuse 'the address belongs to another sign-in' ;;
    *'"subtype":"mcp_clear_auth"'*) state=needs-auth; reply '{}' ;;
    *) reply '{}' ;;
  esac
done
"#;

async fn world() -> World {
    World::with(|settings| {
        let script = settings.data.parent().unwrap().join("agent.sh");
        std::fs::write(&script, AGENT).unwrap();
        let mut agent = AgentSettings::new("builtin", "/bin/sh");
        agent.leading = vec![script.into()];
        settings.agents = vec![agent];
    })
    .await
}

async fn state(client: &Client, session: &str) -> Value {
    client.ask(json!({"type": "list_mcp_servers", "sessionId": session})).await["servers"][0]["status"]
        .clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_signs_in_to_a_server_of_the_agent() {
    let world = world().await;
    let client = world.client("phone").await;
    let session = client.start(&world.project(), Some("hello")).await;
    client.turn().await;
    let listed = client.ask(json!({"type": "list_mcp_servers", "sessionId": session})).await;
    assert_eq!(
        listed["servers"],
        json!([{"name": "docs", "status": "needs-auth", "error": "HTTP 401", "transport": "http", "tools": 2}]),
        "{listed}"
    );
    let begun =
        client.ask(json!({"type": "sign_in_mcp_server", "sessionId": session, "server": "docs"})).await;
    assert_eq!(begun["url"], "https://auth.example/authorize?state=s", "{begun}");
    let finish = |code: &str| {
        let callback = format!("http://localhost:4000/callback?code={code}&state=s");
        json!({"type": "finish_mcp_sign_in", "sessionId": session, "server": "docs", "callbackUrl": callback})
    };
    let refused = client.ask(finish("bad")).await;
    assert_eq!(refused["type"], "error", "{refused}");
    assert!(refused.to_string().contains("another sign-in"), "{refused}");
    assert_eq!(client.ask(finish("good")).await["type"], "ok");
    assert_eq!(state(&client, &session).await, "connected");
    let out =
        client.ask(json!({"type": "sign_out_mcp_server", "sessionId": session, "server": "docs"})).await;
    assert_eq!(out["type"], "ok");
    assert_eq!(state(&client, &session).await, "needs-auth");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_of_an_agent_is_a_page() {
    let world = world().await;
    let client = world.client("phone").await;
    let session = client.start(&world.project(), Some("hello")).await;
    client.turn().await;
    let begun =
        client.ask(json!({"type": "sign_in_mcp_server", "sessionId": session, "server": "evil"})).await;
    assert!(begun.to_string().contains("named no page"), "{begun}");
    world.end().await;
}
