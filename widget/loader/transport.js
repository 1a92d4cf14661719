// Requests of both parts: without cookies, with a timeout, never rejected. The browser's reader reads a streamed
// response here and passes each part to `hear`.

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";
// A stream without any data for this long, not even a keep-alive, is broken.
const SILENCE_MS = 45000;

// Where the page refuses cookies, or the snippet names no chatbot, a session lasts as long as the page.
const tokens = {};

// The token that opens a session's messages, as `<session id>.<token>`: in a cookie with the lifetime of the one that has the id.
function tokenOf(name) {
  try {
    return new RegExp(`${name}=([^;]+)`).exec(document.cookie)[1];
  } catch {
    return tokens[name];
  }
}

function keepToken(name, value) {
  tokens[name] = value;
  const lifetime = value ? 2592000 : 0;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  try {
    if (name !== "svc_token_") document.cookie = `${name}=${value}; Max-Age=${lifetime}; Path=/; SameSite=Lax${secure}`;
  } catch {
    // A sandboxed page has no cookies.
  }
}

// The session with this cookie was dropped.
function forget_token(name) {
  keepToken(name.replace("sid", "token"));
}

// Resolves to the status (0: no or an incomplete response) and the body. With `body` it is a POST; with `hear` the
// response may arrive in parts. A session's token goes with its questions, and in the one header that needs no preflight for its
// history, of which nothing is shown without a token.
async function request(url, abort = new AbortController(), timeout, body, hear) {
  const name = `svc_token_${/chatbots\/(.{8})/.exec(url)?.[1] ?? ""}`;
  const [id, token] = tokenOf(name)?.split(".") ?? [];
  const [, session = body?.session_id] = /sessions\/([^/]+)/.exec(url) ?? [];
  const isOpen = session && id === session;
  if (session && !body && !isOpen) return { status: 200, body: {} };
  if (body && isOpen) body.session_token = token;
  const keep = (reply) => {
    if (reply?.session_token) keepToken(name, `${reply.session_id}.${reply.session_token}`);
    return reply;
  };
  let timer;
  const inTime = (promise) => {
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(), timeout);
    return promise;
  };
  try {
    const headers = { accept: hear ? STREAM_TYPE : JSON_TYPE + (isOpen && !body ? ";session_token=" + token : "") };
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
