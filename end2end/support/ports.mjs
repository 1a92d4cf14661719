// Finds free ports below the range that systems use for outgoing connections.
import { once } from "node:events";
import { createServer } from "node:net";

const [FIRST, LAST] = [20000, 30000];
/**
 * A process chooses among so many ports, which few others share: two could choose the same one before either of them listens.
 */
const SHARE = 250;
const BEGIN = FIRST + ((process.pid * SHARE) % (LAST - FIRST));
/** The ports that this process has looked at. */
const seen = new Set();

/** `count` different free ports, which this process gets once. */
export async function freePorts(count) {
  const found = [];
  while (found.length < count) {
    if (seen.size === SHARE) throw new Error(`all ports from ${BEGIN} to ${BEGIN + SHARE} have been looked at`);
    const port = BEGIN + Math.floor(Math.random() * SHARE);
    if (seen.has(port)) continue;
    seen.add(port);
    if (await isFree(port)) found.push(port);
  }
  return found;
}

async function isFree(port) {
  const server = createServer();
  const outcome = Promise.race([once(server, "listening").then(() => true), once(server, "error").then(() => false)]);
  server.listen(port, "127.0.0.1");
  const free = await outcome.catch(() => false);
  if (free) {
    server.close();
    await once(server, "close");
  }
  return free;
}
