// Starts a console: loads its WASM file, then removes the page's loading notice. WASM_FILE is filled in by the build.
import init from "./app.js";
import { fetchPart } from "./reload.js";

const notice = document.getElementById("boot");
document.documentElement.dataset.started = "";

init({ module_or_path: fetchPart(new URL(WASM_FILE, import.meta.url)) }).then(
  () => notice?.remove(),
  (error) => {
    console.error(error);
    if (!notice) return;
    notice.setAttribute("role", "alert");
    notice.textContent = notice.dataset.failed;
  },
);
