//! Reads a message of a client: `cargo run --example read_message`.

use aqueduct_bridge::message::ClientMessage;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let message =
        ClientMessage::parse(r#"{"type":"start","projectPath":"/proj/api","text":"Run the tests"}"#)?;
    let ClientMessage::Start(start) = &message else { return Err("another message".into()) };
    assert_eq!(start.project_path, "/proj/api");
    println!("{}", message.to_json());
    Ok(())
}
