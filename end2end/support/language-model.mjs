// A chat endpoint like that of a language model: it streams the same sentence in response to everything, and counts
// tokens.
import { once } from "node:events";
import { createServer } from "node:http";

const USAGE = { prompt_tokens: 600, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 500 } };

export class LanguageModel {
  /** An endpoint that says `sentence`; its `url` is the one to configure. */
  static async start(sentence) {
    const model = Object.assign(new LanguageModel(), { asked: [] });
    model.server = createServer(async (request, response) => {
      let body = "";
      for await (const part of request) body += part;
      model.asked.push(JSON.parse(body).model);
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of [{ choices: [{ delta: { content: sentence } }] }, { choices: [], usage: USAGE }]) {
        response.write(`data: ${JSON.stringify(event)}\n\n`);
      }
      response.end("data: [DONE]\n\n");
    }).listen(0, "127.0.0.1");
    await once(model.server, "listening");
    model.url = `http://127.0.0.1:${model.server.address().port}/v1`;
    return model;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}
