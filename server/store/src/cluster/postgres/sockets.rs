//! Connects a session to its database, over sockets of the system or of a simulation. Knows no statement.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, Config, Error};
use tokio_postgres_rustls::MakeRustlsConnect;

#[cfg(test)]
use crate::cluster::simulated::{Network, current};
use crate::cluster::threads;

/// The connection of a session. It moves bytes only while a question is asked, and ends with the session.
pub(super) struct Wire {
    /// None once it has ended.
    connection: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    /// How often it was polled: at each question, when bytes came, and when more could be sent.
    pub(super) moves: u64,
}

impl Wire {
    fn over<E>(connection: impl Future<Output = Result<(), E>> + Send + 'static) -> Self {
        Self { connection: Some(Box::pin(async { _ = connection.await })), moves: 0 }
    }

    /// The answer to a question.
    pub(super) async fn carry<T>(&mut self, question: impl Future<Output = T>) -> T {
        let mut question = pin!(question);
        poll_fn(|cx| {
            self.moves += 1;
            if let Poll::Ready(answer) = question.as_mut().poll(cx) {
                return Poll::Ready(answer);
            }
            if self.connection.as_mut().is_some_and(|connection| connection.as_mut().poll(cx).is_ready()) {
                self.connection = None;
                return question.as_mut().poll(cx);
            }
            Poll::Pending
        })
        .await
    }
}

#[derive(Clone)]
pub(super) enum Sockets {
    System,
    #[cfg(test)]
    Simulated(std::sync::Arc<dyn Network>),
}

impl Sockets {
    /// Sockets, except on the threads of a simulation.
    pub(super) fn of_this_thread() -> Self {
        #[cfg(test)]
        if let Some(thread) = current() {
            return Self::Simulated(thread.network());
        }
        Self::System
    }

    /// A session at the one host that `config` names.
    pub(super) async fn connect(self, config: &Config, tls: MakeRustlsConnect) -> Result<(Client, Wire), Error> {
        match self {
            Self::System => {
                let (client, connection) = config.connect(tls).await?;
                Ok((client, Wire::over(connection)))
            }
            #[cfg(test)]
            Self::Simulated(network) => {
                let [tokio_postgres::config::Host::Tcp(host)] = config.get_hosts() else { panic!("{config:?}") };
                let stream = network.connect(host).await;
                let (client, connection) = config.connect_raw(stream, tokio_postgres::NoTls).await?;
                Ok((client, Wire::over(connection)))
            }
        }
    }
}

/// Waits for the answers of one session. Dropping it waits for nothing, even if the system still resolves the name of a host.
pub(super) struct Driver(Option<Runtime>);

impl Driver {
    pub(super) fn new() -> anyhow::Result<Self> {
        #[cfg(test)]
        if current().is_some() {
            return Ok(Self(None));
        }
        Ok(Self(Some(Builder::new_current_thread().enable_all().build()?)))
    }

    pub(super) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        threads::wait_with(future, |future| self.0.as_ref().expect("open until it is dropped").block_on(future))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
