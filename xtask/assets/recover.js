// Loads a page again whose script or style sheet is gone. It keeps its name in every build, so that it is always there.
import { reloadOnce } from "./reload.js";

function check() {
  const hasStyles = [...document.querySelectorAll("link[rel=stylesheet]")].every((link) => link.sheet?.cssRules.length);
  // The script has run by now, when it came: modules run before the page counts as loaded.
  if (!hasStyles || !("started" in document.documentElement.dataset)) reloadOnce();
}

if (document.readyState === "complete") check();
else addEventListener("load", check, { once: true });
