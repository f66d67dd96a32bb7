//! The log in memory, for tests: it is cut, fails commits before and after they count, lets some count only later, and takes turns
//! away, as a seed says.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::encoding::decoded;
use super::log::{AppendError, Appended, Entry, Log, Position, Tail, Turns};
use crate::interface::Bell;
use crate::rows::Rows;
use libros_server_system::entropy::Entropy;

/// Entries returned at a time.
const RETURNED: usize = 3;

/// How often of a thousand times something goes wrong.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weather {
    pub(super) refused: usize,
    pub(super) lost_before: usize,
    pub(super) lost_after: usize,
    pub(super) late: usize,
    pub(super) unread: usize,
    /// A turn that no replica has, or that has ended unnoticed.
    pub(super) turnless: usize,
}

impl Weather {
    pub(super) const FAIR: Self = Self { refused: 0, lost_before: 0, lost_after: 0, late: 0, unread: 0, turnless: 0 };
    pub(super) const FOUL: Self =
        Self { refused: 60, lost_before: 60, lost_after: 60, late: 60, unread: 80, turnless: 60 };
}

/// Numbers that repeat themselves from the same seed.
#[derive(Debug)]
pub(super) struct Dice(Entropy);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(Entropy::seeded(seed))
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        u32::from_le_bytes(self.0.bytes()) as usize % end
    }
}

#[derive(Debug)]
struct Truth {
    entries: Vec<Entry>,
    /// Entries up to here are no longer returned.
    folded: u64,
    /// Appended over a connection that was lost, and not yet carried out.
    late: Vec<(u64, String, String)>,
    /// Connections that asked for a turn; the first one has it.
    turns: VecDeque<usize>,
    turns_taken: usize,
    connections: usize,
    dice: Dice,
    weather: Weather,
}

/// A connection to it; each may be cut on its own.
#[derive(Debug, Clone)]
pub(super) struct MemoryLog {
    connection: usize,
    truth: Arc<Mutex<Truth>>,
    is_cut: Arc<Mutex<bool>>,
}

impl MemoryLog {
    pub(super) fn new(seed: u64, weather: Weather) -> Self {
        let truth = Truth {
            entries: Vec::new(),
            folded: 0,
            late: Vec::new(),
            turns: VecDeque::new(),
            turns_taken: 0,
            connections: 1,
            dice: Dice::new(seed),
            weather,
        };
        Self { connection: 0, truth: Arc::new(Mutex::new(truth)), is_cut: Arc::default() }
    }

    /// Another connection to the same log.
    pub(super) fn connect(&self) -> Self {
        let mut truth = self.truth();
        truth.connections += 1;
        Self { connection: truth.connections, truth: Arc::clone(&self.truth), is_cut: Arc::default() }
    }

    pub(super) fn cut(&self, is_cut: bool) {
        *self.is_cut.lock().unwrap_or_else(PoisonError::into_inner) = is_cut;
    }

    /// Ends all faults, and carries out the delayed requests.
    pub(super) fn clear_up(&self) {
        let mut truth = self.truth();
        truth.weather = Weather::FAIR;
        truth.carry_out(1000);
        truth.turns.clear();
    }

    pub(super) fn entries(&self) -> Vec<Entry> {
        self.truth().entries.clone()
    }

    pub(super) fn turns_taken(&self) -> usize {
        self.truth().turns_taken
    }

    fn truth(&self) -> MutexGuard<'_, Truth> {
        self.truth.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The log, unless the connection is cut. Some delayed requests are carried out first.
    fn reached(&self) -> anyhow::Result<MutexGuard<'_, Truth>> {
        let is_cut = *self.is_cut.lock().unwrap_or_else(PoisonError::into_inner);
        anyhow::ensure!(!is_cut, "the connection is cut");
        let mut truth = self.truth();
        truth.carry_out(300);
        let turnless = truth.weather.turnless;
        if truth.happens(turnless) {
            // Its owner is gone, or the database thinks so.
            truth.turns.pop_front();
        }
        Ok(truth)
    }
}

impl Truth {
    fn happens(&mut self, of_a_thousand: usize) -> bool {
        self.dice.below(1000) < of_a_thousand
    }

    fn carry_out(&mut self, of_a_thousand: usize) {
        for (after, token, changes) in std::mem::take(&mut self.late) {
            if self.happens(of_a_thousand) {
                self.append(after, &token, &changes);
            } else {
                self.late.push((after, token, changes));
            }
        }
    }

    fn append(&mut self, after: u64, token: &str, changes: &str) -> Appended {
        if self.entries.len() as u64 != after {
            return Appended::NotLast;
        }
        self.entries.push(Entry { number: after + 1, token: token.to_owned(), changes: changes.to_owned() });
        Appended::Added
    }
}

impl Log for MemoryLog {
    fn append(&mut self, after: u64, token: &str, changes: &str) -> Result<Appended, AppendError> {
        let in_doubt = || AppendError::InDoubt(anyhow::anyhow!("the connection was lost"));
        let mut truth = self.reached().map_err(AppendError::Refused)?;
        let weather = truth.weather;
        if truth.happens(weather.refused) {
            return Err(AppendError::Refused(anyhow::anyhow!("the database refused")));
        }
        if truth.happens(weather.lost_before) {
            return Err(in_doubt());
        }
        if truth.happens(weather.late) {
            truth.late.push((after, token.to_owned(), changes.to_owned()));
            return Err(in_doubt());
        }
        if truth.turns.front() == Some(&self.connection) {
            truth.turns.pop_front();
        } else if truth.happens(weather.refused) && !truth.turns.is_empty() {
            return Err(AppendError::Refused(anyhow::anyhow!("it waited for another's turn for too long")));
        }
        let appended = truth.append(after, token, changes);
        if truth.happens(weather.lost_after) { Err(in_doubt()) } else { Ok(appended) }
    }

    fn read(&mut self, position: &Position) -> anyhow::Result<Tail> {
        let mut truth = self.reached()?;
        let unread = truth.weather.unread;
        anyhow::ensure!(!truth.happens(unread), "the connection was lost");
        if position.number < truth.folded {
            return Ok(Tail::Folded);
        }
        let behind = truth.entries.iter().skip(usize::try_from(position.number)?);
        let entries: Vec<Entry> = behind.take(RETURNED).cloned().collect();
        let is_whole = position.number + entries.len() as u64 == truth.entries.len() as u64;
        Ok(Tail::Entries { entries, is_whole })
    }

    fn load(&mut self) -> anyhow::Result<(Position, Rows)> {
        let truth = self.reached()?;
        let mut rows = Rows::default();
        for entry in &truth.entries {
            decoded(&entry.changes)?.into_iter().for_each(|change| rows.apply(change));
        }
        let token = truth.entries.last().map(|last| last.token.clone());
        Ok((Position { number: truth.entries.len() as u64, token }, rows))
    }

    fn fold(&mut self, up_to: u64) -> anyhow::Result<()> {
        let mut truth = self.reached()?;
        truth.folded = truth.folded.max(up_to);
        Ok(())
    }

    fn pause(&mut self) {}
}

impl Turns for MemoryLog {
    /// Rings no bell: the schedule comes by.
    fn ask_turn(&mut self, _: &Bell) {
        let connection = self.connection;
        if let Ok(mut truth) = self.reached() {
            truth.turns.push_back(connection);
        }
    }

    fn turn(&mut self) -> Option<anyhow::Result<()>> {
        let connection = self.connection;
        match self.reached() {
            Ok(mut truth) if truth.turns.front() == Some(&connection) => {
                truth.turns_taken += 1;
                Some(Ok(()))
            }
            Ok(truth) if truth.turns.contains(&connection) => None,
            Ok(_) => Some(Err(anyhow::anyhow!("the place in the queue was lost"))),
            Err(cut) => Some(Err(cut)),
        }
    }

    fn pass(&mut self) {
        let connection = self.connection;
        self.truth().turns.retain(|other| *other != connection);
    }
}
