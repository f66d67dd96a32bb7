//! A stream in blocks of whole lines, so that a large file is never in memory as a whole. Knows nothing of what a line holds.

use std::io::{self, Read};

/// A block is about so long; longer where one line is.
const BLOCK: usize = 1 << 20;

/// Hands out the blocks of a stream one after the other. A block ends behind a line end or with the stream.
pub(super) struct LineBlocks<R> {
    stream: R,
    /// What follows the last line end.
    rest: Vec<u8>,
}

impl<R: Read> LineBlocks<R> {
    pub(super) fn new(stream: R) -> Self {
        Self { stream, rest: Vec::new() }
    }
}

impl<R: Read> Iterator for LineBlocks<R> {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut block = Vec::with_capacity(BLOCK);
        block.append(&mut self.rest);
        loop {
            let wanted = (BLOCK - block.len() % BLOCK) as u64;
            match self.stream.by_ref().take(wanted).read_to_end(&mut block) {
                Ok(0) => return (!block.is_empty()).then_some(Ok(block)),
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
            if let Some(end) = memchr::memrchr(b'\n', &block) {
                self.rest = block.split_off(end + 1);
                return Some(Ok(block));
            }
        }
    }
}
