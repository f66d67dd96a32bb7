//! Validates what the suite writes and reads against the published schemas, with an independent validator.

use std::path::Path;
use std::process::Output;

use boon::{Compiler, SchemaIndex, Schemas};
use libros_conformance::chapters::cases;
use libros_conformance::implementation::profile::Target;
use libros_conformance::runner::expected_failures::Expected;
use serde_json::{Value, json};

use super::{complained, credentials, faulty, said, suite, suite_in};

fn published(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../seeds/schemas/{name}.json"));
    std::fs::read_to_string(path).unwrap()
}

struct Schema(Schemas, SchemaIndex);

impl Schema {
    fn compile(name: &str) -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("schema.json", serde_json::from_str(&published(name)).unwrap()).unwrap();
        let index = compiler.compile("schema.json", &mut schemas).unwrap();
        Self(schemas, index)
    }

    fn complaint(&self, value: &Value) -> Option<String> {
        self.0.validate(value, self.1).err().map(|error| format!("{error:#}"))
    }
}

/// TOML as JSON of the same structure; a date becomes text.
fn as_json(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(text) => json!(text),
        toml::Value::Integer(number) => json!(number),
        toml::Value::Float(number) => json!(number),
        toml::Value::Boolean(boolean) => json!(boolean),
        toml::Value::Datetime(date) => json!(date.to_string()),
        toml::Value::Array(items) => items.iter().map(as_json).collect(),
        toml::Value::Table(table) => table.iter().map(|(key, value)| (key.clone(), as_json(value))).collect(),
    }
}

fn toml(text: &str) -> Value {
    as_json(&toml::Value::Table(text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))))
}

/// Judges the impostor with a fault of pages, in that folder, with further options.
fn run(folder: &Path, options: &[&str]) -> Output {
    suite_in(folder, &[&["run", "paging", "--spawn", &faulty("limit-max-is-1000"), "--seed", "1"], options].concat())
}

#[test]
fn the_command_prints_the_published_file() {
    for name in ["report", "profile", "expected"] {
        assert_eq!(said(&suite(&["schema", name])), published(name), "{name}");
    }
}

#[test]
fn a_report_and_a_written_list_of_failures_are_as_their_schemas_say() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("expected.toml"), "# ours\n").unwrap();
    let write = ["--report", "json=report.json", "--expected-failures", "expected.toml"];
    let output = run(folder, &[&write[..], &["--update-expected", "--trace"]].concat());
    let report: Value = serde_json::from_slice(&std::fs::read(folder.join("report.json")).unwrap()).unwrap();
    assert!(report["summary"]["expected_fail"].as_u64() > Some(0), "{}", complained(&output));
    let schema = Schema::compile("report");
    assert_eq!(schema.complaint(&report), None);
    // Missing and misspelt members are noticed.
    let spoils: [fn(&mut Value); 7] = [
        |report| _ = report.as_object_mut().unwrap().remove("seed"),
        |report| report["suite"]["contract"] = json!("abc"),
        |report| report["summary"]["fail"] = json!("1"),
        |report| report["cases"][0]["verdict"] = json!("expected-fail"),
        |report| report["cases"][0]["exchanges"][0]["response"] = json!({}),
        |report| report["rules"][0]["level"] = json!("certain"),
        |report| report["format"] = json!("libros-conformance/2"),
    ];
    for (index, spoil) in spoils.into_iter().enumerate() {
        let mut spoiled = report.clone();
        spoil(&mut spoiled);
        assert!(schema.complaint(&spoiled).is_some(), "spoil {index} goes unnoticed");
    }
    let list = std::fs::read_to_string(folder.join("expected.toml")).unwrap();
    assert!(list.contains("[[expected]]"), "{list}");
    assert_eq!(Schema::compile("expected").complaint(&toml(&list)), None);
}

#[test]
fn a_profile_is_read_where_its_schema_allows_it_and_refused_where_not() {
    let schema = Schema::compile("profile");
    let fixtures = ["reference", "template"]
        .map(|name| std::fs::read_to_string(format!("../fixtures/targets/{name}.toml")).unwrap());
    let profile = format!("[urls]\ncatalogue = 'http://127.0.0.1:3000'\n{}", credentials());
    let attacked =
        format!("{profile}\n[nemesis]\nnodes = ['a']\nlasts_s = 3\nkill = 'kill {{number}}'\nstart = 'true'");
    for text in fixtures.iter().map(String::as_str).chain([&*profile, &attacked]) {
        assert_eq!(schema.complaint(&toml(text)), None);
        Target::parse(text).unwrap();
    }
    // The URLs may be left to the started command.
    let placeless = credentials();
    assert_eq!(schema.complaint(&toml(&placeless)), None);
    Target::parse_without_urls(&placeless).unwrap();
    let refused = [
        profile.replace("catalogue", "katalog"),
        profile.replace("http://", "ftp://"),
        profile.replace("test_key", "# test_key"),
        profile.replace("email = \"admin@biblioteca.example\", ", ""),
        format!("{profile}\n[hooks]\nreset = 'http://127.0.0.1:1'"),
        format!("port = 1\n{profile}"),
        format!("{profile}\n[nemesis]\nkill = 9"),
    ];
    for text in refused {
        assert!(schema.complaint(&toml(&text)).is_some(), "the schema allows {text}");
        assert!(Target::parse(&text).is_err(), "the suite reads {text}");
    }
}

#[test]
fn a_list_of_failures_is_read_where_its_schema_allows_it_and_refused_where_not() {
    let schema = Schema::compile("expected");
    let entry = |lines: &str| format!("[[expected]]\n{lines}\n");
    for text in [
        entry("case = 'paging::*'\nreason = 'r'\nexpires = 2027-01-01"),
        entry("rule = 'paging/limit-maximum'\nreason = 'r'\nexpires = '2027-01-01'"),
        entry("case = 'paging::*'\nrule = 'paging/limit-maximum'\nreason = 'r'"),
        String::new(),
    ] {
        assert_eq!(schema.complaint(&toml(&text)), None, "{text}");
        Expected::parse(&text, &cases::all()).unwrap();
    }
    for text in [
        entry("case = 'paging::*'"),
        entry("case = 'paging::*'\nreason = ' '"),
        entry("reason = 'r'"),
        entry("case = 'paging::*'\nreason = 'r'\nexpires = 'soon'"),
        entry("case = 'paging::*'\nreason = 'r'\nuntil = '2027-01-01'"),
    ] {
        assert!(schema.complaint(&toml(&text)).is_some(), "the schema allows {text}");
        assert!(Expected::parse(&text, &cases::all()).is_err(), "the suite reads {text}");
    }
}
