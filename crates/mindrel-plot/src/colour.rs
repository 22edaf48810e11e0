//! Colours: a few hues with a value for light pages and one for dark pages, and shades of each.

use serde::Serialize;

use crate::contrast::{Rgb, contrast, mix};

/// The shades of a hue are cut into so many steps, so that a page's style sheet can list them all.
pub(crate) const SHADES: u8 = 8;

/// The contrast of the faintest shade with the page. The eye needs more of it on a dark one.
const FAINTEST_ON_LIGHT: f64 = 1.8;
const FAINTEST_ON_DARK: f64 = 2.3;

/// A hue that readers who confuse red and green can tell from the others.
///
/// They are those of \[Okabe & Ito 2008\], darkened on light pages and lightened on dark ones where they would not
/// stand out from the page; `Olive` is their yellow. `Violet` and `Grey` are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[allow(missing_docs)]
pub enum Hue {
    Blue,
    Vermillion,
    Green,
    Purple,
    Orange,
    Sky,
    Olive,
    Violet,
    Ink,
    Grey,
}

impl Hue {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Blue,
        Self::Vermillion,
        Self::Green,
        Self::Purple,
        Self::Orange,
        Self::Sky,
        Self::Olive,
        Self::Violet,
        Self::Ink,
        Self::Grey,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Blue => "blue",
            Self::Vermillion => "vermillion",
            Self::Green => "green",
            Self::Purple => "purple",
            Self::Orange => "orange",
            Self::Sky => "sky",
            Self::Olive => "olive",
            Self::Violet => "violet",
            Self::Ink => "ink",
            Self::Grey => "grey",
        }
    }

    fn full(self, theme: Theme) -> Rgb {
        let (light, dark) = match self {
            Self::Blue => (0x0072B2, 0x459FE3),
            Self::Vermillion => (0xC44E00, 0xFF8142),
            Self::Green => (0x00805D, 0x27BE91),
            Self::Purple => (0xB14C8B, 0xE997C6),
            Self::Orange => (0xB57600, 0xF3B433),
            Self::Sky => (0x2788C2, 0x9AD8F8),
            Self::Olive => (0x857A00, 0xF0E442),
            Self::Violet => (0x5E3C99, 0xB09AF2),
            Self::Ink => (0x1B1F24, 0xF2F4F6),
            Self::Grey => (0x6B7280, 0x9AA3AE),
        };
        Rgb::from(if theme == Theme::Light { light } else { dark })
    }
}

/// The reader's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Theme {
    Light,
    Dark,
}

impl Theme {
    pub(crate) fn paper(self) -> Rgb {
        Rgb::from(if self == Self::Light { 0xFFFFFF } else { 0x15181C })
    }
}

/// A shade of a hue. The same thing has the same colour in every figure; what has a colour of its own is listed here.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Colour {
    /// Which hue.
    pub hue: Hue,
    /// From 0, full, to 1, the faintest that can still be told from the page.
    pub shade: f64,
}

impl Colour {
    /// The rule `decisive`.
    pub const DECISIVE: Self = Self::new(Hue::Blue);
    /// The rule `f-score`.
    pub const F_SCORE: Self = Self::new(Hue::Vermillion);
    /// The rule `importance`.
    pub const IMPORTANCE: Self = Self::new(Hue::Green);
    /// The rule `random`.
    pub const RANDOM: Self = Self::new(Hue::Purple);
    /// The smallest core set, which no rule can beat.
    pub const OPTIMAL: Self = Self::new(Hue::Ink);
    /// Everything revealed.
    pub const ALL_FEATURES: Self = Self::new(Hue::Grey);
    /// The belief `gaussian`.
    pub const GAUSSIAN: Self = Self::new(Hue::Sky);
    /// The belief `bayes-nn`.
    pub const BAYESIAN: Self = Self::new(Hue::Orange);
    /// The belief `copula`.
    pub const COPULA: Self = Self::new(Hue::Violet);

    /// The full shade of a hue.
    pub const fn new(hue: Hue) -> Self {
        Self { hue, shade: 0.0 }
    }

    /// The same hue in another shade.
    pub const fn shaded(self, shade: f64) -> Self {
        Self { hue: self.hue, shade }
    }

    /// The same hue in the shade of one among several, the first of them full and the last the faintest.
    pub fn graded(self, place: usize, count: usize) -> Self {
        self.shaded(if count > 1 { place as f64 / (count - 1) as f64 } else { 0.0 })
    }

    /// The shade as a whole number of steps; what is no number is full.
    pub(crate) fn step(self) -> u8 {
        (self.shade.clamp(0.0, 1.0) * f64::from(SHADES)).round() as u8
    }

    pub(crate) fn class(self) -> String {
        format!("mp-{}-{}", self.hue.name(), self.step())
    }
}

/// The value of one step of a hue on a page.
///
/// ```text
/// contrast(step) = contrast(full)^(1 − s) · faintest^s,   s = step / 8
/// ```
///
/// so that neighbouring steps differ by the same factor. Found by bisection between the hue and the paper.
pub(crate) fn shade_of(hue: Hue, step: u8, theme: Theme) -> Rgb {
    let (full, paper) = (hue.full(theme), theme.paper());
    let share = f64::from(step) / f64::from(SHADES);
    let faintest = if theme == Theme::Light { FAINTEST_ON_LIGHT } else { FAINTEST_ON_DARK };
    let wanted = contrast(full, paper).powf(1.0 - share) * faintest.powf(share);
    let (mut near, mut far) = (0.0, 1.0);
    for _ in 0..20 {
        let middle = (near + far) / 2.0;
        if contrast(mix(full, paper, middle), paper) >= wanted { near = middle } else { far = middle }
    }
    mix(full, paper, near)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// \[WCAG 2.2, 1.4.11\] asks 3:1 of what is needed to understand a graphic.
    #[test]
    fn lines_of_full_shade_stand_out_from_light_and_dark_pages() {
        for theme in [Theme::Light, Theme::Dark] {
            for hue in Hue::ALL {
                let ratio = contrast(shade_of(hue, 0, theme), theme.paper());
                assert!(ratio >= 3.0, "{hue:?} on {theme:?}: {ratio}");
            }
        }
    }

    #[test]
    fn shades_fade_step_by_step_and_never_into_the_page() {
        for theme in [Theme::Light, Theme::Dark] {
            for hue in Hue::ALL {
                let ratios: Vec<f64> =
                    (0..=SHADES).map(|step| contrast(shade_of(hue, step, theme), theme.paper())).collect();
                assert!(ratios.windows(2).all(|pair| pair[0] > pair[1]), "{hue:?} on {theme:?}: {ratios:?}");
                assert!(ratios[usize::from(SHADES)] >= 1.75, "{hue:?} on {theme:?}: {ratios:?}");
            }
        }
    }

    #[test]
    fn five_deltas_have_five_shades() {
        let steps: Vec<u8> = (0..5).map(|place| Colour::DECISIVE.graded(place, 5).step()).collect();
        assert_eq!(steps, [0, 2, 4, 6, 8]);
        assert_eq!(Colour::DECISIVE.shaded(f64::NAN).step(), 0);
    }
}
