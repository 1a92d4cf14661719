// Starts a console that `cargo leptos watch` has built, and loads the page or its style sheet again after each build.
import init from "../pkg/app.js";

const { reloadPort } = document.querySelector("script[data-reload-port]").dataset;

function listen() {
  const socket = new WebSocket(`ws://${location.hostname}:${reloadPort}/live_reload`);
  socket.onmessage = ({ data }) => {
    const { all, css } = JSON.parse(data);
    if (all) location.reload();
    if (css) reloadStyles();
  };
  // The tool was stopped, or is not ready yet.
  socket.onclose = () => setTimeout(listen, 1000);
}

function reloadStyles() {
  for (const link of document.querySelectorAll("link[rel=stylesheet]")) {
    const address = new URL(link.href);
    address.search = `at=${Date.now()}`;
    link.href = address;
  }
}

listen();
document.documentElement.dataset.started = "";
await init({ module_or_path: new URL("../pkg/app.wasm", import.meta.url) });
document.getElementById("boot")?.remove();
