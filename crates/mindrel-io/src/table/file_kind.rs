//! Files that are given as tables and are something else.

/// What a file is instead of a table of text, and what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OtherKind {
    pub(super) kind: &'static str,
    pub(super) remedy: &'static str,
}

const SAVE_AS_CSV: &str = "Save it as CSV, with one header line";
const BUILD_WITH_PARQUET: &str = "Convert it to CSV, or build mindrel with the feature `parquet`, which reads it";
const DECOMPRESS: &str = "Decompress it first, or compress it with gzip, which is read as it is";

/// First bytes, what they begin, and the remedy.
const KINDS: [(&[u8], &str, &str); 16] = [
    (b"\xd0\xcf\x11\xe0", "an Excel workbook", SAVE_AS_CSV),
    (b"PAR1", "a Parquet file", BUILD_WITH_PARQUET),
    (b"ARROW1", "an Arrow file", BUILD_WITH_PARQUET),
    (b"\xff\xff\xff\xff", "an Arrow stream", "Save it as an Arrow file or as CSV"),
    (b"FEA1", "a Feather file", "Convert it to CSV"),
    (b"SQLite format 3", "an SQLite database", "Export the table as CSV"),
    (b"\x89HDF", "an HDF5 file", "Export the table as CSV"),
    (b"%PDF", "a PDF document", "Export the table as CSV"),
    (b"<!DOCTYPE", "a web page", "Download the table itself"),
    (b"<html", "a web page", "Download the table itself"),
    (b"<?xml", "an XML document", "Export the table as CSV"),
    (b"\x28\xb5\x2f\xfd", "a file compressed by Zstandard", DECOMPRESS),
    (b"BZh", "a file compressed by bzip2", DECOMPRESS),
    (b"\xfd7zXZ", "a file compressed by xz", DECOMPRESS),
    (b"\xff\xfe", "text in UTF-16", "Save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16", "Save it as UTF-8"),
];

/// Recognises a file that is no table of text by its first bytes.
pub(super) fn recognise(start: &[u8]) -> Option<OtherKind> {
    let known = KINDS.iter().find(|(bytes, ..)| start.starts_with(bytes));
    if let Some(&(_, kind, remedy)) = known {
        return Some(OtherKind { kind, remedy });
    }
    let holds = |text: &[u8]| memchr::memmem::find(start, text).is_some();
    if start.starts_with(b"PK\x03\x04") {
        let (kind, remedy) = if holds(b"xl/") || holds(b"[Content_Types].xml") {
            ("an Excel workbook", SAVE_AS_CSV)
        } else if holds(b"opendocument.spreadsheet") {
            ("an OpenDocument spreadsheet", SAVE_AS_CSV)
        } else {
            ("a ZIP archive", "Unpack it first")
        };
        return Some(OtherKind { kind, remedy });
    }
    if is_json(start) {
        let is_plan = holds(b"\"fingerprint\"") || holds(b"\"mindrel\"");
        return Some(if is_plan {
            OtherKind { kind: "a mindrel plan", remedy: "Give the table here, and the plan in the plan's place" }
        } else {
            OtherKind { kind: "a JSON document", remedy: "Convert it to CSV" }
        });
    }
    if holds(b"[[question]]") && holds(b"[label]") {
        return Some(OtherKind {
            kind: "a mindrel schema",
            remedy: "Give the table here, and the schema in the schema's place",
        });
    }
    let binary = OtherKind { kind: "a binary file", remedy: "Export the table as CSV" };
    start.contains(&0).then_some(binary)
}

/// Whether a text begins like a JSON object, or a list of objects or lists.
fn is_json(start: &[u8]) -> bool {
    let text = start.trim_ascii_start();
    let inner = text.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    let is_object =
        |text: &[u8]| text.strip_prefix(b"{").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""));
    is_object(text) || inner.is_some_and(|inner| is_object(inner) || inner.starts_with(b"["))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_called_what_they_are_and_tables_are_left_alone() {
        let kind = |start: &[u8]| recognise(start).map(|other| other.kind);
        assert_eq!(kind(b"PK\x03\x04....xl/worksheets"), Some("an Excel workbook"));
        assert_eq!(kind(b"PK\x03\x04....people.csv"), Some("a ZIP archive"));
        assert_eq!(kind(b"PK\x03\x04....vnd.oasis.opendocument.spreadsheet"), Some("an OpenDocument spreadsheet"));
        assert_eq!(kind(b"version = 1\n[label]\n[[question]]\n"), Some("a mindrel schema"));
        assert_eq!(kind(b"PAR1...."), Some("a Parquet file"));
        assert_eq!(kind(b"{\"a\": 1}"), Some("a JSON document"));
        for json in ["{\n \"a\": 1}", "[{\"a\": 1}]", "[\n  {\"a\": 1},\n  {\"a\": 2}\n]", "[[1, 2], [3, 4]]"] {
            assert_eq!(kind(json.as_bytes()), Some("a JSON document"), "{json}");
        }
        assert_eq!(kind(b"a,b\x00c"), Some("a binary file"));
        assert_eq!(kind(b"age,income\n1,2\n"), None);
        assert_eq!(kind(b"{weight},b\n1,2\n"), None);
        assert_eq!(kind(b"[kg],[m]\n1,2\n"), None);
    }
}
