//! The commands `export` and `import`: the store of a stopped server as JSON lines, and back.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Parser;

use crate::auth::data_key::{self, DataKey};
use crate::crypto::secret::{self, Secret};
use libros_server_store::transfer::{export, holds_a_store, import, read, records};
use libros_server_store::{Change, Kind};
use libros_server_system::entropy::Entropy;

/// Moves what a stopped server has stored.
#[derive(Debug, Parser)]
#[command(name = "libros-server", version)]
pub(crate) enum Transfer {
    /// Writes everything stored as JSON lines to standard output
    ///
    /// The secret (file `secret`, or that of --secret-file) is not in it. Keep it apart: no server starts on users and keys without it.
    Export {
        /// The folder of the store
        #[arg(long, env = "LIBROS_DATA", value_name = "DIR", default_value = "libros-data")]
        data: PathBuf,
    },
    /// Fills a folder that holds no store yet, or an empty database, from an export
    ///
    /// A database is filled in pieces, and no server starts on it before all is there. After an interruption, the same command resumes.
    ///
    /// Users and keys need the secret that they were written under: name its file with --secret-file, or put it into the folder as
    /// `secret`. A secret file beside its store is copied along; one that is kept elsewhere stays there.
    Import {
        /// The folder of the new store
        #[arg(long, env = "LIBROS_DATA", value_name = "DIR", default_value = "libros-data")]
        data: PathBuf,
        /// The empty PostgreSQL database instead: postgres://user@host/database
        #[arg(long, env = "LIBROS_STORE", value_name = "URL")]
        store: Option<String>,
        /// The file that holds the secret; LIBROS_SECRET may hold the secret itself
        #[arg(long, env = "LIBROS_SECRET_FILE", value_name = "FILE")]
        secret_file: Option<PathBuf>,
        #[arg(skip = Secret::in_environment())]
        secret: Option<Secret>,
        /// The export
        #[arg(value_name = "FILE.jsonl")]
        file: PathBuf,
    },
}

impl Transfer {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let (records, done, place) = match self {
            Self::Export { data } => {
                let records = export(data, &mut BufWriter::new(io::stdout().lock()))?;
                (records, "exported from", data.display().to_string())
            }
            Self::Import { data, store, secret_file, secret, file } => {
                let chosen = Secret::chosen(secret_file.as_deref(), secret.as_ref())?;
                let input = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
                let of_file = || file.display().to_string();
                let changes = read(BufReader::new(input)).with_context(of_file)?;
                let (filled, place) = match store {
                    Some(url) => (fill_database(url, &changes, chosen.as_ref()), "the database".to_owned()),
                    None => (fill_folder(data, &changes, chosen, secret_file.as_deref()), data.display().to_string()),
                };
                filled.with_context(of_file)?;
                (records(&changes), "imported into", place)
            }
        };
        _ = writeln!(io::stderr(), "{records} records {done} {place}");
        Ok(())
    }
}

fn fill_folder(
    data: &Path,
    changes: &[Change],
    chosen: Option<Secret>,
    secret_file: Option<&Path>,
) -> anyhow::Result<()> {
    let kept = Secret::kept_in(data)?;
    let secret = chosen.or_else(|| kept.clone());
    check_secret(changes, secret.as_ref())?;
    // A secret file that a server made, and keeps beside its data.
    let is_beside_a_store =
        |file: &Path| file.file_name() == Some(secret::FILE_NAME.as_ref()) && file.parent().is_some_and(holds_a_store);
    let to_keep = secret.filter(|_| kept.is_none() && secret_file.is_some_and(is_beside_a_store));
    // First: what is stored without its secret cannot be imported again.
    import(data, changes, || to_keep.map_or(Ok(()), |secret| secret.keep_in(data)))
}

#[cfg(feature = "postgres")]
fn fill_database(url: &str, changes: &[Change], secret: Option<&Secret>) -> anyhow::Result<()> {
    check_secret(changes, secret)?;
    libros_server_store::fill(url, changes)
}

#[cfg(not(feature = "postgres"))]
fn fill_database(_: &str, _: &[Change], _: Option<&Secret>) -> anyhow::Result<()> {
    anyhow::bail!("this program was built without PostgreSQL: build it with `--features postgres`")
}

/// Fails unless `secret` is the one under which users and keys were written.
fn check_secret(changes: &[Change], secret: Option<&Secret>) -> anyhow::Result<()> {
    let has_accounts = changes.iter().any(|change| [Kind::USERS, Kind::KEYS].contains(&change.kind()));
    let Some(secret) = secret else {
        anyhow::ensure!(
            !has_accounts,
            "its users and keys were written under a secret that it does not hold: name the file with --secret-file. It is `secret` \
             in the folder that was exported, unless the server was given another"
        );
        return Ok(());
    };
    for change in changes {
        if let Change::Put { kind: Kind::KEYS, key, doc } = change
            && key == data_key::NAME
        {
            let sealed = serde_json::from_str(doc).context("its data key is damaged")?;
            DataKey::open(Some(&sealed), secret, None, &Entropy::system())?;
        }
    }
    Ok(())
}
