//! One page: what it looks like to a reader, and what a reader can do to it.
//!
//! Every method panics when the browser cannot do what is asked: in a test that is a failure.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::wire::Wire;

/// How a page is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// The window's width in CSS pixels.
    pub(crate) width: u32,
    /// The window's height in CSS pixels.
    pub(crate) height: u32,
    /// Whether `prefers-color-scheme` is dark.
    pub(crate) dark: bool,
    /// Whether `prefers-reduced-motion` is set.
    pub(crate) reduced_motion: bool,
    /// Whether the page may run scripts. Tests can always evaluate.
    pub(crate) scripts: bool,
    /// Whether the page's Content Security Policy holds.
    pub(crate) policy: bool,
}

impl Default for View {
    /// A light window of 1000 by 800 pixels, in which no script runs.
    fn default() -> Self {
        Self {
            width: 1000,
            height: 800,
            dark: false,
            reduced_motion: false,
            scripts: false,
            policy: true,
        }
    }
}

/// A key of the keyboard.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key {
    /// To the next thing that takes the focus.
    Tab,
    /// To the one before.
    ShiftTab,
    Enter,
    Space,
}

/// Where an element stands, in CSS pixels from the window's upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A request that a page made.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The whole address.
    pub(crate) url: String,
    /// What it was for, in the protocol's word: `Document`, `Stylesheet`, `Image`, ...
    pub(crate) kind: String,
}

/// An open page; closed when dropped.
pub(crate) struct Page {
    wire: &'static Wire,
    session: String,
    context: String,
    /// Where the events of the newest [`Page::go`] begin.
    start: std::cell::Cell<usize>,
}

/// Marks what tests evaluate, so that it is not taken for a script of the page.
const OURS: &str = "foldout-test";

/// What is switched on for every page before it loads anything.
const DOMAINS: [&str; 6] = [
    "Page.enable",
    "Runtime.enable",
    "Network.enable",
    "Log.enable",
    "Audits.enable",
    "Debugger.enable",
];

impl Page {
    pub(super) fn new(wire: &'static Wire, view: View) -> Self {
        let ask = |method: &str, params: Value| {
            let answer = wire.call("", method, &params);
            answer.expect("the browser opens a page")
        };
        let context = text(
            &ask("Target.createBrowserContext", json!({})),
            "browserContextId",
        );
        let blank = json!({ "url": "about:blank", "browserContextId": context });
        let target = text(&ask("Target.createTarget", blank), "targetId");
        let attach = json!({ "targetId": target, "flatten": true });
        let session = text(&ask("Target.attachToTarget", attach), "sessionId");
        let page = Self {
            wire,
            session,
            context,
            start: std::cell::Cell::new(0),
        };
        for domain in DOMAINS {
            page.call(domain, json!({}));
        }
        page.call("Debugger.setSkipAllPauses", json!({ "skip": true }));
        page.call(
            "Emulation.setFocusEmulationEnabled",
            json!({ "enabled": true }),
        );
        page.set_view(view);
        page
    }

    /// Changes how the page is looked at. The two switches for scripts and the policy act on
    /// the next [`Page::go`].
    pub(crate) fn set_view(&self, view: View) {
        let scheme = if view.dark { "dark" } else { "light" };
        let motion = if view.reduced_motion {
            "reduce"
        } else {
            "no-preference"
        };
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": view.width, "height": view.height, "deviceScaleFactor": 1, "mobile": false }),
        );
        self.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": [
                { "name": "prefers-color-scheme", "value": scheme },
                { "name": "prefers-reduced-motion", "value": motion },
            ] }),
        );
        self.call(
            "Emulation.setScriptExecutionDisabled",
            json!({ "value": !view.scripts }),
        );
        self.call("Page.setBypassCSP", json!({ "enabled": !view.policy }));
    }

    /// Goes to an address and waits until all of it is loaded. A `#fragment` or a text fragment
    /// of the page that is open is only jumped to.
    pub(crate) fn go(&self, url: &str) {
        let from = self.wire.event_count(&self.session);
        let answer = self.call("Page.navigate", json!({ "url": url }));
        assert!(answer["errorText"].is_null(), "{url}: {answer}");
        if answer["loaderId"].is_null() {
            return;
        }
        self.start.set(from);
        self.wire
            .wait_event(&self.session, from, "Page.loadEventFired")
            .expect("the page loads");
    }

    /// The value of a JavaScript expression, evaluated in the page from outside.
    pub(crate) fn eval(&self, expression: &str) -> Value {
        let value = self.try_eval(expression);
        value.unwrap_or_else(|why| panic!("{expression}: {why}"))
    }

    /// The value of an expression, or why there is none: it threw, or the page went elsewhere
    /// meanwhile.
    pub(super) fn try_eval(&self, expression: &str) -> Result<Value, String> {
        self.ask(expression, false)
    }

    /// Opens every fold and waits until what that sets off has run: the next frame and the
    /// tasks queued before it. Fails where scripts are off, which never draw that frame.
    pub(super) fn open_all_folds(&self) -> Result<(), String> {
        let expression =
            "document.querySelectorAll('details').forEach((fold) => { fold.open = true; });
            new Promise((done) => requestAnimationFrame(() => setTimeout(done)))";
        self.ask(expression, true).map(|_| ())
    }

    fn ask(&self, expression: &str, wait: bool) -> Result<Value, String> {
        let params = json!({
            "expression": format!("{expression}\n//# sourceURL={OURS}"),
            "returnByValue": true,
            "awaitPromise": wait,
        });
        let mut answer = self.wire.call(&self.session, "Runtime.evaluate", &params)?;
        let thrown = &answer["exceptionDetails"];
        if !thrown.is_null() {
            return Err(text(&thrown["exception"], "description"));
        }
        Ok(answer["result"]["value"].take())
    }

    /// Waits until an expression is true: layout, focus and scrolling follow an act a little
    /// later.
    pub(crate) fn wait_until(&self, expression: &str) {
        let until = Instant::now() + Duration::from_secs(10);
        while self.eval(&format!("!!({expression})")) != Value::Bool(true) {
            assert!(Instant::now() < until, "never became true: {expression}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// The text that a reader can see: nothing of closed folds or hidden elements. Lines as laid
    /// out by the blocks, whitespace collapsed to one space.
    pub(crate) fn text(&self) -> String {
        let text = self.eval(include_str!("visible_text.js"));
        text.as_str().expect("text is a string").to_owned()
    }

    /// Where the elements of a CSS selector stand; elements that are not drawn are left out.
    pub(crate) fn boxes(&self, selector: &str) -> Vec<Rect> {
        let rects = self.eval(&format!(
            "[...document.querySelectorAll({})].filter(e => e.checkVisibility())
              .map(e => e.getBoundingClientRect()).map(({{x, y, width, height}}) => ({{x, y, width, height}}))",
            Value::from(selector)
        ));
        serde_json::from_value(rects).expect("rectangles have four numbers")
    }

    /// The element that has the focus: its tag, `#id` where it has one, and its text.
    pub(crate) fn focused(&self) -> String {
        let focused = self.eval(
            "(e => e ? e.localName + (e.id ? '#' + e.id : '') + ' ' + e.textContent.trim() : '')(document.activeElement)",
        );
        focused.as_str().expect("a description is text").to_owned()
    }

    /// How far the page is scrolled down, in CSS pixels.
    pub(crate) fn scrolled(&self) -> f64 {
        self.eval("scrollY").as_f64().expect("a number of pixels")
    }

    /// Clicks the middle of the first visible element of a selector with the mouse.
    pub(crate) fn click(&self, selector: &str) {
        let find = format!("document.querySelector({})", Value::from(selector));
        self.eval(&format!("{find}.scrollIntoViewIfNeeded()"));
        let spot = self.boxes(selector);
        let spot = spot.first().expect("the element to click is drawn");
        let (x, y) = (spot.x + spot.width / 2.0, spot.y + spot.height / 2.0);
        for (kind, buttons) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] {
            self.call(
                "Input.dispatchMouseEvent",
                json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 }),
            );
        }
    }

    /// Presses and releases a key.
    pub(crate) fn press(&self, key: Key) {
        let (name, code, number, typed, modifiers) = match key {
            Key::Tab => ("Tab", "Tab", 9, "", 0),
            Key::ShiftTab => ("Tab", "Tab", 9, "", 8),
            Key::Enter => ("Enter", "Enter", 13, "\r", 0),
            Key::Space => (" ", "Space", 32, " ", 0),
        };
        for kind in ["keyDown", "keyUp"] {
            let typed = if kind == "keyDown" { typed } else { "" };
            self.call(
                "Input.dispatchKeyEvent",
                json!({ "type": kind, "key": name, "code": code, "windowsVirtualKeyCode": number,
                        "text": typed, "modifiers": modifiers }),
            );
        }
    }

    /// What the page asked for since the newest [`Page::go`], its own document included.
    pub(crate) fn requests(&self) -> Vec<Request> {
        let requests = self.happened("Network.requestWillBeSent");
        requests
            .iter()
            .map(|request| Request {
                url: text(&request["request"], "url"),
                kind: text(request, "type"),
            })
            .collect()
    }

    /// What the Content Security Policy forbade since the newest [`Page::go`]: directive and
    /// what it stopped.
    pub(crate) fn violations(&self) -> Vec<String> {
        let issues = self.happened("Audits.issueAdded");
        issues
            .iter()
            .map(|issue| &issue["issue"])
            .filter(|issue| issue["code"] == "ContentSecurityPolicyIssue")
            .map(|issue| {
                let details = &issue["details"]["contentSecurityPolicyIssueDetails"];
                let directive = details["violatedDirective"].as_str().unwrap_or("?");
                let blocked = details["blockedURL"].as_str().unwrap_or("inline");
                format!("{directive} stopped {blocked}")
            })
            .collect()
    }

    /// What the console would show since the newest [`Page::go`], and dialogs.
    pub(crate) fn console(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for event in self.happened("Log.entryAdded") {
            lines.push(text(&event["entry"], "text"));
        }
        for event in self.happened("Runtime.consoleAPICalled") {
            lines.push(format!("console: {}", event["args"][0]["value"]));
        }
        for event in self.happened("Runtime.exceptionThrown") {
            lines.push(text(&event["exceptionDetails"], "text"));
        }
        for event in self.happened("Page.javascriptDialogOpening") {
            lines.push(format!("dialog: {}", text(&event, "message")));
        }
        lines
    }

    /// The scripts of the page that the engine got to see since the newest [`Page::go`]:
    /// elements, handlers and `javascript:` addresses alike, by their address.
    pub(crate) fn scripts(&self) -> Vec<String> {
        let scripts = self.happened("Debugger.scriptParsed");
        let urls = scripts.iter().map(|script| text(script, "url"));
        urls.filter(|url| url != OURS).collect()
    }

    /// Where frames went, or were told to go, since the newest [`Page::go`].
    pub(crate) fn journeys(&self) -> Vec<String> {
        let arrived = self.happened("Page.frameNavigated");
        let asked = self.happened("Page.frameRequestedNavigation");
        let arrived = arrived.iter().map(|event| text(&event["frame"], "url"));
        arrived
            .chain(asked.iter().map(|event| text(event, "url")))
            .collect()
    }

    /// Calls a method of the DevTools protocol.
    pub(super) fn call(&self, method: &str, params: Value) -> Value {
        let answer = self.wire.call(&self.session, method, &params);
        answer.unwrap_or_else(|why| panic!("{why}"))
    }

    /// The parameters of every event of a method since the newest [`Page::go`].
    fn happened(&self, method: &str) -> Vec<Value> {
        let mut events = self.wire.events(&self.session, self.start.get());
        events.retain(|event| event["method"] == method);
        events
            .iter_mut()
            .map(|event| event["params"].take())
            .collect()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // The context takes its page with it. An answer that fails means that the browser is
        // gone, and the page with it.
        let context = json!({ "browserContextId": self.context });
        let _ = self.wire.call("", "Target.disposeBrowserContext", &context);
        self.wire.forget(&self.session);
    }
}

/// A field that is text; empty when it is not there.
fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}
