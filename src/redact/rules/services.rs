//! Messages, money, monitoring and the other services that people use.

use super::{RULE, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule {
        kind: "slack-token",
        vendor: "Slack",
        literals: &[
            "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe",
        ],
        pattern: r"xox[bparsoc]-\d{1,2}-?[A-Za-z0-9-]{10,300}|xox[bparsoc]-(?:\d{6,14}-){1,3}[A-Za-z0-9-]{8,250}|xoxd-[A-Za-z0-9%+/=]{30,500}|xoxe(?:\.xox[bp])?-\d-[A-Za-z0-9-]{40,300}",
        examples: &[
            "xoxb-<d12>-<d13>-<A24>",
            "xoxp-<d12>-<d12>-<d13>-<h32>",
            "xoxe.xoxp-1-<A166>",
            "xoxe-1-<A147>",
            "xoxc-<d12>-<d12>-<d13>-<h64>",
            "xoxd-<A90>",
        ],
        counter_examples: &[
            "xoxb-your-token",
            "xoxb-not-a-real-token-at-all",
            "xoxp-<012>",
        ],
        ..RULE
    },
    Rule {
        kind: "slack-app-token",
        vendor: "Slack",
        literals: &["xapp-", "xwfp-"],
        pattern: r"xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]{32,80}|xwfp-[A-Za-z0-9-]{40,200}",
        examples: &["xapp-1-A<U10>-<d13>-<h64>"],
        counter_examples: &["xapp-1-A0-1-<064>"],
        ..RULE
    },
    Rule {
        kind: "slack-webhook",
        vendor: "Slack",
        literals: &["hooks.slack.com/", "hooks.slack-gov.com/"],
        pattern: r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/+-]{24,120})",
        examples: &["https://hooks.slack.com/services/T<U8>/B<U10>/<A24>"],
        counter_examples: &[
            "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
            "https://hooks.slack.com/services/YOUR/WEBHOOK/URL",
        ],
        ..RULE
    },
    Rule {
        kind: "discord-webhook",
        vendor: "Discord",
        literals: &["/api/webhooks/", "/webhooks/"],
        pattern: r"/webhooks/(\d{17,20}/[A-Za-z0-9_-]{60,72})",
        examples: &["https://discord.com/api/webhooks/<d19>/<w68>"],
        counter_examples: &[
            "https://discord.com/api/webhooks/ID/TOKEN",
            "/webhooks/stripe",
        ],
        ..RULE
    },
    // Bots' tokens begin with a number in base64: without a word beside it, only the commonest
    // beginning is looked for.
    Rule {
        kind: "discord-token",
        vendor: "Discord",
        literals: &["discord", "\"MT", "'MT", "(MT", "=MT", "`MT", " MT", "mfa."],
        pattern: r#"(?:(?i:discord)[^\n]{0,80}?[^A-Za-z0-9_-]|["'(=` ])([MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})|mfa\.[A-Za-z0-9_-]{80,90}"#,
        examples: &[
            "(MT<A24>.<A6>.<w38>)",
            "discord: NT<A22>.<A6>.<w27>",
            "DISCORD_TOKEN=OD<A22>.<A6>.<w27>",
            "mfa.<A84>",
        ],
        counter_examples: &["discord.Client.run", "(MT<x24>.xxxxxx.<x38>)"],
        ..RULE
    },
    Rule {
        kind: "teams-webhook",
        vendor: "Microsoft",
        literals: &[".webhook.office.com/"],
        pattern: r"\.webhook\.office\.com/webhookb2/([A-Za-z0-9@/_-]{60,300})",
        examples: &[
            "https://a.webhook.office.com/webhookb2/<h8>-<h4>-<h4>-<h4>-<h12>@<h8>-<h4>-<h4>-<h4>-<h12>/IncomingWebhook/<h32>/<h8>-<h4>-<h4>-<h4>-<h12>",
        ],
        counter_examples: &["https://a.webhook.office.com/webhookb2/ID"],
        ..RULE
    },
    Rule {
        kind: "telegram-token",
        vendor: "Telegram",
        literals: &[":AA"],
        pattern: r"(?:bot)?(\d{8,10}:AA[A-Za-z0-9_-]{33})",
        reach: 13,
        examples: &[
            "<d10>:AA<w33>",
            "https://api.telegram.org/bot<d9>:AA<w33>/getMe",
        ],
        counter_examples: &["aa:bb:cc:AA:00:11", "1234567890:AA<x33>"],
        ..RULE
    },
    Rule {
        kind: "twilio-key",
        vendor: "Twilio",
        literals: &["SK"],
        pattern: r"SK[0-9a-f]{32}",
        examples: &["SK<h32>"],
        counter_examples: &["SK<032>", "SKU-2026"],
        ..RULE
    },
    Rule {
        kind: "twilio-auth-token",
        vendor: "Twilio",
        // Behind the account's id, as its libraries are set up.
        literals: &["\"AC", "'AC"],
        pattern: r#"["']AC[0-9a-f]{32}["'],\s*["']([0-9a-f]{32})["']"#,
        examples: &["\"AC<h32>\", \"<h32>\"", "'AC<h32>','<h32>'"],
        counter_examples: &["\"AC<h32>\", \"<032>\"", "\"ACME\", \"x\""],
        ..RULE
    },
    Rule {
        kind: "sendgrid-key",
        vendor: "SendGrid",
        literals: &["SG."],
        pattern: r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}",
        examples: &["SG.<A22>.<A43>"],
        counter_examples: &["SG.<x22>.<x43>", "SG.maritime"],
        ..RULE
    },
    Rule {
        kind: "mailgun-key",
        vendor: "Mailgun",
        literals: &["key-"],
        pattern: r"key-[0-9a-f]{32}",
        examples: &["key-<h32>"],
        counter_examples: &["key-00000000000000000000000000000000", "key-value"],
        ..RULE
    },
    Rule {
        kind: "mailchimp-key",
        vendor: "Mailchimp",
        literals: &["-us"],
        pattern: r"[0-9a-f]{32}-us\d{1,2}",
        reach: 32,
        examples: &["<h32>-us21"],
        counter_examples: &["00000000000000000000000000000000-us1", "cluster-us1"],
        ..RULE
    },
    Rule {
        kind: "mail-key",
        vendor: "Brevo, Mandrill, Resend",
        literals: &["xkeysib-", "xsmtpsib-", "md-", "re_"],
        pattern: r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}|md-[A-Za-z0-9_-]{22}|re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{22,26}",
        examples: &["xkeysib-<h64>-<A16>", "md-<A22>", "re_<A8>_<A24>"],
        counter_examples: &[
            "md-<x22>",
            "re_compile_pattern",
            "md-content-grid-layout-xl",
        ],
        ..RULE
    },
    Rule {
        kind: "social-token",
        vendor: "Meta, X, LinkedIn, Twitch",
        literals: &["EAA", "IGQ", "AAAAAAAAAAAAAAAAAAAAA", "WPL_AP", "oauth:"],
        pattern: r"EAA[A-Za-z0-9]{80,260}|IGQ[A-Za-z0-9_-]{100,260}|AAAAAAAAAAAAAAAAAAAAA[A-Za-z0-9%]{60,120}|WPL_AP\d\.[A-Za-z0-9_.+=-]{20,80}|oauth:([a-z0-9]{30})",
        examples: &["EAA<A160>", "AAAAAAAAAAAAAAAAAAAAA<A91>", "oauth:<l30>"],
        counter_examples: &["EAA<x160>", "oauth:token"],
        ..RULE
    },
    Rule {
        kind: "stripe-key",
        vendor: "Stripe, Clerk, Paystack",
        literals: &[
            "sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_org_", "sk_prod_", "ek_live_",
        ],
        pattern: r"(?:[sre]k_(?:live|test|prod)|sk_org)_[A-Za-z0-9_]{20,250}",
        examples: &["sk_live_51<A97>", "sk_test_<A24>", "rk_live_51<A97>"],
        counter_examples: &[
            "sk_test_XXXXXXXXXXXXXXXXXXXXXXXX",
            "sk_live_your_secret_key_goes_here",
        ],
        ..RULE
    },
    Rule {
        kind: "webhook-secret",
        vendor: "Stripe, Svix, Clerk",
        literals: &["whsec_"],
        pattern: r"whsec_[A-Za-z0-9+/]{24,100}={0,2}",
        examples: &["whsec_<A32>", "whsec_<b44>"],
        counter_examples: &["whsec_<x32>", "whsec_..."],
        ..RULE
    },
    Rule {
        kind: "square-token",
        vendor: "Square",
        literals: &["sq0atp-", "sq0csp-", "EAAAl", "EAAAE"],
        pattern: r"sq0(?:atp-[A-Za-z0-9_-]{22}|csp-[A-Za-z0-9_-]{43})|EAAA[lE][A-Za-z0-9_-]{58,62}",
        examples: &["sq0atp-<w22>", "sq0csp-<w43>", "EAAAl<A59>"],
        counter_examples: &["sq0atp-<x22>"],
        ..RULE
    },
    Rule {
        kind: "paypal-token",
        vendor: "PayPal",
        literals: &["access_token$"],
        pattern: r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}",
        examples: &["access_token$production$<l16>$<h32>"],
        counter_examples: &["access_token$sandbox$"],
        ..RULE
    },
    Rule {
        kind: "shopify-token",
        vendor: "Shopify",
        literals: &["shpat_", "shpca_", "shppa_", "shpss_", "shptka_", "shpua_"],
        pattern: r"shp(?:at|ca|pa|ss|tka|ua)_[A-Fa-f0-9]{32}",
        examples: &["shpat_<h32>"],
        counter_examples: &["shpat_<032>"],
        ..RULE
    },
    Rule {
        kind: "plaid-token",
        vendor: "Plaid",
        literals: &[
            "access-sandbox-",
            "access-development-",
            "access-production-",
        ],
        pattern: r"access-(?:sandbox|development|production)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
        examples: &["access-production-<h8>-<h4>-<h4>-<h4>-<h12>"],
        counter_examples: &["access-production-<08>-<04>-<04>-<04>-<012>"],
        ..RULE
    },
    Rule {
        kind: "payment-key",
        vendor: "Flutterwave, EasyPost, Shippo, Duffel, Mollie, Adyen",
        literals: &[
            "FLWSECK", "EZAK", "EZTK", "shippo_", "duffel_", "AQE", "live_", "test_",
        ],
        pattern: r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{32}-X|EZ[AT]K[A-Za-z0-9]{54}|shippo_(?:live|test)_[a-f0-9]{40}|duffel_(?:live|test)_[A-Za-z0-9_=-]{43}|AQE[a-z][A-Za-z0-9+/=._{},-]{80,250}|(?:live|test)_[A-Za-z0-9]{30,35}",
        examples: &[
            "FLWSECK-<l32>-X",
            "EZAK<A54>",
            "shippo_live_<h40>",
            "duffel_live_<A43>",
            "live_<A30>",
        ],
        counter_examples: &[
            "EZAK<x54>",
            "test_<x30>",
            "test_a_bad_line_keeps_the_rest_of_it",
        ],
        ..RULE
    },
    Rule {
        kind: "figma-token",
        vendor: "Figma",
        literals: &["figd_", "figu_", "figo_", "figoh_", "figor_"],
        pattern: r"fig(?:d|u|o|oh|or)_[A-Za-z0-9_-]{38,50}",
        examples: &["figd_<w40>"],
        counter_examples: &["figd_<x40>"],
        ..RULE
    },
    Rule {
        kind: "linear-key",
        vendor: "Linear",
        literals: &["lin_api_", "lin_oauth_", "lin_wh_"],
        pattern: r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,64}",
        examples: &["lin_api_<A40>", "lin_oauth_<h64>"],
        counter_examples: &["lin_api_<x40>"],
        ..RULE
    },
    Rule {
        kind: "notion-token",
        vendor: "Notion",
        literals: &["ntn_", "secret_"],
        pattern: r"ntn_[0-9]{9,12}[A-Za-z0-9]{30,40}|secret_[A-Za-z0-9]{43}",
        examples: &["ntn_<d11><A35>", "secret_<A43>"],
        counter_examples: &["secret_<x43>", "secret_name"],
        ..RULE
    },
    Rule {
        kind: "atlassian-token",
        vendor: "Atlassian",
        literals: &["ATATT3", "ATSTT3", "ATCTT3"],
        pattern: r"AT[ASC]TT3[A-Za-z0-9_=-]{40,250}",
        examples: &["ATATT3<A186>", "ATCTT3xFfGF0<A180>=<H8>"],
        counter_examples: &["ATATT3<x186>"],
        ..RULE
    },
    Rule {
        kind: "asana-token",
        vendor: "Asana",
        literals: &["1/1", "2/1"],
        pattern: r"[12]/\d{13,17}(?:/\d{13,17})?:[a-f0-9]{32}",
        examples: &["2/1<d15>/1<d15>:<h32>", "1/1<d15>:<h32>"],
        counter_examples: &["1/1", "2/12/2026"],
        ..RULE
    },
    Rule {
        kind: "clickup-key",
        vendor: "ClickUp",
        literals: &["pk_"],
        pattern: r"pk_\d{6,12}_[A-Z0-9]{32}",
        examples: &["pk_<d8>_<U32>"],
        counter_examples: &["pk_live_51<A97>"],
        ..RULE
    },
    Rule {
        kind: "postman-key",
        vendor: "Postman",
        literals: &["PMAK-", "PMAT-"],
        pattern: r"PMA[KT]-[A-Za-z0-9]{24,26}(?:-[a-f0-9]{34})?",
        examples: &["PMAK-<h24>-<h34>"],
        counter_examples: &["PMAK-<024>-<034>"],
        ..RULE
    },
    Rule {
        kind: "hubspot-token",
        vendor: "HubSpot",
        literals: &["pat-na", "pat-eu"],
        pattern: r"pat-(?:na|eu)\d-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
        examples: &["pat-na1-<h8>-<h4>-<h4>-<h4>-<h12>"],
        counter_examples: &["pat-na1-<08>-<04>-<04>-<04>-<012>"],
        ..RULE
    },
    Rule {
        kind: "work-token",
        vendor: "Typeform, ReadMe, Frame.io, Dropbox, Salesforce",
        literals: &["tfp_", "rdme_", "fio-u-", "sl.", "00D"],
        pattern: r"tfp_[A-Za-z0-9_-]{40,60}|rdme_[a-z0-9]{70}|fio-u-[A-Za-z0-9_-]{64}|sl\.(?:u\.)?[A-Za-z0-9_-]{130,1500}|00D[A-Za-z0-9]{12,15}![A-Za-z0-9_.]{80,120}",
        examples: &["tfp_<A44>", "sl.<A140>", "00D<A12>!<A96>"],
        counter_examples: &["sl.wikipedia.org", "tfp_<x44>"],
        ..RULE
    },
    Rule {
        kind: "datadog-key",
        vendor: "Datadog",
        literals: &["ddapp_", "ddpat_"],
        pattern: r"dd(?:app|pat)_[A-Za-z0-9_]{34,70}",
        examples: &["ddapp_<A34>"],
        counter_examples: &["ddapp_<x34>"],
        ..RULE
    },
    Rule {
        kind: "grafana-token",
        vendor: "Grafana",
        literals: &["glsa_", "glc_eyJ", "eyJrIjoi"],
        pattern: r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_eyJ[A-Za-z0-9+/_-]{40,400}={0,2}|eyJrIjoi[A-Za-z0-9+/_-]{60,400}={0,2}",
        examples: &["glsa_<A32>_<h8>", "glc_eyJ<A120>", "eyJrIjoi<A90>"],
        counter_examples: &["glsa_<x32>_00000000"],
        ..RULE
    },
    Rule {
        kind: "newrelic-key",
        vendor: "New Relic",
        literals: &["NRAK-", "NRII-", "NRIQ-", "NRRA-", "NRAL"],
        pattern: r"NR(?:AK|II|IQ|RA)-[A-Za-z0-9_-]{27,42}|[a-f0-9x]{32,36}(?:FFFF)?NRAL",
        reach: 40,
        examples: &["NRAK-<U27>", "NRII-<A32>", "<h36>NRAL"],
        counter_examples: &["NRAK-<x27>"],
        ..RULE
    },
    Rule {
        kind: "sentry-token",
        vendor: "Sentry",
        literals: &["sntrys_", "sntryu_", "sntrya_", "sntryi_"],
        pattern: r"sntry[uai]_[a-f0-9]{64}|sntrys_[A-Za-z0-9+/_=-]{80,400}",
        examples: &["sntryu_<h64>", "sntrys_eyJ<A100>_<A43>"],
        counter_examples: &["sntryu_<064>"],
        ..RULE
    },
    Rule {
        kind: "posthog-key",
        vendor: "PostHog",
        literals: &["phx_", "phs_"],
        pattern: r"ph[xs]_[A-Za-z0-9]{40,50}",
        examples: &["phx_<A43>"],
        counter_examples: &["phx_<x43>", "phx_gen_auth"],
        ..RULE
    },
    Rule {
        kind: "dynatrace-token",
        vendor: "Dynatrace",
        literals: &["dt0c01.", "dt0s0", "dt0e01.", "dt0v01."],
        pattern: r"dt0[a-z]\d{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}",
        examples: &["dt0c01.<U24>.<U64>"],
        counter_examples: &["dt0c01.<x24>"],
        ..RULE
    },
    Rule {
        kind: "launchdarkly-key",
        vendor: "LaunchDarkly",
        literals: &["sdk-", "api-"],
        pattern: r"(?:sdk|api)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
        examples: &["sdk-<h8>-<h4>-<h4>-<h4>-<h12>"],
        counter_examples: &["api-<08>-<04>-<04>-<04>-<012>", "sdk-core"],
        ..RULE
    },
    Rule {
        kind: "honeycomb-key",
        vendor: "Honeycomb",
        literals: &["hcaik_", "hcbik_", "hcxik_", "hcaic_", "hcalk_"],
        pattern: r"hc[abx][il][kc]_[a-z0-9]{50,64}",
        examples: &["hcaik_<l58>"],
        counter_examples: &["hcaik_<x58>"],
        ..RULE
    },
    Rule {
        kind: "identity-token",
        vendor: "Ory, Unkey, Zuplo, Okta",
        literals: &[
            "ory_at_", "ory_pat_", "ory_st_", "ory_rt_", "unkey_", "zpka_", "SSWS ",
        ],
        pattern: r"ory_[a-z]{2,3}_[A-Za-z0-9_.-]{32,90}|unkey_[A-Za-z0-9]{20,40}|zpka_[a-f0-9]{32}_[a-f0-9]{8}|SSWS (00[A-Za-z0-9_-]{40})",
        examples: &[
            "ory_pat_<A32>",
            "unkey_<A24>",
            "zpka_<h32>_<h8>",
            "SSWS 00<w40>",
        ],
        counter_examples: &["unkey_<x24>", "SSWS {api_token}"],
        ..RULE
    },
];
