// Waits until a page of a console has loaded.

/**
 * Waits until no part of the page is being loaded. A list that is loaded again replaces its rows: a click on one of them at that
 * moment is lost, because its button is gone before it is released.
 */
export const settled = (page) => page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
