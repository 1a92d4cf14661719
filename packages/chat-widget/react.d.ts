import type { ChatEvent, Options } from "chat-widget";

export interface ChatWidgetProps extends Options {
  /** Without it: the end of the document. */
  element?: Element | ShadowRoot | null;
  onEvent?: (event: ChatEvent) => void;
}

/** The chat as a component, for as long as it is rendered. */
export function ChatWidget(props: ChatWidgetProps): null;
