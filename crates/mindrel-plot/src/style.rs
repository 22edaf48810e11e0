//! Style sheets. Markup names classes only; what they look like on light and dark pages is said here.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::colour::{Hue, SHADES, Theme, shade_of};
use crate::contrast::Rgb;

/// What looks the same in both themes.
const SHAPES: &str = r#".mindrel-plot{font:12px "Helvetica Neue",Helvetica,Arial,"Liberation Sans",system-ui,sans-serif}
.mindrel-plot .mp-title{font-size:15px;font-weight:600}
.mindrel-plot .mp-heading{font-size:13px;font-weight:600}
.mindrel-plot .mp-number{font-variant-numeric:tabular-nums}
.mindrel-plot .mp-grid,.mindrel-plot .mp-axis{fill:none;stroke-width:1;shape-rendering:crispEdges}
.mindrel-plot .mp-line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.mindrel-plot .mp-dashed{stroke-dasharray:6 4.5;stroke-linecap:butt}
.mindrel-plot .mp-dotted{stroke-dasharray:.1 4.5;stroke-width:2.2}
.mindrel-plot .mp-thin{fill:none;stroke-width:1;opacity:.7}
.mindrel-plot .mp-gap{fill:none;stroke-width:4}
.mindrel-plot .mp-whisker{fill:none;stroke-width:1.4}
.mindrel-plot .mp-band{opacity:.16}
.mindrel-plot .mp-bar{opacity:.9}
.mindrel-plot .mp-hollow{stroke-width:1.6}
.mindrel-plot .mp-ring{fill:none;stroke-width:2}
.mindrel-plot .mp-halo{stroke-width:3.5;stroke-linejoin:round;paint-order:stroke}
.mindrel-plot .mp-hit{fill:transparent;stroke:none;pointer-events:all}
.mindrel-plot .mp-node{stroke-width:1.2}
.mindrel-plot .mp-edge{fill:none;stroke-width:1.2;stroke-linejoin:round}
"#;

/// What only a page needs.
const PAGE: &str = r#".mindrel-plot{font-family:var(--mindrel-font,"Helvetica Neue",Helvetica,Arial,"Liberation Sans",system-ui,sans-serif);max-width:100%;height:auto}
.mindrel-plot .mp-stroke{stroke:var(--mp-colour)}
.mindrel-plot .mp-fill{fill:var(--mp-colour)}
.mindrel-figure{margin:2rem 0}
.mindrel-figure .mindrel-scroll{overflow-x:auto}
.mindrel-figure .mp-wide{min-width:760px}
.mindrel-figure .mindrel-slim{display:none}
@media screen and (max-width:640px){.mindrel-figure .mindrel-slim{display:block}.mindrel-figure .mindrel-roomy{display:none}}
.mindrel-figure figcaption{margin-bottom:.75rem}
.mindrel-figure figcaption strong{display:block}
.mindrel-figure table{border-collapse:collapse;font-size:.85em}
.mindrel-figure th,.mindrel-figure td{padding:.15rem .75rem .15rem 0;text-align:left}
.mindrel-figure .mindrel-value{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
@media print{.mindrel-figure{break-inside:avoid}.mindrel-figure details:not([open]){display:none}.mindrel-figure .mp-wide{min-width:0}.mindrel-figure .mindrel-scroll{overflow:visible}}
"#;

/// What is painted in no hue: its name, on a light and on a dark page.
const NEUTRALS: [(&str, u32, u32); 5] = [
    ("paper", 0xFFFFFF, 0x15181C),
    ("text", 0x1F2328, 0xE6E9ED),
    ("muted", 0x59636E, 0xA3ACB7),
    ("grid", 0xE7EAEE, 0x2B3138),
    ("axis", 0x9AA3AE, 0x66707B),
];

/// Classes, the property that each sets, and the neutral it takes.
const PAINTS: [(&str, &str, &str); 13] = [
    ("mp-paper", "fill", "paper"),
    ("mp-text", "fill", "text"),
    ("mp-muted", "fill", "muted"),
    ("mp-grid", "stroke", "grid"),
    ("mp-axis", "stroke", "axis"),
    ("mp-error", "stroke", "text"),
    ("mp-gap", "stroke", "paper"),
    ("mp-hollow", "fill", "paper"),
    ("mp-dot", "stroke", "paper"),
    ("mp-halo", "stroke", "paper"),
    ("mp-node", "fill", "paper"),
    ("mp-node", "stroke", "axis"),
    ("mp-edge", "stroke", "axis"),
];

/// The style sheet of a page with figures made by [`Figure::to_inline_svg`](crate::Figure::to_inline_svg) or
/// [`Figure::to_html`](crate::Figure::to_html).
///
/// Figures follow `prefers-color-scheme`, or `data-theme="light"` or `"dark"` on the root element where there is one;
/// printed, they are light. A page may set `--mindrel-font`, the neutrals (`--mindrel-paper`, `-text`, `-muted`,
/// `-grid`, `-axis`) and every shade of every hue (`--mindrel-blue-0` to `--mindrel-blue-8`).
pub fn stylesheet() -> String {
    let mut sheet = format!("{SHAPES}{PAGE}");
    for (class, property, neutral) in PAINTS {
        let _ = writeln!(sheet, ".mindrel-plot .{class}{{{property}:var(--mindrel-{neutral},var(--mp-{neutral}))}}");
    }
    for (hue, step) in all_shades() {
        let name = format!("{}-{step}", hue.name());
        let _ = writeln!(sheet, ".mindrel-plot .mp-{name}{{--mp-colour:var(--mindrel-{name},var(--mp-{name}))}}");
    }
    let (light, dark) = (values(Theme::Light), values(Theme::Dark));
    let _ = writeln!(sheet, ".mindrel-plot{{{light}}}");
    let _ = writeln!(
        sheet,
        "@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=\"light\"]) .mindrel-plot{{{dark}}}}}"
    );
    let _ = writeln!(sheet, "@media screen{{:root[data-theme=\"dark\"] .mindrel-plot{{{dark}}}}}");
    sheet
}

/// The style sheet of every page around figures: type, tables, facts, claims and verdicts, light and dark, and in
/// print. [`stylesheet`] follows it on the page.
///
/// It sets the variables `--page`, `--ink`, `--soft`, `--line`, `--tint`, `--link` and, for verdicts, `--good`,
/// `--half`, `--bad` and `--none`.
pub fn page_stylesheet() -> &'static str {
    include_str!("page.css")
}

/// The style sheet inside a document of its own: literal colours, which programs that draw SVG without being browsers
/// understand.
pub(crate) fn standalone(used: &BTreeSet<(Hue, u8)>) -> String {
    let (light, dark) = (paints(Theme::Light, used), paints(Theme::Dark, used));
    format!("{SHAPES}{light}@media screen and (prefers-color-scheme:dark){{\n{dark}}}\n")
}

fn paints(theme: Theme, used: &BTreeSet<(Hue, u8)>) -> String {
    let mut sheet = String::new();
    for (class, property, neutral) in PAINTS {
        let _ = writeln!(sheet, ".mindrel-plot .{class}{{{property}:{}}}", neutral_of(neutral, theme));
    }
    for (hue, step) in used {
        let (class, value) = (format!("mp-{}-{step}", hue.name()), shade_of(*hue, *step, theme));
        let _ = writeln!(sheet, ".mindrel-plot .mp-stroke.{class}{{stroke:{value}}}");
        let _ = writeln!(sheet, ".mindrel-plot .mp-fill.{class}{{fill:{value}}}");
    }
    sheet
}

fn values(theme: Theme) -> String {
    let neutrals = NEUTRALS.iter().map(|(name, ..)| format!("--mp-{name}:{};", neutral_of(name, theme)));
    let shades = all_shades().map(|(hue, step)| format!("--mp-{}-{step}:{};", hue.name(), shade_of(hue, step, theme)));
    neutrals.chain(shades).collect()
}

fn all_shades() -> impl Iterator<Item = (Hue, u8)> {
    Hue::ALL.into_iter().flat_map(|hue| (0..=SHADES).map(move |step| (hue, step)))
}

fn neutral_of(name: &str, theme: Theme) -> Rgb {
    let (_, light, dark) = NEUTRALS.iter().find(|(other, ..)| *other == name).expect("every paint names a neutral");
    Rgb::from(if theme == Theme::Light { *light } else { *dark })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contrast::contrast;

    /// \[WCAG 2.2, 1.4.3\] asks 4.5:1 of text.
    #[test]
    fn text_is_readable_in_both_themes() {
        for theme in [Theme::Light, Theme::Dark] {
            assert_eq!(neutral_of("paper", theme), theme.paper());
            for name in ["text", "muted"] {
                assert!(contrast(neutral_of(name, theme), theme.paper()) >= 4.5, "{name} on {theme:?}");
            }
        }
    }

    #[test]
    fn braces_of_the_style_sheets_match() {
        for sheet in [stylesheet(), page_stylesheet().to_owned()] {
            assert_eq!(sheet.matches('{').count(), sheet.matches('}').count());
            assert!(!sheet.contains('<'));
        }
    }
}
