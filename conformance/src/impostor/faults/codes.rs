//! Faults that break rules of the chapter codes.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "code-key-is-the-text" breaks "codes/key": "The key is the text of the secret instead of its bytes.";
    "code-by-sha256" breaks "codes/algorithm": "Codes are computed with SHA256.";
    "code-step-of-60-seconds" breaks "codes/step": "A step lasts 60 seconds.";
    "code-loses-leading-zeros" breaks "codes/digits": "A code with leading zeros is never right.";
    "code-of-previous-step-refused" breaks "codes/previous-step": "The code of the previous step is refused.";
    "code-of-next-step-refused" breaks "codes/next-step": "The code of the next step is refused.";
    "code-of-two-steps-ago-accepted" breaks "codes/too-old": "The code of two steps ago is accepted.";
    "code-of-two-steps-ahead-accepted" breaks "codes/too-early": "The code of two steps ahead is accepted.";
    "codes-of-5-digits-padded" breaks "codes/other-lengths": "Five digits are filled up with a zero.";
    "codes-of-7-digits-cut" breaks "codes/other-lengths": "Of seven digits the first six count.";
    "odd-token-is-500" breaks "codes/other-forms": "A token of no known form answers 500.";
};
