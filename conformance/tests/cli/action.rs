//! Runs the shell of `action.yml`, and the guide's lines for other CI, as a runner does, with a release made up of this program.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use super::{PROGRAM, credentials, impostor};

const FAULT: &str = "--fault limit-max-is-101";

/// A `curl` that notes the URL and copies the file with its name.
const CURL: &str = "#!/bin/bash
while [ $# -gt 0 ]; do case \"$1\" in --output) out=$2; shift ;; https://*) url=$1 ;; esac; shift; done
here=$(dirname \"$0\")
echo \"$url\" >> \"$here/asked\"
cp \"$here/${url##*/}\" \"$out\"
";

const PACK: &str =
    "name=libros-1.2.3-$(uname -m)-unknown-linux-musl; mkdir $name; ln -s \"$PROGRAM\" $name/libros-conformance
    tar -czf $name.tar.gz $name; rm -r $name
    place=actions/_actions/owner/name/0123abc; mkdir -p $place/.ci; sha256sum $name.tar.gz > $place/.ci/checksums";

/// A folder with a release of this program, the action as a runner unpacks it, and a replacement of `curl`.
struct Runner(TempDir);

impl Runner {
    fn new() -> Self {
        let runner = Self(tempfile::tempdir().unwrap());
        let packed = runner.bash(PACK, &[]);
        assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
        runner.program("curl", CURL);
        runner
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap_or_default()
    }

    fn program(&self, name: &str, script: &str) {
        fs::write(self.path().join(name), script).unwrap();
        fs::set_permissions(self.path().join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn bash(&self, script: &str, variables: &[(&str, &str)]) -> Output {
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]).current_dir(self.path());
        let path = format!("{}:{}", self.path().display(), std::env::var("PATH").unwrap());
        command.env("PATH", path).env("PROGRAM", PROGRAM).envs(variables.iter().copied()).output().unwrap()
    }

    /// Both steps of the action with these inputs in place of the defaults, the second with what the first put out.
    fn act(&self, inputs: &[(&str, &str)]) -> (Option<i32>, String) {
        let (unpacked, temp) = (self.path().join("actions/_actions/owner/name/0123abc"), self.path().join("temp"));
        let surroundings = [
            ("GITHUB_ACTION_PATH", unpacked.to_str().unwrap()),
            ("GITHUB_REPOSITORY", "somebody/service"),
            ("GITHUB_OUTPUT", "output"),
            ("GITHUB_STEP_SUMMARY", "summary"),
            ("RUNNER_OS", "Linux"),
            ("RUNNER_TEMP", temp.to_str().unwrap()),
        ];
        let defaults = ["VERSION", "SHA256", "PROFILE", "URL", "SPAWN", "EXPECTED", "ARGUMENTS"].map(|name| (name, ""));
        let given = [&surroundings[..], &defaults, &[("REPORTS", "reports")], inputs].concat();
        _ = fs::remove_file(self.path().join("output"));
        let mut shown = String::new();
        let mut code = None;
        for step in steps() {
            let put_out = self.text("output");
            let value = |name| put_out.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
            let chosen = [("NAME", value("name=")), ("SUM", value("sum=")), ("ARCHIVE", value("url="))];
            let output = self.bash(&step, &[&given[..], &chosen].concat());
            shown += &(String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr));
            code = output.status.code();
            if code != Some(0) {
                break;
            }
        }
        (code, shown)
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The shell of each step that has one.
fn steps() -> Vec<String> {
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    let action: Value = serde_saphyr::from_str(&action).expect("YAML");
    let steps = action["runs"]["steps"].as_array().expect("steps");
    steps.iter().filter_map(|step| step["run"].as_str()).map(str::to_owned).collect()
}

#[test]
fn the_action_judges_annotates_and_outputs_the_verdict() {
    let runner = Runner::new();
    let arguments = "paging::limit_above_100_is_clamped\n--jobs\n2\n";
    let (code, shown) = runner.act(&[("SPAWN", &impostor(FAULT)), ("ARGUMENTS", arguments)]);
    assert_eq!(code, Some(1), "{shown}");
    assert!(shown.contains("FAIL paging::limit_above_100_is_clamped"), "{shown}");
    assert!(shown.contains("\n::error title=paging/limit-maximum::") && !shown.contains("file="), "{shown}");
    assert!(runner.text("output").ends_with("result=not-conformant\n"));
    assert!(runner.text("summary").contains("paging/limit-maximum"));
    for report in ["report.json", "report.xml", "report.html"] {
        assert!(runner.path().join("reports").join(report).is_file(), "{report}");
    }
    // From the action's own repository, whichever action calls it; and only once, as long as the cache keeps the archive.
    let asked = runner.text("asked");
    assert!(asked.starts_with("https://github.com/owner/name/releases/download/v1.2.3/libros-1.2.3-"), "{asked}");
    runner.act(&[("SPAWN", &impostor("")), ("ARGUMENTS", arguments)]);
    assert_eq!(runner.text("asked"), asked);
    assert!(runner.text("output").ends_with("result=conformant\n"));
}

#[test]
fn the_action_runs_no_archive_but_that_of_its_checksum() {
    let runner = Runner::new();
    runner.bash("echo more >> libros-1.2.3-*.tar.gz", &[]);
    let (code, shown) = runner.act(&[]);
    assert!(code == Some(2) && shown.contains("nothing of it was run"), "{shown}");
    assert!(!runner.path().join("reports").exists());
    // Nor an archive without a known checksum.
    let (code, shown) = runner.act(&[("VERSION", "v9.9.9")]);
    assert!(code == Some(2) && shown.contains("knows no checksum of libros-9.9.9-"), "{shown}");
    assert_eq!(runner.text("asked").lines().count(), 1);
}

#[test]
fn the_action_says_what_it_cannot_do_elsewhere_than_on_linux() {
    let runner = Runner::new();
    let (code, shown) = runner.act(&[("RUNNER_OS", "macOS")]);
    assert!(code == Some(2) && shown.starts_with("::error ") && shown.contains("no program for macOS"), "{shown}");
}

#[test]
fn what_the_action_uses_is_pinned_by_digest() {
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    let uses: Vec<&str> =
        action.lines().filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix("uses: ")).collect();
    assert_eq!(uses.len(), 2);
    for used in uses {
        let digest = used.split(['@', ' ']).nth(1).unwrap();
        assert!(digest.len() == 40 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{used}");
    }
}

#[test]
fn the_three_lines_for_gitlab_and_a_plain_shell_judge() {
    let guide = fs::read_to_string(root().join("conformance/README.md")).unwrap();
    let (_, job) = guide.split_once("```yaml\nconformance:\n").expect("a job");
    let (job, _) = job.split_once("```").unwrap();
    let job: Value = serde_saphyr::from_str(job).expect("YAML");
    let lines = job["script"].as_array().expect("a script");
    let script: String = lines.iter().map(|line| format!("{}\n", line.as_str().unwrap())).collect();
    assert_eq!(script.lines().count(), 3);

    let runner = Runner::new();
    fs::write(runner.path().join("my.toml"), format!("name = \"mine\"\n{}", credentials())).unwrap();
    let list = runner.text("actions/_actions/owner/name/0123abc/.ci/checksums");
    let (sum, file) = list.trim().split_once("  ").unwrap();
    let url = format!("https://example.org/{file}");

    for (options, code, level) in [("", 0, "smoke"), (FAULT, 1, "all")] {
        runner.program("npm", &format!("#!/bin/bash\nexec {}\n", impostor(options)));
        let script = if code == 0 { script.clone() } else { script.replace("run ", "run paging/limit-maximum ") };
        let variables = [("LIBROS", url.as_str()), ("SHA256", sum), ("LIBROS_LEVEL", level)];
        let output = runner.bash(&script, &variables);
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(runner.text("libros.xml").starts_with("<?xml"));
    }
}
