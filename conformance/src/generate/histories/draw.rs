//! Draws the histories that cases play: nothing in their steps is open except the readings that the model follows. Sends nothing.

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy};
use proptest::prop_oneof;
use proptest::sample::select;
use proptest::strategy::Union;

use super::step::{End, History, Step, StepRequest, Wait};

const ROLES: [&str; 4] = ["user", "moderator", "admin", "bibliotecaria"];

const BOOK: &str = r#"{"titulo":"Rayuela","autor":"Julio Cortázar"}"#;

/// Requests that change nothing but the session used.
const USES: [(&str, &str, Option<&str>); 7] = [
    ("GET", "/libros?limit=1", None),
    ("GET", "‹unknown-book›", None),
    ("PUT", "‹unknown-book›", Some(BOOK)),
    ("DELETE", "‹unknown-book›", None),
    ("GET", "/auth/api-keys", None),
    ("GET", "/2fa/status", None),
    ("PATCH", "/libros", None),
];

fn register(user: usize, role: &str, password: usize) -> Step {
    let body =
        format!(r#"{{"email":"‹email {user}›","password":"‹password {password}›","nombre":"Prueba","role":"{role}"}}"#);
    Step::Send(StepRequest::new("POST", "/auth/registro").json(body))
}

fn log_in(user: usize, password: usize) -> StepRequest {
    let body = format!(r#"{{"email":"‹email {user}›","password":"‹password {password}›"}}"#);
    StepRequest::new("POST", "/auth/login").json(body)
}

fn until(ends: &'static [End], back: usize) -> impl Strategy<Value = Step> {
    (select(ends), 0..back, proptest::bool::ANY)
        .prop_map(|(end, back, is_over)| Step::Wait(Wait::Until { end, back, is_over }))
}

/// Registrations, logins and uses of tokens by two users, the first of whom begins logged in; `waits` moves the clock too.
pub fn sessions(waits: bool) -> impl Strategy<Value = History> {
    const STEPS_MAX: usize = 16;
    const BACK: usize = 3;
    let request = |(method, path, body): (&'static str, &str, Option<&str>)| match body {
        Some(body) => StepRequest::new(method, path).json(body),
        None => StepRequest::new(method, path),
    };
    let with = move |scheme: &'static str, kind: &'static str| {
        (0..BACK, select(&USES[..])).prop_map(move |(back, usage)| {
            Step::Send(request(usage).header("Authorization", format!("{scheme} ‹{kind} {back}›")))
        })
    };
    let registration =
        (0..2_usize, select(&ROLES[..]), 0..2_usize).prop_map(|(user, role, password)| register(user, role, password));
    let login = (0..2_usize, 0..2_usize).prop_map(|(user, password)| Step::Send(log_in(user, password)));
    let (session, jwt) = (with("Bearer", "session"), with("JWT", "jwt"));
    let mut steps = vec![(2, registration.boxed()), (3, login.boxed()), (9, session.boxed()), (2, jwt.boxed())];
    if waits {
        // In tens of minutes: histories that run side by side then wait for the same moments more often.
        let minutes = (1_i64..=7).prop_map(|tens| Step::Wait(Wait::Seconds(tens * 600)));
        let (session, jwt) = (until(&[End::Session], 2), until(&[End::Jwt], 2));
        steps.extend([(2, minutes.boxed()), (4, session.boxed()), (1, jwt.boxed())]);
    }
    let start = select(&ROLES[..]).prop_map(|role| [register(0, role, 0), Step::Send(log_in(0, 0))]);
    (start, vec(Union::new_weighted(steps), 1..=STEPS_MAX))
        .prop_map(|(start, rest)| History(start.into_iter().chain(rest).collect()))
}

/// The second factor of one user with two devices: most histories begin by enabling it, and most steps check codes.
pub fn two_factor() -> impl Strategy<Value = History> {
    let start = [register(0, "user", 0), Step::Send(log_in(0, 0))];
    let device = || 0..2_usize;
    let parts = prop_oneof![
        14 => verification().prop_map(|step| vec![step]),
        10 => device().prop_map(|device| vec![Step::Send(from(device, log_in(0, 0)))]),
        4 => wait().prop_map(|step| vec![step]),
        2 => Just(vec![Step::Send(managing("GET", "status"))]),
        1 => Just(vec![post("enable", true)]),
        1 => proptest::bool::ANY.prop_map(|right| vec![post("disable", right)]),
        1 => proptest::bool::weighted(0.8).prop_map(|right| vec![post("regenerate-backup-codes", right)]),
        1 => device().prop_map(removal),
    ];
    (proptest::bool::weighted(0.9), vec(parts, 4..14)).prop_map(move |(is_enabled, parts)| {
        let enabling = is_enabled.then(|| post("enable", true));
        History(start.clone().into_iter().chain(enabling).chain(parts.into_iter().flatten()).collect())
    })
}

fn from(device: usize, request: StepRequest) -> StepRequest {
    request.header("User-Agent", format!("‹agent {device}›")).header("Accept-Language", format!("‹language {device}›"))
}

/// A request to a management route with the latest JWT.
fn managing(method: &'static str, route: &str) -> StepRequest {
    StepRequest::new(method, format!("/2fa/{route}")).header("Authorization", "JWT ‹jwt 0›")
}

fn post(route: &str, has_right_password: bool) -> Step {
    let password = if has_right_password { "‹password 0›" } else { "no-es-esta" };
    Step::Send(managing("POST", route).json(format!(r#"{{"password":"{password}"}}"#)))
}

/// Lists the devices and removes one, if it is listed.
fn removal(device: usize) -> Vec<Step> {
    let remove = managing("DELETE", &format!("trusted-devices/‹listed-device {device}›"));
    vec![Step::Send(managing("GET", "trusted-devices")), Step::Send(remove)]
}

fn verification() -> impl Strategy<Value = Step> {
    let code = prop_oneof![
        4 => Just("unsent-code"),
        4 => Just("unused-backup-code"),
        5 => Just("wrong-code"),
        2 => Just("wrong-backup-code"),
        2 => Just("used-backup-code"),
        1 => Just("replaced-backup-code"),
    ];
    let back = prop_oneof![4 => Just(0_usize), 1 => 1..4_usize];
    (back, code, proptest::bool::weighted(0.3)).prop_map(|(back, code, trust)| {
        let body = format!(r#"{{"sessionId":"‹pending {back}›","token":"‹{code} {back}›","trustDevice":{trust}}}"#);
        let request = StepRequest::new("POST", "/auth/verify-2fa").json(body);
        let request = request.header("User-Agent", format!("‹pending-agent {back}›"));
        Step::Send(request.header("Accept-Language", format!("‹pending-language {back}›")))
    })
}

fn wait() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => select(vec![31_i64, 240, 1_200, 21_600]).prop_map(|seconds| Step::Wait(Wait::Seconds(seconds))),
        8 => until(&[End::PendingLogin, End::Block, End::Failure], 2),
        1 => until(&[End::Trust], 2),
    ]
}
