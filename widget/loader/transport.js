// Requests of both parts: without cookies, with a timeout, never rejected. The browser's reader reads a streamed
// response here and passes each part to `hear`.

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";
// A stream without any data for this long, not even a keep-alive, is broken.
const SILENCE_MS = 45000;

// Resolves to the status (0: no or an incomplete response) and the body. With `body` it is a POST; with `hear` the
// response may arrive in parts.
async function request(url, abort = new AbortController(), timeout, body, hear) {
  let timer;
  const inTime = (promise) => {
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(), timeout);
    return promise;
  };
  try {
    const headers = { accept: hear ? STREAM_TYPE : JSON_TYPE };
    if (body) headers["content-type"] = JSON_TYPE;
    const method = body ? "POST" : "GET";
    const sent = { method, headers, body: JSON.stringify(body), credentials: "omit", signal: abort.signal };
    const response = await inTime(fetch(url, sent));
    const { status, ok } = response;
    if (response.headers.get("content-type")?.startsWith(STREAM_TYPE)) {
      timeout = SILENCE_MS;
      return await listen(response.body.getReader(), inTime, hear);
    }
    const json = response.json();
    return { status, body: await inTime(ok ? json : json.catch(() => null)) };
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

// Whether anything answers. Another origin cannot read the answer and does not need to.
function answers(url, signal = AbortSignal.timeout?.(10000)) {
  return fetch(url, { mode: "no-cors", credentials: "omit", signal }).then(() => true, () => false);
}

// Writes a text with the day of a moment, in a language, into an element.
function write_date(element, text, moment, language) {
  element.textContent = text.replace("{}", new Date(moment).toLocaleDateString(language, { dateStyle: "medium" }));
}
