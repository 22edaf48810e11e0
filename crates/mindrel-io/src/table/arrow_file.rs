//! Parquet and Arrow files, batch by batch, as the text they would be in a comma-separated table.
//!
//! All tables are then decoded by the same code, so the same cells mean the same answers in every format.

use std::io::{self, Cursor, Read, Seek};

use arrow_array::RecordBatch;
use arrow_ipc::reader::FileReader;
use arrow_schema::ArrowError;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::ChunkReader;

/// How many rows are held at a time.
const BATCH_ROWS: usize = 4096;

/// The rows of a Parquet file as text.
pub(super) fn parquet_text(file: impl ChunkReader + 'static) -> io::Result<Box<dyn Read + Send>> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(io::Error::other)?;
    let batches = builder.with_batch_size(BATCH_ROWS).build().map_err(io::Error::other)?;
    Ok(Box::new(BatchText::new(batches)))
}

/// The rows of an Arrow file as text.
pub(super) fn arrow_text(file: impl Read + Seek + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let batches = FileReader::try_new(file, None).map_err(io::Error::other)?;
    Ok(Box::new(BatchText::new(batches)))
}

/// Record batches as text, with the names of the columns in the first line.
struct BatchText<I> {
    batches: I,
    text: Cursor<Vec<u8>>,
    is_first: bool,
}

impl<I: Iterator<Item = Result<RecordBatch, ArrowError>>> BatchText<I> {
    fn new(batches: I) -> Self {
        BatchText { batches, text: Cursor::new(Vec::new()), is_first: true }
    }
}

impl<I: Iterator<Item = Result<RecordBatch, ArrowError>>> Read for BatchText<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.text.position() == self.text.get_ref().len() as u64 {
            let Some(batch) = self.batches.next() else { return Ok(0) };
            let mut text = std::mem::take(self.text.get_mut());
            text.clear();
            let mut writer = arrow_csv::WriterBuilder::new().with_header(self.is_first).build(&mut text);
            // The cause may quote a cell.
            let unreadable = |_| io::Error::other("a part of it is damaged, or holds what a table of text cannot");
            batch.and_then(|batch| writer.write(&batch)).map_err(unreadable)?;
            drop(writer);
            self.is_first = false;
            self.text = Cursor::new(text);
        }
        self.text.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};
    use arrow_ipc::writer::FileWriter;
    use parquet::arrow::ArrowWriter;

    use super::*;
    use crate::table::{InferOptions, LabelColumn, Table, Unfit, infer};

    /// Ten thousand people, several batches of them: numbers, texts with commas and quotes, no and yes, missing cells.
    fn batch() -> RecordBatch {
        let rows = || 0..10_000_i64;
        let columns: [(&str, ArrayRef); 5] = [
            ("age", Arc::new(Int64Array::from_iter(rows().map(|row| (row % 7 != 0).then_some(18 + row % 60))))),
            ("income", Arc::new(Float64Array::from_iter(rows().map(|row| Some(row as f64 / 3.0))))),
            (
                "city",
                Arc::new(StringArray::from_iter(rows().map(|row| Some(["Bern, \"west\"", "Oslo"][row as usize % 2])))),
            ),
            ("member", Arc::new(BooleanArray::from_iter(rows().map(|row| Some(row % 3 == 0))))),
            (
                "outcome",
                Arc::new(StringArray::from_iter(rows().map(|row| Some(if row % 5 < 2 { "good" } else { "bad" })))),
            ),
        ];
        RecordBatch::try_from_iter(columns).expect("columns of one length")
    }

    fn text(batch: &RecordBatch) -> Vec<u8> {
        let mut text = Vec::new();
        arrow_csv::WriterBuilder::new().with_header(true).build(&mut text).write(batch).expect("plain columns");
        text
    }

    #[test]
    fn a_table_is_the_same_as_parquet_arrow_and_text() {
        let batch = batch();
        let mut parquet = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut parquet, batch.schema(), None).expect("a schema");
        writer.write(&batch).and_then(|()| writer.close()).expect("writing to memory");
        let mut arrow = Vec::new();
        let mut writer = FileWriter::try_new(&mut arrow, &batch.schema()).expect("a schema");
        writer.write(&batch).and_then(|()| writer.finish()).expect("writing to memory");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let read = |table: &Table| {
            let schema = infer(table, &InferOptions::of("outcome"), |_| true).expect("a clean table").schema;
            let people = table.people(&schema, LabelColumn::Required, Unfit::Refuse, |_| ()).expect("it fits").0;
            (schema, people)
        };
        let expected = read(&Table::embedded("people.csv", &text(&batch)));
        assert_eq!(expected.1.len(), 10_000);
        for (name, bytes) in [("people.parquet", &parquet), ("people.arrow", &arrow)] {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("the folder may be written to");
            assert!(read(&Table::at(&path).expect("a file")) == expected, "{name}");
            assert!(read(&Table::embedded(name, bytes)) == expected, "{name} in memory");
        }
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        let table = Table::embedded("people.parquet", b"PAR1 and then nothing of the kind");
        assert!(table.open().is_err());
    }
}
