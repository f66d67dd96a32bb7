//! Passwords, hashed and compared on threads of their own, so that no other request waits for one. Knows no route.

use std::sync::Arc;

use crate::accounts::tables::Tables;
use crate::accounts::user::User;
use crate::crypto::password::{Cost, PasswordHash, PasswordKeeper};
use crate::crypto::secret::Secret;
use crate::message::Client;
use crate::response::failure::Failure;
use crate::worker_pool::{NotDone, WorkerPool};

/// What hashes passwords, and the threads on which it does.
#[derive(Debug)]
pub(crate) struct Passwords {
    keeper: Arc<PasswordKeeper>,
    pool: WorkerPool,
}

impl Passwords {
    /// Starts the threads. Fails where the cost cannot be had, or the system gives no thread.
    pub(crate) fn start(key: &Secret, cost: Cost, threads: usize) -> anyhow::Result<Self> {
        Ok(Self { keeper: Arc::new(PasswordKeeper::new(key, cost)?), pool: WorkerPool::start("hashing", threads)? })
    }

    /// Hashes on the calling thread: for the start alone.
    pub(crate) fn keeper(&self) -> &PasswordKeeper {
        &self.keeper
    }

    pub(crate) async fn hash(
        &self,
        password: String,
        salt: [u8; 16],
        client: &Client,
    ) -> Result<PasswordHash, Failure> {
        let keeper = Arc::clone(&self.keeper);
        let hashed = self.pool.run(client.clone(), move || keeper.hash(&password, salt)).await;
        hashed.map_err(not_done)?.map_err(broken)
    }

    /// Whether `hash` is the hash of this password.
    pub(crate) async fn is_right(
        &self,
        password: String,
        hash: PasswordHash,
        client: &Client,
    ) -> Result<bool, Failure> {
        let keeper = Arc::clone(&self.keeper);
        let compared = self.pool.run(client.clone(), move || keeper.is_right(&password, &hash)).await;
        compared.map_err(not_done)?.map_err(broken)
    }

    /// Warns of passwords that were hashed under another secret: these users cannot log in.
    pub(crate) fn warn_of_other_keys(&self, tables: &Tables) {
        let others = tables.users.records().filter(|user| !self.keeper.owns(&user.password_hash)).count();
        if others > 0 {
            tracing::warn!(
                users = others,
                "passwords were hashed under another secret than the one given now: these users cannot log in"
            );
        }
    }
}

/// The user as it was when the password was checked: while that was going on, another may have taken the e-mail.
pub(crate) fn recheck_password<'a>(
    tables: &'a Tables,
    email: &str,
    checked: &PasswordHash,
) -> Result<&'a User, Failure> {
    let user = tables.users.record(email).ok_or(Failure::UserUnknown)?;
    if user.password_hash == *checked { Ok(user) } else { Err(Failure::PasswordWrong) }
}

fn not_done(error: NotDone) -> Failure {
    match error {
        NotDone::Abandoned => Failure::ClientGone,
        NotDone::Lost => broken(error),
    }
}

fn broken(error: impl std::error::Error) -> Failure {
    Failure::ServerBroken(error.to_string())
}
