//! Writes the files that are made from the tables of messages and routes:
//! `cargo run -p aqueduct-bridge --example gen-api -- ROOT`.

mod generate;

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::args_os().nth(1).map(PathBuf::from).unwrap_or_else(|| ".".into());
    for (path, content) in generate::files() {
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, content)?;
        println!("{}", path.display());
    }
    let page = root.join(generate::PAGE);
    let text = fs::read_to_string(&page)?;
    let text = generate::fill_page(&text).map_err(io::Error::other)?;
    fs::write(&page, text)?;
    println!("{}", page.display());
    Ok(())
}
