//! When a step of an entry is taken: after a wait, or at a time counted from an earlier step's `moment`.

use serde::Deserialize;

use super::scope::Scope;
use crate::chapters::prelude::*;

/// `a moment later`, which two timestamps cannot share; `5 m later`, or `5 m after NAME` of a moment, in s, m, h or d; at the edge
/// `just before 5 m after NAME` and `just after ...`; `2 s into a time step`, the next one of time-based codes.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct When {
    pub(super) written: String,
    edge: Option<Edge>,
    span_ms: i64,
    /// The name of a moment.
    after: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Edge {
    Before,
    After,
    /// Of a step of codes, its beginning.
    Step,
}

impl TryFrom<String> for When {
    type Error = String;

    fn try_from(written: String) -> Result<Self, Self::Error> {
        let edges = [("just before ", Edge::Before), ("just after ", Edge::After)];
        let at_edge = edges.into_iter().find_map(|(word, edge)| Some((Some(edge), written.strip_prefix(word)?)));
        let (mut edge, rest) = at_edge.unwrap_or((None, &written));
        let read = match rest.split(' ').collect::<Vec<_>>()[..] {
            ["a", "moment", "later"] if edge.is_none() => Some((0, None)),
            [number, unit, "later"] if edge.is_none() => span_ms(number, unit).map(|span_ms| (span_ms, None)),
            [number, unit, "into", "a", "time", "step"] if edge.is_none() => {
                edge = Some(Edge::Step);
                span_ms(number, unit).map(|span_ms| (span_ms, None))
            }
            [number, unit, "after", moment] => span_ms(number, unit).map(|span_ms| (span_ms, Some(moment.to_owned()))),
            _ => None,
        };
        let (span_ms, after) =
            read.ok_or_else(|| format!("`{written}` is not like `5 m later` or `just before 5 m after NAME`"))?;
        Ok(Self { edge, span_ms, after, written })
    }
}

fn span_ms(number: &str, unit: &str) -> Option<i64> {
    let units = [("s", SECOND_MS), ("m", MINUTE_MS), ("h", HOUR_MS), ("d", 24 * HOUR_MS)];
    let (_, unit_ms) = units.into_iter().find(|(known, _)| *known == unit)?;
    Some(number.parse::<i64>().ok()? * unit_ms)
}

impl When {
    /// Moves the clock to the moment; returns, before an edge, the deadline of the answer.
    pub(super) fn wait(&self, scope: &Scope<'_>) -> CaseResult<Option<i64>> {
        let cx = scope.cx;
        let Some(moment) = &self.after else {
            match self.span_ms {
                offset_ms if self.edge == Some(Edge::Step) => totp_steps::advance_into(cx, offset_ms)?,
                0 => time::wait_a_moment(),
                SECOND_MS => time::wait_a_second(cx)?,
                span_ms => cx.advance_within(span_ms, span_ms / 4)?,
            }
            return Ok(None);
        };
        let Span { from, to } = scope.moment(moment)?;
        match self.edge {
            Some(Edge::Before) => {
                let end = from + self.span_ms;
                time::advance_to(cx, end - BEFORE_MS)?;
                return Ok(Some(end));
            }
            Some(Edge::After) => time::advance_to(cx, to + self.span_ms + AFTER_MS)?,
            _ => time::advance_past(cx, to + self.span_ms)?,
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_with_its_edge_and_other_texts_are_none() {
        let read = |text: &str| When::try_from(text.to_owned()).map(|when| (when.edge, when.span_ms, when.after));
        assert_eq!(read("5 m later"), Ok((None, 5 * MINUTE_MS, None)));
        assert_eq!(read("2 s into a time step"), Ok((Some(Edge::Step), 2 * SECOND_MS, None)));
        assert_eq!(read("just after 1 h after login"), Ok((Some(Edge::After), HOUR_MS, Some("login".to_owned()))));
        assert!(
            ["soon", "just before 5 m later", "just after a moment later", "5 weeks later", "5 m after"]
                .iter()
                .all(|text| read(text).is_err())
        );
    }
}
