// Signs in like a user, through the console's button and the identity provider's page, or with a session of the provider.
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openPage } from "./browser.mjs";
import { onKeycloak } from "./world.mjs";

/** The provider ends a session that nobody has used for half an hour. */
const SHARED_MS = 20 * 60_000;
const CONSOLES = { "svc-platform": "/admin/operator/", "svc-tenants": "/tenant/" };
const CLIENTS = { "svc-platform": "operator-ui", "svc-tenants": "tenant-ui" };

/** The console of tenants. */
export function tenantConsole(world) {
  return world.dev.base_url + CONSOLES["svc-tenants"];
}

/** The console that a user signs in to. */
export function consoleOf(world, username) {
  return world.dev.base_url + CONSOLES[world.user(username).realm];
}

/** Fills the provider's page that is open in `page`. */
export async function fillLogin(page, { username, password }) {
  // The embedded provider's page and Keycloak's own have these in common.
  await page.locator("#username").fill(username);
  await page.locator("#password").fill(password);
  await page.locator("form [type=submit]").click();
}

/** Fills the provider's page that asks for a password of one's own, and goes on. */
export async function choosePassword(page, password) {
  await page.locator("#password-new").fill(password);
  await page.locator("#password-confirm").fill(password);
  await page.locator("form [type=submit]").first().click();
}

/** Opens a console signed out, goes on to the provider's page and fills it. */
export async function logIn(page, world, address, credentials) {
  await page.goto(address);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.origin === world.dev.auth_url);
  await fillLogin(page, credentials);
}

/** Signs in to a user's console, and waits for its navigation. `path` is relative to the console. */
export async function signIn(page, world, username, path = "") {
  await logIn(page, world, consoleOf(world, username) + path, world.user(username));
  await isSignedIn(page);
}

/** Waits until a console shows its pages, in either language. */
export async function isSignedIn(page) {
  await page.getByRole("button", { name: /^(Account|Konto)$/ }).waitFor();
}

/**
 * Loads a path of the user's console in a page that has their session at the provider. The page returns from a silent sign-in
 * that was done outside the browser, so the console starts once instead of twice. A reload still leaves for the provider.
 */
export async function load(page, world, username, path = "") {
  const address = new URL(consoleOf(world, username) + path);
  if (onKeycloak()) {
    await page.goto(address.href);
  } else {
    const { realm } = world.user(username);
    const [verifier, state, nonce] = [0, 1, 2].map(() => randomBytes(32).toString("base64url"));
    const back = await askSilently(page, world, username, { verifier, state, nonce });
    // What the console stores before it leaves for the provider.
    const pending = [state, nonce, verifier, "silent", address.pathname + address.search + address.hash].join("\n");
    const store = ([state, key, pending]) => {
      if (new URLSearchParams(location.search).get("state") === state) sessionStorage.setItem(key, pending);
    };
    await page.addInitScript(store, [state, `svc_sign_in:${realm}`, pending]);
    await page.goto(back);
  }
  await isSignedIn(page);
}

/** Asks the provider for a code as the user's console does; the address that the browser is sent back to. */
async function askSilently(page, world, username, { verifier, state, nonce }) {
  const { realm } = world.user(username);
  const ask = new URLSearchParams({
    response_type: "code",
    client_id: CLIENTS[realm],
    redirect_uri: consoleOf(world, username),
    scope: "openid svc-scope",
    state,
    nonce,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    prompt: "none",
  });
  const url = `${world.dev.auth_url}/realms/${realm}/protocol/openid-connect/auth?${ask}`;
  const cookies = await page.context().cookies(url);
  const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") };
  const back = (await fetch(url, { headers, redirect: "manual" })).headers.get("location");
  if (!back || !new URL(back).searchParams.has("code")) throw new Error(`no silent sign-in of ${username}: ${back}`);
  return back;
}

/**
 * Opens pages of users that have signed in once: later pages start with the provider's session. A world with a folder
 * `sessions` shares them between files, which no test may end by signing out.
 */
export class People {
  #sessions = new Map();

  constructor(browser, world) {
    this.browser = browser;
    this.world = world;
  }

  /** A page of `username` at `path` of their console. `prepare` gets the page before it loads anything. */
  async open(username, path = "", { prepare, ...options } = {}) {
    const storageState = this.#session(username);
    const page = await openPage(this.browser, { storageState, ...options });
    await prepare?.(page);
    if (storageState) {
      await load(page, this.world, username, path);
    } else {
      await signIn(page, this.world, username, path);
      this.#keep(username, { cookies: await page.context().cookies(), origins: [] });
    }
    return page;
  }

  #session(username) {
    const file = join(this.#folder, `${username}.json`);
    if (!this.#sessions.has(username) && existsSync(file) && Date.now() - statSync(file).mtimeMs < SHARED_MS) {
      this.#sessions.set(username, JSON.parse(readFileSync(file, "utf8")));
    }
    return this.#sessions.get(username);
  }

  #keep(username, session) {
    this.#sessions.set(username, session);
    if (!existsSync(this.#folder)) return;
    // Another file may be reading it.
    const [draft, file] = [`${username}.${process.pid}`, `${username}.json`].map((name) => join(this.#folder, name));
    writeFileSync(draft, JSON.stringify(session), { mode: 0o600 });
    renameSync(draft, file);
  }

  get #folder() {
    return join(this.world.folder, "sessions");
  }
}
