//! Faults that break rules of the chapter signup.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "signup-is-200" breaks "signup/success": "A registration answers 200.";
    "signup-answers-no-id" breaks "signup/success": "The answer has no identifier.";
    "signup-lower-cases-email" breaks "signup/success": "The e-mail comes back in lower case.";
    "signup-answers-password" breaks "signup/password-unseen": "The answer shows the password.";
    "signup-answers-hash" breaks "signup/password-unseen": "The answer shows the password's hash.";
    "signup-duplicate-accepted" breaks "signup/duplicate-email": "A registered e-mail is registered again.";
    "signup-duplicate-is-409" breaks "signup/duplicate-email": "A registered e-mail answers 409.";
    "signup-without-email-accepted" breaks "signup/email-missing": "A registration without an e-mail is accepted.";
    "signup-without-password-accepted" breaks "signup/password-missing": "A registration without a password is accepted.";
    "signup-number-as-email-accepted" breaks "signup/wrong-type": "An e-mail may be a number.";
    "signup-number-as-password-accepted" breaks "signup/wrong-type": "A password may be a number.";
    "signup-malformed-is-500" breaks "signup/wrong-type": "Malformed JSON answers 500.";
};
