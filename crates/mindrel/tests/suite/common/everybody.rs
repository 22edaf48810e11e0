//! Everybody there can be who agrees in what is known.

use super::*;

/// The columns of a number that is missing where it may be.
pub const MISSING: [f64; 2] = [1.0, -1.0];

/// One of the values an open question can have, mostly any of them, sometimes a vertex.
pub fn random_values(domain: Domain, random: &mut impl Rng) -> Vec<f64> {
    let vertex = below(random, 4) == 0;
    match domain {
        Domain::Interval if vertex => vec![[-1.0, 1.0][below(random, 2)]],
        Domain::Interval => vec![2.0 * unit(random) - 1.0],
        Domain::Grid { points } if vertex => vec![grid_value([0, points - 1][below(random, 2)], points)],
        Domain::Grid { points } => vec![grid_value(below(random, points), points)],
        Domain::OneOf { levels } => {
            let level = below(random, levels);
            (0..levels).map(|column| f64::from(u8::from(column == level))).collect()
        }
        Domain::OrMissing { .. } if below(random, 3) == 0 => MISSING.to_vec(),
        Domain::OrMissing { points } => {
            let numbers = points.map_or(Domain::Interval, |points| Domain::Grid { points });
            vec![random_values(numbers, random)[0] / 2.0; 2]
        }
    }
}

/// The values of a question with finitely many.
pub fn all_values(domain: Domain) -> Option<Vec<Vec<f64>>> {
    match domain {
        Domain::Interval => None,
        Domain::Grid { points } => Some((0..points).map(|index| vec![grid_value(index, points)]).collect()),
        Domain::OneOf { levels } => {
            let indicators = |level: usize| (0..levels).map(|column| f64::from(u8::from(column == level))).collect();
            Some((0..levels).map(indicators).collect())
        }
        Domain::OrMissing { points } => {
            let numbers = all_values(Domain::Grid { points: points? })?;
            Some(numbers.into_iter().map(|number| vec![number[0] / 2.0; 2]).chain([MISSING.to_vec()]).collect())
        }
    }
}

/// A whole number as it is encoded, with the same roundings.
fn grid_value(index: usize, points: usize) -> f64 {
    -1.0 + 2.0 * (index as f64 / (points - 1) as f64)
}

/// Somebody who agrees with a person in everything known, and is anybody within the domain otherwise.
pub fn anybody(schema: &Schema, person: &[f64], known: &[bool], random: &mut impl Rng) -> Vec<f64> {
    let mut point = person.to_vec();
    for id in schema.ids().filter(|id| !known[id.index()]) {
        let values = random_values(schema.question(id).domain(), random);
        point[schema.columns(id)].copy_from_slice(&values);
    }
    point
}

/// Whether an encoded answer is one a person can give: on the grid, where there is one.
pub fn can_be(domain: Domain, values: &[f64]) -> bool {
    all_values(domain).map_or_else(|| domain.contains(values), |all| all.iter().any(|other| other == values))
}

/// How many people agree in everything known; nothing where an unknown question has values without number.
pub fn n_people(schema: &Schema, known: &[bool]) -> Option<usize> {
    let counts = schema.ids().filter(|id| !known[id.index()]).map(|id| all_values(schema.question(id).domain()));
    counts.map(|values| values.map(|values| values.len())).product()
}

/// The label of everybody who agrees with a person in everything known, if it is everywhere the same. What is unknown
/// has finitely many values.
pub fn label_of_everybody(plan: &Plan, person: &[f64], known: &[bool]) -> Option<Label> {
    let schema = plan.schema();
    let open: Vec<QuestionId> = schema.ids().filter(|id| !known[id.index()]).collect();
    let values: Vec<Vec<Vec<f64>>> =
        open.iter().map(|&id| all_values(schema.question(id).domain()).expect("finitely many values")).collect();
    let mut point = person.to_vec();
    let mut common = None;
    for number in 0..values.iter().map(Vec::len).product::<usize>() {
        let mut rest = number;
        for (&id, values) in open.iter().zip(&values) {
            point[schema.columns(id)].copy_from_slice(&values[rest % values.len()]);
            rest /= values.len();
        }
        let label = plan.model().label(&point);
        if *common.get_or_insert(label) != label {
            return None;
        }
    }
    common
}

/// Brings the unknown columns of a draw from the belief into the domain: numbers to the nearest value, categories to
/// the largest indicator, the first of equals.
pub fn bring_in(schema: &Schema, known: &[bool], point: &mut [f64]) {
    for id in schema.ids().filter(|id| !known[id.index()]) {
        let values = &mut point[schema.columns(id)];
        match schema.question(id).domain() {
            Domain::Interval => values[0] = values[0].clamp(-1.0, 1.0),
            Domain::Grid { points } => {
                let places = (values[0].clamp(-1.0, 1.0) + 1.0) / 2.0 * (points - 1) as f64;
                values[0] = grid_value(places.round() as usize, points);
            }
            Domain::OrMissing { .. } if values[0] - values[1] >= 1.0 => values.copy_from_slice(&MISSING),
            Domain::OrMissing { points } => {
                let number = (values[0] + values[1]).clamp(-1.0, 1.0);
                let place = |points: usize| ((number + 1.0) / 2.0 * (points - 1) as f64).round() as usize;
                values.fill(points.map_or(number, |points| grid_value(place(points), points)) / 2.0);
            }
            Domain::OneOf { levels } => {
                let best = (0..levels).fold(0, |best, level| if values[level] > values[best] { level } else { best });
                values.fill(0.0);
                values[best] = 1.0;
            }
        }
    }
}
