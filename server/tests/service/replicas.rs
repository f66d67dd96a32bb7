//! A replica on databases as operators set them up: another encoding, few rights, a clock that is not the machine's.
//!
//! `LIBROS_TEST_POSTGRES` names a database whose role may make others; `.ci/cluster` sets it. Without it the tests say so and pass.

use std::sync::MutexGuard;
use std::time::{SystemTime, UNIX_EPOCH};

use libros_server_system::clock::Timestamp;
use serde_json::Value;
use tokio_postgres::NoTls;

use crate::crash::replicas::{alone, named};
use crate::process::{Server, assert_no_start};
use crate::wire::{KEY, create, send, send_to};

/// Makes a database of this name with `options`; returns its URL, and a lock against tests that restart the server.
fn database(name: &str, options: &str) -> Option<(String, MutexGuard<'static, ()>)> {
    let url = named("LIBROS_TEST_POSTGRES")?;
    let alone = alone();
    sql(&url, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
    sql(&url, &format!("CREATE DATABASE {name} {options}"));
    Some((format!("{url} dbname={name}"), alone))
}

fn sql(url: &str, statements: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let done = runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        tokio::spawn(connection);
        client.batch_execute(statements).await
    });
    done.unwrap_or_else(|error| panic!("{statements}: {error:?}"));
}

#[test]
fn a_database_that_is_not_utf_8_is_refused_at_the_start() {
    for encoding in ["LATIN1", "SQL_ASCII"] {
        let options = format!("ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0");
        let Some((url, _alone)) = database("libros_encoded", &options) else { return };
        assert_no_start(&url, &format!("keeps texts as {encoding}, and the service needs UTF-8"));
    }
}

#[test]
fn a_database_is_reached_by_tls_at_whichever_of_its_hosts_shows_a_trusted_certificate() {
    let Some(tls) = named("LIBROS_TEST_POSTGRES_TLS") else { return };
    let alone = alone();
    Server::replica(&format!("{} host=localhost,localhost", tls.replace("port=", "port=1,"))).kill();
    drop(alone);
    for (url, why) in [
        (format!("{tls} host=127.0.0.1"), "certificate not valid for name"),
        (
            format!("{} host=localhost sslrootcert=/dev/null", tls.replace("sslrootcert=", "options=")),
            "holds no certificate",
        ),
        (tls.replace("sslmode=verify-full", "host=localhost"), "ask for it with sslmode=verify-full"),
    ] {
        assert_no_start(&url, why);
    }
    let Some(plain) = named("LIBROS_TEST_POSTGRES") else { return };
    assert_no_start(&format!("{plain} sslmode=require"), "server does not support TLS");
}

#[test]
fn the_set_up_that_the_guide_names_is_yaml_and_each_host_in_it_is_a_service() {
    let compose: Value = serde_saphyr::from_str(include_str!("../../cluster/compose.yaml")).expect("YAML");
    let nodes: Value = serde_saphyr::from_str(include_str!("../../cluster/patroni.yaml")).expect("YAML");
    assert_eq!(nodes["bootstrap"]["dcs"]["synchronous_mode"], true);
    let url = compose["services"]["server1"]["environment"]["LIBROS_STORE"].as_str().expect("a text");
    let (_, hosts) = url.split_once('@').expect("a role");
    let (hosts, _) = hosts.split_once('/').expect("a database");
    assert_eq!(hosts.split(',').filter(|host| compose["services"][host].is_object()).count(), 3, "{hosts}");
}

#[test]
fn a_role_that_may_only_read_and_write_rows_starts_where_the_tables_are() {
    let Some((url, _alone)) = database("libros_rows", "") else { return };
    sql(&url, "DROP ROLE IF EXISTS libros_clerk");
    sql(&url, "CREATE ROLE libros_clerk LOGIN");
    let clerk = format!("{url} user=libros_clerk");
    assert_no_start(&clerk, "neither use all tables nor make them");
    Server::replica(&url).kill();
    sql(&url, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO libros_clerk");
    let server = Server::replica(&clerk);
    assert_eq!(create(&server, "by a clerk"), 6);
    assert_eq!(send(&Server::replica(&clerk), "GET /libros/6", "").json()["titulo"], "by a clerk");
}

#[test]
fn a_replica_takes_its_time_from_the_database_and_serves_nothing_on_a_machine_whose_clock_is_far_off() {
    let Some((url, _alone)) = database("libros_clocks", "") else { return };
    sql(
        &url,
        "CREATE SCHEMA moved; CREATE TABLE moved.by (seconds float8); INSERT INTO moved.by VALUES (3600);
         CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
         'SELECT pg_catalog.clock_timestamp() + make_interval(secs => (SELECT seconds FROM moved.by))'",
    );
    let moved = format!("{url} options='-c search_path=moved,pg_catalog'");
    let set = |seconds: i64| sql(&url, &format!("UPDATE moved.by SET seconds = {seconds}"));
    assert_no_start(&moved, "THE CLOCK OF THIS MACHINE IS 3");

    set(20);
    let server = Server::replica(&moved);
    let here_ms = || SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis();
    let (before, shown, after) = (here_ms(), send_to(&server, "control", "GET /clock", "", "").json(), here_ms());
    let shown = Timestamp::from_iso(shown["now"].as_str().expect("a text")).expect("a time");
    let shown = u128::try_from(shown.millis()).expect("after 1970");
    assert!((before + 19_000..after + 21_000).contains(&shown), "{before} {shown} {after}");

    for (seconds, status) in [(40, 500), (-40, 500), (-20, 200)] {
        set(seconds);
        assert_eq!(send_to(&server, "catalogue", "GET /libros", KEY, "").status, status, "{seconds}");
    }
    let log = server.stopped().1;
    for said in ["the clock of this machine is ", "THE CLOCK OF THIS MACHINE IS ", "can be used again"] {
        assert!(log.contains(said), "{said}: {log}");
    }
}
