// The chat as a React component. It shows nothing where it stands: the launcher is in a corner of the page.
import { mount } from "chat-widget";
import { useEffect, useRef } from "react";

const TYPES = ["open", "close", "question", "answer"];

export function ChatWidget({ element, onEvent, ...options }) {
  const { platform, chatbotId, apiBase, lang, theme, position, offsetBottom, offsetSide, zIndex, nonce } = options;
  const hear = useRef(onEvent);
  hear.current = onEvent;
  useEffect(() => {
    const chat = mount(element, options);
    for (const type of TYPES) chat.on(type, (event) => hear.current?.(event));
    return () => chat.destroy();
  }, [element, String(platform), chatbotId, apiBase, lang, theme, position, offsetBottom, offsetSide, zIndex, nonce]);
  return null;
}
