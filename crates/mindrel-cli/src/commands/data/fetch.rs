//! `mindrel data fetch`: download, convert, verify, write.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use mindrel_data::{DataError, DataFolder, DataSet, DownloadProgress, FetchMethod, Fetched, catalogue, fetch};

use crate::exit_code::ExitCode;
use crate::terminal::output::{remark, say_error, say_line};
use crate::terminal::progress;

/// Download data sets from their publishers, convert them to a common format and verify their checksums.
///
/// A file is written only if it has the recorded SHA-256. A data set that is already there and correct is not
/// downloaded again. If a publisher requires an account, download the archive by hand and pass it with --archive.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mindrel data fetch bank
  mindrel data fetch --all --data ~/evaluation
  mindrel data fetch fetal --archive ~/Downloads/archive.zip
  mindrel data fetch --all --from https://example.org/mindrel-data")]
pub struct Fetch {
    /// Data sets to fetch.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Fetch all data sets.
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Mirror with converted files, such as URL/bank.csv; https, or http on this machine only.
    #[arg(long, value_name = "URL")]
    from: Option<String>,
    /// The publisher's archive of one data set, downloaded by hand, or the file inside it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "all"])]
    archive: Option<PathBuf>,
    /// Download again, and replace a file of the same name that differs.
    #[arg(long)]
    force: bool,
}

impl Fetch {
    pub fn run(self, folder: &DataFolder) -> anyhow::Result<ExitCode> {
        let named: Result<Vec<&DataSet>, DataError> = self.names.iter().map(|name| DataSet::named(name)).collect();
        let sets = if self.all { catalogue().iter().collect() } else { named? };
        if sets.is_empty() {
            let names: Vec<&str> = catalogue().iter().map(|set| set.name).collect();
            bail!("which data sets? Name some of {}, or use --all.", names.join(", "));
        }
        if self.archive.is_some() && sets.len() != 1 {
            bail!("--archive is the archive of one data set. Name that data set.");
        }
        let mut failures = Vec::new();
        for set in &sets {
            match self.fetch(set, folder) {
                Ok(fetched) => tell(set, &fetched)?,
                Err(error) if sets.len() == 1 => return Err(error.into()),
                Err(error) => {
                    say_error(&error.into());
                    failures.push(set.name);
                }
            }
        }
        match failures.len() {
            0 => Ok(ExitCode::SUCCESS),
            n_failed => bail!("{n_failed} of {} data sets were not fetched: {}", sets.len(), failures.join(", ")),
        }
    }

    fn fetch(&self, set: &DataSet, folder: &DataFolder) -> Result<Fetched, DataError> {
        let way = match (&self.archive, &self.from) {
            (Some(file), _) => FetchMethod::Archive(file),
            (None, Some(address)) => FetchMethod::Mirror(address),
            (None, None) => FetchMethod::Source,
        };
        let mut bar = progress::spinner(format!("fetching {}", set.name));
        let mut has_begun = false;
        fetch(set, folder, way, self.force, &mut |step: DownloadProgress| {
            if !has_begun {
                has_begun = true;
                bar.finish_and_clear();
                bar = progress::bytes(format!("fetching {}", set.name), step.total);
            }
            bar.set_position(step.received);
        })
    }
}

fn tell(set: &DataSet, fetched: &Fetched) -> anyhow::Result<()> {
    match fetched {
        Fetched::Present(path) => say_line(&format!("{}: already there and correct: {}", set.name, path.display())),
        Fetched::Written(path) => {
            say_line(&format!("{}: fetched and verified: {}", set.name, path.display()))?;
            let licence = match set.licence {
                "unconfirmed" => "licence unconfirmed; use for research only",
                licence => licence,
            };
            remark(&format!("  {}; {licence}; {}\n  {}", set.title, set.creators, set.homepage));
            Ok(())
        }
    }
}
