// Waits for a value that a page shows a moment later.
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";

/** The longest wait for something that must happen, also on a busy machine. */
const TIMEOUT_MS = 90_000;
const PAUSE_MS = 50;

/** Reads until what is read equals `expected`; fails with the difference when it still does not after `timeout` milliseconds. */
export async function eventuallyEqual(read, expected, timeout = TIMEOUT_MS) {
  const end = Date.now() + timeout;
  for (;;) {
    try {
      return assert.deepEqual(await read(), expected);
    } catch (error) {
      if (error.code !== "ERR_ASSERTION" || Date.now() > end) throw error;
    }
    await setTimeout(PAUSE_MS);
  }
}
