//! The badge of a report: one flat SVG, without fonts or pictures from elsewhere.

use crate::report::parsed::{ParsedReport, Standing};

const LABEL: &str = "libros";
/// Mean width of a character of 11 px, and what stands left and right of a text.
const CHAR_PX: f64 = 6.6;
const PADDING_PX: f64 = 12.0;

/// The picture.
pub(crate) fn svg(report: &ParsedReport) -> String {
    let standing = |wanted: Standing| report.rules.iter().filter(|rule| Standing::of(&rule.verdict) == wanted).count();
    let (holds, red) = (standing(Standing::Holds), standing(Standing::Red));
    let (text, color) = match report.result.as_str() {
        "conformant" => (format!("conformant, {holds} rules"), "#1a7a3c"),
        "partial" => (format!("partial, {holds} rules hold"), "#8a6100"),
        "not-conformant" => (format!("not conformant, {red} of {} rules broken", holds + red), "#b3261e"),
        other => (other.replace('-', " "), "#5c666e"),
    };
    let px = |text: &str| (text.chars().count() as f64).mul_add(CHAR_PX, PADDING_PX).round();
    let (left, right) = (px(LABEL), px(&text));
    let (whole, left_middle, right_middle) = (left + right, left / 2.0, left + right / 2.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{whole}\" height=\"20\" role=\"img\" aria-label=\"{LABEL}: {text}\">\
         <title>{LABEL}: {text}</title>\
         <clipPath id=\"r\"><rect width=\"{whole}\" height=\"20\" rx=\"3\"/></clipPath>\
         <g clip-path=\"url(#r)\"><rect width=\"{left}\" height=\"20\" fill=\"#3a4248\"/>\
         <rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{color}\"/></g>\
         <g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\
         <text x=\"{left_middle}\" y=\"14\">{LABEL}</text><text x=\"{right_middle}\" y=\"14\">{text}</text></g></svg>\n"
    )
}
