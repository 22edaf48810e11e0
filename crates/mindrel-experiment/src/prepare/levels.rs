//! Categories whose every level is a feature of its own.

use mindrel::schema::{Kind, Question};
use mindrel::{People, Person, Schema};

/// Where a new column comes from.
enum FeatureSource {
    /// A column as it is.
    Column(usize),
    /// Whether a column of a category stands at one of its levels.
    Level { question: usize, level: usize },
}

/// Turns each category of more than two levels into one yes-or-no question a level; a missing cell is none of them.
///
/// Departs from a plan's categories, as the paper does: each level is a question of its own, and nothing knows that a
/// person has exactly one.
pub fn split(schema: &Schema, people: &People) -> (Schema, People) {
    let (questions, sources): (Vec<Question>, Vec<FeatureSource>) =
        schema.questions().iter().enumerate().flat_map(|(place, question)| features(place, question)).unzip();
    let mut others = People::new(questions.len());
    for person in people.iter() {
        let levels = levels_of(schema, &person);
        let columns = others.push(person.line);
        for (column, source) in columns.iter_mut().zip(&sources) {
            *column = match *source {
                FeatureSource::Column(place) => person.columns[place],
                FeatureSource::Level { question, level } if levels[question] == Some(level) => 1.0,
                FeatureSource::Level { .. } => -1.0,
            };
        }
        others.set_label(person.label);
    }
    let schema =
        Schema::new(schema.target().clone(), questions).expect("levels of a sound schema have names of their own");
    (schema, others)
}

fn features(place: usize, question: &Question) -> Vec<(Question, FeatureSource)> {
    match &question.kind {
        Kind::Category { levels, .. } if levels.iter().filter(|level| !level.is_empty()).count() > 2 => {
            let named = levels.iter().enumerate().filter(|(_, level)| !level.is_empty());
            named
                .map(|(level, name)| {
                    let feature = Question::boolean(format!("{} is {name}", question.name));
                    (feature, FeatureSource::Level { question: place, level })
                })
                .collect()
        }
        _ => vec![(question.clone(), FeatureSource::Column(place))],
    }
}

/// The level of each question that has levels; each is one column.
fn levels_of(schema: &Schema, person: &Person<'_>) -> Vec<Option<usize>> {
    let level = |(place, question): (usize, &Question)| question.level_of(&person.columns[place..=place]);
    schema.questions().iter().enumerate().map(level).collect()
}
