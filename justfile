# Short recipes; `.ci/run` calls the same lines, `just` itself is optional.

# Arguments reach their command as they were typed, spaces and all.
set positional-arguments

# Judge the reference
default:
    cargo run --release

# Everything CI runs
ci:
    .ci/run

# Tests
test:
    cargo test --workspace

# Lints, formats, docs
check:
    cargo fmt --all --check && cargo clippy --workspace --all-targets -- -D warnings && RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Judge an implementation described by a profile
judge PROFILE *ARGS:
    cargo run --release -- run --profile "$@"

# Judge the implementations in Node, TypeScript, Python and Go (needs them): `just implementations python --level books`
implementations *ARGS:
    fixtures/implementations/judge "$@"

# Start the reference server, its data in ./libros-data
serve *ARGS:
    cargo run --release -p libros-server -- "$@"

# Accept changed snapshots and the output that the README shows, then say what changed
bless:
    cargo run -- selftest --matrix conformance/src/runner/fault_matrix.txt
    INSTA_UPDATE=always cargo test -p libros-conformance --test snapshots --test contract --test readme; git diff --stat

# Judge faults anew by all cases (`'*'`: all of them, half an hour): which of them fail gives failures of a run the fault's name
matrix *FAULTS:
    cargo run --release -- selftest "$@" --matrix conformance/src/runner/fault_matrix.txt

# Rules that no case judges
unjudged:
    cargo run -q -- rules --unjudged

# Prove what the suite catches: the impostor, its legal variations, its faults
selftest *ARGS:
    cargo run --release -- selftest "$@"

# Lines `again` of failures, pasted: every fifth of the impostor's faults shows itself twice, and not on a right server (needs curl)
again STEP="5":
    LIBROS_AGAIN_STEP={{STEP}} cargo test -p libros-conformance --test again -- --include-ignored

# Reference and impostor side by side: this many lists and random histories, whole replies compared
differential QUERIES="1000000" HISTORIES="5000":
    LIBROS_DIFFERENTIAL_QUERIES={{QUERIES}} LIBROS_DIFFERENTIAL_HISTORIES={{HISTORIES}} cargo test --release -p libros-conformance --test differential alike -- --nocapture

# The public graphql-http audits against the reference (needs node)
audits *ARGS:
    conformance/audits/run "$@"

# Lint seeds/openapi.yaml and fuzz the reference as it describes it: `just fuzz-api -n 200` (fetches schemathesis from PyPI)
fuzz-api *ARGS:
    conformance/audits/fuzz-api "$@"

# Machine instructions of a request, compared with those kept in benches/instructions.txt (needs valgrind; built as CI builds it, since features change counts); `--update` keeps them anew
instructions *ARGS:
    cargo build --release -p libros-conformance -p libros-benches --bin libros-conformance --bin instructions && target/release/instructions "$@"

# Kill the server this many times while sixteen connections write, and look for what was confirmed after each start
crash ROUNDS="200":
    LIBROS_CRASH_ROUNDS={{ROUNDS}} cargo test --release -p libros-server --test service crash -- --nocapture

# A disk that fails in bursts, cuts writes short and loses power, this many times, under a server that is written to (Linux, needs cc)
torn ROUNDS="200":
    LIBROS_TORN_ROUNDS={{ROUNDS}} cargo test --release -p libros-server --test service torn -- --nocapture

# The store on disk while SQLite has ever more memory, by this many bytes each time, until all succeeds
memory STEP="300":
    LIBROS_MEMORY_STEP={{STEP}} cargo test --release -p libros-server-store --features sqlite --test memory -- --nocapture

# A steady load, stopped and started in between: this many minutes at this many requests a second
load MINUTES="60" RATE="1000":
    LIBROS_LOAD_SECONDS=$(({{MINUTES}} * 60)) LIBROS_LOAD_RATE={{RATE}} cargo test --release -p libros-server --test service load -- --nocapture

# Journal and repository under this many thread schedules of each test
interleavings SCHEDULES="200000":
    LIBROS_SCHEDULES={{SCHEDULES}} cargo test --release -p libros-server-store --lib interleavings

# Licences, advisories, duplicates and sources of the crates (needs cargo-deny)
deny:
    .ci/deny

# A fuzz target for this many seconds: list, record, credential or graphql (needs cargo-fuzz; no sanitizer, so the stable toolchain will do)
fuzz TARGET SECONDS="600":
    mkdir -p fuzz/corpus/{{TARGET}} && cargo fuzz run -s none {{TARGET}} fuzz/corpus/{{TARGET}} fuzz/seeds/{{TARGET}} -- -max_total_time={{SECONDS}} -max_len=4096

# Three replicas on a PostgreSQL of their own: judged as one service, killed, the database restarted (says loudly where there is none)
cluster *ARGS:
    .ci/cluster "$@"

# Three replicas from the journal to the driver in this many simulated histories of faults; a seed that fails repeats itself
simulation SEEDS="100000" FROM="1":
    LIBROS_SIMULATION_SEEDS={{SEEDS}} LIBROS_SIMULATION_FROM={{FROM}} cargo test --release -p libros-server-store --features postgres --lib three_replicas

# Three replicas on a PostgreSQL of their own, killed, stopped, cut off, slow, with wrong clocks and a full disk, for this many minutes
nemesis MINUTES="3" *ARGS:
    .ci/nemesis "$@"

# Three replicas on three PostgreSQL whose leader fails in seven ways, for this many minutes (as root; needs patroni, etcd-server)
failover MINUTES="15" *KINDS:
    cargo build -p libros-server -p libros-conformance --features libros-server/postgres --locked && .ci/failover "$@"

# Both programs without shared libraries, packed with a checksum, in dist (needs musl-gcc)
static *TARGET:
    .ci/static "$@"

# Packages of a release in dist/VERSION, each tried by its own client: wheel, npm, Debian, image (needs musl-gcc, buildah)
release VERSION *PROGRAMS:
    .ci/release "$@"

# Static pages in dist/site: book, ledger, guides, figures, a matrix of implementations; reports of yours stand in it, too
site *REPORTS:
    .ci/site "$@"

# The table of goals of benches/README.md, measured in one run by turns; `--without selftest` leaves that out, `--keep` writes the table
speed *ARGS:
    benches/speed "$@"

# Benches: parsing, filtering, sorting, paging, codes
bench *ARGS:
    cargo bench -p libros-benches "$@"

# How lists grow from a thousand books to a million, beside a naive scan and SQLite; draws benches/growth.svg
growth *ARGS:
    cargo bench -p libros-benches --bench growth -- --svg {{justfile_directory()}}/benches/growth.svg "$@"

# Mutants of the server, judged over HTTP alone by the suite (needs cargo-mutants); `just mutants --shard 0/8` tries an eighth
mutants *ARGS:
    cargo build --release -p libros-conformance
    LIBROS_CONFORMANCE="$PWD/target/release/libros-conformance" cargo mutants --workspace --test-package libros-server "$@"
