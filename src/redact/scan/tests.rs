//! What a text is searched for, in all the ways in which it can be written.

use proptest::prelude::*;

use super::*;

/// Invented values, put together so that nobody takes them for a leak.
fn token() -> String {
    format!("ghp{}kT9vLq2xPzR4mW8sB6nC7d4b9c6f5dx2aQ3e", "_")
}

fn masked(text: &str) -> String {
    let scanner = Scanner::default();
    let mut out = String::new();
    let mut at = 0;
    for one in scanner.secrets(text) {
        out.push_str(&text[at..one.span.start]);
        out.push('#');
        at = one.span.end;
    }
    out + &text[at..]
}

#[test]
fn a_value_is_found_however_its_name_is_written() {
    let v = "kT9vLq2xPzR4mW8sB6nC7d4b";
    for (before, after) in [
        ("API_KEY=", ""),
        ("export API_KEY=\"", "\""),
        ("  \"apiKey\": \"", "\","),
        (r#"{\"api_key\": \""#, r#"\"}"#),
        ("api-key: ", ""),
        ("- name: API_KEY\n  value: ", "\n"),
        (r#"{"name": "API_KEY", "value": ""#, "\"}"),
        ("<input type=\"hidden\" name=\"api_key\" value=\"", "\">"),
        ("<apiKey>", "</apiKey>"),
        ("| API_KEY | ", " |"),
        ("Set `API_KEY` to `", "`, then run it"),
        ("--api-key ", " --verbose"),
        ("--api-key=", ""),
        ("https://x.example.com/?api_key=", "&page=2"),
        ("os.environ[\"API_KEY\"] = '", "'"),
        ("setenv('API_KEY', '", "')"),
        ("const apiKey: string = '", "';"),
        ("client.set_api_key(\"", "\")"),
        ("let api_key = process.env.KEY || \"", "\""),
        ("the api key is ", ", for now"),
        ("I used the token you pasted (", ") twice"),
        ("+API_KEY=", "\n"),
        ("   12\tAPI_KEY=", "\n"),
        ("${API_KEY:-", "}"),
        ("ENV API_KEY ", "\n"),
        ("API_KEY    ", "\n"),
        ("api_key := \"", "\""),
        ("'api_key' => '", "',"),
    ] {
        let name = before.replace("the api key", "the api_key");
        let text = format!("{name}{v}{after}");
        if before.contains("os.environ") || before.contains("process.env.KEY") {
            assert!(!masked(&text).contains(v), "{text}");
            continue;
        }
        assert_eq!(masked(&text), format!("{name}#{after}"), "{text}");
    }
}

#[test]
fn what_hides_a_token_is_undone() {
    let token = token();
    for text in [
        format!("\u{1b}[1mghp_\u{1b}[0m{}", &token[4..]),
        token.replace('_', "\u{200b}_"),
        token.replace('_', "&#95;"),
        token.replace('_', "%5F"),
        token.replace('g', "\\u0067"),
        format!("\u{1b}[32mTOKEN\u{1b}[0m=\u{1b}[33m{token}\u{1b}[0m"),
    ] {
        assert!(!masked(&text).contains(&token[10..]), "{text:?}");
    }
    let key = "kT9vLq2xPzR4mW8sB6nC";
    assert!(
        !masked(&format!(
            "\u{1b}[32mAPI_KEY\u{1b}[0m=\u{1b}[33m{key}\u{1b}[0m"
        ))
        .contains(key)
    );
}

#[test]
fn a_text_without_secrets_stays() {
    for text in [
        "max_tokens=8192, prompt_tokens: 1200",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "password: process.env.DB_PASSWORD",
        "let token = std::env::var(\"TOKEN\")?;",
        "def get_secret_key(self) -> str:",
        "if (token === TokenType.Identifier) {",
        "const accessToken = await getAccessToken();",
        "Password must have at least 12 characters.",
        "token: string;",
        "password_hash = hash_password(password)",
        "primary_key=customer_identifier_2025",
        "key: 3f2a1b0c-9d8e-4f7a-8b6c-5d4e3f2a1b0c",
        "sessionId: 3f2a1b0c-9d8e-4f7a-8b6c-5d4e3f2a1b0c",
        "commit 9f8a7c6b5d4e3f2a1b0c9f8a7c6b5d4e3f2a1b0c",
        "password = getpass.getpass(\"Password: \")",
        "    password: str = Field(..., min_length=8)",
        "auth: { username, password }",
        "return token_from_header(request, \"Authorization\")",
        "secrets: inherit",
        "$env:TOKEN = $token",
        "AUTH_USER_MODEL = \"accounts.User\"",
        "secret: db-credentials-v2",
        "secret\u{2502}string\u{2502}no",
        "arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-AbCdEf",
        "| Option | Type |\n|---|---|\n| password | string |\n| token | UUIDv4 |",
        "token,count\nthe,1203\nand,992",
        "The test still uses the old token. Let me fix it:\n\nmsg_015DrC9Gy6REREZnvHJhV2Vr",
        "Let me add the new token to the theme system:\n\nmsg_015DrC9Gy6REREZnvHJhV2Vr",
        "run the tests to see if they pass:\n\n4a2b48efKx99zzQw",
        "kind: ConfigMap\ndata:\n  a: aGVsbG8gd29ybGQ=",
        "pass rate: 98.6%, fail: 2",
        "key \"Control+Shift+P2\" is bound",
        "KeyError: 'token_v2'",
        "pub enum A {\n    ProxyPass,\n    UseProxy2,\n    Server3,\n}",
        "psql: password authentication failed for user \"app_2026\"",
    ] {
        assert_eq!(masked(text), text);
    }
}

#[test]
fn overlapping_finds_become_one_under_the_surest_name() {
    let scanner = Scanner::default();
    let text = format!("Authorization: Bearer {}", token());
    let found = scanner.secrets(&text);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].kind, &text[found[0].span.clone()]),
        ("github-token", token().as_str())
    );
}

proptest! {
    #[test]
    fn every_find_is_a_stretch_of_the_text(
        text in "(password|TOKEN|://|Bearer |-----BEGIN PRIVATE KEY-----|curl -u |mysql -p|Cookie: |/home/|@|é|\u{200b}|%5F|\\\\|[a-zA-Z0-9]{1,24}|[ \n\t\"'=:;,.(){}<>&|-]){0,60}",
    ) {
        let scanner = SCANNER.get_or_init(Scanner::default);
        let wants = Wants { secrets: true, paths: true, emails: true };
        let mut at = 0;
        for one in scanner.look(&text, wants) {
            prop_assert!(at <= one.span.start && one.span.start < one.span.end);
            prop_assert!(text.get(one.span.clone()).is_some());
            at = one.span.end;
        }
    }

    #[test]
    fn no_text_makes_the_search_panic(text in any::<String>()) {
        let scanner = SCANNER.get_or_init(Scanner::default);
        let wants = Wants { secrets: true, paths: true, emails: true };
        scanner.look(&text, wants);
        scanner.shaped(&text);
    }
}

static SCANNER: std::sync::OnceLock<Scanner> = std::sync::OnceLock::new();

#[test]
fn values_of_several_words_are_found_and_sentences_stay() {
    for text in [
        "DB_PASSWORD=\"#\"",
        "{\"password\": \"#\"}",
        "SSH_PASSPHRASE=\"correct horse battery staple\"",
        "define('AUTH_KEY', '#')",
    ] {
        let secret = match text.contains("AUTH_KEY") {
            true => "kT9 vLq2|xPz}R4m-W8s+B6n C7d@4b9*c6f&5dx",
            false => "Kx99 zzQwErT77",
        };
        let text = text.replace('#', secret);
        let out = masked(&text);
        assert!(
            out.contains('#') && !out.contains(secret) && !out.contains("horse"),
            "{out}"
        );
    }
    for text in [
        "password: \"Enter your password\"",
        "passphrase = \"please enter your passphrase here\"",
        "{\"password\": \"At least 8 characters long\"}",
        "placeholder_password: 'Your new password'",
    ] {
        assert_eq!(masked(text), text);
    }
}

#[test]
fn names_of_several_words_are_found() {
    let v = "kT9vLq2xPzR4mW8sB6nC7d4b";
    for name in [
        "API key",
        "my api key",
        "Secret access key",
        "Access Token",
        "License key",
    ] {
        for sign in [": ", " = ", " is "] {
            let text = format!("{name}{sign}{v}");
            assert!(!masked(&text).contains(v), "{text}");
        }
    }
    let text = format!("sort key: {v}");
    assert_eq!(masked(&text), text);
}

#[test]
fn no_part_of_a_long_token_stays() {
    let hex = "9f8a7c6b5d4e3f2a10".repeat(40);
    let text = format!("https://x.example.com/a?X-Goog-Signature={hex}&b=1");
    assert_eq!(
        masked(&text),
        "https://x.example.com/a?X-Goog-Signature=#&b=1"
    );
}

#[test]
fn code_that_names_secrets_stays() {
    let text = "!function(e,t){var n=e.token;n.password=r.key:n(r)}(this,window);";
    assert_eq!(masked(text), text);
}

/// Each look at a sign is bounded, and so is their number: what a line of any length costs grows
/// as the line does. A look that is not bounded makes this test take minutes.
#[test]
fn long_lines_full_of_signs_are_gone_through() {
    let scanner = Scanner::default();
    for unit in [
        "cookie: a=b;",
        "password=",
        "-----BEGIN PRIVATE KEY-----",
        "bearer ",
        "{\"password\":",
        "sk-",
        "Authorization: Bearer abcdef ",
        "eyJhbGciOi.eyJhbGci.",
        "xoxb-1234567890-",
        "/home/",
        "a@b ",
        "drwxr-xr-x ",
    ] {
        let text = unit.repeat((1 << 17) / unit.len());
        scanner.secrets(&text);
    }
}

/// Surroundings in which no sign stands between a name and its value, or no name at all.
#[test]
fn a_value_is_found_wherever_its_surroundings_put_it() {
    let v = "kT9vLq2xPzR4mW8sB6nC7d4b";
    for text in [
        "<key>WifiPassword</key>\n<string>@</string>",
        "<string name=\"maps_api_key\" translatable=\"false\">@</string>",
        "{\"value\": \"@\", \"key\": \"api_key\"}",
        "\"db_password\": {\n  \"sensitive\": true,\n  \"value\": \"@\"\n}",
        "password: |\n  @\nuser: me",
        "password: &pw @",
        "name,url,username,password\nBank,https://b.example,me,@\n",
        "| user | password |\n|---|---|\n| me | `@` |\n",
        "\u{2502} user \u{2502} password \u{2502}\n\u{2502} me \u{2502} @ \u{2502}\n",
        "log in with the password @ and look",
        "new password for user me: @",
        "Le mot de passe est @ pour le serveur",
        "\u{41f}\u{430}\u{440}\u{43e}\u{43b}\u{44c}: @",
        "\u{5bc6}\u{7801}\u{ff1a}@",
        "echo \"@\" | docker login -u me --password-stdin",
        "gh secret set KEY <<< \"@\"",
        "requests.get(url, auth=(\"me\", \"@\"))",
        "ALTER USER 'root'@x IDENTIFIED BY '@';"
            .replacen("@x", "", 1)
            .as_str(),
        "kubectl create secret generic db --from-literal=licence=@",
        "kind: Secret\ndata:\n  uri: @\n",
        "{\"kty\":\"oct\",\"k\":\"@\"}",
        "\"Jwt\": {\n  \"Issuer\": \"x\",\n  \"Key\": \"@\"\n}",
        "user=me&pass=@&x=1",
        "hey, wifi pw: @ and the printer is in room 4",
        "the wifi pw is @",
        "https://app.example.com/callback?code=@&state=x",
        "[\"password\"]=>\n  string(24) \"@\"\n",
        "Name      Password                   Role\nops       @   admin\n",
        "Unseal Key 1: @",
        "AWS Secret Access Key [None]: @",
        "rootpw @\nsuffix x",
        "net user me @ /add",
        "\u{2503} client_secret \u{2503} @ \u{2503}",
    ] {
        let text = text.replace('@', v);
        assert!(!masked(&text).contains(v), "{text}");
    }
}

#[test]
fn base64_that_is_decoded_into_a_secret_is_found() {
    let word = STANDARD.encode(format!("TOKEN={}\n", token()));
    let text = format!("echo {word} | base64 -d > .env");
    assert_eq!(masked(&text), "echo # | base64 -d > .env");
    let text = format!("echo {} | base64 -d", STANDARD.encode("nothing in it"));
    assert_eq!(masked(&text), text);
}
