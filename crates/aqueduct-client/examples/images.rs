//! A prompt with an image and a file: `cargo run --example images -- AGENT PROMPT FILE`.

use aqueduct_client::prelude::*;

/// A picture of one grey dot.
const DOT: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\x7f\x7f\x7f\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());
    let prompt = arguments.next().unwrap_or_else(|| "Does the picture fit the text?".to_owned());
    let file = arguments.next().ok_or("which file?")?;

    let prompt = Prompt::text(prompt).image("image/gif", DOT).file(file);
    match Session::builder().program(agent).query(prompt).await {
        Ok(Outcome::Done(report)) => println!("{}", report.text()),
        Ok(other) => println!("{other}"),
        Err(error) => println!("{}", error.advised()),
    }
    Ok(())
}
