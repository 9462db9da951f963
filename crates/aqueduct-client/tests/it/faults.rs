//! Agents that break, in every way that was thought of. Each time: the right outcome, no hang, nothing left behind.

use aqueduct_client::{ExitStatus, Outcome};

use crate::alone::alone;
use crate::script::Script;

#[test]
fn exits_in_the_middle_of_a_turn() {
    alone("faults::exits_in_the_middle_of_a_turn", async || {
        let agent = Script::raw("ask; answer; ask; echo going >&2; exit 0");
        let (session, events) = agent.builder().start().await.unwrap();
        drop(events);
        let Outcome::Crashed(exit) = session.turn("hello").await.unwrap() else { panic!("no crash") };
        assert_eq!(exit.status, ExitStatus::Code(0));
        assert_eq!(exit.stderr, ["going"]);
    });
}
