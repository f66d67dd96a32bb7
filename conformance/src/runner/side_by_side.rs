//! Runs cases side by side: first those that do not move the clock, then those that share it. Judges nothing.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use crate::case::Case;
use crate::http::chain;
use crate::mutex::locked;
use crate::runner::event::Event;
use crate::runner::outcome::Verdict;
use crate::runner::run::Run;

type Numbered<'c> = (usize, &'c Case);

impl<'a> Run<'a> {
    /// Runs the cases that keep the clock. Once none of them waits for a thread, starts those that move it; the clock is held until the
    /// first have ended, but for demonstration cases. Returns the cases to run again alone: those that failed, or were late for an edge.
    ///
    /// Every sixth thread begins with demonstration cases, which make users one at a time: otherwise all threads would wait for them.
    pub(super) fn side_by_side(
        &self,
        keeping_clock: Vec<Numbered<'a>>,
        moving_clock: VecDeque<Numbered<'a>>,
    ) -> Vec<Numbered<'a>> {
        let control = self.session.control().filter(|_| self.plan.jobs > 1);
        let threads = self.plan.jobs.max(self.plan.jobs_max).clamp(1, keeping_clock.len().max(1));
        let (demo, mut others): (Vec<_>, Vec<_>) = keeping_clock.into_iter().partition(|(_, case)| case.is_demo());
        // A long case says that it needs the catalogue, and begins first.
        others.sort_by_key(|(_, case)| case.needs.is_empty());
        let others_left = AtomicUsize::new(others.len());
        let [demo, others] = [demo, others].map(|cases| Mutex::new(VecDeque::from(cases)));
        let all_take_demo = control.is_none() || moving_clock.is_empty();
        let throttle = &self.session.throttle;
        let (queue_end, queue_ended) = mpsc::channel();
        let run_queues = |thread: usize| {
            let is_first = thread.is_multiple_of(6);
            let queues = if is_first { [&demo, &others] } else { [&others, &demo] };
            let queues = &queues[..if is_first || all_take_demo { 2 } else { 1 }];
            while !self.is_over() {
                // The answers so far show how many cases may run at a time.
                if thread >= throttle.at_once() && queues.iter().any(|queue| !locked(queue).is_empty()) {
                    std::thread::sleep(Duration::from_millis(10));
                    continue;
                }
                let Some((index, case)) = queues.iter().find_map(|queue| locked(queue).pop_front()) else { break };
                self.judge_or_defer(index, case);
                if !case.is_demo() && others_left.fetch_sub(1, Ordering::Relaxed) == 1 {
                    control.inspect(|control| self.session.clock.hold(control, false));
                }
            }
            _ = queue_end.send(());
        };
        let Some(control) = control else {
            chain::on_threads(threads, run_queues);
            return self.sharing_clock(moving_clock);
        };
        self.session.clock.hold(control, others_left.load(Ordering::Relaxed) > 0);
        let second = Mutex::new((queue_ended, moving_clock));
        let again_alone = chain::on_threads(2, |nth| {
            if nth == 0 {
                chain::on_threads(threads, run_queues);
                self.session.clock.hold(control, false);
                return Vec::new();
            }
            let (queue_ended, moving_clock) = &mut *locked(&second);
            _ = queue_ended.recv();
            self.sharing_clock(std::mem::take(moving_clock))
        });
        again_alone.into_iter().flatten().collect()
    }

    /// Runs the cases that move the clock and share it. Returns the cases to run again alone, as above.
    pub(super) fn sharing_clock<'c>(&self, cases: VecDeque<Numbered<'c>>) -> Vec<Numbered<'c>> {
        const MEMBERS_MAX: usize = 128;
        let Some(control) = self.session.control().filter(|_| self.plan.jobs > 1 && cases.len() > 1) else {
            return cases.into();
        };
        let members = cases.len().min(MEMBERS_MAX);
        let (queue, again_alone) = (Mutex::new(cases), Mutex::new(Vec::new()));
        let next = || locked(&queue).pop_front();
        self.session.clock.share(control, members, self.session.throttle.at_once(), || {
            while !self.is_over()
                && let Some((index, case)) = next()
            {
                let (outcome, is_blurred) = match self.skipped(case) {
                    Some(skipped) => (skipped, false),
                    None => {
                        self.listener.hear(&Event::CaseStarted { id: &case.id() });
                        self.attempt(case)
                    }
                };
                if is_blurred || !(outcome.verdict.holds() || outcome.verdict == Verdict::Skipped) {
                    locked(&again_alone).push((index, case));
                } else {
                    self.end(index, outcome);
                }
            }
        });
        again_alone.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
