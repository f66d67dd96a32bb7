//! What the tables of variations are written with. Defines nothing.

pub(crate) use std::mem;

pub(crate) use libros_conformance_model::clock::MINUTE_MS;
pub(crate) use libros_conformance_model::list::converted::Converted;
pub(crate) use libros_conformance_model::list::query::percent_decode;
pub(crate) use libros_conformance_model::list::steps::ListSteps;
pub(crate) use libros_conformance_model::message::{Framing, Interface, Reply, Request, drop_key};
pub(crate) use libros_conformance_model::state::State;
pub(crate) use libros_conformance_model::{js, secrets};
pub(crate) use serde_json::{Map, Value, json};

pub(crate) use super::acting::*;
pub(crate) use super::bodies::*;
pub(crate) use super::catalogue::*;
pub(crate) use super::checks::*;
pub(crate) use super::demo::*;
pub(crate) use super::record::*;
pub(crate) use super::stale::*;
pub(crate) use super::{Variation, variations};
pub(crate) use crate::impostor::world::{Answer, Shared};
