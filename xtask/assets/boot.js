// Starts a console: loads its WASM file, then removes the page's loading notice. WASM_FILE is filled in by the build.
import init from "./app.js";

const notice = document.getElementById("boot");

init({ module_or_path: new URL(WASM_FILE, import.meta.url) }).then(
  () => notice?.remove(),
  (error) => {
    console.error(error);
    if (!notice) return;
    notice.setAttribute("role", "alert");
    notice.textContent = notice.dataset.failed;
  },
);
