//! What each language looks like: a small text with its tokens, as they should be.

use super::tests::marked;

/// Checks a text that is written with its tokens as `‹k fn›`.
fn looks(language: &str, expected: &str) {
    let mut text = String::new();
    for part in expected.split('›') {
        let (plain, token) = part.split_once('‹').unwrap_or((part, ""));
        let (_, token) = token.split_once(' ').unwrap_or_default();
        text.push_str(plain);
        text.push_str(token);
    }
    assert_eq!(marked(language, &text), expected);
}

#[test]
fn rust_looks_right() {
    looks(
        "rust",
        r##"‹a #![forbid›(unsafe_code)]
‹c /* outer /* inner */ still */›
‹a #[derive›(‹t Debug›, ‹t Clone›)]
‹k pub› ‹k struct› ‹t Foo›<‹a 'a›, ‹t T›> { name: &‹a 'a› ‹t str›, t: ‹t T› }
‹k impl›<‹a 'a›, ‹t T›> ‹t Foo›<‹a 'a›, ‹t T›> {
    ‹c /// Docs›
    ‹k pub› ‹k async› ‹k fn› ‹f new›(name: &‹a 'a› ‹t str›) -> ‹t Result›<‹k Self›, ‹t Error›> {
        ‹k let› c = ‹s 'x'›; ‹k let› q = ‹s '\''›; ‹k let› u = ‹s '\u{1F600}'›; ‹k let› r = ‹s r#"raw "str" "#›;
        ‹k let› b = ‹s b"bytes"›; ‹k let› n = ‹n 0xFF_u8› + ‹n 1.5e-3› + ‹n 1›..‹n 2›;
        ‹f println!›(‹s "hello {name}"›); foo.‹k await›?; ‹k self›.type_.r#‹k match›();
        ‹k if› x != y { MAX_SIZE } ‹k else› { ‹t Some›(‹n 3›) }
    }
}"##,
    );
}

#[test]
fn go_looks_right() {
    looks(
        "go",
        r#"‹k func› (r *‹t Recv›) ‹f Name›(x ‹t int›) ‹t error› { fmt.‹f Println›(‹s "a"›, ‹s 'b'›, ‹s `raw`›); ‹k type› ‹t T› ‹k struct›{}; ‹k return› ‹n nil› }"#,
    );
}

#[test]
fn c_looks_right() {
    looks(
        "c",
        r#"‹k #include› ‹s <stdio.h>›
‹k #  define› X ‹n 1›
‹t int› ‹f main›(‹t void›) { ‹f printf›(‹s "%d\n"›, ‹n 0x1F›); ‹k return› ‹n 0›; }"#,
    );
}

#[test]
fn cpp_looks_right() {
    looks(
        "cpp",
        r#"‹k template› <‹k typename› ‹t T›> ‹k class› ‹t Foo› : ‹k public› ‹t Bar› { ‹k auto› x = ‹s R"(raw ")"›; std::vector<‹t int›> v; };"#,
    );
}

#[test]
fn zig_looks_right() {
    looks(
        "zig",
        r#"‹k const› std = ‹a @import›(‹s "std"›); ‹k pub› ‹k fn› ‹f main›() !‹t void› { ‹k const› x: ‹t u8› = ‹n 0xff›; } ‹c // c›"#,
    );
}

#[test]
fn csharp_looks_right() {
    looks(
        "csharp",
        r#"‹k #region› x
‹k public› ‹k class› ‹t Foo› : ‹t IBar› { ‹k var› s = ‹s @"a""b"› + ‹s $"x{y}"›; ‹t void› ‹f Bar›() => ‹t Console›.‹f WriteLine›(‹n 1›); }"#,
    );
}

#[test]
fn java_looks_right() {
    looks(
        "java",
        r#"‹a @Override› ‹k public› ‹t List›<‹t String›> ‹f get›(‹t int› i) ‹k throws› ‹t Foo› { ‹k return› ‹k this›.x.‹f of›(‹s "a"›, ‹s 'b'›, ‹n 1L›, ‹n null›); }"#,
    );
}

#[test]
fn kotlin_looks_right() {
    looks(
        "kotlin",
        r#"‹a @Test› ‹k fun› ‹f foo›(x: ‹t Int›): ‹t String› = ‹s "a ${›x.map { it }‹s } b"› ‹c /* /* */ */›"#,
    );
}

#[test]
fn scala_looks_right() {
    looks(
        "scala",
        r#"‹k case› ‹k class› ‹t A›(x: ‹t Int›); ‹k def› ‹f f›(a: ‹t A›) = ‹s s"x ${›a.x‹s }"›"#,
    );
}

#[test]
fn swift_looks_right() {
    looks(
        "swift",
        r#"‹k func› ‹f f›(_ x: ‹t Int›?) -> ‹k some› ‹t View› { ‹k guard› ‹k let› y = x ‹k else› { ‹k return› ‹n nil› }; ‹f print›(‹s "a\(y)"›) } ‹c // c›"#,
    );
}

#[test]
fn dart_looks_right() {
    looks(
        "dart",
        "‹k class› ‹t A› ‹k extends› ‹t B› { ‹k final› ‹t String› x = ‹s 'a ${›‹f b›(c)‹s }'›; }",
    );
}

#[test]
fn python_looks_right() {
    looks(
        "python",
        r#"‹c #!/usr/bin/env python3›
‹a @app.route›(‹s "/x"›, methods=[‹s "GET"›])
‹k async› ‹k def› ‹f handler›(self, x: ‹t int› = ‹n 3›) -> ‹t Optional›[‹t str›]:
    ‹s """Doc
    string."""›
    s = ‹s f"hi {x!r}"› + ‹s rb'raw'› + ‹s 'it\'s'›
    ‹k return› ‹n None› ‹k if› x == ‹n 0x1F› ‹k else› foo.‹f match›(s)  ‹c # done›
‹k class› ‹t Foo›(‹t Bar›): ‹k pass›"#,
    );
}

#[test]
fn typescript_looks_right() {
    looks(
        "typescript",
        r#"‹k import› { a } ‹k from› ‹s './b'›;
‹k export› ‹k interface› ‹t Foo›<‹t T›> ‹k extends› ‹t Bar› { x?: ‹t string›; ‹k readonly› y: ‹t number› }
‹a @Component›({selector: ‹s 'x'›})
‹k class› ‹t A› { ‹k private› re = ‹s /["'`]/g›; t = ‹s `a ${›x ? ‹s `in ${›y‹s }`› : {a: ‹n 1›}.a‹s } b`›; z = a / b / c; }
‹k const› f = ‹k async› (x: ‹t any›) => { ‹k return› ‹s /x/›.‹f test›(x) && ‹f $›(x).‹f foo›(‹n 1_000›, ‹n 0b11›, ‹n 1.5e+10n›) } ‹c // ok›"#,
    );
}

#[test]
fn ruby_looks_right() {
    looks(
        "ruby",
        r#"‹k class› ‹t Foo› < ‹t Bar›
  ‹k def› ‹f hi›(x) = ‹s "a #{›x.map { |y| ‹s "in #{›y‹s }"› }‹s } b"›
  ‹a @a› = ‹n :sym›; s = ‹s <<~EOS›
‹s     it's
  EOS›
  x =~ ‹s /a'b/›
‹k end›"#,
    );
}

#[test]
fn php_looks_right() {
    looks(
        "php",
        r#"<?‹k php›
‹a #[Attr›]
‹k function› ‹f foo›(‹t string› ‹a $x›) { ‹k return› ‹a $this›->‹f bar›(‹s "a $x"›); } ‹c // c›"#,
    );
}

#[test]
fn perl_looks_right() {
    looks(
        "perl",
        r#"‹k my› ‹a $x› = ‹f foo›(‹s "a"›); ‹k if› (‹a $x› =~ ‹s /a'b/›) { ‹k print› ‹s 'c'› } ‹c # c›"#,
    );
}

#[test]
fn lua_looks_right() {
    looks(
        "lua",
        r#"‹c --[[ block
]]› ‹k local› x = ‹s [==[ raw ]] ]==]› ‹c -- c›
‹k function› ‹f foo›.‹f bar›(a) ‹k return› a[‹s "x"›] ‹k end›"#,
    );
}

#[test]
fn r_looks_right() {
    looks(
        "r",
        "f <- ‹k function›(x) ‹f mean›(x, na.rm = ‹n TRUE›) ‹c # c›",
    );
}

#[test]
fn elixir_looks_right() {
    looks(
        "elixir",
        r#"‹k defmodule› ‹t Foo›.‹t Bar› ‹k do›
  ‹a @doc› ‹s "x"›
  ‹k def› ‹f hi›(x), ‹k do›: {‹n :ok›, ‹s "a #{›x‹s }"›}
‹k end›"#,
    );
}

#[test]
fn haskell_looks_right() {
    looks(
        "haskell",
        "‹k module› ‹t Main› ‹k where›
foo' :: ‹t Int› -> ‹t Maybe› ‹t String› ‹c -- c›
foo' x = ‹t Just› (‹s 'a'› : show x)",
    );
}

#[test]
fn powershell_looks_right() {
    looks(
        "powershell",
        r#"‹k function› ‹f Get-Foo› { ‹k param›(‹a $x›) ‹k if› (‹a $x› ‹a -eq› ‹s "a`"b"›) { ‹f Write-Host› ‹s 'it''s'› ‹a -Path› ‹a $true› } } ‹c # c›"#,
    );
}

#[test]
fn bash_looks_right() {
    looks(
        "bash",
        r#"‹c #!/bin/bash›
‹k set› ‹a -euo› pipefail
‹a FOO›=bar ‹a BAZ›=‹s "x ›‹a $HOME›‹s  ›‹a ${x:-y}›‹s "› ‹f sudo› ‹f apt-get› install ‹a -y› ‹a --no-install-recommends› foo | ‹f grep› ‹a -v› ‹s 'x'› > out.txt ‹n 2›>&‹n 1›
‹k for› f ‹k in› *.txt; ‹k do› ‹f echo› ‹s "a ›$(‹f basename› ‹s "›‹a $f›‹s "› .txt)‹s  b"›; ‹k done›
‹f cat› ‹s <<'EOF'› > file
‹s it's "text" $x
EOF›
‹k if› ‹k [[› ‹a -f› ‹s "›‹a $1›‹s "› ‹k ]]›; ‹k then› ‹k exit› ‹n 1›; ‹k fi› ‹c # comment›
‹f git› commit ‹a -m› ‹s "›$(‹f cat› ‹s <<'EOF'›
‹s message it's
EOF›
)‹s "›
‹f name›() ‹k {› ‹k return› ‹n 0›; ‹k }›
‹k case› ‹a $x› ‹k in› a) ‹f foo› ;; ‹k esac›; ‹a arr›=(one two); ‹a n›=$((n + ‹n 1›)); ‹f echo› $(‹f date› +%s) end"#,
    );
}

#[test]
fn json_looks_right() {
    looks(
        "json",
        r#"{‹a "a"›: ‹s "b"›, ‹a "c"›: [‹n 1›, -‹n 2.5e3›, ‹n true›, ‹n null›]}"#,
    );
}

#[test]
fn toml_looks_right() {
    looks(
        "toml",
        r#"‹t [package]›
‹a name› = ‹s "foldout"› ‹c # c›
‹a version› = ‹s "0.1"›
‹a deps› = { version = ‹s "1.0"›, features = [‹s "a"›] }
‹t [[bin]]›
‹a x› = ‹n 1979›-‹n 05›-‹n 27›
‹a m› = ‹s """
multi
"""›"#,
    );
}

#[test]
fn ini_looks_right() {
    looks(
        "ini",
        r#"‹t [sec]›
‹a FOO_BAR›=it's a value ‹c # c›
‹c ; c›
‹a export A›=‹s "b"›"#,
    );
}

#[test]
fn yaml_looks_right() {
    looks(
        "yaml",
        r#"‹c # c›
‹a on›: [push, pull_request]
‹a env›:
  ‹a FOO›: ‹s "bar"› ‹c # x›
  ‹a url›: http://x#frag
‹a jobs›:
  ‹a build›:
    ‹a runs-on›: ubuntu-latest
    ‹a steps›:
      - ‹a uses›: actions/checkout@v4
      - ‹a name›: it's here
        ‹a run›: |
‹s           echo "don't"›
‹s           # nope›
        ‹a with›: { a: ‹n 1›, ‹a "b"›: ‹n true› }"#,
    );
}

#[test]
fn sql_looks_right() {
    looks(
        "sql",
        r#"‹k SELECT› ‹f count›(*), ‹s 'it''s'› ‹k FROM› ‹s "t"› ‹k WHERE› a = ‹n 1.5› ‹k AND› b ‹k IS› ‹n NULL› ‹c -- c›"#,
    );
}

#[test]
fn graphql_looks_right() {
    looks(
        "graphql",
        "‹k query› ‹f Foo›(‹a $id›: ‹t ID›!) { ‹f user›(id: ‹a $id›) { name } } ‹c # c›",
    );
}

#[test]
fn proto_looks_right() {
    looks(
        "proto",
        "‹k message› ‹t Foo› { ‹k repeated› ‹t string› a = ‹n 1›; } ‹c // c›",
    );
}

#[test]
fn terraform_looks_right() {
    looks(
        "terraform",
        r#"‹k resource› ‹s "a"› ‹s "b"› {
  ‹a name› = ‹s "x-${›var.y‹s }"›
}"#,
    );
}

#[test]
fn nix_looks_right() {
    looks(
        "nix",
        r#"{ a = ‹s "x ${›b‹s }"›; c = ‹s ''multi''›; } ‹c # c›"#,
    );
}

#[test]
fn dockerfile_looks_right() {
    looks(
        "dockerfile",
        r#"‹k FROM› rust:‹n 1.88› ‹k AS› build
‹k ENV› A=b
‹k RUN› apt-get update && echo ‹s "x $A ${B:-c}"›"#,
    );
}

#[test]
fn makefile_looks_right() {
    looks(
        "makefile",
        "‹a CC› := gcc
‹f all›: foo bar
	‹a $(CC)› -o ‹a $@› ‹a $<› ‹c # c›
‹k ifeq› (‹a $(X)›,y)
‹k endif›",
    );
}

#[test]
fn scss_looks_right() {
    looks(
        "scss",
        "‹c // c›
‹a $x›: ‹n 1px›; ‹t .a› { &‹f :hover› { ‹a color›: ‹a $x›; } ‹a --y›: ‹n 2›; }",
    );
}

#[test]
fn html_looks_right() {
    looks(
        "html",
        r#"‹c <!DOCTYPE html>›
‹c <!-- c -->›
‹k <div› ‹a class›=‹s "x"› ‹a data-y›=‹s '1'› ‹a hidden› {...props} ‹a on:click›={() => a > b}‹k >›a ‹n &amp;› b < c
‹k <script› ‹a lang›=‹s "ts"›‹k >›‹k const› x: ‹t string› = ‹s "</div>"›; ‹k </script›‹k >›
‹k <style›‹k >›‹t .a›‹f :hover› > ‹k b› { ‹a color›: ‹n #fff›; ‹a margin›: ‹n 0› ‹n 1.5em› ‹k !important›; ‹a background›: ‹f url›(x.png) } ‹k @media› (max-width: ‹n 3px›) { ‹k a›‹f ::before› { ‹a content›: ‹s "x"› } }‹k </style›‹k >›
‹k </div›‹k >›"#,
    );
}

#[test]
fn svelte_looks_right() {
    looks("svelte", "{#if x}‹k <Foo› ‹a bind:x›={y} ‹k />›{/if}");
}

#[test]
fn xml_looks_right() {
    looks(
        "xml",
        r#"‹c <?xml version="1.0"?>›‹k <a:b› ‹a c›=‹s "d"›‹k >›‹s <![CDATA[ <x> ]]>›‹k </a:b›‹k >›"#,
    );
}

#[test]
fn markdown_looks_right() {
    looks(
        "markdown",
        "‹k # Title›
Text with ‹s `code`› and ‹bo **bold**› and ‹it *it*› a * b
‹n -› item
‹n 1.› item
‹c > quote›
‹a ```rust›
‹k fn› ‹f main›() {}
‹a ```›",
    );
}

#[test]
fn diff_looks_right() {
    looks(
        "diff",
        "‹c diff --git a/x b/x›
‹c index 1..2›
‹a --- a/x›
‹a +++ b/x›
‹hk @@ -1,2 +1,2 @@ fn›
‹rm -old›
‹rm --- not a head›
‹ad +new›
 ctx",
    );
}

#[test]
fn a_session_shows_commands_after_prompts_and_output_plainly() {
    looks(
        "console",
        "‹g $› ‹f ls› ‹a -l›\nit's if 12\n‹g $› ‹f cat› ‹s 'x'›",
    );
    looks("console", "‹f ls› ‹a -l›");
}
