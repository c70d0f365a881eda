//! Clouds, hosts and databases.

use super::{Look, RULE, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule {
        kind: "aws-key-id",
        vendor: "Amazon",
        literals: &["AKIA", "ASIA", "ABIA", "ACCA", "A3T"],
        pattern: r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}",
        examples: &["AKIA<B16>", "ASIA<B16>"],
        counter_examples: &[
            "AKIAIOSFODNN7EXAMPLE",
            "AKIAI44QH8DHBEXAMPLE",
            "AKIA****************",
            "ASIAPACIFICREGION1",
            r"\bAKIA[0-9A-Z]{16}\b",
        ],
        ..RULE
    },
    // A secret stands beside its id in tables and in what the command line prints.
    Rule {
        kind: "aws-secret-key",
        vendor: "Amazon",
        literals: &["AKIA", "ASIA"],
        pattern: r#"A[KS]IA[A-Z0-9]{16}["'\s,:;|\t]{1,40}([A-Za-z0-9+/]{40})"#,
        examples: &["AKIA<B16>,<b40>", "AKIA<B16>\t<b40>"],
        counter_examples: &["AKIAIOSFODNN7EXAMPLE,wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
        ..RULE
    },
    Rule {
        kind: "aws-session-token",
        vendor: "Amazon",
        literals: &["IQoJb3JpZ2lu", "FwoGZXIvYXdz", "FQoGZXIvYXdz"],
        pattern: r"(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9+/=]{60,2500}",
        examples: &["IQoJb3JpZ2luX2Vj<A300>=="],
        counter_examples: &["IQoJb3JpZ2lu"],
        ..RULE
    },
    Rule {
        kind: "bedrock-key",
        vendor: "Amazon",
        literals: &["ABSK", "bedrock-api-key-"],
        pattern: r"ABSK[A-Za-z0-9+/]{100,270}={0,2}|bedrock-api-key-[A-Za-z0-9+/]{40,3000}={0,2}",
        examples: &["ABSK<A128>", "bedrock-api-key-<A120>"],
        counter_examples: &["ABSK", "bedrock-api-key-rotation"],
        ..RULE
    },
    Rule {
        kind: "amazon-mws-token",
        vendor: "Amazon",
        literals: &["amzn.mws."],
        pattern: r"amzn\.mws\.[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
        examples: &["amzn.mws.<h8>-<h4>-<h4>-<h4>-<h12>"],
        counter_examples: &["amzn.mws.<08>-<04>-<04>-<04>-<012>"],
        ..RULE
    },
    Rule {
        kind: "google-api-key",
        vendor: "Google",
        literals: &["AIza"],
        pattern: r"AIza[A-Za-z0-9_-]{35}",
        examples: &["AIzaSy<w33>"],
        counter_examples: &["AIzaSy...", "AIza<x35>"],
        ..RULE
    },
    Rule {
        kind: "gemini-key",
        vendor: "Google",
        literals: &["AQ.Ab"],
        pattern: r"AQ\.Ab[A-Za-z0-9_-]{30,120}",
        examples: &["AQ.Ab8RN6<w44>"],
        counter_examples: &["AQ.About"],
        ..RULE
    },
    Rule {
        kind: "google-client-secret",
        vendor: "Google",
        literals: &["GOCSPX-"],
        pattern: r"GOCSPX-[A-Za-z0-9_-]{24,32}",
        examples: &["GOCSPX-<A28>"],
        counter_examples: &["GOCSPX-<x28>", "GOCSPX-your-secret"],
        ..RULE
    },
    Rule {
        kind: "google-access-token",
        vendor: "Google",
        literals: &["ya29."],
        pattern: r"ya29\.[A-Za-z0-9_.-]{24,2000}",
        examples: &["ya29.a0<w180>", "ya29.c.<w150>"],
        counter_examples: &["ya29.com", "ya29.<x60>"],
        ..RULE
    },
    Rule {
        kind: "google-refresh-token",
        vendor: "Google",
        literals: &["1//0"],
        pattern: r"1//0[A-Za-z0-9_-]{40,200}",
        examples: &["1//0<A1><w60>"],
        counter_examples: &["1//01/2026", "1//0<x60>"],
        ..RULE
    },
    Rule {
        kind: "firebase-key",
        vendor: "Google",
        literals: &[":APA91b"],
        pattern: r"[A-Za-z0-9_-]{7,22}:APA91b[A-Za-z0-9_-]{100,200}",
        reach: 22,
        examples: &["AAAA<A7>:APA91b<w134>"],
        counter_examples: &["id:APA91b"],
        ..RULE
    },
    Rule {
        kind: "google-hmac-key-id",
        vendor: "Google",
        literals: &["GOOG1E"],
        pattern: r"GOOG1E[A-Z0-9]{55}",
        examples: &["GOOG1E<U55>"],
        counter_examples: &["GOOG1E"],
        ..RULE
    },
    Rule {
        kind: "azure-client-secret",
        vendor: "Microsoft",
        literals: &["Q~"],
        pattern: r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
        reach: 4,
        examples: &["<A3>8Q~<A34>", "<A3>7Q~<A31>"],
        counter_examples: &["xxx8Q~<x34>", "Q~A"],
        ..RULE
    },
    // The signatures that Microsoft writes into the keys of its services.
    Rule {
        kind: "azure-key",
        vendor: "Microsoft",
        literals: &[
            "+ASt", "+ABa", "+ACDb", "ACDb", "+AEh", "+ARm", "APIM", "AzFu", "AzSe", "AzCa",
            "AAAC", "JQQJ99", "AIoT", "AAAY",
        ],
        pattern: r"[A-Za-z0-9+/]{76}(?:\+ASt|\+ABa|ACDb)[A-Za-z0-9+/]{5}[AQgw]==|[A-Za-z0-9+/]{33}(?:AIoT|\+ASb|\+AEh|\+ARm)[A-P][A-Za-z0-9+/]{5}=|[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}[AQgw]==|[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}|[A-Za-z0-9+/]{33}AzCa[A-P][A-Za-z0-9+/]{5}=|[A-Za-z0-9]{44,60}JQQJ99[A-Za-z0-9]{20,40}",
        reach: 80,
        examples: &[
            "<A76>+ASt<A5>A==",
            "<A33>+AEhB<A5>=",
            "<A42>AzSeA<A5>",
            "<A52>JQQJ99<A26>",
        ],
        counter_examples: &["APIM", "AzSearch", "<x76>+ASt<x5>A=="],
        ..RULE
    },
    Rule {
        kind: "azure-devops-token",
        vendor: "Microsoft",
        literals: &["AZDO"],
        pattern: r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}",
        reach: 76,
        examples: &["<A76>AZDO<A4>"],
        counter_examples: &["AZDO_PAT", "<x76>AZDOxxxx"],
        ..RULE
    },
    Rule {
        kind: "digitalocean-token",
        vendor: "DigitalOcean",
        literals: &["dop_v1_", "doo_v1_", "dor_v1_"],
        pattern: r"do[opr]_v1_[a-f0-9]{64}",
        examples: &["dop_v1_<h64>"],
        counter_examples: &["dop_v1_<064>"],
        ..RULE
    },
    Rule {
        kind: "heroku-key",
        vendor: "Heroku",
        literals: &["HRKU-"],
        pattern: r"HRKU-AA[A-Za-z0-9_-]{58}|HRKU-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
        examples: &["HRKU-AA<A58>", "HRKU-<h8>-<h4>-<h4>-<h4>-<h12>"],
        counter_examples: &["HRKU-<x60>"],
        ..RULE
    },
    Rule {
        kind: "cloudflare-token",
        vendor: "Cloudflare",
        literals: &["cfk_", "cfut_", "cfat_"],
        pattern: r"cf(?:k|ut|at)_[A-Za-z0-9]{40}[A-Za-z0-9]{6,10}",
        examples: &["cfut_<A40><h8>", "cfk_<A40><h8>"],
        counter_examples: &["cfut_<x48>", "cfk_mode"],
        ..RULE
    },
    Rule {
        kind: "cloudflare-origin-key",
        vendor: "Cloudflare",
        literals: &["v1.0-"],
        pattern: r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}",
        examples: &["v1.0-<h24>-<h146>"],
        counter_examples: &["v1.0-beta", "v1.0-<024>-<0146>"],
        ..RULE
    },
    Rule {
        kind: "alibaba-key-id",
        vendor: "Alibaba Cloud",
        literals: &["LTAI"],
        pattern: r"LTAI[A-Za-z0-9]{12,24}",
        examples: &["LTAI5t<A18>"],
        counter_examples: &["LTAI", "LTAI<x20>"],
        ..RULE
    },
    Rule {
        kind: "tencent-key-id",
        vendor: "Tencent Cloud",
        literals: &["AKID"],
        pattern: r"AKID[A-Za-z0-9]{32}",
        examples: &["AKID<A32>"],
        counter_examples: &["AKID<x32>"],
        ..RULE
    },
    Rule {
        kind: "yandex-key",
        vendor: "Yandex Cloud",
        literals: &["AQVN", "YCAJE", "YCMs", "YCNs", "y0_A"],
        pattern: r"AQVN[A-Za-z0-9_-]{35,38}|YC[A-Z][A-Za-z0-9_-]{37}|y0_A[A-Za-z0-9_-]{36,60}",
        examples: &["AQVN<A35>", "y0_A<A53>"],
        counter_examples: &["AQVN<x35>"],
        ..RULE
    },
    Rule {
        kind: "scaleway-key-id",
        vendor: "Scaleway",
        literals: &["SCW"],
        pattern: r"SCW[A-Z0-9]{17}",
        examples: &["SCW<U17>"],
        counter_examples: &["SCWCONFIGURATIONPATHS", "SCW<x17>"],
        ..RULE
    },
    Rule {
        kind: "supabase-key",
        vendor: "Supabase",
        literals: &["sbp_", "sb_secret_"],
        pattern: r"sbp_(?:v0_)?[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{22,50}",
        examples: &["sbp_<h40>", "sb_secret_<w22>_<A8>"],
        counter_examples: &["sb_publishable_<w22>_<A8>", "sbp_<040>"],
        ..RULE
    },
    Rule {
        kind: "neon-key",
        vendor: "Neon",
        literals: &["napi_", "npg_"],
        pattern: r"napi_[a-z0-9]{40,70}|npg_[A-Za-z0-9]{12,16}",
        examples: &["napi_<l64>", "npg_<A12>"],
        counter_examples: &["napi_create_function", "npg_<x12>"],
        ..RULE
    },
    Rule {
        kind: "planetscale-token",
        vendor: "PlanetScale",
        literals: &["pscale_"],
        pattern: r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}",
        examples: &["pscale_tkn_<w43>", "pscale_pw_<A43>"],
        counter_examples: &["pscale_tkn_", "pscale_pw_<x43>"],
        ..RULE
    },
    Rule {
        kind: "databricks-token",
        vendor: "Databricks",
        literals: &["dapi", "dose", "dkea"],
        pattern: r"(?:dapi|dose|dkea)[a-f0-9]{32}(?:-\d{1,2})?",
        examples: &["dapi<h32>", "dapi<h32>-2"],
        counter_examples: &["dapi<032>", "dapi"],
        ..RULE
    },
    Rule {
        kind: "dbt-token",
        vendor: "dbt",
        literals: &["dbtu_", "dbtc_", "dbts_"],
        pattern: r"dbt[ucs]_[A-Za-z0-9_-]{36,60}",
        examples: &["dbtu_<A40>"],
        counter_examples: &["dbtu_<x40>"],
        ..RULE
    },
    Rule {
        kind: "cockroach-key",
        vendor: "Cockroach Labs",
        literals: &["CCDB1_"],
        pattern: r"CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}",
        examples: &["CCDB1_<A22>_<A40>"],
        counter_examples: &["CCDB1_<x22>_<x40>"],
        ..RULE
    },
    Rule {
        kind: "aiven-password",
        vendor: "Aiven",
        literals: &["AVNS_"],
        pattern: r"AVNS_[A-Za-z0-9_-]{19}",
        examples: &["AVNS_<A19>"],
        counter_examples: &["AVNS_<x19>"],
        ..RULE
    },
    Rule {
        kind: "mongodb-secret",
        vendor: "MongoDB",
        literals: &["mdb_sa_sk_"],
        pattern: r"mdb_sa_sk_[A-Za-z0-9_-]{30,60}",
        examples: &["mdb_sa_sk_<A40>"],
        counter_examples: &["mdb_sa_sk_"],
        ..RULE
    },
    Rule {
        kind: "airtable-token",
        vendor: "Airtable",
        literals: &["pat"],
        pattern: r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}",
        examples: &["pat<A14>.<h64>"],
        counter_examples: &["patch", "pat<x14>.<064>"],
        ..RULE
    },
    Rule {
        kind: "contentful-token",
        vendor: "Contentful",
        literals: &["CFPAT-"],
        pattern: r"CFPAT-[A-Za-z0-9_-]{40,50}",
        examples: &["CFPAT-<w43>"],
        counter_examples: &["CFPAT-<x43>"],
        ..RULE
    },
    Rule {
        kind: "mapbox-token",
        vendor: "Mapbox",
        literals: &["sk.eyJ"],
        pattern: r"sk\.eyJ[A-Za-z0-9_-]{50,300}\.[A-Za-z0-9_-]{20,40}",
        examples: &["sk.eyJ<A80>.<A22>"],
        counter_examples: &["sk.eyJ"],
        ..RULE
    },
    Rule {
        kind: "elastic-key",
        vendor: "Elastic",
        literals: &["essu_"],
        pattern: r"essu_[A-Za-z0-9+/]{40,200}={0,2}",
        examples: &["essu_<A88>=="],
        counter_examples: &["essu_<x88>"],
        ..RULE
    },
    Rule {
        kind: "confluent-secret",
        vendor: "Confluent",
        literals: &["cflt"],
        pattern: r"cflt[A-Za-z0-9+/]{60}",
        examples: &["cflt<A60>"],
        counter_examples: &["cflt<x60>"],
        ..RULE
    },
    Rule {
        kind: "url-signature",
        vendor: "Amazon, Google, Microsoft and others",
        literals: &[
            "x-amz-signature",
            "x-goog-signature",
            "x-oss-signature",
            "sig=",
            "&signature=",
            ";signature=",
            "?signature=",
            "&q-signature=",
        ],
        pattern: r"(?i)(?:x-(?:amz|goog|oss)-signature|[?&;]sig|[?&;](?:q-)?signature|^sig)(?:=|%3D)([A-Za-z0-9%+/_~.-]{20,1100}=*)",
        reach: 1,
        look: Look::Random,
        examples: &[
            "X-Amz-Signature=<h64>",
            "x?se=2030-01-01&sig=<A43>%3D",
            "x?Expires=1&Signature=<A60>~",
        ],
        counter_examples: &["X-Amz-Signature=...", "?sig=<x43>", "sigaction=2"],
    },
];
