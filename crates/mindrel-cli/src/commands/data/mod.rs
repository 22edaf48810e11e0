//! `mindrel data`: the data sets of the evaluation.

mod fetch;
mod list;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use mindrel_data::{DataFolder, DataSet};

use crate::terminal::output::say_line;

/// List, fetch and find the data sets of the evaluation.
///
/// Six public tables with a catalogued origin, licence and checksum. They are not part of the program: fetch downloads them from
/// their publishers. Their folder is the one given by --data, else by MINDREL_DATA, else mindrel/data in the user's own data folder.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  mindrel data list                                   what there is, and what of it is here
  mindrel data fetch bank adult                       download, convert, verify
  mindrel data fetch insurance --archive archive.zip  the same with what was downloaded by hand
  mindrel fit \"$(mindrel data path bank)\" --label label --public age -o bank.plan")]
pub struct Data {
    #[command(subcommand)]
    command: DataCommand,
    /// Folder that holds the data sets, before any other.
    #[arg(long, value_name = "FOLDER", global = true)]
    data: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum DataCommand {
    List(list::List),
    Fetch(fetch::Fetch),
    Path(PathCommand),
}

/// Print the data folder, or where the file of a set is.
///
/// Exit code 2 when the set is not there.
#[derive(Debug, Args)]
struct PathCommand {
    /// Data set; without it, the folder is printed, whether it exists or not.
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
