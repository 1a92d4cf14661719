// Reloads a page whose script or style sheet is gone. It keeps its name in every build, so it always exists.
import { reloadOnce } from "./reload.js";

function check() {
  const hasStyles = [...document.querySelectorAll("link[rel=stylesheet]")].every((link) => link.sheet?.cssRules.length);
  // If the script exists, it has run by now: modules run before the page's load event.
  if (!hasStyles || !("started" in document.documentElement.dataset)) reloadOnce();
}

if (document.readyState === "complete") check();
else addEventListener("load", check, { once: true });
