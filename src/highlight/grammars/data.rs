//! Languages of data, queries, settings and builds.

use crate::highlight::grammar::{Capitals, Code, LineStarts, Quote};

pub(in crate::highlight) const JSON: Code = Code {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: &[Quote::line("\""), Quote::line("'")],
    constants: "true false null",
    string_keys: true,
    ..Code::PLAIN
};

pub(in crate::highlight) const TOML: Code = Code {
    line_comments: &["#"],
    quotes: &[
        Quote::block("\"\"\""),
        Quote::raw("'''", "'''"),
        Quote::line("\""),
        Quote {
            lines: false,
            ..Quote::raw("'", "'")
        },
    ],
    constants: "true false inf nan",
    in_words: "-",
    line_starts: LineStarts::Keys,
    ..Code::PLAIN
};

pub(in crate::highlight) const INI: Code = Code {
    line_comments: &["#", ";"],
    spaced_comments: true,
    quotes: &[Quote::line("\""), Quote::line("'")],
    constants: "true false yes no on off",
    any_case: true,
    in_words: "-'/.",
    sigils: "$",
    line_starts: LineStarts::Keys,
    ..Code::PLAIN
};

pub(in crate::highlight) const YAML: Code = Code {
    line_comments: &["#"],
    spaced_comments: true,
    quotes: &[
        Quote::line("\""),
        Quote {
            lines: false,
            ..Quote::doubled("'", "'")
        },
    ],
    constants: "true false null yes no on off ~",
    any_case: true,
    in_words: "-'/.",
    string_keys: true,
    line_starts: LineStarts::Yaml,
    ..Code::PLAIN
};

pub(in crate::highlight) const SQL: Code = Code {
    line_comments: &["--"],
    block_comments: &[("/*", "*/")],
    quotes: &[
        Quote::doubled("'", "'"),
        Quote::doubled("\"", "\""),
        Quote::raw("`", "`"),
        Quote::raw("$$", "$$"),
    ],
    keywords: "add all alter analyze and any as asc begin between by cascade case check collate \
        column commit conflict constraint create cross database declare default delete desc \
        distinct do drop else end except exists explain fetch filter first following for foreign \
        from full function grant group having if ilike in index inner insert intersect into is \
        join key last lateral left like limit materialized not nothing nulls of offset on or \
        order outer over partition pragma preceding primary procedure recursive references rename \
        replace returning returns revoke right rollback row rows schema select set table temp \
        temporary then to transaction trigger truncate union unique update using vacuum values \
        view when where window with without",
    types: "bigint blob bool boolean bytea char date datetime decimal double float int integer \
        interval json jsonb numeric real serial smallint text time timestamp timestamptz uuid \
        varchar",
    constants: "true false null current_date current_timestamp",
    any_case: true,
    calls: true,
    ..Code::PLAIN
};

pub(in crate::highlight) const GRAPHQL: Code = Code {
    line_comments: &["#"],
    quotes: &[Quote::block("\"\"\""), Quote::line("\"")],
    keywords: "directive enum extend fragment implements input interface mutation on query scalar \
        schema subscription type union",
    types: "Boolean Float ID Int String",
    constants: "true false null",
    before_functions: "query mutation subscription",
    before_types: "enum input interface scalar type union fragment on",
    capitals: Capitals::Type,
    calls: true,
    sigils: "@$",
    ..Code::PLAIN
};

pub(in crate::highlight) const PROTOBUF: Code = Code {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: &[Quote::line("\""), Quote::line("'")],
    keywords: "enum extend extensions import map max message oneof option optional package public \
        repeated required reserved returns rpc service stream syntax to weak",
    types: "bool bytes double fixed32 fixed64 float int32 int64 sfixed32 sfixed64 sint32 sint64 \
        string uint32 uint64",
    constants: "true false",
    before_functions: "rpc",
    before_types: "enum message service",
    capitals: Capitals::Type,
    ..Code::PLAIN
};

pub(in crate::highlight) const HCL: Code = Code {
    line_comments: &["#", "//"],
    block_comments: &[("/*", "*/")],
    quotes: &[Quote::line("\"").with_code("${")],
    keywords: "data dynamic else endfor endif for for_each if in locals module moved output \
        provider resource terraform variable",
    types: "any bool list map number object set string tuple",
    constants: "true false null",
    calls: true,
    in_words: "-",
    heredocs: &["<<-", "<<"],
    line_starts: LineStarts::Keys,
    ..Code::PLAIN
};

pub(in crate::highlight) const NIX: Code = Code {
    line_comments: &["#"],
    block_comments: &[("/*", "*/")],
    quotes: &[
        Quote::block("\"").with_code("${"),
        Quote::raw("''", "''").with_code("${"),
    ],
    keywords: "assert else if import in inherit let or rec then with builtins",
    constants: "true false null",
    in_words: "-'",
    line_starts: LineStarts::Keys,
    ..Code::PLAIN
};

pub(in crate::highlight) const DOCKERFILE: Code = Code {
    line_comments: &["#"],
    spaced_comments: true,
    quotes: &[Quote::line("\""), Quote::line("'")],
    keywords: "ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER \
        ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR",
    in_words: "-'/.",
    sigils: "$",
    heredocs: &["<<-", "<<"],
    ..Code::PLAIN
};

pub(in crate::highlight) const MAKEFILE: Code = Code {
    line_comments: &["#"],
    quotes: &[Quote::line("\""), Quote::line("'")],
    keywords: "addprefix addsuffix basename call define dir else endef endif error eval export \
        filter filter-out foreach if ifdef ifeq ifndef ifneq include info notdir patsubst shell \
        sort strip subst unexport warning wildcard word",
    in_words: "-'/.",
    sigils: "$",
    line_starts: LineStarts::Targets,
    ..Code::PLAIN
};
