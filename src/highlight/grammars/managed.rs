//! Languages of classes that run on a managed runtime or look as if they did.

use crate::highlight::grammar::{Capitals, Code, LineStarts, Quote};

/// What they share.
const CLASSES: Code = Code {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: &[Quote::block("\"\"\""), Quote::line("\""), Quote::line("'")],
    before_types: "class interface enum record struct trait object protocol actor extension",
    constants: "true false null",
    capitals: Capitals::Type,
    calls: true,
    sigils: "@",
    ..Code::PLAIN
};

pub(in crate::highlight) const JAVA: Code = Code {
    keywords: "abstract as assert break case catch class const continue def default do else enum \
        extends final finally for goto if implements import in instanceof interface native new \
        non-sealed package permits private protected public record return sealed static strictfp \
        super switch synchronized this throw throws trait transient try var volatile while with \
        yield",
    types: "boolean byte char double float int long short void",
    ..CLASSES
};

pub(in crate::highlight) const KOTLIN: Code = Code {
    nested_comments: true,
    quotes: &[
        Quote::block("\"\"\"").with_code("${"),
        Quote::line("\"").with_code("${"),
        Quote::line("'"),
    ],
    keywords: "abstract actual annotation as break by catch class companion const constructor \
        continue crossinline data do else enum expect external final finally for fun get if \
        import in infix init inline inner interface internal is lateinit noinline object open \
        operator out override package private protected public reified return sealed set super \
        suspend tailrec this throw try typealias val value var vararg when where while",
    before_functions: "fun",
    ..CLASSES
};

pub(in crate::highlight) const SCALA: Code = Code {
    nested_comments: true,
    quotes: &[
        Quote::block("\"\"\"").with_code("${"),
        Quote::line("\"").with_code("${"),
        Quote::line("'"),
    ],
    prefixes: "s f raw",
    keywords: "abstract case catch class def derives do else end enum export extends extension \
        final finally for forSome given if implicit import infix inline lazy match new object \
        opaque open override package private protected return sealed super then this throw trait \
        transparent try type using val var while with yield",
    before_functions: "def",
    before_types: "class trait object enum type",
    ..CLASSES
};

pub(in crate::highlight) const SWIFT: Code = Code {
    nested_comments: true,
    quotes: &[
        Quote::raw("#\"", "\"#"),
        Quote::block("\"\"\""),
        Quote::line("\""),
    ],
    keywords: "actor any as associatedtype async await break case catch class continue default \
        defer deinit didSet do dynamic else enum extension fallthrough fileprivate final for func \
        get guard if import in indirect infix init inout internal is lazy let mutating nonisolated \
        open operator override precedencegroup private protocol public repeat required rethrows \
        return self Self set some static struct subscript super switch throw throws try typealias \
        unowned var weak where while willSet",
    constants: "true false nil",
    before_functions: "func",
    line_starts: LineStarts::Directives,
    ..CLASSES
};

pub(in crate::highlight) const CSHARP: Code = Code {
    quotes: &[
        Quote::block("\"\"\""),
        Quote::line("\""),
        Quote::line("'"),
        Quote::doubled("@\"", "\""),
        Quote::doubled("$@\"", "\""),
        Quote::between("$\"", "\""),
    ],
    keywords: "abstract as async await base break case catch checked class const continue default \
        delegate do else enum event explicit extern finally fixed for foreach get global goto if \
        implicit in init interface internal is lock namespace new operator out override params \
        partial private protected public readonly record ref required return sealed set sizeof \
        stackalloc static struct switch this throw try typeof unchecked unsafe using value var \
        virtual volatile when where while with yield",
    types: "bool byte char decimal double dynamic float int long nint nuint object sbyte short \
        string uint ulong ushort void",
    before_types: "class interface enum record struct",
    capitals: Capitals::TypeUnlessCalled,
    sigils: "",
    line_starts: LineStarts::Directives,
    ..CLASSES
};

pub(in crate::highlight) const DART: Code = Code {
    quotes: &[
        Quote::block("\"\"\"").with_code("${"),
        Quote::block("'''").with_code("${"),
        Quote::line("\"").with_code("${"),
        Quote::line("'").with_code("${"),
    ],
    prefixes: "r",
    keywords: "abstract as assert async await base break case catch class const continue covariant \
        default deferred do dynamic else enum export extends extension external factory final \
        finally for get hide if implements import in interface is late library mixin new on \
        operator part required rethrow return sealed set show static super switch sync this throw \
        try typedef var when while with yield",
    types: "bool double int num void",
    ..CLASSES
};
