//! `mindrel data`: the data sets of the paper's evaluation.

mod fetch;
mod list;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use mindrel_data::{DataFolder, DataSet};

use crate::exit_code::ExitCode;
use crate::terminal::output::say_line;

/// List, download and locate the data sets of the paper's evaluation.
///
/// There are six public tables, each with a recorded origin, licence and checksum. They are not part of the program;
/// `fetch` downloads them from their publishers. They are kept in the folder given by --data, otherwise in
/// MINDREL_DATA, otherwise in mindrel/data in your data folder.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  mindrel data list                                   which data sets exist, and which are here
  mindrel data fetch bank adult                       download, convert, verify
  mindrel data fetch insurance --archive archive.zip  use an archive downloaded by hand
  mindrel fit \"$(mindrel data path bank)\" --label label --public age -o bank.plan")]
pub struct Data {
    #[command(subcommand)]
    command: DataCommand,
    /// Folder of the data sets.
    #[arg(long, value_name = "FOLDER", global = true)]
    data: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum DataCommand {
    List(list::List),
    Fetch(fetch::Fetch),
    Path(PathCommand),
}

/// Print the path of the data folder, or of one data set.
///
/// Exit code 2 if the data set is not there.
#[derive(Debug, Args)]
struct PathCommand {
    /// Data set; without it, prints the folder, whether or not it exists.
    name: Option<String>,
}

impl Data {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let folder = DataFolder::find(self.data.as_deref());
        match self.command {
            DataCommand::List(command) => command.run(&folder),
            DataCommand::Fetch(command) => command.run(&folder),
            DataCommand::Path(command) => command.run(&folder),
        }
    }
}

impl PathCommand {
    fn run(self, folder: &DataFolder) -> anyhow::Result<ExitCode> {
        let path = match &self.name {
            None => folder.path().to_owned(),
            Some(name) => folder.file(DataSet::named(name)?)?,
        };
        say_line(&path.display().to_string())?;
        Ok(ExitCode::SUCCESS)
    }
}
