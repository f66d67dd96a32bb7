//! The reference with a real catalogue: its lists equal the naive lists, and the suite judges it without a control
//! hook, among ten thousand books of others, and leaves each of them as it was.
//!
//! The large catalogue is not in the repository; without it `fixtures/books` is used, with a notice.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use libros_conformance::chapters::cases;
use libros_conformance::context::session::Session;
use libros_conformance::http::reply::same;
use libros_conformance::implementation::process::Launched;
use libros_conformance::implementation::profile::Target;
use libros_conformance::implementation::reference::{self, REFERENCE_PROFILE};
use libros_conformance::runner::event::NullListener;
use libros_conformance::runner::outcome::CaseOutcome;
use libros_conformance::runner::run::{Plan, run};
use libros_conformance::runner::select::Selection;
use libros_conformance::runner::verdict::Verdict;
use libros_conformance_model::list::list;
use libros_conformance_model::list::steps::ListSteps;
use serde_json::{Value, json};

const WAIT: Duration = Duration::from_secs(60);

const QUERIES: [&str; 20] = [
    "limit=100",
    "idioma=eng",
    "idioma=es,fr&sort=titulo",
    "q=quijote",
    "q=harry&fields=id,titulo&limit=100",
    "q=%C3%A9&sort=-titulo",
    "q=GARC%C3%8DA",
    "anio=1984",
    "anio=1984,1949&sort=anio,titulo",
    "anio=-750",
    "sort=valoraciones&limit=25",
    "sort=-valoracion,titulo&page=3",
    "sort=autor,-titulo&page=40&limit=25",
    "min_anio=1900",
    "valoracion=4.5&sort=id",
    "q=the&page=50&limit=100",
    "q=the&page=5000",
    "titulo=Emma",
    "fields=autor&limit=100&page=2",
    "q=nothing%20is%20called%20so",
];

fn catalogue() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let large = root.join("../shared/data/goodbooks-10k.jsonl");
    if large.is_file() {
        return large;
    }
    let notice = "\n*** goodbooks-10k.jsonl is not here: the classics of fixtures/books stand in for it ***\n\n";
    _ = std::io::stderr().write_all(notice.as_bytes());
    root.join("fixtures/books/classics.jsonl")
}

fn books(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn launched(path: &Path) -> (Launched, Target) {
    let program = Path::new(env!("CARGO_BIN_EXE_libros-conformance"));
    let launched = reference::start_with(program, &["--books", path.to_str().unwrap()], WAIT).unwrap();
    let mut target = Target::parse(REFERENCE_PROFILE).unwrap();
    target.place_only(&launched.urls).unwrap();
    (launched, target)
}

fn asked(target: &Target, query: &str) -> Value {
    let url = format!("{}/libros?{query}", launch_url(target));
    let client = reqwest::blocking::Client::builder().no_proxy().timeout(WAIT).build().unwrap();
    client.get(url).header("X-API-Key", &target.credentials.test_key).send().unwrap().json().unwrap()
}

fn launch_url(target: &Target) -> String {
    target.address(libros_conformance::implementation::profile::Interface::Catalogue).unwrap().url()
}

#[test]
fn lists_of_a_real_catalogue_are_as_the_naive_list_has_them() {
    let path = catalogue();
    let books = books(&path);
    let (_launched, target) = launched(&path);
    let mut found = 0;
    for query in QUERIES {
        let (want, got) = (list(&books, query, &ListSteps::default()), asked(&target, query));
        let wanted = json!(want.datos);
        assert!(same(&got["datos"], &wanted), "{query}: want {wanted}, got {}", got["datos"]);
        let page = &got["metadata"]["paginacion"];
        assert_eq!(page["total"], want.total, "{query}");
        assert_eq!((&page["pages"], &page["hasNext"]), (&json!(want.pages), &json!(want.has_next)), "{query}");
        found += usize::from(want.total > 0);
    }
    assert!(found >= QUERIES.len() / 2, "only {found} queries found anything: they test little");
}

#[test]
fn a_strangers_target_is_judged_and_left_as_it_was() {
    let path = catalogue();
    let (_launched, mut target) = launched(&path);
    target.control = None;
    let before = asked(&target, "limit=1&sort=-id");
    let session = Session::new(target.clone(), None, 1, 16, WAIT);
    let all = cases::all();
    let selected = Selection::default().of(&all, libros_conformance::contract::rule::Contract::built_in()).unwrap();
    let plan = Plan { is_exclusive: false, keeps_traffic: true, ..Plan::default() };
    let outcome = run(&session, &selected, &plan, &NullListener, &AtomicBool::new(false));
    let fine = [Verdict::Pass, Verdict::Noted, Verdict::Skipped];
    let bad: Vec<_> = outcome.cases.iter().filter(|case| !fine.contains(&case.verdict)).collect();
    let told: Vec<_> = bad.iter().map(|case| format!("{}: {:?}", case.id, case.message)).collect();
    assert!(bad.is_empty(), "{told:#?}");
    assert!(outcome.count(Verdict::Skipped) > 0 && outcome.count(Verdict::Pass) > 100);
    let after = asked(&target, "limit=1&sort=-id");
    let left = after["datos"][0]["id"].as_u64().unwrap();
    let makers: Vec<_> = outcome.cases.iter().filter(|case| made(case, left)).map(|case| case.id.as_str()).collect();
    assert_eq!(after, before, "books were left behind, or taken away; book {left} was made by {makers:?}");
}

/// Whether the case created the book with that id.
fn made(case: &CaseOutcome, id: u64) -> bool {
    let answers = case.exchanges.iter().filter_map(|exchange| exchange.received.as_ref().ok());
    answers.filter(|answer| answer.status == 201).any(|answer| answer.json().is_some_and(|book| book["id"] == id))
}
