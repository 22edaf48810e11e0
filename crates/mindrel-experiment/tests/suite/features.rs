//! The features of the paper, where its text counts them.

use mindrel_experiment::{PreparedTable, RECIPES};
use mindrel_testing::data_folder;

/// Credit has 23 columns, of which the paper counts 22 and does not say which; the report says so.
#[test]
fn tables_have_as_many_features_as_the_paper_counts() {
    let Some(folder) = data_folder("tables_have_as_many_features_as_the_paper_counts") else { return };
    for recipe in &RECIPES {
        let data =
            PreparedTable::read(&folder.join(format!("{}.csv", recipe.name)), recipe).expect("the table is clean");
        let expected = if recipe.name == "credit" { 23 } else { recipe.paper_features };
        assert_eq!(data.n_features(), expected, "{}", recipe.name);
        assert_eq!(data.schema.n_columns(), expected, "every feature is one column, {}", recipe.name);
    }
}

/// Somebody with an occupation has exactly one, somebody whose cell is empty none.
#[test]
fn each_level_of_a_category_is_a_feature_of_its_own() {
    let Some(folder) = data_folder("each_level_of_a_category_is_a_feature_of_its_own") else { return };
    let recipe = mindrel_experiment::Recipe::of("adult");
    let data = PreparedTable::read(&folder.join("adult.csv"), recipe).expect("the table is clean");
    let occupations: Vec<usize> = data
        .schema
        .ids()
        .filter(|&id| data.schema.question(id).name.starts_with("occupation is "))
        .map(|id| data.schema.columns(id).start)
        .collect();
    assert_eq!(occupations.len(), 14);
    for person in data.people.iter() {
        let set = occupations.iter().filter(|&&column| person.columns[column] == 1.0).count();
        let unset = occupations.iter().filter(|&&column| person.columns[column] == -1.0).count();
        assert!(set <= 1 && set + unset == 14, "at most one, none where the cell is missing");
    }
}
