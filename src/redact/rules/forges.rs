//! Where code lives and is built: forges, package registries, build services, deployment tools.

use super::{Look, RULE, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule {
        kind: "github-token",
        vendor: "GitHub",
        literals: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        pattern: r"gh[pousr]_[A-Za-z0-9]{30,251}",
        look: Look::GithubChecksum,
        examples: &["ghp_<A36>", "gho_<A36>", "ghs_<A36>", "ghr_<A76>"],
        counter_examples: &["ghp_[A-Za-z0-9]{36}", "ghp_<x36>", "ghp_<036>", "gho_st"],
        ..RULE
    },
    Rule {
        kind: "github-pat",
        vendor: "GitHub",
        literals: &["github_pat_"],
        pattern: r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{20,59}|github_pat_[A-Za-z0-9_]{36,93}",
        examples: &["github_pat_<A22>_<A59>"],
        counter_examples: &["github_pat_<x22>_<x59>", "github_pat_token"],
        ..RULE
    },
    Rule {
        kind: "gitlab-token",
        vendor: "GitLab",
        literals: &[
            "glpat-", "gldt-", "glrt-", "glrtr-", "glptt-", "glimt-", "glagent-", "gloas-",
            "glsoat-", "glffct-", "glft-", "glwt-", "glcbt-",
        ],
        // Instances may put a word of their own before the prefix; routable tokens have a dot.
        pattern: r"gl(?:pat|dt|rtr?|ptt|imt|agent|oas|soat|ffct|ft|wt|cbt)-[A-Za-z0-9_.=-]{19,310}",
        examples: &[
            "glpat-<A20>",
            "glpat-<A27>.01.<l9>",
            "gldt-<A20>",
            "glrt-t1_<A20>",
            "glcbt-<h2>_<A20>",
            "glptt-<h40>",
            "gloas-<h64>",
            "SIE-glpat-<A20>",
        ],
        counter_examples: &[
            "glpat-your-token",
            "glpat-<x20>",
            "glft-and-right-side-of-it",
        ],
        ..RULE
    },
    Rule {
        kind: "gitlab-runner-token",
        vendor: "GitLab",
        literals: &["GR1348941"],
        pattern: r"GR1348941[A-Za-z0-9_-]{20}",
        examples: &["GR1348941<A20>"],
        counter_examples: &["GR1348941", "GR1348941<x20>"],
        ..RULE
    },
    Rule {
        kind: "bitbucket-token",
        vendor: "Atlassian",
        literals: &["ATBB", "BBDC-"],
        pattern: r"ATBB[A-Za-z0-9]{24}[A-F0-9]{8}|ATBB[A-Za-z0-9]{32}|BBDC-[A-Za-z0-9+/]{40,50}",
        examples: &["ATBB<A24><H8>", "BBDC-<A44>"],
        counter_examples: &["ATBB", "BBDC-<x44>"],
        ..RULE
    },
    Rule {
        kind: "npm-token",
        vendor: "npm",
        literals: &["npm_"],
        pattern: r"npm_[A-Za-z0-9]{36}",
        examples: &["npm_<A36>"],
        counter_examples: &["npm_config_registry", "npm_<x36>"],
        ..RULE
    },
    Rule {
        kind: "pypi-token",
        vendor: "PyPI",
        literals: &["pypi-AgE"],
        pattern: r"pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)[A-Za-z0-9_-]{50,1000}",
        examples: &[
            "pypi-AgEIcHlwaS5vcmc<w150>",
            "pypi-AgENdGVzdC5weXBpLm9yZw<w140>",
        ],
        counter_examples: &["pypi-AgEIcHlwaS5vcmc", "pypi-agent"],
        ..RULE
    },
    Rule {
        kind: "rubygems-token",
        vendor: "RubyGems",
        literals: &["rubygems_"],
        pattern: r"rubygems_[a-f0-9]{48}",
        examples: &["rubygems_<h48>"],
        counter_examples: &["rubygems_version", "rubygems_<048>"],
        ..RULE
    },
    Rule {
        kind: "crates-io-token",
        vendor: "crates.io",
        literals: &["cio"],
        pattern: r"cio[A-Za-z0-9]{32}",
        examples: &["cio<A32>"],
        counter_examples: &["ciompi", "cio<x32>", "cioAbstractFactoryServletBeanLocator"],
        ..RULE
    },
    Rule {
        kind: "nuget-key",
        vendor: "NuGet",
        literals: &["oy2"],
        pattern: r"oy2[a-z0-9]{43}",
        examples: &["oy2<l43>"],
        counter_examples: &["oy2", "oy2<x43>"],
        ..RULE
    },
    Rule {
        kind: "docker-token",
        vendor: "Docker",
        literals: &["dckr_pat_", "dckr_oat_"],
        pattern: r"dckr_[po]at_[A-Za-z0-9_-]{24,40}",
        examples: &["dckr_pat_<A27>", "dckr_oat_<A32>"],
        counter_examples: &["dckr_pat_", "dckr_pat_<x27>"],
        ..RULE
    },
    Rule {
        kind: "artifactory-key",
        vendor: "JFrog",
        literals: &["AKCp", "cmVmdGtu"],
        pattern: r"AKCp[A-Za-z0-9]{60,80}|cmVmdGtu[A-Za-z0-9]{56}",
        examples: &["AKCp8<A68>", "cmVmdGtu<A56>"],
        counter_examples: &["AKCp", "cmVmdGtuOg=="],
        ..RULE
    },
    Rule {
        kind: "packagist-token",
        vendor: "Private Packagist",
        literals: &["packagist_"],
        pattern: r"packagist_[a-z]{3}_[a-f0-9]{68}",
        examples: &["packagist_ort_<h68>"],
        counter_examples: &["packagist_ort_"],
        ..RULE
    },
    Rule {
        kind: "clojars-token",
        vendor: "Clojars",
        literals: &["CLOJARS_"],
        pattern: r"CLOJARS_[a-z0-9]{60}",
        examples: &["CLOJARS_<l60>"],
        counter_examples: &["CLOJARS_USERNAME"],
        ..RULE
    },
    Rule {
        kind: "sourcegraph-token",
        vendor: "Sourcegraph",
        literals: &["sgp_", "slk_"],
        pattern: r"sgp_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40}|slk_[a-f0-9]{64}",
        examples: &["sgp_<h40>", "sgp_<h16>_<h40>"],
        counter_examples: &["sgp_index", "sgp_<040>"],
        ..RULE
    },
    Rule {
        kind: "buildkite-token",
        vendor: "Buildkite",
        literals: &["bkua_", "bkat_", "bkct_"],
        pattern: r"bk(?:ua|at|ct)_[a-f0-9]{40}|bkct_[A-Za-z0-9_-]{40,200}",
        examples: &["bkua_<h40>"],
        counter_examples: &["bkua_<040>"],
        ..RULE
    },
    Rule {
        kind: "circleci-token",
        vendor: "CircleCI",
        literals: &["CCIPAT_", "CCIPRJ_"],
        pattern: r"CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}",
        examples: &["CCIPAT_<A22>_<h40>"],
        counter_examples: &["CCIPAT_<x22>_<040>"],
        ..RULE
    },
    Rule {
        kind: "sonar-token",
        vendor: "Sonar",
        literals: &["squ_", "sqp_", "sqa_"],
        pattern: r"sq[upa]_[a-f0-9]{40}",
        examples: &["squ_<h40>"],
        counter_examples: &["squ_<040>"],
        ..RULE
    },
    Rule {
        kind: "octopus-key",
        vendor: "Octopus Deploy",
        literals: &["API-"],
        pattern: r"API-[A-Z0-9]{25,32}",
        examples: &["API-<U26>"],
        counter_examples: &["API-REFERENCEDOCUMENTATIONFORME", "API-first"],
        ..RULE
    },
    Rule {
        kind: "terraform-token",
        vendor: "HashiCorp",
        literals: &[".atlasv1."],
        pattern: r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}",
        reach: 14,
        examples: &["<A14>.atlasv1.<w66>"],
        counter_examples: &["xxxxxxxxxxxxxx.atlasv1.<x66>", "a.atlasv1.b"],
        ..RULE
    },
    Rule {
        kind: "vault-token",
        vendor: "HashiCorp",
        literals: &["hvs.", "hvb.", "hvr."],
        pattern: r"hv[sbr]\.[A-Za-z0-9_-]{24,300}",
        examples: &["hvs.<w95>", "hvb.<w150>", "hvs.<A24>"],
        counter_examples: &["hvs.exe", "hvs.<x90>"],
        ..RULE
    },
    Rule {
        kind: "pulumi-token",
        vendor: "Pulumi",
        literals: &["pul-"],
        pattern: r"pul-[a-f0-9]{40}",
        examples: &["pul-<h40>"],
        counter_examples: &["pul-<040>", "pul-up"],
        ..RULE
    },
    Rule {
        kind: "doppler-token",
        vendor: "Doppler",
        literals: &[
            "dp.pt.",
            "dp.ct.",
            "dp.st.",
            "dp.sa.",
            "dp.scim.",
            "dp.audit.",
            "dp.said.",
        ],
        pattern: r"dp\.(?:pt|ct|st|sa|scim|audit|said)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}",
        examples: &["dp.pt.<A43>", "dp.st.dev_main.<A43>"],
        counter_examples: &["dp.pt.x", "dp.st.<x43>"],
        ..RULE
    },
    Rule {
        kind: "1password-token",
        vendor: "1Password",
        literals: &["ops_eyJ"],
        pattern: r"ops_eyJ[A-Za-z0-9+/_-]{100,2000}={0,3}",
        examples: &["ops_eyJ<A300>"],
        counter_examples: &["ops_eyJ"],
        ..RULE
    },
    Rule {
        kind: "1password-secret-key",
        vendor: "1Password",
        literals: &["A3-"],
        pattern: r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
        examples: &["A3-<U6>-<U6>-<U5>-<U5>-<U5>-<U5>"],
        counter_examples: &["A3-format", "A3-XXXXXX-XXXXXX-XXXXX-XXXXX-XXXXX-XXXXX"],
        ..RULE
    },
    Rule {
        kind: "netlify-token",
        vendor: "Netlify",
        literals: &["nfp_", "nfc_", "nfo_", "nfu_", "nfb_"],
        pattern: r"nf[pcoub]_[A-Za-z0-9_]{36}",
        examples: &["nfp_<A36>"],
        counter_examples: &["nfp_<x36>", "nfc_reader"],
        ..RULE
    },
    Rule {
        kind: "vercel-token",
        vendor: "Vercel",
        literals: &["vcp_", "vci_", "vca_", "vcr_", "vck_", "vercel_blob_rw_"],
        pattern: r"vc[piark]_[A-Za-z0-9]{40,64}|vercel_blob_rw_[A-Za-z0-9]{16}_[A-Za-z0-9]{30,40}",
        examples: &["vcp_<A56>", "vck_<A56>", "vercel_blob_rw_<A16>_<A30>"],
        counter_examples: &["vcp_<x56>", "vercel_blob_rw_"],
        ..RULE
    },
    Rule {
        kind: "fly-token",
        vendor: "Fly.io",
        literals: &["fm1r_", "fm1a_", "fm2_", "fo1_"],
        pattern: r"(?:fm1[ra]|fm2)_[A-Za-z0-9+/]{80,3000}={0,3}|fo1_[A-Za-z0-9_-]{43}",
        examples: &["fm2_<b140>", "fo1_<A43>"],
        counter_examples: &["fm2_radio", "fm2_<x140>"],
        ..RULE
    },
    Rule {
        kind: "render-key",
        vendor: "Render",
        literals: &["rnd_"],
        pattern: r"rnd_[A-Za-z0-9]{28,36}",
        examples: &["rnd_<A28>", "rnd_<A32>"],
        counter_examples: &["rnd_<x32>", "rnd_seed"],
        ..RULE
    },
    Rule {
        kind: "prefect-key",
        vendor: "Prefect",
        literals: &["pnu_", "pnb_"],
        pattern: r"pn[ub]_[A-Za-z0-9]{36}",
        examples: &["pnu_<A36>"],
        counter_examples: &["pnu_<x36>"],
        ..RULE
    },
    Rule {
        kind: "infracost-key",
        vendor: "Infracost",
        literals: &["ico-"],
        pattern: r"ico-[A-Za-z0-9]{32}",
        examples: &["ico-<A32>"],
        counter_examples: &["ico-<x32>", "ico-moon"],
        ..RULE
    },
    Rule {
        kind: "harness-token",
        vendor: "Harness",
        literals: &["pat.", "sat."],
        pattern: r"[ps]at\.[A-Za-z0-9_-]{22}\.[a-f0-9]{24}\.[A-Za-z0-9]{20}",
        examples: &["pat.<A22>.<h24>.<A20>"],
        counter_examples: &["pat.match(value)", "sat.<x22>.<024>.<x20>"],
        ..RULE
    },
    Rule {
        kind: "scalingo-token",
        vendor: "Scalingo",
        literals: &["tk-us-"],
        pattern: r"tk-us-[A-Za-z0-9_-]{48}",
        examples: &["tk-us-<A48>"],
        counter_examples: &["tk-us-east"],
        ..RULE
    },
    Rule {
        kind: "jetbrains-token",
        vendor: "JetBrains",
        literals: &["perm:", "perm-"],
        pattern: r"perm[:-][A-Za-z0-9=]{4,40}\.[A-Za-z0-9=]{4,60}\.[A-Za-z0-9]{40}",
        examples: &["perm:<A12>=.<A16>.<A40>", "perm-<A12>=.<A16>.<A40>"],
        counter_examples: &["perm:read.write"],
        ..RULE
    },
    Rule {
        kind: "tailscale-key",
        vendor: "Tailscale",
        literals: &["tskey-"],
        pattern: r"tskey-[a-z]+-(?:[A-Za-z0-9]+-)?[A-Za-z0-9]{16,40}",
        examples: &["tskey-auth-<A17>-<A32>", "tskey-api-<A17>-<A32>"],
        counter_examples: &["tskey-auth-XXXX", "tskey-client"],
        ..RULE
    },
    Rule {
        kind: "ngrok-token",
        vendor: "ngrok",
        literals: &["authtoken "],
        pattern: r"authtoken ([A-Za-z0-9]{20,30}_[A-Za-z0-9]{20,24})",
        examples: &["authtoken <A27>_<A21>"],
        counter_examples: &["authtoken is missing"],
        ..RULE
    },
];
