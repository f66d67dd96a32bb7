//! Targets that the suite starts.

use super::{Scratch, code, complained, credentials, faulty, said, suite};

#[test]
fn a_profile_without_urls_gets_them_from_the_command_that_is_started() {
    let profile = Scratch::new(&format!("name = 'named by itself'\n{}", credentials()));
    let target = faulty("limit-max-is-101");
    let run = |arguments: &[&str]| suite(&[&["run", "users", "--profile", profile.path()], arguments].concat());
    let output = run(&["--spawn", &target]);
    assert_eq!(code(&output), 0, "{}{}", said(&output), complained(&output));
    assert!(said(&output).contains("named by itself"), "{}", said(&output));
    for (arguments, exit, words) in [
        (&[][..], 2, "under [urls], or let --spawn"),
        (&["--spawn", "echo ready users=http://127.0.0.1:1; sleep 9"], 3, "or the profile under [urls]"),
    ] {
        let output = run(arguments);
        assert_eq!(code(&output), exit, "{}", complained(&output));
        assert!(complained(&output).contains(words), "{}", complained(&output));
    }
}
