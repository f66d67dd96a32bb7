//! Faults that break rules of the chapter tokens.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "jwt-two-segments" breaks "tokens/segments": "A JWT has two segments.";
    "jwt-header-says-none" breaks "tokens/header": "The header of a JWT says alg none.";
    "jwt-payload-has-nombre" breaks "tokens/payload-fields": "The payload of a JWT has the nombre too.";
    "jwt-payload-lacks-permissions" breaks "tokens/payload-fields": "The payload of a JWT lacks the permissions.";
    "jwt-user-id-is-email" breaks "tokens/payload-identity": "userId of the payload is the e-mail.";
    "jwt-role-always-user" breaks "tokens/payload-identity": "role of the payload is always user.";
    "jwt-payload-in-latin-1" breaks "tokens/payload-identity": "The payload of a JWT is written in Latin-1.";
    "jwt-payload-in-ascii" breaks "tokens/payload-identity": "The payload of a JWT has question marks for letters beyond ASCII.";
    "jwt-of-ascii-emails-only" breaks "tokens/accepted": "A JWT whose e-mail has letters beyond ASCII is refused.";
    "jwt-iat-in-milliseconds" breaks "tokens/iat": "iat is in milliseconds.";
    "jwt-exp-after-an-hour" breaks "tokens/exp" and "tokens/day": "exp is iat plus 3600.";
    "jwt-really-signed" breaks "tokens/final-placeholder": "The final segment is a computed signature.";
    "jwt-scheme-unsupported" breaks "tokens/accepted": "The scheme JWT is not supported.";
    "jwt-final-segment-checked" breaks "tokens/final-unverified": "The final segment is compared with the placeholder.";
    "jwt-two-segments-pass" breaks "tokens/segments-wrong": "A token of two segments is let in.";
    "jwt-four-segments-pass" breaks "tokens/segments-wrong": "A token of four segments is let in.";
    "jwt-undecodable-is-400" breaks "tokens/payload-undecodable": "A payload that cannot be decoded answers 400.";
    "jwt-odd-payload-is-500" breaks "tokens/payload-not-object": "A payload that is no object answers 500.";
    "jwt-exp-ignored" breaks "tokens/exp-past": "exp is not looked at.";
    "jwt-exp-now-passes" breaks "tokens/exp-now": "A token whose exp is the current second is let in.";
    "jwt-exp-required" breaks "tokens/exp-absent": "A token without exp is refused.";
    "jwt-dies-with-session" breaks "tokens/day": "A JWT ends with the sessions of its user.";
    "jwt-unknown-user-let-in" breaks "tokens/user-unknown": "A token of an unknown e-mail is let in.";
    "jwt-claims-count" breaks "tokens/stored-user-counts": "permissions of the payload decide.";
    "jwt-for-books-only" breaks "tokens/accepted" and "permissions/two-factor-any": "A JWT is refused outside the books.";
};
