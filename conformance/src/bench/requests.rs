//! Requests prepared as bytes, except for the number that tells one from another. Sends nothing.

use std::io::Write as _;

use memchr::memmem;

/// Placeholder of the number in a request; as long as the number, so that `Content-Length` holds.
pub(super) const NUMBER: &str = "<the-number>";

/// The requests of a load.
pub(super) struct Requests {
    /// By address: the kinds of requests, which take turns.
    pub(super) by_address: Vec<Vec<Template>>,
    /// Ids to use in place of numbers; there is one request for each.
    pub(super) ids: Option<Vec<u64>>,
}

/// A request, split at its number.
pub(super) struct Template {
    pieces: Vec<Vec<u8>>,
}

impl Requests {
    /// How many there are; `None` if unlimited.
    pub(super) fn count(&self) -> Option<u64> {
        self.ids.as_ref().map(|ids| ids.len() as u64)
    }

    /// Replaces the content of `request` by the request with this number for this connection.
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
    /// Splits a request at its number.
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
                // Writing to a vector cannot fail.
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
