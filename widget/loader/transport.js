// Requests of both parts: without cookies, with a timeout, never rejected. The browser's reader reads a streamed
// response here and passes each part to `hear`.

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";
// A stream without any data for this long, not even a keep-alive, is broken.
const SILENCE_MS = 45000;

// Where the page has no storage, or the snippet names no chatbot, a session lasts as long as the page.
const memory = {
  getItem: (name) => memory[name],
  setItem: (name, value) => (memory[name] = value),
  removeItem: (name) => delete memory[name],
};

// The token that opens a session's messages is kept with the session's id, under the name of the cookie that has the id. Unlike a
// cookie it is never sent to the page's own server.
function kept(action, name, value) {
  try {
    return (name === "svc_sid_" ? memory : localStorage)[action](name, value);
  } catch {
    return memory[action](name, value);
  }
}

// The session was dropped.
function forget_token(name) {
  kept("removeItem", name);
}

// Resolves to the status (0: no or an incomplete response) and the body. With `body` it is a POST; with `hear` the
// response may arrive in parts. A session's token goes with its questions, and in the one header that needs no preflight for its
// history, of which nothing is shown without a token.
async function request(url, abort = new AbortController(), timeout, body, hear) {
  const name = `svc_sid_${/chatbots\/(.{8})/.exec(url)?.[1] ?? ""}`;
  const [id, token] = kept("getItem", name)?.split(" ") ?? [];
  const [, session = body?.session_id] = /sessions\/([^/]+)/.exec(url) ?? [];
  const isOpen = id && id === session;
  if (session && !body && !isOpen) return { status: 200, body: {} };
  if (body && isOpen) body.session_token = token;
  const keep = (reply) => {
    if (reply?.session_token) kept("setItem", name, `${reply.session_id} ${reply.session_token}`);
    return reply;
  };
  let timer;
  const inTime = (promise) => {
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(), timeout);
    return promise;
  };
  try {
    const headers = { accept: hear ? STREAM_TYPE : isOpen && !body ? `${JSON_TYPE};session_token=${token}` : JSON_TYPE };
    if (body) headers["content-type"] = JSON_TYPE;
    const method = body ? "POST" : "GET";
    const sent = { method, headers, body: JSON.stringify(body), credentials: "omit", signal: abort.signal };
    const response = await inTime(fetch(url, sent));
    const { status, ok } = response;
    if (response.headers.get("content-type")?.startsWith(STREAM_TYPE)) {
      timeout = SILENCE_MS;
      return await listen(response.body.getReader(), inTime, (part) => hear(keep(part)));
    }
    const json = response.json();
    return { status, body: keep(await inTime(ok ? json : json.catch(() => null))) };
  } catch {
    return { status: 0 };
  } finally {
    clearTimeout(timer);
  }
}

// Reads server-sent events to the one that ends the answer. Comments keep the connection alive and have no data.
async function listen(reader, inTime, hear) {
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = await inTime(reader.read());
    if (done) return { status: 0 };
    const events = (text += decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
    text = events.pop();
    for (const event of events) {
      const [, data] = /^data:(.*)/m.exec(event) ?? [];
      const [, ending] = /^event: *(done|error)/m.exec(event) ?? [];
      if (!data) continue;
      const body = JSON.parse(data);
      if (ending) return { status: ending === "done" ? 200 : 503, body };
      hear(body);
    }
  }
}

// Hands on what a short request answers, or nothing.
function read(url, hear) {
  request(url, undefined, 10000).then(({ status, body }) => hear(status === 200 ? body : null));
}

// The path of the page, without its query, which may contain private data.
function page() {
  return location.pathname;
}

// Whether the platform itself answers, and not a proxy in its place.
function answers(url) {
  return request(url, undefined, 10000).then(({ status, body }) => status === 200 && body?.status === "ok");
}

// Writes a text with the day of a moment, in a language, into an element.
function write_date(element, text, moment, language) {
  element.textContent = text.replace("{}", new Date(moment).toLocaleDateString(language, { dateStyle: "medium" }));
}
