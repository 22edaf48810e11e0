//! `mindrel data list`: the catalogue, and which data sets are here.

use clap::Args;
use mindrel_data::{DataFolder, DataSet, catalogue};
use serde_json::{Value, json};

use crate::exit_code::ExitCode;
use crate::terminal::data_sets::{FileState, legend, sets_table};
use crate::terminal::output::{say, say_line};

/// List the data sets with their size, licence and origin, and whether the file is here and correct.
#[derive(Debug, Args)]
pub struct List {
    /// Print the whole catalogue as JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    pub fn run(self, folder: &DataFolder) -> anyhow::Result<ExitCode> {
        let sets: Vec<(&DataSet, FileState)> =
            catalogue().iter().map(|set| (set, FileState::of(set, folder))).collect();
        if self.json {
            let sets: Vec<Value> = sets.iter().map(|(set, state)| to_json(set, state, folder)).collect();
            let listed = json!({ "folder": folder.path().display().to_string(), "sets": sets });
            say(&(serde_json::to_string_pretty(&listed)? + "\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        say(&sets_table(&sets))?;
        say_line(&format!("\n{}", legend(&sets)))?;
        say_line(&format!("\nfolder: {}", folder.path().display()))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn to_json(set: &DataSet, state: &FileState, folder: &DataFolder) -> Value {
    let found = match state {
        FileState::Differs(found) => Some(found),
        _ => None,
    };
    json!({
        "name": set.name,
        "title": set.title,
        "origin": set.origin,
        "creators": set.creators,
        "licence": set.licence,
        "homepage": set.homepage,
        "source": set.source.address,
        "label_meaning": set.label_meaning,
        "rows": set.rows,
        "features": set.features,
        "classes": set.classes,
        "bytes": set.bytes,
        "sha256": set.sha256,
        "notes": set.notes,
        "file": folder.place(set).display().to_string(),
        "state": state.word(),
        "found_sha256": found,
    })
}
