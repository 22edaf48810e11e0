//! The six sets: facts, and where each comes from.

use crate::{DataError, SourceLayout};

/// A data set of the evaluation.
#[derive(Debug, Clone)]
pub struct DataSet {
    /// What it is called here; its file is this with `.csv`.
    pub name: &'static str,
    /// What its publisher calls it.
    pub title: &'static str,
    /// Who publishes it, and under which number or name.
    pub origin: &'static str,
    /// Who made it.
    pub creators: &'static str,
    /// The terms it may be used under, as far as they are known.
    pub licence: &'static str,
    /// The page about it, from which it can be downloaded by hand.
    pub homepage: &'static str,
    /// What the class says.
    pub label_meaning: &'static str,
    /// Lines after the header.
    pub rows: usize,
    /// Columns besides the label.
    pub features: usize,
    /// Different labels.
    pub classes: usize,
    /// Size of the file in the common form.
    pub bytes: u64,
    /// Its checksum, in hexadecimal.
    pub sha256: &'static str,
    /// What whoever uses it should know.
    pub notes: &'static str,
    /// Where it is downloaded from, and how that becomes the common form.
    pub source: DataSource,
}

/// What a publisher offers: an archive, and in it the files that hold the set.
#[derive(Debug, Clone)]
pub struct DataSource {
    /// The archive's address.
    pub address: &'static str,
    /// An archive in the archive that holds the files.
    pub inner: Option<&'static str>,
    /// The files, in the order of the rows.
    pub members: &'static [&'static str],
    /// How they are written.
    pub layout: SourceLayout,
}

impl DataSet {
    /// The set of this name.
    ///
    /// # Errors
    /// When there is none; the error lists those there are.
    pub fn named(name: &str) -> Result<&'static DataSet, DataError> {
        catalogue().iter().find(|set| set.name == name).ok_or_else(|| DataError::UnknownSet { name: name.to_owned() })
    }

    /// The name of its file in a data folder.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}.csv", self.name)
    }
}

/// All sets, in the order of the paper's tables.
#[must_use]
pub fn catalogue() -> &'static [DataSet] {
    &CATALOGUE
}

static CATALOGUE: [DataSet; 6] = [
    DataSet {
        name: "bank",
        title: "Bank Marketing (bank-full.csv)",
        origin: "UCI 222",
        creators: "S. Moro, P. Rita, P. Cortez",
        licence: "CC BY 4.0",
        homepage: "https://archive.ics.uci.edu/dataset/222/bank+marketing",
        label_meaning: "yes: the client subscribed a term deposit",
        rows: 45_211,
        features: 16,
        classes: 2,
        bytes: 3_706_098,
        sha256: "2dbd1d6b1cfca1a8e569da065c3e0327103d22e296c348381b550c4f8b81b38d",
        notes: "`unknown` is a level of the source, not a missing value. pdays -1: not contacted before. duration is known \
                only after the call.",
        source: DataSource {
            address: "https://archive.ics.uci.edu/static/public/222/bank+marketing.zip",
            inner: Some("bank.zip"),
            members: &["bank-full.csv"],
            layout: SourceLayout::Table { delimiter: b';', identifier: None, label: "y" },
        },
    },
    DataSet {
        name: "adult",
        title: "Adult (Census Income)",
        origin: "UCI 2",
        creators: "B. Becker, R. Kohavi",
        licence: "CC BY 4.0",
        homepage: "https://archive.ics.uci.edu/dataset/2/adult",
        label_meaning: ">50K: a yearly income above 50,000 dollars",
        rows: 48_842,
        features: 14,
        classes: 2,
        bytes: 5_271_056,
        sha256: "2e9f48afdad46f9ec465eec575cfb1bb12de5be871e9929413b1a4ee8ada8861",
        notes: "adult.data (32,561 rows), then adult.test (16,281). `?` is an empty cell here. fnlwgt is a survey weight; \
                education-num says the same as education.",
        source: DataSource {
            address: "https://archive.ics.uci.edu/static/public/2/adult.zip",
            inner: None,
            members: &["adult.data", "adult.test"],
            layout: SourceLayout::Census { columns: &ADULT_COLUMNS },
        },
    },
    DataSet {
        name: "credit",
        title: "Default of Credit Card Clients",
        origin: "UCI 350",
        creators: "I-C. Yeh",
        licence: "CC BY 4.0",
        homepage: "https://archive.ics.uci.edu/dataset/350/default+of+credit+card+clients",
        label_meaning: "1: default in the next month",
        rows: 30_000,
        features: 23,
        classes: 2,
        bytes: 2_698_290,
        sha256: "b841ca158f0b5638f8ffca061d845802d2de8e249b788a6e8b03bf4ac30ec9df",
        notes: "SEX, EDUCATION and MARRIAGE are categories written as numbers; some of their values are not in the \
                source's documentation.",
        source: DataSource {
            address: "https://archive.ics.uci.edu/static/public/350/default+of+credit+card+clients.zip",
            inner: None,
            members: &["default of credit card clients.xls"],
            layout: SourceLayout::Spreadsheet { sheet: "Data", lines_above: 2, columns: &CREDIT_COLUMNS },
        },
    },
    DataSet {
        name: "insurance",
        title: "Car Insurance Data (Car_Insurance_Claim.csv)",
        origin: "Kaggle car-insurance-data",
        creators: "as its page says",
        licence: "unconfirmed",
        homepage: "https://www.kaggle.com/datasets/sagnik1511/car-insurance-data",
        label_meaning: "1.0: the customer filed a claim",
        rows: 10_000,
        features: 17,
        classes: 2,
        bytes: 1_191_281,
        sha256: "42174f2d2a28ce80cb69108ca8a915138eed493bcad9621c0426b9cbc562c916",
        notes: "The licence is stated on its page and could not be confirmed: treat it as for research only. Said to be \
                partly generated by its uploader. POSTAL_CODE is a category.",
        source: DataSource {
            address: "https://www.kaggle.com/api/v1/datasets/download/sagnik1511/car-insurance-data",
            inner: None,
            members: &["Car_Insurance_Claim.csv"],
            layout: SourceLayout::Table { delimiter: b',', identifier: Some("ID"), label: "OUTCOME" },
        },
    },
    DataSet {
        name: "customer",
        title: "Customer Segmentation (train.csv)",
        origin: "Kaggle customer-segmentation",
        creators: "as its page says; first published in an Analytics Vidhya hackathon",
        licence: "unconfirmed",
        homepage: "https://www.kaggle.com/datasets/abisheksudarshan/customer-segmentation",
        label_meaning: "market segment A, B, C or D",
        rows: 8_068,
        features: 9,
        classes: 4,
        bytes: 368_883,
        sha256: "9c19d1680e1647b9eaf8c81ceee8231c1585a9263959d1962cca1754926920a0",
        notes: "The licence is stated on its page and could not be confirmed: treat it as for research only. People with \
                the same features have different labels: no model is right about more than 96.0 %.",
        source: DataSource {
            address: "https://www.kaggle.com/api/v1/datasets/download/abisheksudarshan/customer-segmentation",
            inner: None,
            members: &["train.csv"],
            layout: SourceLayout::Table { delimiter: b',', identifier: Some("ID"), label: "Segmentation" },
        },
    },
    DataSet {
        name: "fetal",
        title: "Fetal Health Classification, after UCI 193 Cardiotocography",
        origin: "Kaggle fetal-health-classification",
        creators: "D. Ayres de Campos, J. Bernardes and others (SisPorto 2.0)",
        licence: "to be cited",
        homepage: "https://www.kaggle.com/datasets/andrewmvd/fetal-health-classification",
        label_meaning: "1.0 normal, 2.0 suspect, 3.0 pathological",
        rows: 2_126,
        features: 21,
        classes: 3,
        bytes: 228_708,
        sha256: "47efecc064076dc878ad2d974db00b4ae01088ca4bcdec0572fe0164d1d9e558",
        notes: "Its page says \"Other (specified in description)\" and asks for citation; the UCI original is CC BY 4.0.",
        source: DataSource {
            address: "https://www.kaggle.com/api/v1/datasets/download/andrewmvd/fetal-health-classification",
            inner: None,
            members: &["fetal_health.csv"],
            layout: SourceLayout::Table { delimiter: b',', identifier: None, label: "fetal_health" },
        },
    },
];

/// The source has no header line.
#[rustfmt::skip]
static ADULT_COLUMNS: [&str; 15] = [
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship", "race",
    "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "label",
];

/// After the identifier, which comes first.
#[rustfmt::skip]
static CREDIT_COLUMNS: [&str; 24] = [
    "LIMIT_BAL", "SEX", "EDUCATION", "MARRIAGE", "AGE", "PAY_0", "PAY_2", "PAY_3", "PAY_4", "PAY_5", "PAY_6",
    "BILL_AMT1", "BILL_AMT2", "BILL_AMT3", "BILL_AMT4", "BILL_AMT5", "BILL_AMT6",
    "PAY_AMT1", "PAY_AMT2", "PAY_AMT3", "PAY_AMT4", "PAY_AMT5", "PAY_AMT6", "label",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_checksums_are_all_different_and_well_formed() {
        for (place, set) in catalogue().iter().enumerate() {
            assert_eq!(set.sha256.len(), 64, "{}", set.name);
            assert!(set.sha256.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')), "{}", set.name);
            assert!(set.source.address.starts_with("https://"), "{}", set.name);
            assert!(set.homepage.starts_with("https://"), "{}", set.name);
            for other in &catalogue()[place + 1..] {
                assert!(set.name != other.name && set.sha256 != other.sha256);
            }
        }
    }

    #[test]
    fn a_set_is_found_by_its_name_and_an_unknown_name_lists_those_there_are() {
        assert_eq!(DataSet::named("fetal").expect("a set").classes, 3);
        let error = DataSet::named("iris").expect_err("no set").to_string();
        assert!(error.contains("`iris`") && error.contains("bank, adult, credit"), "{error}");
    }
}
