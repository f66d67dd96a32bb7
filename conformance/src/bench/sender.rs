//! Sends a load at a steady rate or as fast as possible, and measures the answers.
//!
//! Each thread has its share of the connections and of the requests, and at most one request under way on each
//! connection. It waits for all connections at once. Requests take turns among the free ones; a request that is due while none is
//! free waits, and its latency counts from the moment it was due. Knows no mix by name.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{io, thread};

use mio::{Events, Poll, Token};

use crate::bench::alarm::Alarm;
use crate::bench::connection::{Connection, place};
use crate::bench::measured::Measured;
use crate::bench::mix::Prepared;
use crate::bench::plan::{LoadRate, Plan};
use crate::clock;

/// How long after the end the last requests of a steady rate may still be sent.
const GRACE: Duration = Duration::from_millis(50);
/// How long a failed connection rests before the next try.
const RETRY: Duration = Duration::from_millis(20);
/// How often a thread looks for requests that take too long.
const WAIT_MAX: Duration = Duration::from_millis(50);
const EVENTS_AT_ONCE: usize = 256;
/// How often a thread without a rate polls for answers before it sleeps: some fifty microseconds.
const LOOKS_BEFORE_SLEEP: usize = 64;
const ALARM: Token = Token(usize::MAX);

struct Run<'a> {
    prepared: &'a Prepared,
    places: Vec<SocketAddr>,
    threads: usize,
    timeout: Duration,
    rate: LoadRate,
    started: Instant,
    lasting: Duration,
    until: Duration,
    count: u64,
    stop: &'a AtomicBool,
}

struct Sender<'a> {
    run: &'a Run<'a>,
    poll: Poll,
    alarm: Alarm,
    slots: Vec<Slot>,
    /// Slots without a request, the longest free first.
    free: VecDeque<usize>,
    /// Slots that failed, and the end of their rest.
    resting: VecDeque<(Duration, usize)>,
    under_way: usize,
    /// The number of its next request: each of n threads sends every n-th.
    next: u64,
    looked_for_late: Duration,
    measured: Measured,
}

/// Sends what was prepared for `lasting`, or until there are no more requests, or until it shall stop.
pub(super) fn send(
    prepared: &Prepared,
    plan: &Plan,
    rate: LoadRate,
    lasting: Duration,
    stop: &AtomicBool,
) -> io::Result<Measured> {
    let places = prepared.authorities().map(place).collect::<io::Result<_>>()?;
    let grace = if rate == LoadRate::AS_FAST_AS_POSSIBLE { Duration::ZERO } else { GRACE };
    let count = prepared.count().unwrap_or(u64::MAX).min(rate.count(lasting));
    let (until, threads, timeout) = (lasting.saturating_add(grace), plan.threads(), plan.timeout());
    let run =
        &Run { prepared, places, threads, timeout, rate, started: clock::stopwatch(), lasting, until, count, stop };
    let connections = usize::from(plan.connections);
    let own = |thread: usize| thread * connections / threads..(thread + 1) * connections / threads;
    let mut measured = Measured::new(lasting)?;
    thread::scope(|scope| {
        let start = |thread| scope.spawn(move || Sender::new(run, thread, own(thread))?.send());
        let started: Vec<_> = (0..threads).map(start).collect();
        started.into_iter().try_for_each(|thread| {
            measured.add(thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread broke")))?)
        })
    })?;
    measured.lasted = run.started.elapsed();
    Ok(measured)
}

struct Slot {
    number: usize,
    connection: Option<Connection>,
    request: String,
    under_way: Option<UnderWay>,
}

#[derive(Clone, Copy)]
struct UnderWay {
    due: Duration,
    sent: Duration,
}

impl<'a> Sender<'a> {
    fn new(run: &'a Run<'a>, thread: usize, connections: Range<usize>) -> io::Result<Self> {
        let poll = Poll::new()?;
        let alarm = Alarm::new(poll.registry(), ALARM)?;
        let slot = |number| Slot { number, connection: None, request: String::new(), under_way: None };
        let slots: Vec<_> = connections.map(slot).collect();
        let (free, resting, measured) = ((0..slots.len()).collect(), VecDeque::new(), Measured::new(run.lasting)?);
        let (next, looked_for_late) = (thread as u64, Duration::ZERO);
        Ok(Self { run, poll, alarm, slots, free, resting, under_way: 0, next, looked_for_late, measured })
    }

    /// Sends its requests until the time is over or none is left, and waits for the last answers.
    fn send(mut self) -> io::Result<Measured> {
        let mut events = Events::with_capacity(EVENTS_AT_ONCE);
        loop {
            let now = self.run.started.elapsed();
            self.end_rests(now);
            self.give_up_late(now);
            self.send_due(now);
            if self.under_way == 0 && self.next_due(now).is_none() {
                break;
            }
            self.wait(&mut events)?;
            for event in events.iter().filter(|event| event.token() != ALARM) {
                self.advance(event.token().0, event.is_read_closed());
            }
        }
        if !self.run.stop.load(Ordering::Relaxed) {
            self.count_unsent();
        }
        Ok(self.measured)
    }

    /// When its next request is due; `None` if the time is over, none is left, or it shall stop.
    fn next_due(&self, now: Duration) -> Option<Duration> {
        let is_over = self.next >= self.run.count || now >= self.run.until || self.run.stop.load(Ordering::Relaxed);
        (!is_over).then(|| self.run.rate.due(self.next).unwrap_or(now))
    }

    fn send_due(&mut self, now: Duration) {
        while let Some(due) = self.next_due(now).filter(|due| *due <= now)
            && let Some(index) = self.free.pop_front()
        {
            let slot = &mut self.slots[index];
            self.run.prepared.write(self.next, slot.number, &mut slot.request);
            self.next += self.run.threads as u64;
            slot.under_way = Some(UnderWay { due, sent: now });
            self.under_way += 1;
            let places = &self.run.places;
            let connection = match slot.connection.take() {
                Some(connection) => Ok(connection),
                None => Connection::open(places[slot.number % places.len()], self.poll.registry(), Token(index)),
            };
            match connection.and_then(|connection| slot.connection.insert(connection).send(slot.request.as_bytes())) {
                Ok(()) => {}
                Err(error) => self.fail(index, error.to_string()),
            }
        }
    }

    fn wait(&mut self, events: &mut Events) -> io::Result<()> {
        let now = self.run.started.elapsed();
        if self.run.rate != LoadRate::AS_FAST_AS_POSSIBLE || !self.looks(events)? {
            self.sleep(events, now)?;
        }
        self.measured.waited += self.run.started.elapsed().saturating_sub(now);
        Ok(())
    }

    /// Polls a while; whether an event came. Waking a sleeping thread would cost the implementation time.
    fn looks(&mut self, events: &mut Events) -> io::Result<bool> {
        for _ in 0..LOOKS_BEFORE_SLEEP {
            self.poll_within(events, Duration::ZERO)?;
            if !events.is_empty() {
                return Ok(true);
            }
            thread::yield_now();
        }
        Ok(false)
    }

    fn sleep(&mut self, events: &mut Events, now: Duration) -> io::Result<()> {
        let rest = self.resting.front().map_or(WAIT_MAX, |(until, _)| until.saturating_sub(now));
        let mut within = WAIT_MAX.min(rest);
        if !self.free.is_empty()
            && let Some(due) = self.next_due(now)
        {
            within = within.min(self.alarm.set(due.saturating_sub(now))?);
        }
        self.poll_within(events, within)
    }

    fn poll_within(&mut self, events: &mut Events, within: Duration) -> io::Result<()> {
        match self.poll.poll(events, Some(within)) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => Err(error),
            _ => Ok(()),
        }
    }

    fn advance(&mut self, index: usize, is_closed: bool) {
        let slot = &mut self.slots[index];
        let Some(connection) = &mut slot.connection else { return };
        if slot.under_way.is_none() {
            if is_closed {
                slot.connection = None;
            }
            return;
        }
        let prepared = self.run.prepared;
        match connection.advance(slot.request.as_bytes(), is_closed, prepared.wants_bodies()) {
            Ok(None) => {}
            Ok(Some(answer)) => {
                let seen = prepared.look_at(&answer);
                if !answer.may_stay {
                    slot.connection = None;
                }
                let now = self.run.started.elapsed();
                self.end(index, now, seen);
                self.send_due(now);
            }
            Err(error) => self.fail(index, error.to_string()),
        }
    }

    fn fail(&mut self, index: usize, why: String) {
        self.slots[index].connection = None;
        self.end(index, self.run.started.elapsed(), Err(why));
    }

    /// Counts a request that ended; if its connection broke, the slot rests first.
    fn end(&mut self, index: usize, now: Duration, seen: Result<Option<u64>, String>) {
        let slot = &mut self.slots[index];
        let Some(UnderWay { due, .. }) = slot.under_way.take() else { return };
        self.under_way -= 1;
        if seen.is_err() && slot.connection.is_none() {
            self.resting.push_back((now + RETRY, index));
        } else {
            self.free.push_back(index);
        }
        self.measured.take(now, now.saturating_sub(due), seen);
    }

    fn end_rests(&mut self, now: Duration) {
        while let Some((_, index)) = self.resting.pop_front_if(|(until, _)| *until <= now) {
            self.free.push_back(index);
        }
    }

    fn give_up_late(&mut self, now: Duration) {
        if now < self.looked_for_late + WAIT_MAX {
            return;
        }
        self.looked_for_late = now;
        for index in 0..self.slots.len() {
            let sent = self.slots[index].under_way.map_or(now, |under_way| under_way.sent);
            if now.saturating_sub(sent) > self.run.timeout {
                self.fail(index, "no answer in time".to_owned());
            }
        }
    }

    /// Counts requests that were due and never sent, each with the time it had waited when the run ended.
    fn count_unsent(&mut self) {
        let now = self.run.started.elapsed();
        while self.next < self.run.count
            && let Some(due) = self.run.rate.due(self.next)
        {
            self.measured.take_unsent(now, now.saturating_sub(due));
            self.next += self.run.threads as u64;
        }
    }
}
