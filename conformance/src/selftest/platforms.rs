//! The impostor with the habits of each platform: a right implementation as people write it. None may fail a case.

use std::collections::BTreeMap;

use super::judging::judge;
use super::{all, complaints, in_parallel};
use crate::impostor::{Options, Platform};

/// Judges the impostor with the habits of each platform; what did not pass on each.
pub fn judge_platforms(inputs: u32) -> Result<BTreeMap<&'static str, Vec<String>>, String> {
    let judged = in_parallel(Platform::ALL, Platform::ALL.len(), |platform| {
        let options = Options { platform: Some(platform), ..Options::default() };
        Ok((platform.name(), complaints(&judge(options, &all(), 1, inputs)?)))
    });
    judged.into_iter().collect()
}
