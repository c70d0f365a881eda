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
