//! A table for a terminal: never cuts a name; splits a table that is too wide into several. Knows no report.

use crate::printable::Printable;
use crate::report::color::Palette;

const GAP: usize = 2;

#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) cells: Vec<(String, bool)>,
}

/// The rows under their heads. If the heads do not fit into `columns`, numbers replace them, and a legend below explains the numbers.
pub(crate) fn lines(heads: &[String], rows: &[Row], columns: usize, palette: Palette) -> Vec<Printable> {
    let name_width = rows.iter().map(|row| length(&row.name)).max().unwrap_or_default();
    let numbers: Vec<String> = (1..=heads.len()).map(|number| number.to_string()).collect();
    let fits = name_width + widths(heads, rows).iter().sum::<usize>() <= columns;
    let shown = if fits { heads } else { &numbers };
    let widths = widths(shown, rows);
    let (mut lines, mut first) = (Vec::new(), 0);
    while first < shown.len() {
        let last = first + taken(&widths[first..], columns.saturating_sub(name_width));
        lines.extend((first > 0).then(Printable::default));
        let heads: String = (first..last).map(|column| format!("{:>1$}", shown[column], widths[column])).collect();
        lines.push(format!("{:name_width$}{heads}", "").into());
        for row in rows {
            let cells = (first..last).map(|column| cell(&row.cells[column], widths[column], palette));
            lines.push(Printable::from(format!("{:name_width$}", row.name)).and(Printable::joined(cells, "")));
        }
        first = last;
    }
    if !fits {
        lines.push(Printable::default());
        lines.extend(numbers.iter().zip(heads).map(|(number, head)| format!("{number:>3}  {head}").into()));
    }
    lines
}

fn widths(heads: &[String], rows: &[Row]) -> Vec<usize> {
    let of_cells = |column: usize| rows.iter().map(|row| length(&row.cells[column].0)).max().unwrap_or_default();
    heads.iter().enumerate().map(|(column, head)| GAP + length(head).max(of_cells(column))).collect()
}

/// How many of these columns fit side by side, at least one.
fn taken(widths: &[usize], columns: usize) -> usize {
    let mut used = 0;
    let fitting = widths.iter().take_while(|width| {
        used += **width;
        used <= columns
    });
    fitting.count().max(1)
}

fn cell((text, is_bad): &(String, bool), width: usize, palette: Palette) -> Printable {
    let padding = " ".repeat(width - length(text));
    Printable::from(padding).and(if *is_bad { palette.bad(text) } else { text.into() })
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(heads: &[&str], cells: &[&str], columns: usize) -> String {
        let heads: Vec<String> = heads.iter().map(|head| (*head).to_owned()).collect();
        let cells = cells.iter().map(|cell| ((*cell).to_owned(), false)).collect();
        let rows = [Row { name: "paging".to_owned(), cells }];
        lines(&heads, &rows, columns, Palette::PLAIN).iter().map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn heads_that_do_not_fit_become_numbers_and_columns_stand_in_a_table_below() {
        let [heads, cells] = [["node", "python", "rust"], ["9/9", "8/9", "7/9"]];
        assert_eq!(written(&heads[..2], &cells[..2], 20), "        node  python\npaging   9/9     8/9\n");
        let numbered = "          1    2\npaging  9/9  8/9\n\n  1  node\n  2  python\n";
        assert_eq!(written(&heads[..2], &cells[..2], 19), numbered);
        let tables = "          1    2\npaging  9/9  8/9\n\n          3\npaging  7/9\n";
        assert_eq!(written(&heads, &cells, 16), format!("{tables}\n  1  node\n  2  python\n  3  rust\n"));
        // Narrower than one column: still one per table, whole.
        assert!(written(&heads[..2], &cells[..2], 3).contains("paging  9/9\n"));
    }
}
