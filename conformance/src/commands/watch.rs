//! `watch`: starts a server, judges it, and at each change of its files starts it again. What failed is played first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, MutexGuard};
use std::time::Instant;

use crate::case::Case;
use crate::commands::CommandError;
use crate::commands::conditions::PlayArgs;
use crate::commands::last_run::LastRun;
use crate::commands::reproduction::{self, Reference};
use crate::commands::run::{CaseArgs, interrupt};
use crate::commands::target_args::{Running, TargetArgs, control_of};
use crate::context::session::Session;
use crate::implementation::process::Launched;
use crate::mutex::locked;
use crate::printable::Printable;
use crate::runner::outcome::RunOutcome;
use crate::runner::run::{Plan, run_until};
use crate::runner::supervised::until;
use crate::runner::{principal_keys, traffic};
use crate::watch::board::Board;
use crate::watch::changes::Files;
use crate::watch::screen::Screen;
use crate::{clock, random};

const EXAMPLES: &str = "\
Examples:
  watch --profile my.toml --spawn 'npm start' --files src        all, at each change below src
  watch --profile my.toml --spawn 'node server.js' --next        the next rule to build
  watch paging 'list/*' --profile my.toml --spawn './server'     a chapter, rules of another

Ctrl-C ends it, and the server with it.";

/// Shown until the server answers.
const FIRST_OF_ALL: &str = "next: a server that listens at the profile's `catalogue`, answers, and goes on running";

#[derive(Debug, Clone, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten, next_help_heading = "Target")]
    target: TargetArgs,
    #[command(flatten, next_help_heading = "Watching")]
    watching: WatchingArgs,
}

#[derive(Debug, Clone, clap::Args)]
struct WatchingArgs {
    #[command(flatten)]
    cases: CaseArgs,
    #[command(flatten)]
    play: PlayArgs,
    /// Files, folders or patterns (`'src/**/*.js'`) whose changes start the server again
    #[arg(long, value_name = "PATH", num_args = 1.., default_value = ".")]
    files: Vec<String>,
    /// Show only the next rule to build, chapter by chapter in the order in which a server grows
    #[arg(long)]
    next: bool,
}

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    if args.target.spawn.is_none() {
        let why = "watch starts the server again at each change: say how with --spawn 'COMMAND'";
        return Err(CommandError::usage(why));
    }
    let cases = args.watching.cases.selected(false)?;
    let files = Files::named(&args.watching.files).map_err(CommandError::usage)?;
    let mut watch = Watch {
        args,
        seed: args.watching.play.seed.unwrap_or_else(random::seed),
        stop: interrupt()?,
        server: Arc::default(),
        screen: Screen::new(),
        board: Board::of(cases, args.watching.next),
    };
    let changes = watch.changes(files);
    let mut begun = clock::stopwatch();
    loop {
        if let Err(why) = watch.round(begun) {
            watch.screen.say(if args.watching.next { why.and_line(FIRST_OF_ALL) } else { why });
        }
        if !watch.server.is_outdated.load(Ordering::Relaxed) {
            watch.screen.note(&format!("waiting for a change of {}; Ctrl-C ends this", args.watching.files.join(", ")));
        }
        let Ok(changed) = changes.recv() else { break };
        // Holding the server keeps a change of files from stopping it.
        let _server = watch.server.held();
        begun = changes.try_iter().last().unwrap_or(changed);
        watch.server.is_outdated.store(false, Ordering::Relaxed);
    }
    watch.server.stop();
    Ok(130)
}

#[derive(Debug, Default)]
struct Server {
    running: Running,
    /// Set once its files changed, or the watch is interrupted: the round is over.
    is_outdated: AtomicBool,
}

impl Server {
    fn held(&self) -> MutexGuard<'_, Option<Launched>> {
        locked(&self.running)
    }

    fn stop(&self) {
        if let Some(mut launched) = self.held().take() {
            launched.shorten_patience();
        }
    }
}

struct Watch<'a> {
    args: &'a Args,
    seed: u64,
    stop: &'static AtomicBool,
    server: Arc<Server>,
    screen: Screen,
    board: Board,
}

impl Watch<'_> {
    /// Sends the moments when files changed. A change stops the server, so that running cases end at once; an interrupt closes the channel.
    fn changes(&self, mut files: Files) -> Receiver<Instant> {
        let (sender, changes) = mpsc::channel();
        let (server, stop) = (Arc::clone(&self.server), self.stop);
        std::thread::spawn(move || {
            while files.have_changed(|| stop.load(Ordering::Relaxed)) {
                let changed = clock::stopwatch();
                let mut running = server.held();
                server.is_outdated.store(true, Ordering::Relaxed);
                if let Some(mut launched) = running.take() {
                    launched.shorten_patience();
                }
                // The watch may be over by now.
                _ = sender.send(changed);
            }
            server.is_outdated.store(true, Ordering::Relaxed);
            server.stop();
        });
        changes
    }

    fn is_over(&self) -> bool {
        self.server.is_outdated.load(Ordering::Relaxed)
    }

    /// Starts the server and plays the cases until all are judged or a file changes.
    fn round(&mut self, begun: Instant) -> Result<(), Printable> {
        let first = self.board.begin();
        let Some(session) = self.started()? else { return Ok(()) };
        for cases in first {
            if !self.play(&session, &cases)? {
                return Ok(());
            }
            self.draw(&session, &cases, begun);
        }
        let mut played = self.board.cases.clone();
        if self.args.watching.next {
            for chapter in self.board.chapters() {
                played = self.board.within(Some(chapter));
                if !self.play(&session, &played)? || self.board.has_next() {
                    break;
                }
            }
        } else {
            self.play(&session, &played)?;
        }
        self.draw(&session, &played, begun);
        Ok(())
    }

    /// Starts the server; `None` if the watch was interrupted meanwhile.
    fn started(&mut self) -> Result<Option<Session>, Printable> {
        // A server started while its files changed may still hold its addresses.
        self.server.stop();
        let target = self.args.target.clone();
        let Some(found) = until(self.stop, None, move || target.start_or_find()) else { return Ok(None) };
        let (mut target, launched) = found.map_err(|error| error.why)?;
        *self.server.held() = launched;
        let timeout = self.args.watching.play.timeout();
        let control = control_of(&target, timeout).map_err(|error| error.why)?;
        principal_keys::find(&mut target, timeout);
        Ok(Some(self.args.watching.play.session(target, control, self.seed)))
    }

    /// Plays cases; `false` if the round is over.
    fn play(&mut self, session: &Session, cases: &[&'static Case]) -> Result<bool, Printable> {
        if self.is_over() {
            return Ok(false);
        }
        let plan = Plan { jobs: 8, ..Plan::exclusive() };
        let mut outcome =
            run_until(session, cases, &plan, &self.screen.counting(cases.len()), &self.server.is_outdated);
        if self.is_over() {
            return Ok(false);
        }
        if let Some(why) = outcome.stop_reason.take() {
            let said = self.server.held().as_mut().map(|launched| launched.end_or_last_lines());
            return Err(why.and("; ").and(said.unwrap_or_default()));
        }
        self.remember(session, &mut outcome);
        self.board.take(outcome.cases);
        Ok(!self.is_over())
    }

    /// Draws the outcome of these cases, and draws again once the shown failure was played on the reference.
    fn draw(&mut self, session: &Session, cases: &[&Case], begun: Instant) {
        if self.is_over() {
            return;
        }
        let chapter = cases.first().map(|case| case.chapter).filter(|_| self.args.watching.next);
        self.screen.draw(&mut self.board, chapter, begun.elapsed());
        if self.compare_shown(session) {
            self.screen.draw(&mut self.board, chapter, begun.elapsed());
        }
    }

    /// Gives each failure the command that plays it again, and writes the state that the command reads.
    fn remember(&self, session: &Session, outcome: &mut RunOutcome) {
        let typed = |seed| self.args.watching.play.typed(&self.args.target, seed);
        let (plain, drawn) = (typed(None), typed(Some(self.seed)));
        traffic::redact(session, &mut outcome.cases);
        reproduction::add_commands(outcome, [&plain, &drawn], &[]);
        LastRun::remember(drawn, outcome);
    }

    /// Plays the shown failure on the reference, once; `true` if that changed what is shown.
    fn compare_shown(&mut self, session: &Session) -> bool {
        let shown = self.board.shown();
        let Some(case) = shown.filter(|case| case.verdict.is_red() && case.on_reference.is_none()) else {
            return false;
        };
        let Ok(reference) = Reference::like(session) else { return false };
        case.on_reference = reference.compare(case, &session.nonce, &self.server.is_outdated);
        case.on_reference.is_some()
    }
}
