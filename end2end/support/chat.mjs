// Uses the widget like a visitor. Locators pierce its shadow root.
import { eventuallyEqual } from "./eventually.mjs";

/** The widget on a page. */
export class Chat {
  constructor(page) {
    this.page = page;
    this.hosts = page.locator("svc-chat");
    this.launcher = page.getByRole("button", { name: "Open chat" });
    this.panel = page.getByRole("dialog");
    this.input = this.panel.getByLabel("Your question");
    this.log = this.panel.getByRole("log");
    this.answers = this.log.locator("[data-message-id]");
    this.citations = this.answers.last().locator(".svc-citation");
    this.sources = this.answers.last().locator(".svc-sources");
  }

  /** Opens the panel by keyboard. */
  async open() {
    await this.launcher.focus();
    await this.page.keyboard.press("Enter");
    await this.panel.waitFor();
  }

  /** Asks without waiting for the answer. */
  async send(question) {
    await this.input.fill(question);
    await this.input.press("Enter");
  }

  /** Asks, and waits for the answer, which is the `number`th of the conversation. */
  async ask(question, number = 1) {
    await this.send(question);
    await this.answers.nth(number - 1).waitFor();
  }

  /** Lets the page's stopped clock go on, step by step, until a part is there. */
  async stepUntil(part) {
    await eventuallyEqual(async () => {
      await this.page.clock.runFor(1);
      return part.isVisible();
    }, true);
  }

  /** How far a text of the log is below its upper edge, in pixels. */
  async distanceFromTop(text) {
    const [log, message] = await Promise.all([this.log.boundingBox(), this.log.getByText(text, { exact: true }).boundingBox()]);
    return message.y - log.y;
  }

  /** The cookies of the page's origin that the widget has set for the ids of sessions. */
  async cookies() {
    const cookies = await this.page.context().cookies(this.page.url());
    return cookies.filter(({ name }) => name.startsWith("svc_sid"));
  }

  /** What the page keeps of tokens: `<session id>.<token>` for each chatbot. */
  async tokens() {
    const cookies = await this.page.context().cookies(this.page.url());
    return cookies.filter(({ name }) => name.startsWith("svc_token")).map(({ value }) => value);
  }
}
