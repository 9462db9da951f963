//! Tools that need a yes, questions, plans.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use aqueduct_client::{Answers, Builder, Outcome, Permission, PermissionRequest};

use crate::place::{Place, done};
use crate::verdict::{Verdict, can_not, ensure};

/// A command that has to be asked for.
const TOUCH: &str = r#"@tool Bash {"command":"touch made.txt","description":"make a file"}"#;

/// What was asked, one line a request.
type Asked = Arc<Mutex<Vec<String>>>;

fn note(asked: &Asked, request: &PermissionRequest) {
    if let Ok(mut asked) = asked.lock() {
        asked.push(format!("{} {}", request.tool(), request.input().as_str()));
    }
}

fn deciding(
    place: &Place,
    asked: &Asked,
    decide: impl Fn(&PermissionRequest) -> Permission + Send + Sync + 'static,
) -> Builder {
    let asked = asked.clone();
    place.session().on_permission(move |request| {
        note(&asked, &request);
        let decision = decide(&request);
        async move { decision }
    })
}

fn count(asked: &Asked) -> usize {
    asked.lock().map_or(0, |asked| asked.len())
}

/// Asked once, allowed once: the tool runs.
pub(crate) async fn allow(place: Place) -> Verdict {
    Verdict::of(async {
        let asked = Asked::default();
        let builder = deciding(&place, &asked, |_| Permission::allow());
        let report = done(builder.query(format!("{TOUCH}\n@say made")).await?)?;
        ensure!(report.text() == "made", "the answer was {:?}", report.text());
        ensure!(count(&asked) == 1, "asked {} times", count(&asked));
        ensure!(place.file("made.txt").exists(), "the tool did not run");
        Ok(())
    })
    .await
}

/// The changed input runs, not the model's.
pub(crate) async fn allow_changed(place: Place) -> Verdict {
    Verdict::of(async {
        let asked = Asked::default();
        let builder = deciding(&place, &asked, |_| {
            let input = serde_json::json!({"command": "touch other.txt", "description": "another file"});
            Permission::allow_with(input)
        });
        done(builder.query(format!("{TOUCH}\n@say made")).await?)?;
        ensure!(place.file("other.txt").exists(), "the changed input did not run");
        ensure!(!place.file("made.txt").exists(), "the model's input ran");
        Ok(())
    })
    .await
}

/// After "always", the same call is not asked again.
pub(crate) async fn allow_always(place: Place) -> Verdict {
    Verdict::of(async {
        let asked = Asked::default();
        let suggested = Arc::new(AtomicUsize::new(0));
        let builder = deciding(&place, &asked, {
            let suggested = suggested.clone();
            move |request| {
                suggested.fetch_add(request.suggestions().len(), Ordering::Relaxed);
                Permission::allow_always(request.suggestions().to_vec())
            }
        });
        let (session, events) = builder.start().await?;
        drop(events);
        done(session.turn(format!("{TOUCH}\n@say once")).await?)?;
        done(session.turn(format!("{TOUCH}\n@say twice")).await?)?;
        session.close().await;
        ensure!(suggested.load(Ordering::Relaxed) > 0, "nothing was suggested");
        ensure!(count(&asked) == 1, "asked {} times", count(&asked));
        Ok(())
    })
    .await
}

/// The model gets the reason, and the run continues.
pub(crate) async fn deny(place: Place) -> Verdict {
    Verdict::of(async {
        let asked = Asked::default();
        let builder = deciding(&place, &asked, |_| Permission::deny("not on a Monday"));
        let report = done(builder.query(TOUCH).await?)?;
        ensure!(report.text().contains("not on a Monday"), "the model received {:?}", report.text());
        let denials = report.frame().permission_denials.as_ref().map_or(0, Vec::len);
        ensure!(denials == 1, "{denials} denials in the result");
        ensure!(!place.file("made.txt").exists(), "the tool ran");
        Ok(())
    })
    .await
}

/// The run ends, and the session lives on.
pub(crate) async fn deny_and_interrupt(place: Place) -> Verdict {
    Verdict::of(async {
        let asked = Asked::default();
        let builder = deciding(&place, &asked, |_| Permission::deny_and_interrupt("stop it"));
        let (session, events) = builder.start().await?;
        drop(events);
        let outcome = session.turn(format!("{TOUCH}\n@say never")).await?;
        ensure!(matches!(outcome, Outcome::Interrupted(_)), "the run ended as: {outcome:?}");
        done(session.turn("@say alive").await?)?;
        session.close().await;
        Ok(())
    })
    .await
}

/// Without a user to ask, what needs a permission is denied at once.
pub(crate) async fn no_user_to_ask(place: Place) -> Verdict {
    Verdict::of(async {
        let report = done(place.session().query(format!("{TOUCH}\n@say on")).await?)?;
        ensure!(report.text() == "on", "the answer was {:?}", report.text());
        let denials = report.frame().permission_denials.as_ref().map_or(0, Vec::len);
        ensure!(denials == 1, "{denials} denials in the result");
        Ok(())
    })
    .await
}

const QUESTION: &str = r#"@tool AskUserQuestion {"questions":[{"question":"Which colour?","header":"Colour","options":[{"label":"Red","description":"warm"},{"label":"Blue","description":"cold"}],"multiSelect":false}]}"#;

/// A question is asked with its options, and the model receives the answer.
pub(crate) async fn question(place: Place) -> Verdict {
    Verdict::of(async {
        let builder = place.session().on_question(|asked| async move {
            let mut answers = Answers::new();
            for question in asked.questions() {
                answers
                    .choose(&question.question, question.options.iter().skip(1).map(|option| &*option.label));
            }
            answers
        });
        let report = done(builder.query(QUESTION).await?)?;
        ensure!(report.text().contains("Blue"), "the model received {:?}", report.text());
        Ok(())
    })
    .await
}

/// Several options of one question, and the user's own words for another.
pub(crate) async fn question_with_several_answers(place: Place) -> Verdict {
    Verdict::of(async {
        let question = r#"@tool AskUserQuestion {"questions":[{"question":"Which days?","header":"Days","options":[{"label":"Mon","description":"1"},{"label":"Tue","description":"2"},{"label":"Wed","description":"3"}],"multiSelect":true},{"question":"Why?","header":"Why","options":[{"label":"Fun","description":"a"},{"label":"Work","description":"b"}],"multiSelect":false}]}"#;
        let builder = place.session().on_question(|asked| async move {
            let mut answers = Answers::new();
            for question in asked.questions() {
                match question.multi_select {
                    Some(true) => answers.choose(&question.question, ["Mon", "Wed"]),
                    _ => answers.say(&question.question, "None of these."),
                }
            }
            answers
        });
        let report = done(builder.query(question).await?)?;
        let received = report.text();
        ensure!(received.contains("Mon") && received.contains("Wed"), "the model received {received:?}");
        Ok(())
    })
    .await
}

/// A question that the user does not want to answer does not end the run.
pub(crate) async fn question_declined(place: Place) -> Verdict {
    Verdict::of(async {
        let builder = place.session().on_question(|_| async { Answers::declined("I would rather not say") });
        let report = done(builder.query(QUESTION).await?)?;
        ensure!(report.text().contains("rather not"), "the model received {:?}", report.text());
        Ok(())
    })
    .await
}

/// A plan is shown before it is carried out.
pub(crate) async fn plan(place: Place) -> Verdict {
    Verdict::of(async {
        let asked = Asked::default();
        let builder = deciding(&place, &asked, |_| Permission::allow())
            .permission_mode(aqueduct_wire::permission::PermissionMode::Plan);
        let prompt = "@tool ExitPlanMode {\"plan\":\"1. Dig\\n2. Build\"}\n@say planned";
        let outcome = builder.query(prompt).await?;
        let seen = asked.lock().map(|asked| asked.clone()).unwrap_or_default();
        if seen.is_empty() && !matches!(outcome, Outcome::Done(_)) {
            return can_not("it does not ask about plans");
        }
        ensure!(seen.iter().any(|asked| asked.starts_with("ExitPlanMode")), "asked for {seen:?}");
        done(outcome).map(drop)
    })
    .await
}
