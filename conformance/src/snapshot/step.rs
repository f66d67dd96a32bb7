//! One step of a transcript as text.

use std::collections::BTreeMap;

use crate::implementation::profile::Interface;
use crate::snapshot::headers::HEADERS;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) rules: Vec<String>,
    pub(crate) request: Vec<String>,
    pub(crate) status: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<String>,
}

impl Step {
    pub(super) fn target(&self) -> (&str, &str) {
        let line = self.request.first().map_or("", String::as_str);
        line.split_once(' ').unwrap_or((line, ""))
    }

    /// The interface that it asks, by the chapter of its rule.
    pub(super) fn interface(&self) -> Interface {
        match self.rules.first().and_then(|rule| rule.split('/').next()) {
            Some("users" | "posts") => Interface::Users,
            Some("graphql") => Interface::Graphql,
            Some("graphql-reduced") => Interface::GraphqlReduced,
            _ => Interface::Catalogue,
        }
    }

    /// `=== step: rules`, the request as `>` lines, status and headers as `<` lines, then the body.
    pub(crate) fn text(&self) -> String {
        let mut lines = vec![format!("=== {}: {}", self.name, self.rules.join(", "))];
        lines.extend(self.request.iter().map(|line| format!("> {line}").trim_end().to_owned()));
        lines.push(format!("< {}", self.status).trim_end().to_owned());
        let values = HEADERS.iter().filter_map(|(name, _)| self.headers.get_key_value(*name));
        lines.extend(values.map(|(name, value)| format!("< {name}: {value}").trim_end().to_owned()));
        lines.extend_from_slice(&self.body);
        lines.join("\n") + "\n"
    }

    /// The exchange without its heading.
    pub(crate) fn exchange(&self) -> String {
        let text = self.text();
        text.split_once('\n').map_or_else(String::new, |(_, exchange)| exchange.to_owned())
    }

    /// Reads the output of [`Self::text`]; ignores what precedes the first step.
    pub(crate) fn parse_all(text: &str) -> Vec<Self> {
        let mut steps: Vec<Self> = Vec::new();
        for line in text.lines() {
            if let Some(head) = line.strip_prefix("=== ") {
                let (name, rules) = head.split_once(": ").unwrap_or((head, ""));
                let rules = rules.split(", ").map(str::to_owned).collect();
                let (request, body, headers) = (Vec::new(), Vec::new(), BTreeMap::new());
                steps.push(Self { name: name.to_owned(), rules, request, status: String::new(), headers, body });
                continue;
            }
            let Some(step) = steps.last_mut() else { continue };
            if let Some(line) = line.strip_prefix("< ") {
                match line.split_once(": ") {
                    Some((name, value)) => _ = step.headers.insert(name.to_owned(), value.to_owned()),
                    None => line.clone_into(&mut step.status),
                }
            } else if let Some(line) = line.strip_prefix('>') {
                step.request.push(line.strip_prefix(' ').unwrap_or(line).to_owned());
            } else if !line.is_empty() {
                step.body.push(line.to_owned());
            }
        }
        steps
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) const TEXT: &str = "=== read: s/status, s/body\n> GET /libros/<id A>\n> X-API-Key: <test key>\n>\n> > quoted\n< 200\n\
        < Content-Type: application/json; charset=utf-8\n< X-API-Build: <any build>\n< Pragma: no-cache\n{\n  \"a\": 1\n}\n";

    #[test]
    fn a_block_survives_being_written_and_read() {
        let steps = Step::parse_all(TEXT);
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].rules, ["s/status", "s/body"]);
        assert_eq!(steps[0].text(), TEXT);
    }
}
