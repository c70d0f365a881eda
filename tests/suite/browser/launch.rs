//! Finds Chromium and starts it, once for all tests of a run.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::json;

use super::wire::Wire;

/// Names another binary than the ones that are looked for.
const BINARY: &str = "FOLDOUT_CHROMIUM";
/// When it is `1`, a browser test without a browser fails instead of passing unrun.
const REQUIRE: &str = "FOLDOUT_REQUIRE_BROWSER";

/// What a Chromium may be called.
const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];

/// Nothing but the pages: no network of its own, no first-run screens, no throttled tabs. The
/// sandbox is off because containers, where CI runs as root, do not allow it; every name
/// resolves to nothing, so that a request that should not be made is seen but goes nowhere.
const FLAGS: [&str; 15] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--hide-scrollbars",
    // Pages that were left are gone, and nothing of theirs is counted.
    "--disable-features=BackForwardCache,RenderDocument",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--remote-debugging-pipe",
];

/// The shell gives the browser its two pipes under the numbers that it reads (3 and 4), which
/// the standard library cannot do. The browser ends by itself when this process ends and closes
/// them; its profile goes with it.
const STARTER: &str = r#"
profile=$1; log=$2; shift 2
"$@" "--user-data-dir=$profile" about:blank 3<&0 4>&1 </dev/null >/dev/null 2>"$log"
rm -rf "$profile"
"#;

/// The connection to the browser of this run; `None`, with one line that says so, when there is
/// no Chromium on this machine.
///
/// # Panics
/// When there is none and `FOLDOUT_REQUIRE_BROWSER=1`.
pub(super) fn wire() -> Option<&'static Wire> {
    static WIRE: OnceLock<Result<Wire, String>> = OnceLock::new();
    let wire = WIRE.get_or_init(|| {
        let wire = start();
        if let Err(why) = &wire {
            // Past the capture of the test harness: a test that did not run must be seen.
            let mut stderr = std::io::stderr();
            writeln!(stderr, "browser tests did not run: {why}").expect("stderr is open");
        }
        wire
    });
    match wire {
        Ok(wire) => Some(wire),
        Err(why) if is_required() => panic!("{REQUIRE}=1, but {why}"),
        Err(_) => None,
    }
}

/// Whether tests must fail where a program that they need is missing.
pub(super) fn is_required() -> bool {
    std::env::var_os(REQUIRE).is_some_and(|value| value == "1")
}

fn start() -> Result<Wire, String> {
    let binary = find().ok_or_else(|| format!("no Chromium found; {BINARY} may name one"))?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let profile = folder.join(format!("chromium-{}", std::process::id()));
    let log = folder.join("chromium.log");
    let mut shell = Command::new("sh")
        .args(["-c", STARTER, "sh"])
        .args([&profile, &log, &binary])
        .args(FLAGS)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("sh cannot be started: {error}"))?;
    let (Some(out), Some(back)) = (shell.stdin.take(), shell.stdout.take()) else {
        return Err("the browser's pipes were not made".to_owned());
    };
    let wire = Wire::new(out, back);
    wire.call("", "Browser.getVersion", &json!({}))
        .map_err(|error| {
            let (binary, log) = (binary.display(), log.display());
            format!("{binary} does not answer ({error}); its words are in {log}")
        })?;
    Ok(wire)
}

fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(BINARY) {
        return Some(PathBuf::from(named));
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    NAMES
        .iter()
        .flat_map(|name| std::env::split_paths(&folders).map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}
