//! A stream in blocks of whole lines, so that a large file is never in memory as a whole. Knows nothing of what a line holds.

use std::io::{self, Read};

/// A block is about so long; longer where one line is.
const BLOCK: usize = 16 << 20;

/// Hands out the blocks of a stream one after the other.
pub(super) struct LineBlocks<R> {
    stream: R,
    block: Vec<u8>,
    /// How much at the beginning of `block` was handed out already.
    used: usize,
}

impl<R: Read> LineBlocks<R> {
    pub(super) fn new(stream: R) -> Self {
        Self { stream, block: Vec::new(), used: 0 }
    }

    /// The next block: it ends behind a line end or with the stream. `None` at the end. Fails when the stream cannot be read.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.block.drain(..self.used);
        self.used = 0;
        loop {
            let wanted = (BLOCK - self.block.len() % BLOCK) as u64;
            let ended = self.stream.by_ref().take(wanted).read_to_end(&mut self.block)? == 0;
            let line_end = memchr::memrchr(b'\n', &self.block).map(|at| at + 1);
            if let Some(end) =
                line_end.filter(|_| !ended).or((ended && !self.block.is_empty()).then_some(self.block.len()))
            {
                self.used = end;
                return Ok(Some(&self.block[..end]));
            }
            if ended {
                return Ok(None);
            }
        }
    }
}
