// Applies the chosen theme before the first paint, because a flash of the other one is unpleasant in a dark room.
// The key contains the realm, because both consoles share one origin. Without a choice, the style sheet follows the system.
try {
  const chosen = localStorage.getItem(document.currentScript.dataset.key);
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // The browser's settings refuse storage: the system's preference applies.
}
