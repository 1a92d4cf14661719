// Appearance and access of the widget: branding, colour schemes, zoom, phones, keyboard and assistive technology.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { axe, faintTexts } from "../support/accessibility.mjs";
import { closePage, launch, openPage, place } from "../support/browser.mjs";
import { Chat } from "../support/chat.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { CHATBOT, FakePlatform, foldedSource, reply, source } from "../support/fake-platform.mjs";
import { HostSite, hostPage, snippet } from "../support/host-site.mjs";

const SECTION = "## Norway\n\nThree days by road.\n\n- [Prices](https://shop.example/)\n- `NO` is its code";
const ANSWER = reply("## Shipping\n\nThree days [1], see [prices](https://shop.example/).\n\n> Quoted\n\n```\ncode\n```", {
  sources: [foldedSource("Shipping"), source("Prices")],
  citations: [{ marker: "[1]", source_index: 0 }],
});
const BRANDS = {
  "no branding": {},
  "a yellow brand": { primary_color: "#ffd400", accent_color: "#ffee88", background_color: "#fffaf0", text_color: "#dddddd" },
  "a dark brand": { primary_color: "#101018", accent_color: "#303048", background_color: "#201030", text_color: "#8060a0" },
};
/** Half of a common window, as at 200 % zoom. */
const ZOOMED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };
const PHONE = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true };
/** A common window at 400 % zoom. */
const ENLARGED = { viewport: { width: 320, height: 256 } };

let platform, site, browser, page, chat;

before(async () => {
  [platform, browser] = await Promise.all([FakePlatform.start(), launch()]);
  const once = snippet(platform.origin, CHATBOT);
  const pages = { "/": { html: hostPage({ body: once }) }, "/de": { html: hostPage({ body: once }).replace('lang="en"', 'lang="de-AT"') } };
  pages["/rtl"] = { html: hostPage({ body: once }).replace('lang="en"', 'lang="ar" dir="rtl"') };
  pages["/own"] = { html: hostPage({ body: once.replace("async", `data-lang="de" data-theme="dark" data-position="bottom_left" async`) }) };
  site = await HostSite.start(pages);
});

beforeEach(() => {
  platform.reset();
  platform.onQuery = (exchange) => exchange.begin().done(ANSWER);
});

afterEach(() => closePage(page));

after(() => Promise.all([browser.close(), platform.stop(), site.stop()]));

async function visit(path = "/", options = {}) {
  page = await openPage(browser, { reducedMotion: "reduce", ...options });
  await page.goto(site.origin + path);
  chat = new Chat(page);
  await chat.launcher.waitFor();
}

/** Everything that axe finds in the widget, of any impact, and every text that is hard to read. */
async function findings(state) {
  const { violations } = await axe(page).include("svc-chat").analyze();
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.flat().join(" ")}: ${failureSummary}`));
  return [...found, ...(await faintTexts(chat.hosts))].map((finding) => `${state}: ${finding}`);
}

/** A conversation with every state on the way; returns what axe found. */
async function examine() {
  const found = await findings("closed");
  await chat.open();
  found.push(...(await findings("open")));
  const started = new Promise((resolve) => (platform.onQuery = resolve));
  await chat.send("How long?");
  (await started).begin().say("sources", { sources: ANSWER.sources }).token("Three days [1], see [prices](https://shop.example/)");
  await chat.log.getByText("Three days").waitFor();
  found.push(...(await findings("streaming")));
  (await started).done(ANSWER);
  await chat.citations.first().click();
  platform.onSection = (exchange) => exchange.json({ title: "Shipping", heading: "", content: SECTION, is_cut: false });
  await chat.sources.locator("li summary").click();
  await chat.sources.getByText("Three days by road.").waitFor();
  await chat.answers.last().getByRole("button", { name: "Not helpful" }).click();
  await chat.answers.last().getByRole("button", { name: "Tone" }).click();
  found.push(...(await findings("answered")));
  platform.onQuery = (exchange) => exchange.json({ detail: "internal_error" }, 500);
  await chat.send("And now?");
  await chat.panel.getByRole("button", { name: "Try again" }).waitFor();
  return [...found, ...(await findings("notice"))];
}

test("axe and the contrast check inspect the widget", async () => {
  platform.config.branding = { custom_css: ".svc-bubble { color: #ccc !important; background: #fff !important }" };
  await visit();
  await chat.open();
  await chat.panel.getByRole("button", { name: "Close chat" }).evaluate((button) => ["aria-label", "title"].forEach((name) => button.removeAttribute(name)));
  const found = (await findings("open")).join();
  assert.match(found, /button-name/);
  assert.match(found, /Hello!.*1\.6/);
});

for (const colorScheme of ["light", "dark"]) {
  for (const [name, branding] of Object.entries(BRANDS)) {
    test(`axe finds nothing in a conversation, ${colorScheme}, ${name}`, async () => {
      platform.config.branding = branding;
      await visit("/", { colorScheme });
      assert.deepEqual(await examine(), []);
    });
  }
}

for (const [name, path, options] of [
  ["at 200 % zoom", "/", ZOOMED],
  ["from right to left", "/rtl", {}],
  ["on a phone", "/", PHONE],
]) {
  test(`axe finds nothing in a conversation ${name}`, async () => {
    await visit(path, options);
    assert.deepEqual(await examine(), []);
  });
}

test("at 400 % zoom a long question can be scrolled to its button", async () => {
  platform.onQuery = (exchange) => exchange.json({ detail: "internal_error" }, 500);
  await visit("/", ENLARGED);
  await chat.open();
  await chat.send("How long does a parcel take? ".repeat(12));
  await chat.panel.getByRole("button", { name: "Try again" }).waitFor();
  await page.mouse.move(160, 30);
  await page.mouse.wheel(0, 500);
  const send = chat.panel.getByRole("button", { name: "Send", exact: true });
  await eventuallyEqual(async () => {
    const { y, height } = await send.boundingBox();
    return y + height <= ENLARGED.viewport.height;
  }, true);
});

test("with forced colours the waiting sign and a chosen reason are visible", async () => {
  await visit("/", { forcedColors: "active" });
  await chat.open();
  const picture = async (part) => (await part.screenshot()).toString("base64");
  const started = new Promise((resolve) => (platform.onQuery = resolve));
  await chat.send("How long?");
  const exchange = await started;
  const sign = chat.log.locator(".svc-waiting");
  const waiting = await picture(sign);
  await sign.evaluate((element) => [...element.children].forEach(({ style }) => (style.visibility = "hidden")));
  assert.notEqual(waiting, await picture(sign), "the sign");
  exchange.begin().done(ANSWER);
  await chat.answers.first().getByRole("button", { name: "Not helpful" }).click();
  const reason = chat.answers.first().getByRole("button", { name: "Tone" });
  const border = () => reason.evaluate((element) => parseFloat(getComputedStyle(element).borderTopWidth));
  const thin = await border();
  await reason.click();
  assert.ok((await border()) > thin, "the reason");
});

test("every control is at least 24 pixels wide and high", async () => {
  await visit();
  await chat.open();
  await chat.ask("How long?");
  await chat.citations.first().click();
  await chat.answers.last().getByRole("button", { name: "Not helpful" }).click();
  const small = await chat.panel.locator("button:visible, summary:visible, textarea:visible").evaluateAll((controls) =>
    controls.flatMap((control) => {
      const { width, height } = control.getBoundingClientRect();
      const around = getComputedStyle(control, "::after").inset === "-3px" ? 6 : 0;
      return width + around < 24 || height + around < 24 ? [`${control.className} ${width} x ${height}`] : [];
    }),
  );
  assert.deepEqual(small, []);
});

test("a whole conversation is possible with the keyboard alone", async () => {
  await visit();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await chat.input.and(page.locator(":focus")).waitFor();
  await page.keyboard.type("How");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("long?");
  await page.keyboard.press("Enter");
  await chat.answers.first().waitFor();
  assert.equal(platform.bodies("/query")[0].question, "How\nlong?");
  for (const name of ["Not helpful", "Helpful"]) {
    await page.keyboard.press("Shift+Tab");
    await chat.answers.first().getByRole("button", { name, exact: true }).and(page.locator(":focus")).waitFor();
  }
  await page.keyboard.press("Enter");
  await chat.answers.first().getByRole("button", { name: "Helpful", exact: true, pressed: true }).waitFor();
  await page.keyboard.press("Escape");
  await chat.launcher.and(page.locator(":focus")).waitFor();
});

test("a pressed suggestion passes the focus to the input", async () => {
  await visit();
  await chat.open();
  await chat.panel.getByRole("button", { name: "Do you ship to Norway?" }).press("Enter");
  await chat.answers.first().waitFor();
  await chat.input.and(page.locator(":focus")).waitFor();
});

test("on a phone a pressed suggestion keeps the focus in the panel", async () => {
  await visit("/", PHONE);
  await chat.open();
  await chat.panel.getByRole("button", { name: "Do you ship to Norway?" }).press("Enter");
  await chat.answers.first().waitFor();
  await chat.panel.and(page.locator(":focus")).waitFor();
});

test("a repeated question passes the focus to the input", async () => {
  platform.onQuery = (exchange) => exchange.json({ detail: "internal_error" }, 500);
  await visit();
  await chat.open();
  await chat.send("How long?");
  const again = chat.panel.getByRole("button", { name: "Try again" });
  await again.waitFor();
  platform.onQuery = (exchange) => exchange.begin().done(ANSWER);
  await again.press("Enter");
  await chat.answers.first().waitFor();
  await chat.input.and(page.locator(":focus")).waitFor();
});

test("the key that ends the composition of a word does not send it", async () => {
  await visit();
  await chat.open();
  await chat.input.fill("北海");
  // Safari's, after the end of the composition.
  const key = { key: "Enter", keyCode: 229, isComposing: false, bubbles: true, composed: true, cancelable: true };
  const isLeft = await chat.input.evaluate((input, key) => input.dispatchEvent(new KeyboardEvent("keydown", key)), key);
  assert.deepEqual([isLeft, await chat.input.inputValue()], [true, "北海"]);
  await chat.input.press("Enter");
  await chat.answers.first().waitFor();
  assert.deepEqual(platform.bodies("/query").map(({ question }) => question), ["北海"]);
});

test("each message names its author for screen readers", async () => {
  platform.config.branding = { display_name: "Harbor" };
  await visit();
  await chat.open();
  await chat.ask("How long?");
  const spoken = await chat.log.locator(".svc-message").evaluateAll((all) => all.map((message) => message.firstChild.textContent));
  assert.deepEqual(spoken, ["Harbor:", "You said:", "Harbor:"]);
});

test("with reduced motion nothing moves", async () => {
  await visit();
  await chat.open();
  const moving = await chat.panel.evaluate((panel) => panel.getRootNode().getAnimations().filter(({ playState }) => playState === "running").length);
  assert.equal(moving, 0);
});

test("script attributes override page and branding", async () => {
  platform.config.branding = { theme: "light", launcher_position: "bottom_right" };
  page = await openPage(browser);
  await page.goto(`${site.origin}/own`);
  const launcher = page.getByRole("button", { name: "Chat öffnen" });
  await launcher.click();
  await page.getByRole("dialog").getByLabel("Ihre Frage").waitFor();
  const frame = page.locator("svc-chat .svc");
  await eventuallyEqual(async () => [await frame.getAttribute("data-scheme"), await frame.getAttribute("data-position")], ["dark", "bottom_left"]);
  assert.ok((await launcher.or(page.locator("svc-chat .svc-launcher")).first().boundingBox()).x < 100);
});

test("the widget uses the page's language by default", async () => {
  page = await openPage(browser);
  await page.goto(`${site.origin}/de`);
  await page.getByRole("button", { name: "Chat öffnen" }).waitFor();
});

test("branding applies and custom CSS stays inside", async () => {
  const picture = "https://shop.example/harbor.png";
  platform.config.branding = {
    display_name: "Harbor", primary_color: "#b00020", accent_color: "#005a9c", background_color: "#fffaf0", text_color: "#222222",
    font_family: "Georgia, serif", border_radius: 2, logo_url: null, avatar_url: picture, header_title: "Harbor help",
    input_placeholder: "Ask Harbor", launcher_position: "bottom_left", theme: "light", privacy_url: "https://shop.example/privacy",
    custom_css: ".svc-title { text-decoration: underline } h1 { color: red !important }",
  };
  page = await openPage(browser, { colorScheme: "dark" });
  const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  await page.route(picture, (route) => route.fulfill({ body: pixel, contentType: "image/png" }));
  await page.goto(site.origin);
  chat = new Chat(page);
  await chat.open();
  const style = (locator, name) => locator.evaluate((element, name) => getComputedStyle(element)[name], name);
  const title = chat.panel.getByRole("heading", { name: "Harbor help" });
  await chat.panel.locator(".svc-picture img").waitFor();
  assert.deepEqual(
    {
      header: await style(chat.panel.locator(".svc-header"), "backgroundColor"),
      accent: await style(chat.panel.locator(".svc-suggestion").first(), "color"),
      ground: await style(chat.panel, "backgroundColor"),
      text: await style(chat.panel, "color"),
      font: await style(chat.panel, "fontFamily"),
      radius: await style(chat.panel, "borderRadius"),
      placeholder: await chat.input.getAttribute("placeholder"),
      privacy: await chat.panel.getByRole("link", { name: "Privacy" }).getAttribute("href"),
      title: await style(title, "textDecorationLine"),
      page: await style(page.getByRole("heading", { name: "A shop" }), "color"),
    },
    {
      header: "rgb(176, 0, 32)", accent: "rgb(0, 90, 156)", ground: "rgb(255, 250, 240)", text: "rgb(34, 34, 34)",
      font: "Georgia, serif, system-ui, sans-serif", radius: "2px", placeholder: "Ask Harbor",
      privacy: "https://shop.example/privacy", title: "underline", page: "rgb(0, 0, 0)",
    },
  );
  assert.ok((await page.locator("svc-chat .svc-launcher").boundingBox()).x < 100);
});

test("a picture from a platform without TLS is shown", async () => {
  platform.config.branding = { logo_url: `${platform.origin}/static/branding/logo.svg` };
  page = await openPage(browser);
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"/>`;
  await page.route("**/logo.svg", (route) => route.fulfill({ body: picture, contentType: "image/svg+xml" }));
  await page.goto(site.origin);
  chat = new Chat(page);
  await chat.open();
  await chat.panel.locator(".svc-picture img").waitFor();
});

test("on a phone the conversation survives a rotation", async () => {
  await visit("/", PHONE);
  await chat.launcher.tap();
  await chat.ask("How long?");
  for (const [width, height] of [[640, 360], [360, 640]]) {
    await page.setViewportSize({ width, height });
    await eventuallyEqual(() => place(chat.panel), [0, 0, width, height]);
    assert.equal(await chat.log.evaluate((log) => log.scrollWidth <= log.clientWidth), true);
    assert.ok((await chat.input.boundingBox()).y < height);
  }
});

test("a panel is modal as soon as it fills the screen", async () => {
  await visit();
  await chat.open();
  const modal = () => chat.panel.getAttribute("aria-modal");
  assert.equal(await modal(), "false");
  for (const [width, isModal] of [[400, "true"], [1280, "false"]]) {
    await page.setViewportSize({ width, height: 800 });
    await eventuallyEqual(modal, isModal);
  }
});

test("on a phone the focus stays inside the panel", async () => {
  await visit("/", PHONE);
  await chat.open();
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.localName), "svc-chat");
  }
});

test("on a phone nothing is under the notch", async () => {
  await visit("/", PHONE);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setSafeAreaInsetsOverride", { insets: { top: 47, bottom: 34, left: 0, right: 0 } });
  await chat.launcher.tap();
  await chat.panel.waitFor();
  const isClear = async () => {
    const title = await chat.panel.getByRole("heading").boundingBox();
    const footer = await chat.panel.locator(".svc-footer span").boundingBox();
    return [title.y >= 47, footer.y + footer.height <= 640 - 34];
  };
  await eventuallyEqual(isClear, [true, true]);
});
