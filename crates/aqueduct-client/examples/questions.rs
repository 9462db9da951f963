//! The model asks, and the user answers: `cargo run --example questions -- AGENT [PROMPT]`.

use aqueduct_client::{Answers, Outcome, Questions, Session};

/// Takes the first option of every question, and all of them where that is possible.
async fn answer(asked: Questions) -> Answers {
    let mut answers = Answers::new();
    for question in asked.questions() {
        println!("{}", question.question);
        let labels = question.options.iter().map(|option| &*option.label);
        match question.multi_select {
            Some(true) => answers.choose(&question.question, labels),
            _ => answers.choose(&question.question, labels.take(1)),
        }
    }
    answers
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "claude".to_owned());
    let prompt = arguments.next().unwrap_or_else(|| "Ask me which colours I like.".to_owned());

    match Session::builder().program(agent).on_question(answer).query(prompt).await? {
        Outcome::Done(report) => println!("{}", report.text()),
        other => eprintln!("{other}"),
    }
    Ok(())
}
