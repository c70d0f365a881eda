//! Secrets that many vendors write in the same way: web tokens, key files, hashes of passwords.

use super::{Look, RULE, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule {
        kind: "jwt",
        vendor: "anyone, RFC 7519",
        literals: &["eyJ"],
        pattern: r"eyJ[A-Za-z0-9_-]{8,}={0,2}\.[A-Za-z0-9_-]{16,}={0,2}(?:\.[A-Za-z0-9_-]*={0,2}){0,3}",
        examples: &[
            "eyJ<A33>.eyJ<A80>.<w43>",
            "eyJ<A33>.<w342>.<w16>.<w80>.<w22>",
        ],
        counter_examples: &[
            r"eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+",
            "eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbXX0=",
            "eyJ....",
        ],
        ..RULE
    },
    Rule {
        kind: "paseto",
        vendor: "anyone",
        literals: &[
            "v1.local.",
            "v2.local.",
            "v3.local.",
            "v4.local.",
            "v2.public.",
            "v4.public.",
        ],
        pattern: r"v[1-4]\.(?:local|public)\.[A-Za-z0-9_-]{40,}(?:\.[A-Za-z0-9_-]+)?",
        examples: &["v4.local.<w120>"],
        counter_examples: &["v2.local.example.com"],
        ..RULE
    },
    Rule {
        kind: "age-key",
        vendor: "age",
        literals: &["AGE-SECRET-KEY-", "AGE-PLUGIN-"],
        pattern: r"AGE-(?:SECRET-KEY|PLUGIN-[A-Z0-9]+)-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{20,300}",
        examples: &["AGE-SECRET-KEY-1<Q58>"],
        counter_examples: &["AGE-SECRET-KEY-1...", "age1<q58>"],
        ..RULE
    },
    Rule {
        kind: "wallet-key",
        vendor: "anyone, BIP 32",
        literals: &["xprv", "yprv", "zprv", "tprv"],
        pattern: r"[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}",
        examples: &["xprv9<C106>"],
        counter_examples: &["xprv<x107>"],
        ..RULE
    },
    Rule {
        kind: "password-hash",
        vendor: "anyone, crypt(5)",
        literals: &[
            "$2a$", "$2b$", "$2y$", "$argon2", "$6$", "$5$", "$y$", "$apr1$", "$scrypt$",
        ],
        pattern: r"\$2[aby]\$\d\d\$[A-Za-z0-9./]{53}|\$argon2(?:id|i|d)\$v=\d+\$[a-z0-9=,]+\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{16,}|\$[56]\$(?:rounds=\d+\$)?[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{43,86}|\$y\$[A-Za-z0-9./]+\$[A-Za-z0-9./]+\$[A-Za-z0-9./]{43}|\$apr1\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22}|\$scrypt\$[a-z0-9=,]+\$[A-Za-z0-9+/=]{8,}\$[A-Za-z0-9+/=]{16,}",
        examples: &[
            "$2b$12$<A53>",
            "$6$<A16>$<A86>",
            "$argon2id$v=19$m=65536,t=3,p=4$<A22>$<A43>",
        ],
        counter_examples: &["$2b$12$<x53>", "$6$ off"],
        ..RULE
    },
    Rule {
        kind: "postgres-password",
        vendor: "PostgreSQL, .pgpass",
        literals: &[":5432:", ":5433:", ":6432:", ":*:*:"],
        pattern: r#"[A-Za-z0-9._*-]+:(?:\d{4,5}|\*):[^:\s/@]+:[^:\s/@]+:([^\s:/@<>"'|][^\s:<>"'|]{2,})"#,
        reach: 80,
        look: Look::Any,
        examples: &["db.example.com:5432:app:svc:<A8>!<A4>"],
        counter_examples: &["localhost:5432:tcp", "127.0.0.1:5432:5432"],
    },
    Rule {
        kind: "otp-secret",
        vendor: "anyone, otpauth",
        literals: &["otpauth://", "otpauth-migration://"],
        pattern: r"otpauth(?:-migration)?://[^\s?]*\?(?:[^\s]*&)?(?:secret|data)=([A-Za-z0-9%+/=]{10,})",
        look: Look::Any,
        examples: &["otpauth://totp/Acme:dev?secret=<B32>&issuer=Acme"],
        counter_examples: &["otpauth://totp/LABEL?secret=EXAMPLE"],
        ..RULE
    },
    Rule {
        kind: "webhook",
        vendor: "Zapier, IFTTT, Make, n8n, Google Chat",
        literals: &[
            "hooks.zapier.com/",
            "maker.ifttt.com/",
            ".make.com/",
            "chat.googleapis.com/",
        ],
        pattern: r"hooks\.zapier\.com/hooks/catch/(\d+/[A-Za-z0-9]{6,})|maker\.ifttt\.com/trigger/[^\s/]+/(?:json/)?with/key/([A-Za-z0-9_-]{20,})|hook\.[a-z0-9]+\.make\.com/([a-z0-9]{30,})|chat\.googleapis\.com/v1/spaces/[A-Za-z0-9_-]+/messages\?([A-Za-z0-9_=&%.-]{40,})",
        look: Look::Any,
        examples: &[
            "https://hooks.zapier.com/hooks/catch/<d7>/<l7>",
            "https://maker.ifttt.com/trigger/door/with/key/<A22>",
            "https://chat.googleapis.com/v1/spaces/<A11>/messages?key=<A39>&token=<A43>",
        ],
        counter_examples: &[
            "https://www.make.com/en/help",
            "https://chat.googleapis.com/v1/spaces",
        ],
        ..RULE
    },
    Rule {
        kind: "private-key",
        vendor: "anyone, PKCS 1, PKCS 8, SEC 1 and OpenSSH without their first lines",
        literals: &[
            "MIIEvQIBADAN",
            "MIIEvgIBADAN",
            "MIIEvAIBADAN",
            "MIIJQgIBADAN",
            "MIIJQwIBADAN",
            "MIIEpAIBAAK",
            "MIIEowIBAAK",
            "MIIEpQIBAAK",
            "MIIEogIBAAK",
            "MIIJKQIBAAK",
            "MIIJKAIBAAK",
            "MIICXAIBAAK",
            "MIICXQIBAAK",
            "MIICXgIBAAK",
            "MHcCAQEEI",
            "MIGHAgEAMBMG",
            "MC4CAQAwBQYDK2Vw",
            "b3BlbnNzaC1rZXktdjE",
            "LS0tLS1CRUdJTiBSU0EgUFJJVkFU",
            "LS0tLS1CRUdJTiBQUklWQVRF",
            "LS0tLS1CRUdJTiBFQyBQUklWQVRF",
            "LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZB",
            "LS0tLS1CRUdJTiBFTkNSWVBURUQg",
        ],
        pattern: r"[A-Za-z0-9+/]{32,}={0,2}(?:(?:\\+n|\r?\n)[ \t]*[A-Za-z0-9+/]{24,76}={0,2})*",
        examples: &[
            "MIIEvQIBADAN<b200>",
            "b3BlbnNzaC1rZXktdjE<b60>",
            "LS0tLS1CRUdJTiBSU0EgUFJJVkFU<b90>",
        ],
        counter_examples: &[
            "MIIDdzCCAl<b60>",
            "LS0tLS1CRUdJTiBDRVJUSUZJQ0FU<b60>",
            "MIIEpAIBAAK...",
        ],
        ..RULE
    },
    Rule {
        kind: "cookie",
        vendor: "servers, the names that they give their sessions by themselves",
        literals: &[
            "connect.sid=",
            "JSESSIONID=",
            "PHPSESSID=",
            "ASP.NET_SessionId=",
            "laravel_session=",
            "_session_id=",
            "ci_session=",
        ],
        pattern: r"(?i)[a-z._-]+=([A-Za-z0-9%._+/=~-]{16,})",
        examples: &["JSESSIONID=<H32>", "connect.sid=s%3A<A32>.<b43>"],
        counter_examples: &[
            "JSESSIONID=abc",
            "connect.sid=<value>",
            "PHPSESSID=xxxxxxxxxxxxxxxx",
        ],
        ..RULE
    },
    Rule {
        kind: "database-password",
        vendor: "Oracle, thin addresses",
        literals: &["jdbc:oracle:"],
        pattern: r#"(?i)jdbc:oracle:[a-z0-9]+:[^/\s:@"']+/([^@\s"'<>{}$]{4,})@"#,
        look: Look::Any,
        examples: &["jdbc:oracle:thin:app/<A12>@//db:1521/x"],
        counter_examples: &[
            "jdbc:oracle:thin:@//db:1521/x",
            "jdbc:oracle:thin:app/password@//db",
        ],
        ..RULE
    },
    Rule {
        kind: "registry-password",
        vendor: "Bundler",
        literals: &["BUNDLE_"],
        pattern: r#"BUNDLE_[A-Z0-9_]+__[A-Z0-9_]+["']?[:=]\s*["']?[^\s"':=/]+:([^\s"'$@/]{8,})"#,
        examples: &["BUNDLE_GEMS__EXAMPLE__COM: \"me:<A20>\""],
        counter_examples: &[
            "BUNDLE_GEMS__EXAMPLE__COM: me:password",
            "BUNDLE_PATH: vendor/bundle",
        ],
        ..RULE
    },
    Rule {
        kind: "api-key",
        vendor: "Honeycomb, Fastly and others, headers whose names do not tell",
        literals: &["x-honeycomb-team", "fastly-key", "x-shopify-storefront"],
        pattern: r#"(?i)[a-z-]+["']?\s*[:=,]\s*["']?([A-Za-z0-9_-]{20,64})"#,
        examples: &["x-honeycomb-team: <A22>", "\"Fastly-Key\": \"<A32>\""],
        counter_examples: &["x-honeycomb-team: YOUR_API_KEY", "x-honeycomb-team header"],
        ..RULE
    },
];
