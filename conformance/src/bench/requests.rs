//! Requests made ready: all their bytes but the number that tells one from another. Sends nothing.

use std::io::Write as _;

use memchr::memmem;

/// Stands in a request where its number goes; as long as the number is, so that `Content-Length` holds.
pub(super) const NUMBER: &str = "<the-number>";

/// What a load sends.
pub(super) struct Requests {
    /// By address, of which each connection keeps to one: the kinds that take turns.
    pub(super) by_address: Vec<Vec<Template>>,
    /// The ids that take the place of the numbers: there are no more requests than these.
    pub(super) ids: Option<Vec<u64>>,
}

/// The bytes of one request around its number.
pub(super) struct Template {
    pieces: Vec<Vec<u8>>,
}

impl Requests {
    /// How many there are; `None` for any number.
    pub(super) fn count(&self) -> Option<u64> {
        self.ids.as_ref().map(|ids| ids.len() as u64)
    }

    /// Writes the request of that number for the connection of that number, in the place of what was there.
    pub(super) fn write(&self, number: u64, connection: usize, request: &mut Vec<u8>) {
        let kinds = &self.by_address[connection % self.by_address.len()];
        let index = usize::try_from(number).unwrap_or_default();
        let (number, digits) = match &self.ids {
            Some(ids) => (ids[index], 0),
            None => (number, NUMBER.len()),
        };
        kinds[index % kinds.len()].write(number, digits, request);
    }
}

impl Template {
    /// Cuts a request where its number goes.
    pub(super) fn new(request: &[u8]) -> Self {
        let (mut pieces, mut start) = (Vec::new(), 0);
        for at in memmem::find_iter(request, NUMBER) {
            pieces.push(request[start..at].to_vec());
            start = at + NUMBER.len();
        }
        pieces.push(request[start..].to_vec());
        Self { pieces }
    }

    fn write(&self, number: u64, digits: usize, request: &mut Vec<u8>) {
        request.clear();
        for (index, piece) in self.pieces.iter().enumerate() {
            if index > 0 {
                // A vector takes whatever is written.
                _ = write!(request, "{number:0digits$}");
            }
            request.extend_from_slice(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_takes_the_place_kept_for_it_and_an_id_its_own() {
        let by_address = || vec![vec![Template::new(format!("a{NUMBER}b{NUMBER}").as_bytes()), Template::new(b"c")]];
        let mut request = b"before".to_vec();
        Requests { by_address: by_address(), ids: None }.write(40, 3, &mut request);
        assert_eq!(request, b"a000000000040b000000000040");
        Requests { by_address: by_address(), ids: None }.write(41, 3, &mut request);
        assert_eq!(request, b"c");
        let some = Requests { by_address: by_address(), ids: Some(vec![7]) };
        some.write(0, 0, &mut request);
        assert_eq!((request, some.count()), (b"a7b7".to_vec(), Some(1)));
    }
}
