//! Hashes and compares passwords on separate threads, so that no other request waits for one. Knows no route.

use std::sync::Arc;

use crate::accounts::{tables::Tables, user::User};
use crate::crypto::password::{Cost, HashingFailed, PasswordHash, PasswordKeeper};
use crate::crypto::secret::Secret;
use crate::message::Client;
use crate::response::failure::Failure;
use crate::worker_pool::{NotDone, WorkerPool};

#[derive(Debug)]
pub(crate) struct Passwords {
    /// Hashes on the calling thread: only for the initial accounts, at the start or the first reset.
    pub(crate) keeper: Arc<PasswordKeeper>,
    pool: WorkerPool,
}

impl Passwords {
    /// Starts the threads. Fails where the cost cannot be had, or the system gives no thread.
    pub(crate) fn start(key: &Secret, cost: Cost, threads: usize) -> anyhow::Result<Self> {
        Ok(Self { keeper: Arc::new(PasswordKeeper::new(key, cost)?), pool: WorkerPool::start("hashing", threads)? })
    }

    /// Hashes or compares for a client, on one of the threads.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: &Client,
        work: impl FnOnce(&PasswordKeeper) -> Result<T, HashingFailed> + Send + 'static,
    ) -> Result<T, Failure> {
        let keeper = Arc::clone(&self.keeper);
        match self.pool.run(client.clone(), move || work(&keeper)).await {
            Ok(Ok(outcome)) => Ok(outcome),
            Ok(Err(error)) => Err(Failure::ServerBroken(error.to_string())),
            Err(NotDone::Abandoned) => Err(Failure::ClientGone),
            Err(error @ NotDone::Lost) => Err(Failure::ServerBroken(error.to_string())),
        }
    }
}

/// The user of the e-mail; fails if another user took it after the password was `checked`, or the password changed.
pub(crate) fn recheck_password(tables: &Tables, email: &str, checked: &PasswordHash) -> Result<Arc<User>, Failure> {
    let user = tables.users.record(email).cloned().ok_or(Failure::UserUnknown)?;
    if user.password_hash == *checked { Ok(user) } else { Err(Failure::PasswordWrong) }
}
