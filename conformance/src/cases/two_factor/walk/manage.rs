//! The steps of a walk that go to the management routes.

use serde_json::{Value, json};

use super::game::Game;
use crate::contract::verdict::{CaseError, CaseResult};
use crate::contract::violation::Place;
use crate::fixture::time::HOUR_MS;
use crate::fixture::two_factor::{Factor, backup_codes_in};
use crate::fixture::users::PASSWORD;
use crate::http::request::Request;

impl<'g, 'a> Game<'g, 'a> {
    /// A management request with the latest token, or nothing once that is too old to be sure of.
    fn managing(&self, method: &str, route: &str, right: bool) -> Result<Option<Request<'g>>, CaseError> {
        if self.cx.target_now()? - self.issued_at > 23 * HOUR_MS {
            return Ok(None);
        }
        let request = self.cx.request(method, &format!("/2fa/{route}"));
        let request = request.jwt(&self.tokens.jwt);
        let password = if right { PASSWORD } else { "no-es-esta" };
        Ok(Some(match method {
            "POST" => request.json(&json!({ "password": password })),
            _ => request,
        }))
    }

    pub(super) fn enable(&mut self) -> CaseResult {
        let Some(request) = self.managing("POST", "enable", true)? else {
            return Ok(());
        };
        let (reply, _) = self.send(request)?;
        let rule = match self.model.is_enabled {
            Some(true) => "two-factor/enable-again",
            _ => "two-factor/enable-takes-effect",
        };
        self.is(&reply, rule, 200)?;
        self.model.enable(Factor::parse(&reply)?);
        Ok(())
    }

    pub(super) fn disable(&mut self, right: bool) -> CaseResult {
        // What disabling again answers is open.
        if self.model.is_enabled == Some(false) {
            return Ok(());
        }
        let Some(request) = self.managing("POST", "disable", right)? else {
            return Ok(());
        };
        let (reply, _) = self.send(request)?;
        match (self.model.is_enabled, right) {
            (None, _) => self.is(&reply, "two-factor/disable-unconfigured", 400),
            (_, false) => self.is(&reply, "two-factor/disable-wrong-password", 400),
            (_, true) => {
                self.is(&reply, "two-factor/disable-takes-effect", 200)?;
                self.model.disable();
                Ok(())
            }
        }
    }

    pub(super) fn regenerate(&mut self, right: bool) -> CaseResult {
        let Some(request) = self.managing("POST", "regenerate-backup-codes", right)? else {
            return Ok(());
        };
        let (reply, _) = self.send(request)?;
        if self.model.is_enabled != Some(true) {
            return self.is(&reply, "two-factor/regenerate-not-enabled", 400);
        }
        if !right {
            return self.is(&reply, "two-factor/regenerate-wrong-password", 400);
        }
        let rule = "backup-codes/regenerate-invalidates";
        self.is(&reply, rule, 200)?;
        self.model.codes.replace(&backup_codes_in(&reply), rule);
        Ok(())
    }

    pub(super) fn status(&mut self) -> CaseResult {
        let Some(request) = self.managing("GET", "status", true)? else {
            return Ok(());
        };
        let (reply, _) = self.send(request)?;
        let Some(is_enabled) = self.model.is_enabled else {
            return self.has(&reply, "two-factor/status-unconfigured", "", &json!({ "habilitado": false }));
        };
        let unused = json!(self.model.codes.unused.len());
        for (rule, key, want) in [
            ("two-factor/status-enabled", "/habilitado", json!(is_enabled)),
            ("two-factor/status-codes-available", "/backupCodesDisponibles", unused),
            ("two-factor/status-codes-total", "/totalBackupCodes", json!(8)),
        ] {
            // What a disabled second factor still counts is not said.
            if is_enabled || key == "/habilitado" {
                self.has(&reply, rule, key, &want)?;
            }
        }
        Ok(())
    }

    pub(super) fn remove(&mut self, index: usize) -> CaseResult {
        let now = self.cx.target_now()?;
        // An expired device may have been dropped, and what removing an unknown one answers is open.
        if self.model.devices[index].is_trusted(now) != Some(true) {
            return Ok(());
        }
        let Some(request) = self.managing("GET", "trusted-devices", true)? else {
            return Ok(());
        };
        let (reply, _) = self.send(request)?;
        let user_agent = json!(self.devices[index].user_agent);
        let devices = reply.at("/dispositivos").unwrap_or_default();
        let devices = devices.as_array().map(Vec::as_slice).unwrap_or_default();
        let listed = devices.iter().find(|device| device.get("userAgent") == Some(&user_agent));
        let id = listed.and_then(|device| device.get("deviceId"));
        let Some(id) = id.and_then(Value::as_str) else {
            let place = Place::body("/dispositivos").when(&self.place);
            let (want, got) = (format!("a device with {user_agent}"), reply.json());
            return Err(reply.check_rule("devices/registered").mismatch(place, want, got));
        };
        let route = format!("trusted-devices/{id}");
        let Some(request) = self.managing("DELETE", &route, true)? else {
            return Ok(());
        };
        let (reply, _) = self.send(request)?;
        self.is(&reply, "devices/remove-takes-effect", 200)?;
        self.model.devices[index].remove();
        Ok(())
    }
}
