// A person who works with what is visible on a page. What they do is counted, so that the effort of a task can be compared.

/** One person at work in a browser; `page` is the one in front of them. */
export class Person {
  clicks = 0;
  fields = 0;
  /** Pages on which something was done or read; the same address with another search counts once. */
  pages = 0;
  #at = "";

  constructor(page) {
    this.page = page;
  }

  async click(control) {
    await this.#on(control, "click", () => control.click());
    this.clicks += 1;
  }

  /** Types or pastes a text, which counts once. */
  async fill(field, text) {
    await this.#on(field, "fill", () => field.fill(text));
    this.fields += 1;
  }

  /** Presses a button and picks a file in the system's dialog, which counts as a field. */
  async pick(button, file) {
    await this.#on(button, "pick a file with", async () => {
      const [dialog] = await Promise.all([this.page.waitForEvent("filechooser"), button.click()]);
      await dialog.setFiles(file);
    });
    this.clicks += 1;
    this.fields += 1;
  }

  /** Presses a button and gets the file that it downloads. */
  async download(button) {
    const [file] = await this.#on(button, "download with", () => Promise.all([this.page.waitForEvent("download"), button.click()]));
    this.clicks += 1;
    return file;
  }

  /** Waits until a part of the page is visible. */
  async see(part) {
    await this.#on(part, "see", () => {});
  }

  /** Opens an address in another tab; typing it counts as a field. */
  async visit(address) {
    this.page = await this.page.context().newPage();
    await this.page.goto(address);
    this.fields += 1;
  }

  async #on(part, what, act) {
    try {
      await part.waitFor();
      this.#look();
      return await act();
    } catch (error) {
      const [reason] = error.message.split("\n");
      throw new Error(`could not ${what} ${part} on ${this.page.url()}: ${reason}`, { cause: error });
    }
  }

  #look() {
    const { origin, pathname } = new URL(this.page.url());
    const here = origin + pathname;
    if (here === this.#at) return;
    this.#at = here;
    this.pages += 1;
  }
}
