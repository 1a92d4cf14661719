// Applies the theme chosen earlier before the first paint: a flash of the other one is unpleasant in a dark room.
// The key carries the realm, because both consoles share one origin. No choice: the style sheet follows the system.
try {
  const chosen = localStorage.getItem(document.currentScript.dataset.key);
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is refused by the browser's settings: the system's preference stands.
}
