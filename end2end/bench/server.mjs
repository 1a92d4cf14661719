// One origin that serves every candidate in the same way: compressed once with brotli 11, from memory, without caching.
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

import { freePorts } from "../support/ports.mjs";
import { CONFIGURATION } from "./candidates.mjs";

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A shop</title></head><body><main><h1>A shop</h1></main></body></html>`;

/** Serves the candidates' files; `bytes` counts what was sent of them since it was last set to 0. */
export class BenchServer {
  static async start(candidates) {
    const server = Object.assign(new BenchServer(), { candidates: Object.values(candidates), bytes: 0, kept: new Map() });
    const [port] = await freePorts(1);
    server.origin = `http://127.0.0.1:${port}`;
    server.http = createServer((request, response) => server.#answer(request, response));
    server.http.listen(port, "127.0.0.1");
    await once(server.http, "listening");
    return server;
  }

  async stop() {
    this.http.closeAllConnections();
    this.http.close();
    await once(this.http, "close");
  }

  #answer(request, response) {
    const { pathname } = new URL(request.url, this.origin);
    if (pathname === "/") return response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    const body = this.#file(pathname);
    if (!body) {
      const json = pathname.includes("/widget/config/") ? CONFIGURATION : {};
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json));
    }
    this.bytes += body.length;
    const type = TYPES[extname(pathname)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "content-encoding": "br", "cache-control": "no-store" }).end(body);
  }

  #file(pathname) {
    if (!this.kept.has(pathname)) {
      const content = this.candidates.map((candidate) => read(candidate, pathname)).find(Boolean);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 };
      this.kept.set(pathname, content && brotliCompressSync(content, { params }));
    }
    return this.kept.get(pathname);
  }
}

function read({ files = {}, folder }, pathname) {
  const entry = files[pathname];
  if (entry) return entry.text ? Buffer.from(entry.text) : readFileSync(entry.file);
  if (!folder || !pathname.startsWith(folder.at)) return undefined;
  const path = join(folder.from, pathname.slice(folder.at.length));
  return path.startsWith(folder.from) && existsSync(path) ? readFileSync(path) : undefined;
}
