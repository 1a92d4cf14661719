// Signs in like a user: through the console's button and the identity provider's page.
import { openPage } from "./browser.mjs";

const CONSOLES = { "svc-platform": "/admin/operator/", "svc-tenants": "/tenant/" };

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

/** Opens pages of users that have signed in once: later pages start with the provider's session and sign in silently. */
export class People {
  #sessions = new Map();

  constructor(browser, world) {
    this.browser = browser;
    this.world = world;
  }

  /** A page of `username` at `path` of their console. `prepare` gets the page before it loads anything. */
  async open(username, path = "", { prepare, ...options } = {}) {
    const storageState = this.#sessions.get(username);
    const page = await openPage(this.browser, { storageState, ...options });
    await prepare?.(page);
    if (storageState) {
      await page.goto(consoleOf(this.world, username) + path);
      await isSignedIn(page);
    } else {
      await signIn(page, this.world, username, path);
      this.#sessions.set(username, await page.context().storageState());
    }
    return page;
  }
}
