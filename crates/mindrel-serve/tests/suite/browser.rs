//! The form in a real browser, at the size of a phone and of a desk, with a mouse and with nothing but a keyboard.
//!
//! Needs Chromium and its driver; with `MINDREL_SCREENSHOTS` set to a folder, every page is kept there to be looked at.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{campaign, plan, service_of, sqlite};
use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use mindrel::Plan;
use mindrel_serve::token::Keys;
use mindrel_serve::{HttpOptions, Workers, app, server};
use serde_json::{Value, json};

const PHONE: (u32, u32) = (390, 844);
const DESK: (u32, u32) = (1280, 900);

struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Visit {
    client: Client,
    address: SocketAddr,
    downloads: tempfile::TempDir,
    name: String,
    _driver: Driver,
    _folder: tempfile::TempDir,
}

impl Visit {
    /// A browser on the form for the loan.
    async fn start(name: &str, size: (u32, u32), dark: bool) -> Option<Self> {
        Visit::start_with(plan(0.0), name, size, dark).await
    }

    /// A browser on a plan's form; says so and gives nothing where there is none. With `CI` set, that is a failure.
    async fn start_with(plan: Plan, name: &str, (width, height): (u32, u32), dark: bool) -> Option<Self> {
        let port = free_port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(driver) = driver else {
            assert!(std::env::var_os("CI").is_none(), "chromedriver is not installed, and in CI it must be");
            mindrel_testing::skip(name, "chromedriver is not installed");
            return None;
        };
        let driver = Driver(driver);
        let downloads = tempfile::tempdir().unwrap();
        // A window is never smaller than some 500 points; a phone is emulated.
        let mut options = json!({
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                format!("--window-size={width},{height}"),
                format!("--blink-settings=preferredColorScheme={}", if dark { 0 } else { 1 })],
            "prefs": {"download.default_directory": downloads.path()},
        });
        if width < 500 {
            options["mobileEmulation"] =
                json!({"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2.0, "touch": true}});
        }
        let Value::Object(capabilities) = json!({"browserName": "chrome", "goog:chromeOptions": options}) else {
            unreachable!()
        };
        let mut client = None;
        for _ in 0..100 {
            let mut builder = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
            match builder.capabilities(capabilities.clone()).connect(&format!("http://127.0.0.1:{port}")).await {
                Ok(connected) => {
                    client = Some(connected);
                    break;
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
            }
        }
        let client = client.expect("the browser starts within twenty seconds");
        let folder = tempfile::tempdir().unwrap();
        let (store, keys) = (sqlite(folder.path()), Keys::random_text());
        let service = service_of(plan, store, &keys, || 1_000_000, Workers::default());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(server::serve(app(service, HttpOptions::default()), listener, None, std::future::pending()));
        client.goto(&format!("http://{address}/")).await.unwrap();
        Some(Visit { client, address, downloads, name: name.to_owned(), _driver: driver, _folder: folder })
    }

    async fn text(&self) -> String {
        self.client.find(Locator::Css("main")).await.unwrap().text().await.unwrap()
    }

    /// Looks at a page: nothing runs over its side, every field has a label, everything to press is large enough for a
    /// thumb, and nothing came from elsewhere.
    async fn look(&self, page: &str) {
        if let Some(folder) = std::env::var_os("MINDREL_SCREENSHOTS") {
            let picture = self.client.screenshot().await.unwrap();
            std::fs::write(Path::new(&folder).join(format!("{}-{page}.png", self.name)), picture).unwrap();
        }
        let seen = self.client.execute(LOOK, Vec::new()).await.unwrap();
        assert_eq!(
            seen,
            json!({"over": false, "unlabelled": 0, "small": [], "elsewhere": [], "headings": 1}),
            "{page}"
        );
        assert_eq!(self.client.get_all_cookies().await.unwrap().len(), 0);
        let address = self.client.current_url().await.unwrap().to_string();
        assert!(address.starts_with(&format!("http://{}/", self.address)) && !address.contains('?'), "{address}");
    }

    /// Presses a button that leads to another page, and waits for it.
    async fn go(&self, words: &str) {
        self.leave(async { self.press(words).await }).await;
    }

    /// Does what leads to another page, and waits for it.
    async fn leave(&self, act: impl Future<Output = ()>) {
        self.client.execute("window.isOld = true", Vec::new()).await.unwrap();
        act.await;
        for _ in 0..200 {
            let is_new = "return window.isOld !== true && document.readyState === 'complete'";
            if self.client.execute(is_new, Vec::new()).await.is_ok_and(|found| found == json!(true)) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("no other page came");
    }

    async fn press(&self, words: &str) {
        let path = format!("//button[normalize-space()='{words}']");
        self.client.find(Locator::XPath(&path)).await.unwrap().click().await.unwrap();
    }

    async fn type_in(&self, field: &str, text: &str) {
        let field = self.client.find(Locator::Id(field)).await.unwrap();
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// The text of a downloaded file, once it has arrived. The browser creates the file empty and fills it afterwards.
    async fn downloaded(&self, name: &str) -> String {
        let path = self.downloads.path().join(name);
        for _ in 0..200 {
            match std::fs::read_to_string(&path) {
                Ok(text) if !text.is_empty() => return text,
                _ => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
        panic!("{name} was not downloaded");
    }

    /// Answers whatever is asked, looking at each page, until the decision.
    async fn answer_all(&self) {
        for number in 1.. {
            let text = self.text().await;
            if !text.contains(&format!("Question {number}")) {
                return;
            }
            self.look(&format!("question-{number}")).await;
            if self.client.find(Locator::Id("answer")).await.is_ok() {
                self.type_in("answer", if text.contains("earn") { "90000" } else { "1000" }).await;
            } else {
                self.client.find(Locator::Css(".choice:last-child")).await.unwrap().click().await.unwrap();
            }
            self.go("Continue").await;
        }
    }
}

const LOOK: &str = "
    const fields = [...document.querySelectorAll('input:not([type=hidden]), select, meter')];
    const press = [...document.querySelectorAll('button, a, select, summary, .choice')]
        .filter(e => e.offsetParent !== null);
    const loaded = performance.getEntriesByType('resource').map(e => e.name);
    return {
        over: document.documentElement.scrollWidth > window.innerWidth,
        unlabelled: fields.filter(e => e.labels.length === 0).length,
        small: press.filter(e => e.getBoundingClientRect().height < 43.5).map(e => e.textContent),
        elsewhere: loaded.filter(e => !e.startsWith(location.origin) && !e.startsWith('data:')),
        headings: document.querySelectorAll('h1').length,
    };";

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).unwrap().port()
}

/// From the start to a certificate that holds, at a size and in a light.
async fn whole_visit(name: &str, size: (u32, u32), dark: bool) {
    let Some(visit) = Visit::start(name, size, dark).await else { return };
    visit.look("begin").await;
    visit.type_in("public.amount", "5000").await;
    visit.go("Begin").await;
    visit.answer_all().await;
    visit.look("end").await;
    let text = visit.text().await;
    assert!(text.contains("never had to be asked") && text.contains("This is proved"), "{text}");
    visit.press("Download the certificate").await;
    let certificate = serde_json::from_str(&visit.downloaded("certificate.json").await).unwrap();
    assert!(mindrel::verify::verify(&plan(0.0), &certificate).is_ok());
    visit.client.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_at_a_desk_gets_a_decision_and_its_certificate() {
    whole_visit("desk", DESK, false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_with_a_phone_in_the_dark_gets_a_decision_and_its_certificate() {
    whole_visit("phone", PHONE, true).await;
}

/// No mouse: the Tab key reaches everything in order, Enter sends, space and arrows choose.
#[tokio::test(flavor = "multi_thread")]
async fn a_keyboard_is_enough() {
    let Some(visit) = Visit::start("keyboard", DESK, false).await else { return };
    let keys = async |text: String| {
        let focused = visit.client.active_element().await.unwrap();
        focused.send_keys(&text).await.unwrap();
    };
    let tab = String::from(char::from(Key::Tab));
    let enter = String::from(char::from(Key::Enter));
    keys(tab.clone()).await;
    visit.leave(keys(format!("5000{enter}"))).await;
    for _ in 0..4 {
        if !visit.text().await.contains("Continue") {
            break;
        }
        keys(tab.clone()).await;
        let choosing = visit.client.find(Locator::Id("answer")).await.is_err();
        keys(if choosing { " ".to_owned() } else { "1000".to_owned() }).await;
        visit.leave(keys(enter.clone())).await;
    }
    let text = visit.text().await;
    assert!(text.contains("Download the certificate"), "{text}");
    visit.client.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_can_be_corrected_changed_and_declined() {
    let Some(visit) = Visit::start("change", PHONE, false).await else { return };
    visit.type_in("public.amount", "a lot").await;
    visit.go("Begin").await;
    assert!(visit.text().await.contains("is not a number"));
    visit.look("begin-again").await;
    visit.type_in("public.amount", "5000").await;
    visit.go("Begin").await;
    visit.type_in("answer", "none of your business").await;
    visit.go("Continue").await;
    let text = visit.text().await;
    assert!(text.contains("Question 1") && text.contains("is not a number"), "{text}");
    visit.look("question-again").await;
    visit.type_in("answer", "1000").await;
    visit.go("Continue").await;
    assert!(visit.text().await.contains("Question 2"));
    visit.client.find(Locator::Css("summary")).await.unwrap().click().await.unwrap();
    visit.look("earlier").await;
    visit.go("Change").await;
    assert!(visit.text().await.contains("Question 1"));
    while visit.text().await.contains("Prefer not to say") {
        visit.go("Prefer not to say").await;
    }
    let text = visit.text().await;
    assert!(text.contains("Not decided") && text.contains("You preferred not to say"), "{text}");
    visit.look("undecided").await;
    visit.client.close().await.unwrap();
}

/// Whoever was never called is not asked how long ago that was: before the decision and after, the form says why.
async fn skips_what_follows(name: &str, size: (u32, u32), dark: bool) {
    let Some(visit) = Visit::start_with(campaign(), name, size, dark).await else { return };
    let choose = async |words: &str| {
        let path = format!("//label[normalize-space()='{words}']");
        visit.client.find(Locator::XPath(&path)).await.unwrap().click().await.unwrap();
    };
    let known = async || visit.client.find(Locator::Css("section.implied")).await.unwrap().text().await.unwrap();
    visit.type_in("public.age", "12").await;
    choose("Yes").await;
    visit.go("Begin").await;
    assert!(visit.text().await.contains("This does not go with the answer to “How old are you?”"));
    visit.look("begin-against-rule").await;
    visit.type_in("public.age", "40").await;
    visit.go("Begin").await;
    choose("success").await;
    visit.go("Continue").await;
    visit.type_in("answer", "-1").await;
    visit.go("Continue").await;
    assert!(visit.text().await.contains("This does not go with the answer to “How did the last call end?”"));
    visit.look("against-rule").await;
    visit.client.find(Locator::Css("summary")).await.unwrap().click().await.unwrap();
    visit.go("Change").await;
    choose("there was none").await;
    visit.go("Continue").await;
    let says_so = "Days since the last call\n-1\nfollows from “How did the last call end?”";
    let mut asked = Vec::new();
    while visit.text().await.contains("Prefer not to say") {
        let prompt = visit.client.find(Locator::Css("legend, label.prompt")).await.unwrap().text().await.unwrap();
        visit.look(&format!("known-{}", asked.len() + 1)).await;
        assert!(known().await.replace("-1 follows", "-1\nfollows").contains(says_so), "{}", known().await);
        if prompt.contains("account") {
            visit.type_in("answer", "10000").await
        } else {
            choose("Yes").await
        }
        asked.push(prompt);
        visit.go("Continue").await;
    }
    assert!(!asked.is_empty() && asked.iter().all(|prompt| !prompt.contains("Days")), "{asked:?}");
    visit.look("known-end").await;
    let text = visit.text().await;
    assert!(text.contains("This is proved") && known().await.contains("follows from"), "{text}");
    visit.press("Download the certificate").await;
    let certificate: Value = serde_json::from_str(&visit.downloaded("certificate.json").await).unwrap();
    assert_eq!(certificate["implied"][0]["question"], "days");
    assert!(mindrel::verify::verify(&campaign(), &serde_json::from_value(certificate).unwrap()).is_ok());
    visit.client.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_follows_is_skipped_at_a_desk_and_the_form_says_so() {
    skips_what_follows("implied-desk", DESK, false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_follows_is_skipped_on_a_phone_and_the_form_says_so() {
    skips_what_follows("implied-phone", PHONE, true).await;
}
