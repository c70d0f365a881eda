//! Language models and what is built around them.

use super::{RULE, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule {
        kind: "anthropic-key",
        vendor: "Anthropic",
        literals: &["sk-ant-"],
        pattern: r"sk-ant-(?:[a-z]{2,10}\d{2}-)?[A-Za-z0-9_-]{24,160}",
        examples: &[
            "sk-ant-api03-<w93>AA",
            "sk-ant-admin01-<w93>AA",
            "sk-ant-oat01-<w93>AA",
            "sk-ant-ort01-<w93>AA",
            "sk-ant-sid01-<w93>AA",
        ],
        counter_examples: &[
            "sk-ant-api03-[REDACTED]",
            "sk-ant-api03-<x93>AA",
            r"sk-ant-api03-[\w-]{93}AA",
            "sk-ant-your-key-here-please-thanks",
        ],
        ..RULE
    },
    Rule {
        kind: "openai-key",
        vendor: "OpenAI",
        literals: &[
            "sk-proj-",
            "sk-svcacct-",
            "sk-admin-",
            "sk-service-",
            "sk-None-",
        ],
        pattern: r"sk-(?:proj|svcacct|admin|service|None)-[A-Za-z0-9_-]{32,250}",
        examples: &["sk-proj-<w74>T3BlbkFJ<A74>", "sk-admin-<w58>T3BlbkFJ<A58>"],
        counter_examples: &[
            "sk-proj-...",
            "sk-proj-<x60>",
            "sk-proj-your-own-key-from-the-dashboard",
        ],
        ..RULE
    },
    Rule {
        kind: "openai-key",
        vendor: "OpenAI",
        literals: &["sk-"],
        pattern: r"sk-[A-Za-z0-9_-]{16,90}T3BlbkFJ[A-Za-z0-9_-]{16,90}",
        examples: &["sk-<A20>T3BlbkFJ<A20>"],
        counter_examples: &["sk-xxxxxxxxxxxxxxxxxxxxT3BlbkFJ<x20>"],
        ..RULE
    },
    Rule {
        kind: "openai-session",
        vendor: "OpenAI",
        literals: &["sess-"],
        pattern: r"sess-[A-Za-z0-9]{40}",
        examples: &["sess-<A40>"],
        counter_examples: &["sess-<x40>"],
        ..RULE
    },
    Rule {
        kind: "openrouter-key",
        vendor: "OpenRouter",
        literals: &["sk-or-"],
        pattern: r"sk-or-(?:v\d-)?[a-f0-9]{48,64}",
        examples: &["sk-or-v1-<h64>"],
        counter_examples: &["sk-or-v1-<064>", "sk-or-v1-..."],
        ..RULE
    },
    Rule {
        kind: "langfuse-key",
        vendor: "Langfuse",
        literals: &["sk-lf-"],
        pattern: r"sk-lf-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
        examples: &["sk-lf-<h8>-<h4>-<h4>-<h4>-<h12>"],
        counter_examples: &["sk-lf-<08>-<04>-<04>-<04>-<012>"],
        ..RULE
    },
    // Many services write their keys as OpenAI did first.
    Rule {
        kind: "api-key",
        vendor: "DeepSeek, Moonshot, DashScope, LiteLLM, Stability and others",
        literals: &["sk-", "sk_"],
        pattern: r"sk-(?:[a-z]{2,10}-)?[A-Za-z0-9]{32,100}|sk-ws-01-[A-Za-z0-9_-]{40,120}|sk_[a-f0-9]{48}",
        examples: &["sk-<h32>", "sk-<A48>", "sk_<h48>", "sk-ws-01-<A66>"],
        counter_examples: &[
            "sk-SK locale: slovak-slovakia",
            "sk-1234567890abcdef1234567890abcdef",
            "sk-<x48>",
            "sk-learn",
        ],
        ..RULE
    },
    Rule {
        kind: "huggingface-token",
        vendor: "Hugging Face",
        literals: &["hf_", "api_org_"],
        pattern: r"hf_[A-Za-z0-9]{30,40}|api_org_[A-Za-z0-9]{34}",
        examples: &["hf_<L34>", "hf_<A34>", "api_org_<L34>"],
        counter_examples: &[
            "hf_[a-zA-Z]{34}",
            "hf_<x34>",
            "hf_hub_download",
            "hfs_plus_volume",
        ],
        ..RULE
    },
    Rule {
        kind: "replicate-token",
        vendor: "Replicate",
        literals: &["r8_"],
        pattern: r"r8_[A-Za-z0-9]{37}",
        examples: &["r8_<A37>"],
        counter_examples: &["r8_<x37>", "r8_unorm"],
        ..RULE
    },
    Rule {
        kind: "groq-key",
        vendor: "Groq",
        literals: &["gsk_"],
        pattern: r"gsk_[A-Za-z0-9]{48,56}",
        examples: &["gsk_<A52>"],
        counter_examples: &["gsk_<x52>", "gsk_renderer_new"],
        ..RULE
    },
    Rule {
        kind: "perplexity-key",
        vendor: "Perplexity",
        literals: &["pplx-"],
        pattern: r"pplx-[A-Za-z0-9]{40,60}",
        examples: &["pplx-<A48>"],
        counter_examples: &["pplx-<x48>", "pplx-70b-online"],
        ..RULE
    },
    Rule {
        kind: "xai-key",
        vendor: "xAI",
        literals: &["xai-"],
        pattern: r"xai-[A-Za-z0-9]{70,90}",
        examples: &["xai-<A80>"],
        counter_examples: &["xai-<x80>", "xai-sdk"],
        ..RULE
    },
    Rule {
        kind: "nvidia-key",
        vendor: "NVIDIA",
        literals: &["nvapi-"],
        pattern: r"nvapi-[A-Za-z0-9_-]{60,72}",
        examples: &["nvapi-<w64>"],
        counter_examples: &["nvapi-<x64>"],
        ..RULE
    },
    Rule {
        kind: "cerebras-key",
        vendor: "Cerebras",
        literals: &["csk-"],
        pattern: r"csk-[a-z0-9]{48}",
        examples: &["csk-<l48>"],
        counter_examples: &["csk-<x48>"],
        ..RULE
    },
    Rule {
        kind: "fireworks-key",
        vendor: "Fireworks",
        literals: &["fw_"],
        pattern: r"fw_[A-Za-z0-9]{22,24}",
        examples: &["fw_<A24>"],
        counter_examples: &["fw_<x24>", "fw_update_status"],
        ..RULE
    },
    Rule {
        kind: "together-key",
        vendor: "Together",
        literals: &["tgp_v1_"],
        pattern: r"tgp_v1_[A-Za-z0-9_-]{40,48}",
        examples: &["tgp_v1_<w43>"],
        counter_examples: &["tgp_v1_<x43>"],
        ..RULE
    },
    Rule {
        kind: "langsmith-key",
        vendor: "LangChain",
        literals: &["lsv2_", "ls__"],
        pattern: r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}|ls__[a-f0-9]{32}",
        examples: &["lsv2_pt_<h32>_<h10>", "ls__<h32>"],
        counter_examples: &["lsv2_pt_<032>_<010>"],
        ..RULE
    },
    Rule {
        kind: "pinecone-key",
        vendor: "Pinecone",
        literals: &["pcsk_"],
        pattern: r"pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{60,70}",
        examples: &["pcsk_<A5>_<A63>"],
        counter_examples: &["pcsk_xxxxx_<x63>"],
        ..RULE
    },
    Rule {
        kind: "tavily-key",
        vendor: "Tavily",
        literals: &["tvly-"],
        pattern: r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,40}",
        examples: &["tvly-<A32>", "tvly-dev-<A32>"],
        counter_examples: &["tvly-<x32>", "tvly-YOUR_API_KEY"],
        ..RULE
    },
    Rule {
        kind: "firecrawl-key",
        vendor: "Firecrawl",
        literals: &["fc-"],
        pattern: r"fc-[a-f0-9]{32}",
        examples: &["fc-<h32>"],
        counter_examples: &["fc-<032>", "fc-list"],
        ..RULE
    },
    Rule {
        kind: "brave-key",
        vendor: "Brave Search",
        literals: &["BSA"],
        pattern: r"BSA[A-Za-z0-9_-]{28}",
        examples: &["BSA<A28>"],
        counter_examples: &["BSA<x28>", "BSA-2026"],
        ..RULE
    },
    Rule {
        kind: "jina-key",
        vendor: "Jina",
        literals: &["jina_"],
        pattern: r"jina_[A-Za-z0-9_-]{50,70}",
        examples: &["jina_<A60>"],
        counter_examples: &["jina_<x60>", "jina_embeddings"],
        ..RULE
    },
    Rule {
        kind: "voyage-key",
        vendor: "Voyage",
        literals: &["pa-"],
        pattern: r"pa-[A-Za-z0-9_-]{43}",
        examples: &["pa-<A43>"],
        counter_examples: &["pa-<x43>", "pa-rouen"],
        ..RULE
    },
    Rule {
        kind: "wandb-key",
        vendor: "Weights & Biases",
        literals: &["wandb_v1_"],
        pattern: r"wandb_v1_[A-Za-z0-9_-]{60,90}",
        examples: &["wandb_v1_<A77>"],
        counter_examples: &["wandb_v1_<x77>"],
        ..RULE
    },
    Rule {
        kind: "e2b-key",
        vendor: "E2B",
        literals: &["e2b_", "sk_e2b_"],
        pattern: r"(?:sk_)?e2b_[a-f0-9]{40}",
        examples: &["e2b_<h40>", "sk_e2b_<h40>"],
        counter_examples: &["e2b_<040>"],
        ..RULE
    },
    Rule {
        kind: "runpod-key",
        vendor: "RunPod",
        literals: &["rpa_"],
        pattern: r"rpa_[A-Z0-9]{40}[a-z0-9]{0,8}",
        examples: &["rpa_<U40><l6>"],
        counter_examples: &["rpa_<x40>"],
        ..RULE
    },
    Rule {
        kind: "modal-token",
        vendor: "Modal",
        literals: &["ak-", "as-"],
        pattern: r"a[ks]-[A-Za-z0-9]{22}",
        examples: &["ak-<A22>", "as-<A22>"],
        counter_examples: &["as-a-matter-of-fact-it-is", "ak-<x22>"],
        ..RULE
    },
    Rule {
        kind: "cursor-key",
        vendor: "Cursor",
        literals: &["crsr_", "key_"],
        pattern: r"(?:crsr|key)_[a-f0-9]{64}",
        examples: &["crsr_<h64>", "key_<h64>"],
        counter_examples: &["key_<064>", "key_name"],
        ..RULE
    },
    Rule {
        kind: "braintrust-key",
        vendor: "Braintrust",
        literals: &["bt-st-"],
        pattern: r"bt-st-[A-Za-z0-9]{48,64}",
        examples: &["bt-st-<A48>"],
        counter_examples: &["bt-st-<x48>"],
        ..RULE
    },
    Rule {
        kind: "mem0-key",
        vendor: "Mem0",
        literals: &["m0-"],
        pattern: r"m0-[A-Za-z0-9]{40}",
        examples: &["m0-<A40>"],
        counter_examples: &["m0-<x40>"],
        ..RULE
    },
];
