//! The themes that are built in: values for the custom properties that `base.css` uses.
//!
//! To add one: `themes/<name>.css`, which defines what `base.css` asks for and nothing else (a
//! test compares them), and its row in [`THEMES`].

/// A theme.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Its name.
    pub name: &'static str,
    /// What it looks like, in a line.
    pub about: &'static str,
    /// Its values.
    pub css: &'static str,
}

/// The structure of every page, which uses only custom properties for colours and type.
const BASE: &str = include_str!("../themes/base.css");

/// Every theme, the default first.
pub static THEMES: &[Theme] = &[Theme {
    name: "paper",
    about: "warm paper and ink; light or dark as the reader's system is",
    css: include_str!("../themes/paper.css"),
}];

/// The theme of this name.
pub fn by_name(name: &str) -> Option<&'static Theme> {
    THEMES.iter().find(|theme| theme.name == name)
}

/// The whole style sheet for a theme's values.
pub fn style_sheet(values: &str) -> String {
    format!("{values}\n{BASE}")
}

/// The first line, counted from 1, on which a style sheet would load something: an `@import`, or
/// a `url(` that is not `data:`. An escape counts as well, since it could spell either.
pub fn remote_reference(css: &str) -> Option<(usize, &'static str)> {
    for (index, line) in css.lines().enumerate() {
        let line = line.to_ascii_lowercase();
        let words = ["@import", "image-set(", "image(", "src("];
        if let Some(word) = words.iter().find(|word| line.contains(**word)) {
            return Some((index + 1, word));
        }
        if line.contains('\\') {
            return Some((index + 1, "an escape"));
        }
        for (at, _) in line.match_indices("url(") {
            let address = line[at + "url(".len()..].trim_start_matches(['"', '\'', ' ']);
            if !address.starts_with("data:") {
                return Some((index + 1, "url("));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_theme_that_would_load_something_is_found_out() {
        assert_eq!(remote_reference("a{}\n@IMPORT 'x';"), Some((2, "@import")));
        assert_eq!(
            remote_reference("a{background:url( \"https://example.com/x\")}"),
            Some((1, "url("))
        );
        assert_eq!(
            remote_reference("a{background:u\\72l(x)}"),
            Some((1, "an escape"))
        );
        assert_eq!(
            remote_reference("a{mask:url(\"data:image/svg+xml,x\")}"),
            None
        );
        assert_eq!(remote_reference(THEMES[0].css), None);
    }
}
