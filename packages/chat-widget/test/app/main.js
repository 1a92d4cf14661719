// A page with the React component, in strict mode: it mounts everything twice.
import { ChatWidget } from "chat-widget/react";
import { createElement, StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";

const { VITE_PLATFORM: platform, VITE_CHATBOT: chatbotId } = import.meta.env;
window.heard = [];

function App() {
  const [isShown, setShown] = useState(true);
  const chat = createElement(ChatWidget, { platform, chatbotId, theme: "dark", onEvent: ({ type }) => window.heard.push(type) });
  return createElement("div", null, createElement("button", { id: "switch", onClick: () => setShown(!isShown) }, "Chat"), isShown && chat);
}

createRoot(document.querySelector("#app")).render(createElement(StrictMode, null, createElement(App)));
