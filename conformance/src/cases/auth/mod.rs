//! Cases about who asks: credentials, registration, login, permissions, sessions, tokens, API keys.

use crate::case::Case;

pub(crate) mod api_keys;
pub(crate) mod credentials;
pub(crate) mod login;
pub(crate) mod permissions;
pub(crate) mod registration;
pub(crate) mod sessions;
pub(crate) mod tokens;

/// The tables of all chapters of this folder.
pub(crate) const TABLES: &[&[Case]] = &[
    credentials::everywhere::CASES,
    credentials::schemes::CASES,
    credentials::keys::CASES,
    credentials::precedence::CASES,
    credentials::moments::CASES,
    credentials::initial::CASES,
    registration::answers::CASES,
    registration::roles::CASES,
    registration::emails::CASES,
    registration::fields::CASES,
    login::first_shape::CASES,
    login::second_factor::CASES,
    login::known_devices::CASES,
    login::refusals::CASES,
    permissions::roles::CASES,
    permissions::matrix::ROWS,
    permissions::matrix::CASES,
    permissions::denials::CASES,
    sessions::issued::CASES,
    sessions::life::CASES,
    sessions::upkeep::CASES,
    sessions::histories::CASES,
    tokens::issued::CASES,
    tokens::foreign::CASES,
    tokens::malformed::CASES,
    tokens::lifetime::CASES,
    api_keys::creation::CASES,
    api_keys::fields::CASES,
    api_keys::listing::CASES,
];
