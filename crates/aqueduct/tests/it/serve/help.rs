use super::served::aqueduct;
use crate::terminal::Place;

#[test]
fn help_is_enough_to_run_it() {
    let help = aqueduct(&Place::new(), &["serve", "--help"]);
    assert_eq!(help.code, 0);
    insta::assert_snapshot!(help.out);
}

#[test]
fn help_of_stop_lists_what_is_ended() {
    let help = aqueduct(&Place::new(), &["stop", "--help"]);
    assert_eq!(help.code, 0);
    insta::assert_snapshot!(help.out);
}

#[test]
fn help_of_backups_and_retention_states_what_is_kept() {
    let help = ["backup", "restore", "prune"].map(|command| {
        let help = aqueduct(&Place::new(), &[command, "--help"]);
        assert_eq!(help.code, 0);
        help.out
    });
    insta::assert_snapshot!(help.join("\n---\n\n"));
}
