//! The command line from outside: what each command prints, and its exit codes.

mod action;
mod bench;
mod book;
mod compare;
mod explain;
mod nemesis;
#[path = "../program/mod.rs"]
mod program;
mod reports;
mod schemas;
mod watch;

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

use libros_conformance::implementation::profile::Target;
use libros_conformance::implementation::reference::REFERENCE_PROFILE;
use tempfile::{NamedTempFile, TempPath};

use crate::program::PROGRAM;

fn suite(arguments: &[&str]) -> Output {
    suite_in(Path::new("."), arguments)
}

fn suite_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(PROGRAM).current_dir(folder).args(arguments).env_remove("NO_COLOR").output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn complained(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The impostor on free ports, as a line for `--spawn`.
fn impostor(options: &str) -> String {
    let listeners = ["catalogue", "users", "graphql", "graphql-reduced", "control"];
    let addresses = listeners.map(|name| format!(" --{name}-addr 127.0.0.1:0")).concat();
    format!("'{PROGRAM}' impostor {options}{addresses}")
}

fn faulty(fault: &str) -> String {
    impostor(&format!("--fault {fault}"))
}

/// The credentials of the reference, as a table of a profile.
fn credentials() -> String {
    let (_, credentials) = REFERENCE_PROFILE.split_once("[credentials]").unwrap();
    format!("[credentials]{}\n", credentials.split("\n[").next().unwrap())
}

/// A file of this test; dropping it deletes it.
struct Scratch(TempPath);

impl Scratch {
    fn new(text: &str) -> Self {
        let file = NamedTempFile::new().unwrap();
        fs::write(&file, text).unwrap();
        Self(file.into_temp_path())
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.0).unwrap()
    }
}

/// A URL that refuses connections.
fn nowhere() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

#[test]
fn update_expected_creates_the_list_and_a_former_id_runs_the_renamed_case() {
    let list = Scratch::new("");
    fs::remove_file(list.path()).unwrap();
    let former = "registration::email_is_required";
    let output = suite(&["run", former, "--expected-failures", list.path(), "--update-expected"]);
    assert_eq!(code(&output), 0, "{}", said(&output));
    assert!(complained(&output).contains("is called `registration::email_may_be_required` now"));
    assert_eq!(list.text(), "");
    let target = faulty("limit-max-is-101");
    let update = ["--update-expected", "--report", "human=/dev/null"];
    for changes in ["4 added, 0 removed", "0 added, 0 removed"] {
        let run = ["run", "paging", "--spawn", &target, "--expected-failures", list.path()];
        let output = suite(&[&run[..], &update].concat());
        assert!(complained(&output).contains(changes), "{}", complained(&output));
        assert_eq!((code(&output), said(&output).as_str()), (0, ""));
    }
    let output = suite(&["run", "paging", "--spawn", &target, "--expected-failures", list.path(), "--fail-fast"]);
    assert_eq!(code(&output), 0, "a known failure ends no run: {}", said(&output));
    assert!(said(&suite(&["explain", former])).contains("registration::email_may_be_required"));
}

#[test]
fn usage_errors_exit_with_2_and_say_what_was_wrong() {
    let expected = Scratch::new("[[expected]]\ncase = 'paging::*'\nreason = ''");
    let profile = Scratch::new("[urls]\ncatalog = 'http://127.0.0.1:1'\n");
    // CI's program (`LIBROS_CONFORMANCE`) is built without TLS.
    let has_tls = cfg!(feature = "tls") && option_env!("LIBROS_CONFORMANCE").is_none();
    let faults: [(&[&str], &str); 23] = [
        (&["run", "--profile", profile.path()], profile.path()),
        (&["explain", "paging::limt"], "did you mean `paging::limit_"),
        (&["run", "--contract", "0.0.9"], "there is no contract 0.0.9; there are 0.1.0"),
        (&["run", "--no-such-option"], "--no-such-option"),
        (&["run", "paging::no_such_case"], "matches no case"),
        (&["run", "--chapter", "pagng"], "did you mean `paging`?"),
        (&["run", "pagng"], "did you mean `paging`?"),
        (&["run", "--jobs", "0"], "--jobs"),
        if has_tls {
            (&["run", "--url", "https://"], "should look like")
        } else {
            (&["run", "--url", "https://h"], "build it with `--features tls`")
        },
        (&["run", "--report", "json=/no/such/folder/x"], "cannot write /no/such/folder/x"),
        (&["run", "--report", "json=/dev/null", "--report", "hurl=/dev/null"], "two reports would go to /dev/null"),
        (&["impostor", "--fault", "limit-max-is-11"], "did you mean `limit-max-is-101`"),
        (&["selftest", "limit-max-is-11"], "did you mean `limit-max-is-101`"),
        (&["selftest", "versioning/label-no-effect"], "has only one reading"),
        (&["selftest", "--jobs", "0"], "--jobs"),
        (&["run", "--skip", "nothing/*"], "matches no case"),
        (&["run", "--report", "yaml=x"], "no report is called `yaml`"),
        (&["run", "--profile", "/no/such/profile.toml"], "cannot read /no/such/profile.toml"),
        (&["run", "--url", "ftp://x"], "not an http:// or https:// URL"),
        (&["run", "--expected-failures", expected.path()], "has no reason"),
        (&["replay", "paging::limt", "--url", "http://h:1"], "no case is called `paging::limt`"),
        (&["explain", "paging/limit-maximun"], "did you mean `paging/limit-maximum`?"),
        (&["explain", "x-total-count"], "`rules x-total-count` shows all that do"),
    ];
    for (arguments, words) in faults {
        let output = suite(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", complained(&output));
        assert!(complained(&output).contains(words), "{arguments:?}: {}", complained(&output));
    }
}

#[test]
fn a_target_that_is_not_there_is_3() {
    for (arguments, words) in [
        (&["run", "--url", &nowhere(), "--wait", "0"][..], "is the target up?"),
        (&["run", "--spawn", "false", "--wait", "5"], "ended with exit 1"),
        (&["bench", &nowhere()], "is the target up?"),
    ] {
        let output = suite(arguments);
        assert_eq!(code(&output), 3, "{}", complained(&output));
        assert!(complained(&output).contains(words), "{}", complained(&output));
    }
}

#[test]
fn a_run_that_judges_nothing_is_4() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    // The id of the first book ever needs exclusive use, which a bare URL does not give.
    let output = suite(&["run", "--url", &url, "--skip-preflight", "--timeout", "1", "books/id-first"]);
    assert_eq!(code(&output), 4, "{}{}", said(&output), complained(&output));
    assert!(said(&output).trim_end().ends_with("nothing-judged"), "{}", said(&output));
}

#[test]
fn init_writes_a_profile_that_can_be_read_and_never_overwrites() {
    let output = suite(&["init", "-"]);
    assert_eq!(code(&output), 0);
    assert!(!Path::new("-").exists());
    Target::parse(&said(&output)).unwrap();

    let file = Scratch::new("mine");
    assert_eq!((code(&suite(&["init", file.path()])), file.text().as_str()), (2, "mine"));
    fs::remove_file(&file.0).unwrap();
    assert_eq!(code(&suite(&["init", file.path()])), 0);
    Target::parse(&file.text()).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&file.0).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600, "it is to hold credentials");
}

#[test]
fn every_option_of_every_subcommand_may_be_set_in_the_environment() {
    let help = said(&suite(&["--help"]));
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 10, "{help}");
    for command in commands.into_iter().filter(|command| *command != "help") {
        let help = said(&suite(&[command, "--help"]));
        let options = help.split("\n  -").flat_map(|part| part.split("\n      -")).skip(1);
        assert!(options.clone().count() > 1, "{help}");
        for option in options.filter(|option| !option.starts_with("h, ") && option.contains("-")) {
            assert!(option.contains("[env: LIBROS_"), "{command}: -{option}");
        }
    }
    let output = Command::new(PROGRAM).args(["list", "paging"]).env("LIBROS_LIST_JSON", "1").output().unwrap();
    assert!(said(&output).starts_with('['), "{}", said(&output));
    // A typed option wins over the variables of those that it excludes.
    let run = &["run", "--reference", "--dry-run", "paging"];
    let output = Command::new(PROGRAM).args(run).env("LIBROS_PROFILE", "none.toml").output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_long_case_of_a_chapter_alone_keeps_the_clock() {
    let output = suite(&["run", "lockout"]);
    assert!(output.status.success() && said(&output).ends_with("conformant\n"), "{}", said(&output));
}

#[test]
fn a_chapter_or_a_word_shows_its_rules_and_a_rule_what_it_is_and_who_judges_it() {
    for (command, words, count) in [
        (["rules", "paging"], &["paging/limit-maximum"][..], 10),
        (["rules", "x-total-count"], &["X-Total-Count"], 2),
        (["explain", "paging"], &["paging/"], 10),
        (["explain", "paging/limit-maximum"], &["A limit above 100", "stated", "catalogue-service", "paging::"], 5),
    ] {
        let output = suite(&command);
        assert_eq!(code(&output), 0, "{command:?}: {}", complained(&output));
        assert!(words.iter().all(|words| said(&output).contains(words)), "{command:?}: {}", said(&output));
        assert!(said(&output).lines().count() >= count, "{command:?}: {}", said(&output));
    }
    let overlapping = said(&suite(&["rules", "paging/limit-maximum", "paging"]));
    assert_eq!(overlapping.matches("paging/limit-maximum (").count(), 1, "{overlapping}");
}

#[test]
fn shells_and_manuals_know_every_command() {
    let completions = said(&suite(&["completions", "bash"]));
    assert!(completions.contains("--expected-failures") && completions.contains("selftest"), "{completions}");
    let page = said(&suite(&["man"]));
    assert!(page.contains(".TH libros") && page.contains("Exit codes"), "{page}");
    let server = said(&suite(&["completions", "bash", "--server"]));
    assert!(server.contains("-o default libros-server") && server.contains("--password-cost"), "{server}");
    let folder = tempfile::tempdir().unwrap();
    for server in [None, Some("--server")] {
        let command: Vec<&str> = ["man", "--dir", folder.path().to_str().unwrap()].into_iter().chain(server).collect();
        assert_eq!(code(&suite(&command)), 0);
    }
    assert!(folder.path().join("libros-conformance-run.1").exists() && folder.path().join("libros-server.1").exists());
}

#[test]
fn colour_is_where_it_is_asked_for() {
    let explained = |when: &str| said(&suite(&["explain", "paging/limit-maximum", "--color", when]));
    assert!(explained("always").contains('\u{1b}'));
    assert!(!explained("never").contains('\u{1b}') && !explained("auto").contains('\u{1b}'));
}

#[test]
fn a_secret_of_the_profile_may_come_from_the_environment() {
    let profile = REFERENCE_PROFILE.replace("ak_7e57c11e27000000000000000000c0de", "${LIBROS_TEST_SECRET}");
    let profile = Scratch::new(&profile);
    let run = |secret: Option<&str>| {
        let mut command = Command::new(PROGRAM);
        command.args(["run", "--wait", "0", "--profile", profile.path()]).env_remove("LIBROS_TEST_SECRET");
        command.envs(secret.map(|secret| ("LIBROS_TEST_SECRET", secret))).output().unwrap()
    };
    let without = run(None);
    assert_eq!(code(&without), 2);
    assert!(complained(&without).contains("`${LIBROS_TEST_SECRET}` is not set"), "{}", complained(&without));
    assert!(!complained(&run(Some("k"))).contains("LIBROS_TEST_SECRET"));
}

#[test]
fn a_failure_shows_rule_place_and_last_exchange_and_a_trace_shows_all_exchanges() {
    let target = faulty("limit-max-is-101");
    let run = ["run", "paging::page_holds_100_books_at_most", "--spawn", &target];
    let brief = suite(&run);
    assert_eq!(code(&brief), 1);
    let brief = said(&brief);
    for words in [
        "rule   paging/limit-maximum",
        "want   100 books",
        "got    101 books",
        "more headers",
        "  ! < /datos = ",
        "libros-conformance replay paging::page_holds_100_books_at_most --spawn ",
    ] {
        assert!(brief.contains(words), "no `{words}` in:\n{brief}");
    }
    assert_eq!(brief.matches("    > POST /libros").count(), 0);
    let whole = said(&suite(&[&run[..], &["--trace"]].concat()));
    assert_eq!(whole.matches("    > POST /libros").count(), 101, "{whole}");
    assert!(whole.contains("< X-Frame-Options: DENY") && !whole.contains("more headers"), "{whole}");
    let passed = said(&suite(&["run", "paging::page_holds_100_books_at_most", "--trace"]));
    assert!(passed.contains("PASS paging::") && passed.contains("    > POST /libros"), "{passed}");
    assert!(passed.contains("\n1 case in "), "{passed}");
}

#[test]
fn a_wrong_list_is_shown_by_a_minimal_query() {
    let target = faulty("sort-minus-ignored");
    let shown = said(&suite(&["run", "list::generated*", "--seed", "1", "--cases", "256", "--spawn", &target]));
    let place = shown.lines().find(|line| line.contains("  where  ")).unwrap_or_default();
    assert!(place.contains(" of: ") && place.matches(['&', '=']).count() <= 5, "{shown}");
    assert!(shown.lines().last() == Some("not-conformant"), "{shown}");
}

#[test]
fn a_permitted_reading_is_tried_alone() {
    let output = suite(&["selftest", "q-joined", "--cases", "8"]);
    assert_eq!(code(&output), 0, "{}", said(&output));
    for words in
        ["conformant q-joined (list/q-repeated)", "seen of list/q-repeated: ", "1 of 1 permitted readings conformant"]
    {
        assert!(said(&output).contains(words), "{words}: {}", said(&output));
    }
    assert!(!said(&output).contains("faults killed"), "{}", said(&output));
}

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
