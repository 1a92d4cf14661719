// Finds free ports below the range that systems use for outgoing connections.
import { once } from "node:events";
import { createServer } from "node:net";

const [FIRST, LAST] = [20000, 30000];

/** `count` different free ports. */
export async function freePorts(count) {
  const found = new Set();
  while (found.size < count) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (await isFree(port)) found.add(port);
  }
  return [...found];
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
