// A customer's website: a small server on its own origin, whose pages contain the widget's snippet.
import { once } from "node:events";
import { createServer } from "node:http";

import { freePorts } from "./ports.mjs";

/** Serves `pages`: path to `{ html, headers }`. */
export class HostSite {
  static async start(pages) {
    const site = new HostSite();
    const [port] = await freePorts(1);
    site.origin = `http://127.0.0.1:${port}`;
    site.server = createServer((request, response) => {
      const page = pages[new URL(request.url, site.origin).pathname];
      response.writeHead(page ? 200 : 404, { "content-type": "text/html; charset=utf-8", ...page?.headers });
      response.end(page?.html ?? "");
    });
    site.server.listen(port, "127.0.0.1");
    await once(site.server, "listening");
    return site;
  }

  async stop() {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }
}

/** A page of that site with `head` and `body`. */
export function hostPage({ head = "", body = "" }) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${head}</head>
<body><main><h1>A shop</h1><p>Things to buy.</p></main>${body}</body></html>`;
}

/** The snippet as the tenant console shows it. */
export function snippet(baseUrl, chatbotId) {
  return `<script src="${baseUrl}/static/widget/chat-widget.min.js"
  data-chatbot-id="${chatbotId}"
  data-api-base="${baseUrl}/api/v1" async></script>`;
}
