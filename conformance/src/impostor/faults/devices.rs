//! Faults that break rules of the chapter devices.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "trust-device-ignored" breaks "devices/registered": "trustDevice registers nothing.";
    "devices-shared-by-users" breaks "devices/per-user": "A device trusted for one user is trusted for all.";
    "device-id-of-16-bytes" breaks "devices/id-form": "A deviceId has 32 digits.";
    "device-id-not-hex" breaks "devices/id-form": "A deviceId has letters beyond f.";
    "device-id-differs-by-the-minute" breaks "devices/id-stable": "The same device has another id a minute later.";
    "device-id-ignores-user-agent" breaks "devices/id-user-agent": "The User-Agent makes no other device.";
    "device-id-ignores-language" breaks "devices/id-accept-language": "Accept-Language makes no other device.";
    "device-list-is-bare" breaks "devices/list-shape": "The list of devices is a bare array.";
    "device-list-has-total" breaks "devices/list-shape": "The list of devices has a total.";
    "devices-listed-of-all-users" breaks "devices/list-shape" and "devices/per-user": "The devices of all users are listed.";
    "device-record-has-email" breaks "devices/record-shape": "A listed device has the e-mail.";
    "device-times-as-numbers" breaks "devices/first-used": "Times of a device are numbers.";
    "device-user-agent-cut-at-20" breaks "devices/user-agent": "userAgent is cut to 20 characters.";
    "device-again-keeps-last-used" breaks "devices/again-refreshes": "Verifying again leaves lastUsed.";
    "device-again-listed-twice" breaks "devices/again-first-used": "Verifying again adds a second entry.";
    "device-again-renews-first-used" breaks "devices/again-first-used": "Verifying again sets firstUsed anew.";
    "devices-trusted-29-days" breaks "devices/trusted-30-days": "A device is trusted for 29 days.";
    "devices-trusted-31-days" breaks "devices/expires": "A device is trusted for 31 days.";
    "devices-trusted-forever" breaks "devices/expires": "A device is trusted for ever.";
    "device-removal-answers-id" breaks "devices/remove-shape": "The answer to a removal has the deviceId.";
    "device-removal-does-nothing" breaks "devices/remove-takes-effect": "Removing a device leaves it.";
    "device-removal-removes-all" breaks "devices/remove-takes-effect": "Removing a device removes all of the user.";
    "device-last-used-null-at-first" breaks "devices/last-used": "lastUsed of a device registered once is null.";
};
