// Keeps what a test counts by days or months from being spread over two of them.
import { setTimeout } from "node:timers/promises";

const DAY_MS = 24 * 60 * 60_000;
/** Longer than any test that counts days, also on a busy machine. */
const TEST_MS = 3 * 60_000;

/** Waits for the next day in UTC if this one ends soon: what follows happens within one day, and one month. */
export async function withinOneDay() {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < TEST_MS) await setTimeout(left + 1000);
}
