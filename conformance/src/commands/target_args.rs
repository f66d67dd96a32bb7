//! The options that name the implementation: starts it if need be, and waits until it is ready. Judges nothing.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::clock;
use crate::commands::{CommandError, read_text};
use crate::context::restart::Restarter;
use crate::http::connection::Connection;
use crate::http::control::Control;
use crate::http::exchange::Sent;
use crate::implementation::listening::Listening;
use crate::implementation::process::Launched;
use crate::implementation::profile::{Address, Interface, Target};
use crate::implementation::reference::{self, REFERENCE_PROFILE};
use crate::mutex::locked;
use crate::printable::Printable;
use crate::report::destination::note_use;

/// The options that name the implementation.
#[derive(Debug, Clone, clap::Args)]
#[group(multiple = true)]
pub struct TargetArgs {
    /// Start the reference on free ports, judge it, stop it
    #[arg(long, conflicts_with_all = ["url", "profile", "spawn"])]
    reference: bool,
    /// URL of a catalogue with the reference's credentials; other interfaces and the control listener need a profile
    #[arg(long, conflicts_with_all = ["profile", "spawn"])]
    url: Option<String>,
    /// Profile of the target (`init` writes one)
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Start this command line, judge it, stop it with all it started. The URLs come from the profile or, if that names no
    /// catalogue, from a line `ready <name>=<url> ...` that the command prints
    #[arg(long, value_name = "COMMAND")]
    pub(super) spawn: Option<String>,
    /// Keep the output of the started command in this file [default: its last lines are shown when something went wrong]
    #[arg(long, value_name = "FILE")]
    spawn_log: Option<PathBuf>,
    /// How long to wait for the target to be ready
    #[arg(long, value_name = "SECONDS", default_value_t = WAIT_DEFAULT)]
    wait: u64,
}

const WAIT_DEFAULT: u64 = 20;

/// The process of a target that the suite started; `None` once it is stopped.
pub type Running = Arc<Mutex<Option<Launched>>>;

impl TargetArgs {
    /// Starts the target of these options, or finds the one that runs. Waits until it is up.
    pub fn start_or_find(&self) -> Result<(Target, Option<Launched>), CommandError> {
        let wait = Duration::from_secs(self.wait);
        let mut target = self.profile()?;
        let mut launched = if let Some(line) = &self.spawn {
            Some(self.spawned(line, &mut target, wait)?)
        } else if self.profile.is_none() && self.url.is_none() {
            Some(reference::start(wait).map_err(CommandError::target)?)
        } else {
            None
        };
        if let Some(url) = &self.url {
            target = reference::catalogue_at(url).map_err(CommandError::usage)?;
            target.name.clone_from(url);
        }
        if let Some(printed) = launched.as_ref().map(|launched| &launched.urls).filter(|urls| !urls.is_empty()) {
            // Without a profile the addresses are those of the reference, which is not running.
            let placed =
                if self.profile.is_some() { target.place_missing(printed) } else { target.place_only(printed) };
            placed.map_err(|why| {
                CommandError::target(format!(
                    "{why}: let the line `ready ...` name it as `catalogue=http://...`, or the profile under [urls]"
                ))
            })?;
        }
        wait_for(&target, launched.as_mut(), wait)?;
        Ok((target, launched))
    }

    /// Starts the command of `--spawn`. Its addresses must be free, or the server that listens there would be judged in its place.
    fn spawned(&self, line: &str, target: &mut Target, wait: Duration) -> Result<Launched, CommandError> {
        let started = || Launched::command_line(line, self.log()?).map_err(CommandError::target);
        let taken = |what: &str, address: &Address| {
            CommandError::target(format!(
                "{what} at {} is taken: something listened there before --spawn started its command; stop that, or judge it \
                 by leaving --spawn out",
                address.url()
            ))
        };
        if self.profile.is_some() {
            if let Some((what, address)) = places(target).into_iter().find(|(_, address)| is_open(address)) {
                return Err(taken(what, &address));
            }
            // A target at known addresses need not print a `ready` line; it lacks the interfaces that its profile leaves out.
            if target.is_placed() {
                return Ok(started()?.at_known_urls());
            }
        } else {
            target.name = "spawned".into();
        }
        let before = Listening::now();
        let launched = started()?.ready(wait).map_err(CommandError::target)?;
        let printed = launched.urls.iter().filter_map(|(what, url)| Some((what, Address::parse(url).ok()?)));
        if let Some((what, address)) = printed.into_iter().find(|(_, address)| before.still_has(address)) {
            return Err(taken(what, &address));
        }
        Ok(launched)
    }

    pub fn typed(&self) -> Vec<String> {
        let path = |path: &PathBuf| path.display().to_string();
        let reference = self.is_reference().then(|| "--reference".to_owned());
        let options = [
            ("--url", self.url.clone()),
            ("--profile", self.profile.as_ref().map(path)),
            ("--spawn", self.spawn.clone()),
            ("--spawn-log", self.spawn_log.as_ref().map(path)),
            ("--wait", (self.wait != WAIT_DEFAULT).then(|| self.wait.to_string())),
        ];
        let given = options.into_iter().filter_map(|(option, value)| Some([option.to_owned(), value?]));
        reference.into_iter().chain(given.flatten()).collect()
    }

    pub fn is_reference(&self) -> bool {
        self.url.is_none() && self.profile.is_none() && self.spawn.is_none()
    }

    /// Whether both name the same target, however long each waits for it.
    pub fn is_same(&self, other: &Self) -> bool {
        (&self.url, &self.profile, &self.spawn) == (&other.url, &other.profile, &other.spawn)
    }

    pub fn is_given(&self) -> bool {
        self.reference || !self.is_reference()
    }

    /// Where the values of the target come from, for messages.
    pub fn named(&self) -> String {
        self.profile.as_ref().map_or_else(
            || "the reference's profile (--profile FILE names another; `init` writes one)".to_owned(),
            |path| path.display().to_string(),
        )
    }

    fn profile(&self) -> Result<Target, CommandError> {
        match &self.profile {
            Some(path) => {
                let text = read_text(path)?;
                let target =
                    if self.spawn.is_some() { Target::parse_without_urls(&text) } else { Target::parse(&text) };
                target.map_err(|why| CommandError::in_file(path, &why))
            }
            None => Target::parse(REFERENCE_PROFILE).map_err(CommandError::broken),
        }
    }

    fn log(&self) -> Result<Option<File>, CommandError> {
        let Some(path) = &self.spawn_log else { return Ok(None) };
        note_use(path).map_err(CommandError::usage)?;
        let file = File::options().create(true).append(true).open(path);
        file.map(Some).map_err(|error| CommandError::unwritable(path, &error))
    }

    /// Kills the launched process, makes sure that it is gone, and launches it again; returns the target, perhaps at other addresses.
    pub fn launch_again(&self, target: &Target, running: &Running) -> Result<Target, CommandError> {
        let mut running = locked(running);
        if let Some(launched) = running.take() {
            launched.kill();
        }
        wait_until_closed(target).map_err(CommandError::target)?;
        let (target, again) = self.start_or_find()?;
        *running = again;
        Ok(target)
    }

    pub fn restarter(&self, running: Running, timeout: Duration) -> Restarter {
        let args = self.clone();
        Restarter::new(move |target| {
            let again = || {
                let target = args.launch_again(target, &running)?;
                let control = control_of(&target, timeout)?;
                Ok((target, control))
            };
            again().map_err(|error: CommandError| error.why.to_string())
        })
    }
}

/// Every address of a target, that of its control listener included, with its key in the profile.
fn places(target: &Target) -> Vec<(&'static str, Address)> {
    let interfaces = target.urls.iter().map(|(interface, address)| (interface.key(), address.clone()));
    let control = target.control.as_deref().and_then(|url| Some(("control", Address::parse(url).ok()?)));
    interfaces.chain(control).collect()
}

fn is_open(address: &Address) -> bool {
    Connection::open(address, Duration::from_secs(1)).is_ok()
}

/// Waits until the target's addresses are closed: otherwise a restart would prove nothing.
fn wait_until_closed(target: &Target) -> Result<(), String> {
    const WITHIN: Duration = Duration::from_secs(5);
    const PAUSE: Duration = Duration::from_millis(20);
    let started = clock::stopwatch();
    for (_, address) in places(target) {
        while is_open(&address) {
            if started.elapsed() >= WITHIN {
                return Err(format!("something still answers at {} after the command was killed", address.url()));
            }
            std::thread::sleep(PAUSE);
        }
    }
    Ok(())
}

/// Waits until every interface accepts a connection; for a started target, until it answers and its control listener accepts too.
pub(super) fn wait_for(
    target: &Target,
    mut launched: Option<&mut Launched>,
    wait: Duration,
) -> Result<(), CommandError> {
    const PAUSE: Duration = Duration::from_millis(50);
    let (started, is_asked) = (clock::stopwatch(), launched.is_some());
    for (interface, address) in target.addresses() {
        let check = || if is_asked { check_answers(interface, address) } else { check_open(address).map(drop) };
        while let Err(error) = check() {
            if let Some(why) = launched.as_mut().and_then(|launched| launched.ended()) {
                return Err(CommandError::target(why));
            }
            if started.elapsed() >= wait {
                let said = launched.map_or_else(Printable::default, |launched| launched.last_lines());
                let why = format!("cannot reach {interface} at {}: {error}; is the target up?", address.url());
                return Err(CommandError::target(Printable::from(why).and(said)));
            }
            std::thread::sleep(PAUSE);
        }
    }
    // A control listener that does not answer fails later, when its clock is read.
    let hook = target.control.as_deref().and_then(|url| Address::parse(url).ok());
    if let (Some(hook), Some(launched)) = (hook, launched) {
        while !is_open(&hook) && started.elapsed() < wait && launched.ended().is_none() {
            std::thread::sleep(PAUSE);
        }
    }
    Ok(())
}

/// How long one try to reach the target may take.
const PATIENCE: Duration = Duration::from_secs(2);

fn check_open(address: &Address) -> Result<Connection, String> {
    Connection::open(address, PATIENCE).map_err(|error| error.to_string())
}

/// Fails if the address accepts no connection, and if a proxy answers because the server is not up yet.
fn check_answers(interface: Interface, address: &Address) -> Result<(), String> {
    let below = match interface {
        Interface::Catalogue => "/libros",
        Interface::Users => "/users",
        Interface::Graphql | Interface::GraphqlReduced => "",
        Interface::Registration => "/api/users/register",
        Interface::Blog => "/posts",
    };
    let sent = Sent::new("GET", address, below);
    // Other errors in its answers do not matter here.
    match check_open(address)?.exchange(&sent, PATIENCE) {
        Ok((received, _)) if matches!(received.status, 502..=504) => {
            Err(format!("GET {} answers {}", sent.path, received.status))
        }
        _ => Ok(()),
    }
}

/// The control listener that the profile names; reads its time once.
pub fn control_of(target: &Target, timeout: Duration) -> Result<Option<Control>, CommandError> {
    let Some(url) = &target.control else { return Ok(None) };
    let control = Control::new(url, timeout).map_err(CommandError::target)?;
    control
        .now()
        .map_err(|why| CommandError::target(format!("{why}; correct `control` under [hooks], or leave it out")))?;
    Ok(Some(control))
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_started_target_is_ready_once_its_backend_and_its_control_listener_are() {
        let front = TcpListener::bind("127.0.0.1:0").unwrap();
        // A free port, on which the control listener starts later.
        let hook = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let urls = [("catalogue", front.local_addr().unwrap()), ("control", hook)];
        let target =
            reference::target(&urls.map(|(what, at)| (what.to_owned(), format!("http://{at}"))).into()).unwrap();
        let service = std::thread::spawn(move || {
            for status in ["502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout", "401 Unauthorized"] {
                let (mut stream, _) = front.accept().unwrap();
                _ = stream.read(&mut [0; 4096]);
                write!(stream, "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").unwrap();
            }
            std::thread::sleep(Duration::from_millis(300));
            TcpListener::bind(hook).unwrap()
        });
        let mut launched = Launched::command_line("sleep 60", None).unwrap().at_known_urls();
        wait_for(&target, Some(&mut launched), Duration::from_secs(30)).unwrap();
        assert!(is_open(&Address::parse(&format!("http://{hook}")).unwrap()));
        drop(service.join().unwrap());
        // Both addresses are closed now.
        let why = wait_for(&target, Some(&mut launched), Duration::ZERO).unwrap_err().why.to_string();
        assert!(why.starts_with("cannot reach catalogue at http://"), "{why}");
    }
}
