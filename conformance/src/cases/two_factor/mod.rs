//! Cases of the chapter two-factor: the management routes and who may use them, enabling, disabling, status, regenerating, and
//! the form of secret and qrUrl.

use crate::case::Case;

pub(crate) mod backup_codes;
pub(crate) mod codes;
pub(crate) mod devices;
pub(crate) mod disable;
pub(crate) mod enable;
pub(crate) mod histories;
pub(crate) mod link;
pub(crate) mod lockout;
pub(crate) mod pending;
pub(crate) mod regenerate;
pub(crate) mod routes;
pub(crate) mod status;
pub(crate) mod status_times;
pub(crate) mod verification;

/// The tables of all chapters of this folder.
pub(crate) const TABLES: &[&[Case]] = &[
    routes::CASES,
    enable::CASES,
    link::CASES,
    disable::CASES,
    status::CASES,
    status_times::CASES,
    regenerate::CASES,
    histories::CASES,
    verification::answers::CASES,
    verification::lifetime::CASES,
    verification::trust::CASES,
    verification::refusals::CASES,
    codes::making::CASES,
    codes::window::CASES,
    codes::forms::CASES,
    codes::readings::CASES,
    backup_codes::issue::CASES,
    backup_codes::once::CASES,
    backup_codes::spelling::CASES,
    lockout::failures::CASES,
    lockout::span::CASES,
    lockout::readings::CASES,
    devices::list::CASES,
    devices::recognition::CASES,
    devices::refresh::CASES,
    devices::trust::CASES,
    devices::removal::CASES,
    devices::readings::CASES,
    pending::CASES,
];
