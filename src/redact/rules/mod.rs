//! Secrets that can be told by how they are written: one row for each kind, as data. A row holds
//! its own tests, `examples` and `counter_examples`; to add a kind is to add a row.

mod clouds;
mod forges;
mod formats;
mod models;
mod services;
#[cfg(test)]
mod tests;

/// A kind of secret that can be told by how it is written.
///
/// The literals are looked for in every text at once, in any letter case; where one stands, the
/// pattern is tried. What stands before and after a match must not belong to a longer word.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The name that its marker has, such as `github-token`.
    pub(crate) kind: &'static str,
    /// Who gives out such secrets.
    pub(crate) vendor: &'static str,
    /// One of them stands in every match.
    pub(crate) literals: &'static [&'static str],
    /// The whole of the secret; where it has a group, only that is masked.
    pub(crate) pattern: &'static str,
    /// How many bytes of a match can stand before the literal.
    pub(crate) reach: usize,
    /// What a match must look like besides.
    pub(crate) look: Look,
    /// Secrets as the vendor writes them. `<A36>` stands for 36 invented characters; the tests
    /// list the classes. So no scanner takes this file for a leak.
    #[cfg_attr(not(test), expect(dead_code, reason = "what a row is tested with"))]
    pub(crate) examples: &'static [&'static str],
    /// Texts that look alike and are none, written in the same way.
    #[cfg_attr(not(test), expect(dead_code, reason = "what a row is tested with"))]
    pub(crate) counter_examples: &'static [&'static str],
}

/// What a match must look like besides fitting the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Invented by a machine: many different characters, no placeholder, no words.
    Random,
    /// The same, unless its last six digits are the checksum of what stands before them.
    GithubChecksum,
    /// Anything but a placeholder.
    Any,
}

/// What most rows have in common.
const RULE: Rule = Rule {
    kind: "",
    vendor: "",
    literals: &[],
    pattern: "",
    reach: 0,
    look: Look::Random,
    examples: &[],
    counter_examples: &[],
};

/// Every row, in the order in which they are tried.
pub(crate) fn all() -> impl Iterator<Item = &'static Rule> {
    [
        forges::RULES,
        clouds::RULES,
        models::RULES,
        services::RULES,
        formats::RULES,
    ]
    .into_iter()
    .flatten()
}
