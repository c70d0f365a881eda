//! Languages that compile to machine code.

use crate::highlight::grammar::{Capitals, Close, Code, LineStarts, Quote};

pub(in crate::highlight) const RUST: Code = Code {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    nested_comments: true,
    quotes: &[
        Quote::block("\""),
        Quote::special("'", Close::Character),
        Quote::special("r\"", Close::Hashes),
        Quote::special("r#", Close::Hashes),
        Quote::special("br\"", Close::Hashes),
        Quote::special("br#", Close::Hashes),
        Quote::special("cr\"", Close::Hashes),
        Quote::special("cr#", Close::Hashes),
    ],
    prefixes: "b c",
    keywords: "as async await break const continue crate dyn else enum extern fn for gen if impl \
        in let loop macro_rules match mod move mut pub ref return self Self static struct super \
        trait type union unsafe use where while yield",
    types: "bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64",
    constants: "true false",
    before_functions: "fn",
    before_types: "struct enum trait type union",
    capitals: Capitals::Type,
    calls: true,
    macros: true,
    hash_attributes: true,
    ..Code::PLAIN
};

pub(in crate::highlight) const GO: Code = Code {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: &[Quote::line("\""), Quote::line("'"), Quote::raw("`", "`")],
    keywords: "break case chan const continue default defer else fallthrough for func go goto if \
        import interface map package range return select struct switch type var",
    types: "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 \
        int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr",
    constants: "true false nil iota",
    before_functions: "func",
    before_types: "type",
    capitals: Capitals::TypeUnlessCalled,
    calls: true,
    ..Code::PLAIN
};

pub(in crate::highlight) const C: Code = Code {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: &[Quote::line("\""), Quote::line("'")],
    prefixes: "l u u8",
    keywords: "alignas alignof auto break case const constexpr continue default do else enum \
        extern for goto if inline register restrict return sizeof static static_assert struct \
        switch typedef typeof union volatile while",
    types: "bool char double float int int8_t int16_t int32_t int64_t intptr_t long ptrdiff_t \
        short signed size_t ssize_t uint8_t uint16_t uint32_t uint64_t uintptr_t unsigned void \
        wchar_t FILE",
    constants: "true false NULL nullptr",
    before_types: "struct enum union",
    calls: true,
    line_starts: LineStarts::Directives,
    ..Code::PLAIN
};

pub(in crate::highlight) const CPP: Code = Code {
    quotes: &[
        Quote::line("\""),
        Quote::line("'"),
        Quote::raw("R\"(", ")\""),
        Quote::between("@\"", "\""),
    ],
    keywords: "alignas alignof and asm auto break case catch class co_await co_return co_yield \
        concept const const_cast consteval constexpr constinit continue decltype default delete \
        do dynamic_cast else enum explicit export extern final for friend goto if import inline \
        module mutable namespace new noexcept not operator or override private protected public \
        register reinterpret_cast requires return sizeof static static_assert static_cast struct \
        switch template this thread_local throw try typedef typeid typename union using virtual \
        volatile while __global__ __device__ @interface @implementation @end @property",
    types: "bool char char8_t char16_t char32_t double float int int8_t int16_t int32_t int64_t \
        long ptrdiff_t short signed size_t string string_view uint8_t uint16_t uint32_t uint64_t \
        unsigned void wchar_t id",
    constants: "true false nullptr NULL YES NO nil",
    before_types: "class struct enum union concept",
    capitals: Capitals::TypeUnlessCalled,
    sigils: "@",
    ..C
};

pub(in crate::highlight) const ZIG: Code = Code {
    line_comments: &["//", "\\\\"],
    quotes: &[Quote::line("\""), Quote::line("'")],
    keywords: "align allowzero and anyframe anytype asm break callconv catch comptime const \
        continue defer else enum errdefer error export extern fn for if inline linksection \
        noalias noinline nosuspend opaque or orelse packed pub resume return struct suspend \
        switch test threadlocal try union unreachable usingnamespace var volatile while",
    types: "bool f16 f32 f64 f128 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize void type \
        noreturn anyerror comptime_int comptime_float",
    constants: "true false null undefined",
    before_functions: "fn",
    capitals: Capitals::Type,
    calls: true,
    sigils: "@",
    ..Code::PLAIN
};
