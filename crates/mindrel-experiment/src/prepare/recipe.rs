//! How each table becomes the features of the paper.

/// What is done to a table before anything is learned from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// The data set.
    pub name: &'static str,
    /// What the paper calls it.
    pub paper_name: &'static str,
    /// How many features the paper counts [TF23, App. D].
    pub paper_features: usize,
    /// Columns that are left out.
    pub left_out: &'static [&'static str],
    /// Whether each level of a category with more than two is a feature of its own; otherwise a category is one number.
    pub by_level: bool,
    /// What the paper leaves open, and what is done about it here.
    pub note: &'static str,
}

/// The paper's six data sets, those with two classes first.
pub const RECIPES: [Recipe; 6] = [
    Recipe {
        name: "bank",
        paper_name: "Bank",
        paper_features: 16,
        left_out: &[],
        by_level: false,
        note: "All 16 columns; each category is one number, as the count implies.",
    },
    Recipe {
        name: "adult",
        paper_name: "Income",
        paper_features: 40,
        left_out: &["fnlwgt", "education", "relationship", "native-country"],
        by_level: true,
        note: "The paper says 40 features “after preprocessing” and not which. Here they are age, education-num, capital-gain, \
               capital-loss, hours-per-week, sex, and one feature for each level of workclass (8), marital-status (7), occupation (14) \
               and race (5); left out are fnlwgt (a survey weight), education (education-num in words), relationship (mostly marital-status and \
               sex) and native-country. Each of the 40 is a question of its own, as in the paper, so that nothing knows that a person has only \
               one occupation.",
    },
    Recipe {
        name: "credit",
        paper_name: "Credit",
        paper_features: 22,
        left_out: &[],
        by_level: false,
        note: "The paper counts 22 features and does not say which of the 23 columns is missing; here all 23 are used. Each category is one \
               number.",
    },
    Recipe {
        name: "insurance",
        paper_name: "Insurance",
        paper_features: 16,
        left_out: &["POSTAL_CODE"],
        by_level: false,
        note: "The table has 17 columns, the paper 16 features; left out is POSTAL_CODE, whose four numbers have no order. Each category is \
               one number.",
    },
    Recipe {
        name: "customer",
        paper_name: "Customer",
        paper_features: 9,
        left_out: &[],
        by_level: false,
        note: "All 9 columns; each category is one number.",
    },
    Recipe {
        name: "fetal",
        paper_name: "Children fetal health",
        paper_features: 21,
        left_out: &[],
        by_level: false,
        note: "All 21 columns, all of them numbers.",
    },
];

impl Recipe {
    /// The recipe of a data set.
    ///
    /// # Panics
    /// When there is no such data set: experiments name only these.
    #[must_use]
    pub fn of(name: &str) -> &'static Recipe {
        RECIPES.iter().find(|recipe| recipe.name == name).expect("experiments are on the paper's data sets")
    }
}
