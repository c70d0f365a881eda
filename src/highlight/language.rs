//! The languages: how they are named, which files hold them, which lexer reads them.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use super::grammar::{Code, Tables};
use super::grammars::{data, managed, scripting, systems};
use super::paint::Painter;
use super::{css, lexer, markup, prose, shell};

/// A language that foldout can paint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Language(usize);

/// What is known of a language. Lists are strings with spaces between the words, in lower case.
struct Row {
    /// As fences name it; the first is the one it is called by.
    names: &'static str,
    /// Endings of file names, without the dot.
    extensions: &'static str,
    /// Whole file names.
    files: &'static str,
    family: Family,
}

/// The lexers.
enum Family {
    Code(&'static Code),
    Css,
    Markdown,
    Markup,
    Patch,
    Session,
    Shell,
}

const fn row(
    names: &'static str,
    extensions: &'static str,
    files: &'static str,
    family: Family,
) -> Row {
    Row {
        names,
        extensions,
        files,
        family,
    }
}

/// The table. To add a language: a constant in one of the files of `grammars`, and a row here.
#[rustfmt::skip]
static LANGUAGES: [Row; COUNT] = [
    row("rust rs", "rs", "", Family::Code(&systems::RUST)),
    row("go golang", "go", "", Family::Code(&systems::GO)),
    row("c h", "c h", "", Family::Code(&systems::C)),
    row("cpp c++ cxx cc hpp objective-c objc", "cpp cc cxx hpp hh hxx ipp m mm ino cu", "", Family::Code(&systems::CPP)),
    row("zig", "zig zon", "", Family::Code(&systems::ZIG)),
    row("csharp c# cs dotnet", "cs csx", "", Family::Code(&managed::CSHARP)),
    row("java groovy gradle", "java groovy gradle", "jenkinsfile", Family::Code(&managed::JAVA)),
    row("kotlin kt kts", "kt kts", "", Family::Code(&managed::KOTLIN)),
    row("scala", "scala sc sbt", "", Family::Code(&managed::SCALA)),
    row("swift", "swift", "", Family::Code(&managed::SWIFT)),
    row("dart", "dart", "", Family::Code(&managed::DART)),
    row("python py python3 py3 ipython pycon", "py pyi pyw bzl", "sconstruct build.bazel", Family::Code(&scripting::PYTHON)),
    row("javascript js jsx node mjs cjs", "js jsx mjs cjs", "", Family::Code(&scripting::JAVASCRIPT)),
    row("typescript ts tsx deno bun mts cts", "ts tsx mts cts", "", Family::Code(&scripting::TYPESCRIPT)),
    row("ruby rb irb", "rb rake gemspec ru", "gemfile rakefile podfile vagrantfile brewfile", Family::Code(&scripting::RUBY)),
    row("php", "php phtml", "", Family::Code(&scripting::PHP)),
    row("perl pl", "pl pm t", "", Family::Code(&scripting::PERL)),
    row("lua luau luajit", "lua luau", "", Family::Code(&scripting::LUA)),
    row("r rscript", "r", ".rprofile", Family::Code(&scripting::R)),
    row("elixir ex exs iex", "ex exs", "mix.lock", Family::Code(&scripting::ELIXIR)),
    row("haskell hs", "hs", "", Family::Code(&scripting::HASKELL)),
    row("powershell ps1 pwsh ps posh", "ps1 psm1 psd1", "", Family::Code(&scripting::POWERSHELL)),
    row("json jsonc json5 jsonl ndjson", "json jsonc json5 jsonl ndjson ipynb webmanifest map", ".prettierrc .eslintrc .babelrc composer.lock flake.lock package.resolved", Family::Code(&data::JSON)),
    row("toml", "toml", "cargo.lock poetry.lock uv.lock pipfile", Family::Code(&data::TOML)),
    row("ini dotenv env properties cfg conf editorconfig", "ini cfg conf env properties service desktop", ".gitconfig .editorconfig .npmrc .gitignore .dockerignore .env", Family::Code(&data::INI)),
    row("yaml yml", "yaml yml", "pnpm-lock.yaml .clang-format", Family::Code(&data::YAML)),
    row("sql postgres postgresql mysql sqlite plsql tsql psql", "sql", "", Family::Code(&data::SQL)),
    row("graphql gql", "graphql gql", "", Family::Code(&data::GRAPHQL)),
    row("protobuf proto", "proto", "", Family::Code(&data::PROTOBUF)),
    row("hcl terraform tf", "tf tfvars hcl", "", Family::Code(&data::HCL)),
    row("nix", "nix", "", Family::Code(&data::NIX)),
    row("dockerfile docker containerfile", "dockerfile", "dockerfile containerfile", Family::Code(&data::DOCKERFILE)),
    row("makefile make mk", "mk mak", "makefile gnumakefile justfile", Family::Code(&data::MAKEFILE)),
    row("css scss sass less", "css scss sass less", "", Family::Css),
    row("html xml svelte vue xhtml svg astro plist rss xaml", "html htm xml svelte vue xhtml svg astro plist rss xaml csproj xsd xsl", "", Family::Markup),
    row("markdown md mdx", "md mdx markdown mdc rmd", "", Family::Markdown),
    row("diff patch udiff", "diff patch", "", Family::Patch),
    row("bash sh shell zsh ksh fish dash ash", "sh bash zsh ksh fish bats", ".bashrc .bash_profile .bash_aliases .zshrc .zshenv .zprofile .profile .envrc pkgbuild", Family::Shell),
    row("console shell-session shellsession terminal sh-session", "", "", Family::Session),
];

const COUNT: usize = 39;

/// The tables of the languages that were met so far.
static TABLES: [OnceLock<Tables>; COUNT] = [const { OnceLock::new() }; COUNT];

impl Language {
    /// The language that a fence's info string names: by its first word, whatever its case and
    /// whatever follows in the manner of `rust,ignore`, `{.python .numbered}` or `ts:src/a.ts`.
    pub(crate) fn from_name(info: &str) -> Option<Self> {
        let info = info.trim().trim_start_matches(['{', '.']);
        let word = info
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}' | ':' | ';' | '='))
            .next()?;
        if let Some(language) = find(|row| row.names, word) {
            return Some(language);
        }
        // `12:40:src/main.rs` and `src/main.rs`: some name the file that the code is from.
        let path = info.split_whitespace().next()?.rsplit(':').next()?;
        path.contains('.').then(|| Self::from_path(path)).flatten()
    }

    /// The language of a file, by its name alone.
    pub(crate) fn from_path(path: &str) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next()?;
        if let Some(language) = find(|row| row.files, name) {
            return Some(language);
        }
        // `.env.local`, `Dockerfile.dev`, `Makefile.am`.
        let first = name
            .char_indices()
            .skip(1)
            .find(|(_, c)| *c == '.')
            .map_or(name, |(at, _)| &name[..at]);
        let (_, extension) = name.rsplit_once('.')?;
        find(|row| row.extensions, extension).or_else(|| find(|row| row.files, first))
    }

    /// The language of a script, by its `#!` line. The text may go on after that line.
    pub(crate) fn from_shebang(text: &str) -> Option<Self> {
        let line = text.strip_prefix("#!")?.lines().next()?;
        let interpreter = line
            .split_ascii_whitespace()
            .map(|word| word.rsplit('/').next().unwrap_or(word))
            .find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
        let version = |c: char| c.is_ascii_digit() || c == '.';
        find(|row| row.names, interpreter.trim_end_matches(version))
    }

    /// The name it is called by, in lower case.
    pub(crate) fn name(self) -> &'static str {
        let names = LANGUAGES[self.0].names;
        names.split(' ').next().unwrap_or(names)
    }

    pub(super) fn is_markdown(self) -> bool {
        matches!(LANGUAGES[self.0].family, Family::Markdown)
    }

    /// Paints `range` of the painter's text.
    pub(super) fn lex(self, range: Range<usize>, painter: &mut Painter<'_>) {
        match &LANGUAGES[self.0].family {
            Family::Code(code) => {
                let tables = TABLES[self.0].get_or_init(|| Tables::new(code));
                lexer::lex(code, tables, range, painter);
            }
            Family::Css => css::lex(range, painter),
            Family::Markdown => prose::lex_markdown(range, painter),
            Family::Markup => markup::lex(range, painter),
            Family::Patch => prose::lex_patch(range, painter),
            Family::Session => shell::lex_session(range, painter),
            Family::Shell => shell::lex(range, painter),
        }
    }

    #[cfg(test)]
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..COUNT).map(Self)
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.name())
    }
}

fn find(list: impl Fn(&Row) -> &'static str, word: &str) -> Option<Language> {
    let has = |row: &Row| {
        list(row)
            .split(' ')
            .any(|known| known.eq_ignore_ascii_case(word))
    };
    (!word.is_empty())
        .then(|| LANGUAGES.iter().position(has))
        .flatten()
        .map(Language)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(info: &str) -> Option<&'static str> {
        Language::from_name(info).map(Language::name)
    }

    fn of_file(path: &str) -> Option<&'static str> {
        Language::from_path(path).map(Language::name)
    }

    #[test]
    fn no_name_extension_or_file_belongs_to_two_languages() {
        for list in [
            (|row| row.names) as fn(&Row) -> &'static str,
            |row| row.extensions,
            |row| row.files,
        ] {
            let mut words: Vec<&str> = LANGUAGES
                .iter()
                .flat_map(|row| list(row).split_ascii_whitespace())
                .collect();
            assert!(words.iter().all(|word| *word == word.to_ascii_lowercase()));
            let count = words.len();
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), count);
        }
    }

    #[test]
    fn a_fence_names_its_language_by_its_first_word() {
        assert_eq!(named("rust"), Some("rust"));
        assert_eq!(named(" Rust,ignore"), Some("rust"));
        assert_eq!(named("{.python .numbered}"), Some("python"));
        assert_eq!(named("JS {1,3}"), Some("javascript"));
        assert_eq!(named("js{1,3}"), Some("javascript"));
        assert_eq!(named("ts:src/a.ts"), Some("typescript"));
        assert_eq!(named("12:40:src/main.rs"), Some("rust"));
        assert_eq!(named("c++"), Some("cpp"));
        assert_eq!(named("C#"), Some("csharp"));
        assert_eq!(named("text"), None);
        assert_eq!(named(""), None);
        assert_eq!(named("\"><script>"), None);
    }

    #[test]
    fn a_file_is_known_by_its_name_or_its_ending() {
        assert_eq!(of_file("/a/b/main.RS"), Some("rust"));
        assert_eq!(of_file("C:\\a\\b.ts"), Some("typescript"));
        assert_eq!(of_file("Dockerfile"), Some("dockerfile"));
        assert_eq!(of_file("Dockerfile.dev"), Some("dockerfile"));
        assert_eq!(of_file("Cargo.lock"), Some("toml"));
        assert_eq!(of_file("/home/x/.env"), Some("ini"));
        assert_eq!(of_file(".env.local"), Some("ini"));
        assert_eq!(of_file("~/.bashrc"), Some("bash"));
        assert_eq!(of_file("Makefile"), Some("makefile"));
        assert_eq!(of_file("a.tar.gz"), None);
        assert_eq!(of_file("README"), None);
        assert_eq!(of_file(""), None);
        assert_eq!(of_file("é.é"), None);
    }

    #[test]
    fn a_script_is_known_by_its_interpreter() {
        let of = |text| Language::from_shebang(text).map(Language::name);
        assert_eq!(of("#!/bin/bash\nls"), Some("bash"));
        assert_eq!(
            of("#!/usr/bin/env -S PYTHONPATH=. python3.12 -u"),
            Some("python")
        );
        assert_eq!(of("#!/usr/bin/env node"), Some("javascript"));
        assert_eq!(of("#!"), None);
        assert_eq!(of("ls"), None);
    }
}
