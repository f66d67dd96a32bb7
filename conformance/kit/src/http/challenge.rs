//! Finds the realm in a `WWW-Authenticate` value that other parameters or challenges surround. Knows no case.

/// The realm of the `Bearer` challenge as it is spelled, quotes included; other parameters and challenges may surround
/// it.
pub fn bearer_realm(value: &str) -> Option<&str> {
    const SCHEME: &str = "bearer ";
    let lower = value.to_ascii_lowercase();
    let starts_there = |at: usize| at == 0 || lower[..at].trim_end().ends_with(',');
    let (at, _) = lower.match_indices(SCHEME).find(|(at, _)| starts_there(*at))?;
    let mut rest = value.get(at + SCHEME.len()..)?;
    loop {
        rest = rest.trim_start_matches([' ', ',']);
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quoted = after.strip_prefix('"').and_then(|text| text.find('"')).map(|end| end + 2);
        let end = quoted.or_else(|| after.find(',')).unwrap_or(after.len());
        let (value, left) = after.split_at(end);
        if name.trim().eq_ignore_ascii_case("realm") {
            let value = value.trim();
            return (!value.trim_matches(['"', ' ']).is_empty()).then_some(value);
        }
        rest = left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_realm_is_found_beside_other_parameters_and_challenges() {
        for (value, realm) in [
            ("Bearer realm=Biblioteca", "Biblioteca"),
            ("Bearer realm=La Biblioteca, error=\"invalid_token\"", "La Biblioteca"),
            ("bearer error=\"a, b\", Realm=\"La, Biblioteca\"", "\"La, Biblioteca\""),
            ("JWT realm=otra, Bearer realm=Biblioteca", "Biblioteca"),
        ] {
            assert_eq!(bearer_realm(value), Some(realm), "{value}");
        }
        for value in [
            "Bearer",
            "Bearer realm=",
            "Bearer realm=\"\"",
            "Basic realm=Biblioteca",
            "Bearer error=x",
            "NoBearer realm=x",
        ] {
            assert_eq!(bearer_realm(value), None, "{value}");
        }
    }
}
