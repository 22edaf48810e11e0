//! A page of its own for a few figures.

use crate::figure::Figure;
use crate::style;
use crate::xml::Xml;

/// What a page with nothing but figures needs besides their own style.
const PAGE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1f2328;background:#fff}\
                    td,th{padding:.1rem .6rem;text-align:left}\
                    @media screen and (prefers-color-scheme:dark){body{color:#e6e9ed;background:#15181c}}";

/// A whole page: a title, some paragraphs, and figures with their numbers. It opens without a network.
pub fn page_of(title: &str, paragraphs: &[&str], figures: &[&Figure]) -> String {
    let mut html = Xml::default();
    html.append("<!doctype html>\n");
    html.open("html", &[("lang", "en")]);
    html.open("head", &[]);
    html.empty("meta", &[("charset", "utf-8")]);
    html.empty("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
    html.leaf("title", &[], title);
    html.append(&format!("<style>\n{}{PAGE}\n</style>\n", style::stylesheet()));
    html.close("head");
    html.open("body", &[]);
    html.leaf("h1", &[], title);
    for paragraph in paragraphs {
        html.leaf("p", &[], paragraph);
    }
    for figure in figures {
        html.append(&figure.to_html());
    }
    html.close("body");
    html.close("html");
    html.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_keeps_hostile_names_as_text() {
        let figure = Figure::new("</figure><script>alert(1)</script>", "\" onload='x'");
        let page = page_of("<b>title</b>", &["<img src=x onerror=alert(1)>"], &[&figure]);
        assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("<b>"), "{page}");
        let document = page.strip_prefix("<!doctype html>\n").expect("a page says what it is");
        assert!(roxmltree::Document::parse(document).is_ok());
    }
}
