//! Faults that break rules of the chapter registration.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "registration-is-200" breaks "registration/created": "A registration answers 200.";
    "registration-answers-role" breaks "registration/answer-shape": "The answer to a registration has the role.";
    "registration-answers-hash" breaks "registration/answer-shape": "The answer to a registration has the password's hash.";
    "user-id-is-bare" breaks "registration/id-form": "The id of a user is a bare number.";
    "user-id-is-clock-in-seconds" breaks "registration/id-distinct": "The id of a user is the clock in seconds, so two of one second share it.";
    "registration-lower-cases-email" breaks "registration/echo": "The e-mail is turned into lower case.";
    "registration-echoes-no-nombre" breaks "registration/echo": "nombre comes back as null.";
    "default-role-is-moderator" breaks "registration/role-default": "Without a role a user is a moderator.";
    "unknown-role-refused" breaks "registration/role-unknown-accepted": "A role outside the table answers 400.";
    "admin-registration-needs-credential" breaks "registration/admin-open": "Registering as admin asks for a credential.";
    "admin-registered-as-user" breaks "registration/admin-open": "Who registers as admin becomes a user.";
    "registration-takes-permissions" breaks "registration/permissions-from-role": "permissions sent at registration are taken.";
    "registration-takes-id" breaks "registration/permissions-from-role": "An id sent at registration is taken.";
    "registration-takes-is-active" breaks "registration/permissions-from-role": "isActive false sent at registration is taken.";
    "taken-email-accepted" breaks "registration/email-taken": "A taken e-mail is registered again.";
    "taken-email-is-409" breaks "registration/email-taken": "A taken e-mail answers 409.";
    "taken-email-overwrites-password" breaks "registration/email-taken-keeps-first": "A refused registration changes the password of the first user.";
    "registrations-race" breaks "registration/email-one-winner": "Of concurrent registrations of one e-mail several succeed.";
    "registration-without-email-accepted" breaks "registration/email-missing": "A registration without an e-mail is accepted.";
    "new-user-inactive" breaks "registration/active-at-once": "A new user cannot log in.";
};
