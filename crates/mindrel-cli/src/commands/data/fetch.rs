//! `mindrel data fetch`: download, convert, verify, write.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use mindrel_data::{DataError, DataFolder, DataSet, DownloadProgress, FetchMethod, Fetched, catalogue, fetch};

use crate::terminal::output::{remark, say_error, say_line};
use crate::terminal::progress;

/// Download data sets from their publishers, convert them to the common form and verify their checksums.
///
/// Nothing is written unless the result has the catalogued sha256. A set that is there and right is not downloaded again.
/// Where a publisher wants to see an account, download the archive by hand and give it to --archive.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mindrel data fetch bank
  mindrel data fetch --all --data ~/evaluation
  mindrel data fetch fetal --archive ~/Downloads/archive.zip
  mindrel data fetch --all --from https://example.org/mindrel-data")]
pub struct Fetch {
    /// Data sets.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// All of them.
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Mirror that holds prepared files, as URL/bank.csv; https, or http on this machine itself.
    #[arg(long, value_name = "URL")]
    from: Option<String>,
    /// The publisher's archive, downloaded by hand, or the file in it; for one data set.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "all"])]
    archive: Option<PathBuf>,
    /// Fetch what is there already, and replace a file of that name that is another one.
    #[arg(long)]
    force: bool,
}

impl Fetch {
    pub fn run(self, folder: &DataFolder) -> anyhow::Result<ExitCode> {
        let named: Result<Vec<&DataSet>, DataError> = self.names.iter().map(|name| DataSet::named(name)).collect();
        let sets = if self.all { catalogue().iter().collect() } else { named? };
        if sets.is_empty() {
            let names: Vec<&str> = catalogue().iter().map(|set| set.name).collect();
            bail!("which data sets? Name some of {}, or give --all.", names.join(", "));
        }
        if self.archive.is_some() && sets.len() != 1 {
            bail!("--archive is the archive of one data set. Name that one.");
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
        Fetched::Present(path) => {
            say_line(&format!("{}: already there and right, nothing was downloaded: {}", set.name, path.display()))
        }
        Fetched::Written(path) => {
            say_line(&format!("{}: fetched and verified: {}", set.name, path.display()))?;
            let licence = match set.licence {
                "unconfirmed" => "licence unconfirmed, treat it as for research only",
                licence => licence,
            };
            remark(&format!("  {}; {licence}; {}\n  {}", set.title, set.creators, set.homepage));
            Ok(())
        }
    }
}
