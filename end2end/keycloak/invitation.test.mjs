// Invitations by Keycloak's mail, and the fallback when its mail server is down. Runs on a real Keycloak only (make
// test-keycloak).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { closePage, openPage } from "../support/browser.mjs";
import { browser, page, showHeaded, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { fillInvitation } from "../support/invitation.mjs";
import { Keycloak } from "../support/keycloak.mjs";
import { linkOf, startMailServer } from "../support/mail-server.mjs";
import { choosePassword, isSignedIn, logIn, tenantConsole } from "../support/sign-in.mjs";

const TENANTS = "svc-tenants";
const OWN_PASSWORD = "a-password-of-my-own";
// A removed person's name is not given again.
const RUN = Date.now().toString(36);
const keycloak = Keycloak.at(world.dev.auth_url);
let mailServer;

before(async () => {
  mailServer = await startMailServer();
  await useMailServer({ host: "127.0.0.1", port: String(mailServer.port), from: "chatbots@example.com" });
});

after(async () => {
  await useMailServer({});
  await mailServer.stop();
});

async function useMailServer(smtpServer) {
  await keycloak.admin("PUT", TENANTS, { ...(await keycloak.admin("GET", TENANTS)), smtpServer });
}

/** Invites somebody in the console. */
async function invite(first, email) {
  await showHeaded("hanna", "people");
  await page.getByRole("button", { name: "Invite person" }).click();
  await fillInvitation(page, { first, last: `Mail-${RUN}`, email, role: "viewer" });
}

test("an invited person chooses a password by a mailed link", async () => {
  const email = `ida-${RUN}@example.com`;
  await invite("Ida", email);
  await page.getByText(`The invitation was sent to ${email}.`, { exact: false }).waitFor();
  assert.equal(await page.locator("[data-first-password]").count(), 0);
  const isTo = (mail) => mail.includes(email);
  await eventuallyEqual(() => mailServer.mails.filter(isTo).length, 1);
  const tab = await openPage(browser);
  await tab.goto(linkOf(mailServer.mails.find(isTo)));
  // Keycloak shows the required action, the form, and a link back.
  await tab.locator("#kc-info-message a").click();
  await choosePassword(tab, OWN_PASSWORD);
  await tab.locator("#kc-info-message a").click();
  // The console first asks other tabs for a session, without success.
  await tab.getByRole("button", { name: "Sign in" }).waitFor();
  await logIn(tab, world, tenantConsole(world), { username: `ida.mail-${RUN}`, password: OWN_PASSWORD });
  await isSignedIn(tab);
  await closePage(tab);
});

test("without its mail server the person gets a first password", async () => {
  await useMailServer({ host: "127.0.0.1", port: "1", from: "chatbots@example.com" });
  await invite("Ole", `ole-${RUN}@example.com`);
  const password = await page.locator("[data-first-password]").textContent();
  assert.match(password, /^\w{5}(-\w{5}){3}$/);
});
