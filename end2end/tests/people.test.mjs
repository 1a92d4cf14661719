// People of a tenant: invited, signed in for the first time, changed and removed, in both consoles.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { openPage, closePage } from "../support/browser.mjs";
import { browser, call, page, showHeaded, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { deferred } from "../support/fake-platform.mjs";
import { fillInvitation } from "../support/invitation.mjs";
import { choosePassword, isSignedIn, logIn, tenantConsole } from "../support/sign-in.mjs";
import { onKeycloak } from "../support/world.mjs";

const PEOPLE = "/api/v1/tenants/me/people";
// Distinguishes the people of this run: a removed person's name is not given again.
const RUN = Date.now().toString(36);
const OWN_PASSWORD = "a-password-of-my-own";

/** Fills the dialog that is open and gives back the first password that it then shows. */
async function invite(first, last, role = "viewer") {
  await fillInvitation(page, { first, last, email: `${first}.${last}@example.com`.toLowerCase(), role });
  const password = await page.locator("[data-first-password]").textContent();
  await page.getByRole("dialog", { name: /Password for/ }).getByRole("button", { name: "Done" }).click();
  return password;
}

/** The row of a person. */
const row = (username) => page.getByRole("row").filter({ hasText: username });

async function choose(username, action) {
  await row(username).getByRole("button", { name: /Actions for/ }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

test("an invited person chooses a password at the first sign-in", async () => {
  await showHeaded("hanna", "people");
  await page.getByRole("button", { name: "Invite person" }).click();
  const password = await invite("Anna", `Meyer-${RUN}`);
  const username = `anna.meyer-${RUN}`;
  await row(username).getByText("Invited").waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  const tab = await openPage(browser);
  await logIn(tab, world, tenantConsole(world), { username, password });
  await tab.locator("#password-new").waitFor();
  if (!onKeycloak()) {
    await tab.getByRole("heading", { name: "Choose a password" }).waitFor();
    const rule = "The password must have at least 10 characters.";
    await tab.getByText(rule).waitFor();
    assert.deepEqual(await accessibilityFindings(tab), []);
    await choosePassword(tab, "short");
    await tab.getByRole("alert").filter({ hasText: rule }).waitFor();
  }
  await choosePassword(tab, OWN_PASSWORD);
  await isSignedIn(tab);
  await tab.getByRole("link", { name: "People" }).click();
  await tab.getByText("View-only access").waitFor();
  assert.equal(await tab.getByRole("button", { name: "Invite person" }).count(), 0);
  await closePage(tab);
  await page.reload();
  await row(username).getByText("Active").waitFor();
});

test("an invitation that is being sent can't be closed", async () => {
  await showHeaded("hanna", "people");
  await page.getByRole("button", { name: "Invite person" }).click();
  const held = deferred();
  await page.route(`**${PEOPLE}`, async (route) => {
    await held.promise;
    await route.continue();
  });
  const person = { first: "Paula", last: `Patient-${RUN}`, email: `paula-${RUN}@example.com`, role: "viewer" };
  await fillInvitation(page, person);
  const dialog = page.getByRole("dialog", { name: "Invite a person" });
  await eventuallyEqual(() => dialog.getByRole("button", { name: "Cancel" }).isDisabled(), true);
  // Chromium asks no page about the second one.
  for (const key of ["Escape", "Escape"]) await page.keyboard.press(key);
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.mouse.click(5, 5);
  assert.equal(await dialog.isVisible(), true);
  held.resolve();
  await page.locator("[data-first-password]").waitFor();
});

test("a question stays open while its action is under way", async () => {
  const username = `quinn-${RUN}`;
  const person = { username, first_name: "Quinn", last_name: `Quay-${RUN}`, email: `${username}@example.com`, role: "viewer" };
  await call("hanna", "POST", PEOPLE, person);
  await showHeaded("hanna", `people?q=${username}`);
  const held = deferred();
  await page.route(`**${PEOPLE}/*`, async (route) => {
    await held.promise;
    await route.continue();
  });
  await choose(username, "Remove");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await eventuallyEqual(() => dialog.getByRole("button", { name: "Cancel" }).isDisabled(), true);
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.mouse.click(5, 400);
  assert.equal(await dialog.isVisible(), true);
  held.resolve();
  await page.getByText("No results").waitFor();
});

test("rows of people show their actions on a narrow screen", async () => {
  const username = `nora.narrowest-${RUN}`;
  const person = { username, first_name: "Nora", last_name: `Narrow-${RUN}`, email: `${username}@example.com`, role: "admin" };
  await call("hanna", "POST", PEOPLE, person);
  await showHeaded("hanna", `people?q=${username}`, { viewport: { width: 360, height: 740 } });
  await row(username).locator(".ui-table__note", { hasText: "Administrator" }).waitFor();
  const { x, width } = await row(username).getByRole("button", { name: /Actions for/ }).boundingBox();
  assert.ok(x + width <= 360, `${x + width}`);
});

test("a click next to a dialog loses no text and no password", async () => {
  await showHeaded("hanna", "people");
  await page.getByRole("button", { name: "Invite person" }).click();
  const field = page.getByRole("dialog", { name: "Invite a person" }).getByLabel("First name");
  await field.fill("Dana");
  await page.mouse.click(5, 400);
  assert.equal(await field.inputValue(), "Dana");
  const [first, last, email] = ["Dana", `Dorn-${RUN}`, `dana-${RUN}@example.com`];
  await fillInvitation(page, { first, last, email, role: "viewer" });
  const password = page.locator("[data-first-password]");
  await password.waitFor();
  await page.mouse.click(5, 400);
  assert.ok(await password.isVisible());
  await page.getByRole("dialog", { name: /Password for/ }).getByRole("button", { name: "Done" }).click();
  // A question loses nothing.
  await choose(`dana.dorn-${RUN}`, "Remove");
  const question = page.getByRole("dialog").filter({ has: page.getByRole("button", { name: "Remove" }) });
  await question.waitFor();
  await page.mouse.click(5, 400);
  await question.waitFor({ state: "hidden" });
});

test("a person is edited, promoted, deactivated and removed", async () => {
  const username = `bert-${RUN}`;
  const person = { username, first_name: "Bert", last_name: `Becker-${RUN}`, email: `${username}@example.com`, role: "viewer" };
  await call("hanna", "POST", PEOPLE, person);
  await showHeaded("hanna", `people?q=${username}`);
  await choose(username, "Edit");
  await page.getByLabel("First name").fill("Bertram");
  await page.getByRole("button", { name: "Save" }).click();
  await row(username).getByText("Bertram").waitFor();
  for (const [action, label, shown] of [
    ["Make administrator", "Make administrator", "Administrator"],
    ["Deactivate", "Deactivate", "Deactivated"],
    ["Activate", "Activate", "Invited"],
  ]) {
    await choose(username, action);
    await page.getByRole("dialog").getByRole("button", { name: label }).click();
    await row(username).getByRole("cell", { name: shown, exact: true }).waitFor();
  }
  await choose(username, "Remove");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("No results").waitFor();
});

test("a taken user name shows an error at its field", async () => {
  await showHeaded("hanna", "people");
  await page.getByRole("button", { name: "Invite person" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite a person" });
  await dialog.getByLabel("First name").fill("Henry");
  await dialog.getByLabel("Last name").fill("Harbor");
  await dialog.getByLabel("Email address").fill(`other-${RUN}@example.com`);
  await dialog.getByLabel("Username").fill("dora");
  await dialog.getByRole("button", { name: "Invite" }).click();
  await dialog.getByText("This username is already taken.").waitFor();
});

test("a new tenant's first administrator is invited and signs in", async () => {
  await showHeaded("olivia", "tenants");
  const started = Date.now();
  await page.getByRole("button", { name: "New tenant" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill(`People ${RUN}`);
  await page.getByRole("button", { name: "Create tenant" }).click();
  await page.getByRole("dialog", { name: "Invite the first administrator" }).waitFor();
  await page.getByText(`Nobody can sign in to People ${RUN} yet.`, { exact: false }).waitFor();
  const password = await invite("Clara", `Chief-${RUN}`, "admin");
  const tab = await openPage(browser);
  await logIn(tab, world, tenantConsole(world), { username: `clara.chief-${RUN}`, password });
  await choosePassword(tab, OWN_PASSWORD);
  await isSignedIn(tab);
  console.log(`from a new tenant to its administrator's console: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  await tab.getByRole("link", { name: "People" }).click();
  await tab.getByRole("button", { name: "Invite person" }).waitFor();
  await closePage(tab);
  await page.reload();
  await row(`clara.chief-${RUN}`).getByText("Active").waitFor();
});
