// Reloads a page when one of its files is gone because another build was installed. Only a new page knows the new names.

const KEY = "svc_reloaded";
const PAUSE_MS = 60_000;

// Reloads the page, at most once a minute, so that missing files cause no loop. Returns false when it does not.
export function reloadOnce() {
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < PAUSE_MS) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Without storage, nothing would end a loop.
    return false;
  }
  location.reload();
  return true;
}

// Fetches a part of the console. When the part is gone, the page reloads, and the promise stays pending until then.
export async function fetchPart(address) {
  const response = await fetch(address);
  if (response.status === 404 && reloadOnce()) return new Promise(() => {});
  return response;
}
