//! Languages that are mostly run from their source.

use crate::highlight::grammar::{Capitals, Close, Code, Escape, Quote};

pub(in crate::highlight) const PYTHON: Code = Code {
    line_comments: &["#"],
    quotes: &[
        Quote::block("\"\"\""),
        Quote::block("'''"),
        Quote::line("\""),
        Quote::line("'"),
    ],
    prefixes: "r b f u t rb br fr rf tr rt",
    keywords: "and as assert async await break case class continue def del elif else except \
        finally for from global if import in is lambda match nonlocal not or pass raise return \
        try type while with yield",
    types: "bool bytearray bytes complex dict float frozenset int list object set str tuple",
    constants: "True False None Ellipsis NotImplemented",
    before_functions: "def",
    before_types: "class",
    capitals: Capitals::Type,
    calls: true,
    sigils: "@",
    ..Code::PLAIN
};

pub(in crate::highlight) const JAVASCRIPT: Code = Code {
    line_comments: &["//", "#!"],
    block_comments: &[("/*", "*/")],
    quotes: &[
        Quote::line("\""),
        Quote::line("'"),
        Quote::block("`").with_code("${"),
    ],
    keywords: "as async await break case catch class const continue debugger default delete do \
        else export extends finally for from function get if import in instanceof let new of \
        return set static super switch this throw try typeof var void while with yield",
    constants: "true false null undefined NaN Infinity",
    before_functions: "function",
    before_types: "class extends new",
    capitals: Capitals::Type,
    calls: true,
    in_words: "$",
    sigils: "@",
    regexes: true,
    ..Code::PLAIN
};

pub(in crate::highlight) const TYPESCRIPT: Code = Code {
    keywords: "abstract accessor as asserts async await break case catch class const continue \
        debugger declare default delete do else enum export extends finally for from function get \
        if implements import in infer instanceof interface is keyof let module namespace new of \
        override private protected public readonly return satisfies set static super switch this \
        throw try type typeof unique using var void while with yield",
    types: "any bigint boolean never number object string symbol unknown",
    before_types: "class interface enum type extends implements new namespace",
    ..JAVASCRIPT
};

pub(in crate::highlight) const RUBY: Code = Code {
    line_comments: &["#"],
    block_comments: &[("=begin", "=end")],
    quotes: &[Quote::block("\"").with_code("#{"), Quote::block("'")],
    keywords: "alias and begin break case class def defined? do else elsif end ensure extend for \
        if in include loop module next not or prepend private protected public raise redo require \
        require_relative rescue retry return self super then undef unless until when while yield \
        attr_accessor attr_reader attr_writer lambda proc",
    constants: "true false nil __FILE__ __LINE__",
    before_functions: "def",
    before_types: "class module",
    capitals: Capitals::Type,
    calls: true,
    in_words: "?",
    sigils: "@$",
    regexes: true,
    symbols: true,
    heredocs: &["<<~", "<<-"],
    ..Code::PLAIN
};

pub(in crate::highlight) const PHP: Code = Code {
    line_comments: &["//", "#"],
    block_comments: &[("/*", "*/"), ("<!--", "-->")],
    quotes: &[Quote::block("\""), Quote::block("'")],
    keywords: "abstract and array as break callable case catch class clone const continue declare \
        default do echo else elseif enddeclare endfor endforeach endif endswitch endwhile enum \
        extends final finally fn for foreach function global goto if implements include \
        include_once instanceof insteadof interface isset list match namespace new or print \
        private protected public readonly require require_once return static switch throw trait \
        try unset use var while xor yield php",
    types: "bool float int iterable mixed never object string void self parent",
    constants: "true false null",
    before_functions: "function fn",
    before_types: "class interface trait enum extends implements new namespace",
    any_case: true,
    capitals: Capitals::TypeUnlessCalled,
    calls: true,
    sigils: "$",
    hash_attributes: true,
    heredocs: &["<<<"],
    ..Code::PLAIN
};

pub(in crate::highlight) const PERL: Code = Code {
    line_comments: &["#"],
    quotes: &[Quote::block("\""), Quote::block("'")],
    keywords: "and cmp continue do else elsif eq foreach for ge gt if last le local lt my ne next \
        no not or our package print redo require return say sub unless until use while xor",
    constants: "undef __FILE__ __LINE__",
    before_functions: "sub",
    before_types: "package use",
    calls: true,
    sigils: "$@%",
    regexes: true,
    ..Code::PLAIN
};

pub(in crate::highlight) const LUA: Code = Code {
    line_comments: &["--"],
    block_comments: &[("--[[", "]]"), ("--[=[", "]=]")],
    quotes: &[
        Quote::line("\""),
        Quote::line("'"),
        Quote::special("[[", Close::Brackets),
        Quote::special("[=", Close::Brackets),
    ],
    keywords: "and break continue do else elseif end export for function goto if in local not or \
        repeat return then type until while",
    constants: "true false nil",
    before_functions: "function",
    calls: true,
    ..Code::PLAIN
};

pub(in crate::highlight) const R: Code = Code {
    line_comments: &["#"],
    quotes: &[Quote::block("\""), Quote::block("'"), Quote::line("`")],
    keywords: "break else for function if in next repeat return while library require",
    constants: "TRUE FALSE NULL NA NaN Inf NA_integer_ NA_real_ NA_character_",
    calls: true,
    in_words: ".",
    ..Code::PLAIN
};

pub(in crate::highlight) const ELIXIR: Code = Code {
    line_comments: &["#"],
    quotes: &[
        Quote::block("\"\"\"").with_code("#{"),
        Quote::block("\"").with_code("#{"),
        Quote::block("'"),
    ],
    keywords: "after alias and case catch cond def defdelegate defexception defguard defimpl \
        defmacro defmacrop defmodule defp defprotocol defstruct do else end fn for if import in \
        not or quote raise receive require rescue super throw try unless unquote use when with",
    constants: "true false nil",
    before_functions: "def defp defmacro defmacrop defdelegate defguard",
    before_types: "defmodule defprotocol defimpl alias",
    capitals: Capitals::Type,
    calls: true,
    in_words: "?",
    sigils: "@",
    symbols: true,
    ..Code::PLAIN
};

pub(in crate::highlight) const HASKELL: Code = Code {
    line_comments: &["--"],
    block_comments: &[("{-", "-}")],
    nested_comments: true,
    quotes: &[Quote::line("\""), Quote::special("'", Close::Character)],
    keywords: "case class data default deriving do else family forall foreign hiding if import in \
        infix infixl infixr instance let module newtype of qualified then type where",
    constants: "True False Nothing",
    before_types: "class data newtype instance module type",
    capitals: Capitals::Type,
    in_words: "'",
    ..Code::PLAIN
};

pub(in crate::highlight) const POWERSHELL: Code = Code {
    line_comments: &["#"],
    block_comments: &[("<#", "#>")],
    spaced_comments: true,
    quotes: &[
        Quote::raw("@\"", "\n\"@"),
        Quote::raw("@'", "\n'@"),
        Quote {
            escape: Escape::Byte(b'`'),
            ..Quote::block("\"")
        },
        Quote::doubled("'", "'"),
    ],
    keywords: "begin break catch class continue data do dynamicparam else elseif end enum exit \
        filter finally for foreach from function if in param process return switch throw trap try \
        until using while",
    before_functions: "function filter",
    before_types: "class enum",
    any_case: true,
    capitals: Capitals::VerbNoun,
    in_words: "-",
    sigils: "$-",
    ..Code::PLAIN
};
