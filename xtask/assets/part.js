// Fetches the parts behind the sign-in, and with the first of them their style sheet: no page is shown without it. STYLE_FILE is
// filled in by the build.
import { fetchPart, reloadOnce } from "./reload.js";

let styled;

function loadStyle() {
  return new Promise((done) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL(STYLE_FILE, import.meta.url);
    link.onload = done;
    link.onerror = () => reloadOnce() || done();
    document.head.append(link);
  });
}

export async function fetchPageCode(address) {
  styled ??= loadStyle();
  const [response] = await Promise.all([fetchPart(address), styled]);
  return response;
}
