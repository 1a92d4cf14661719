/** What a chat needs to know; the attributes of the script tag have the same names. */
export interface Options {
  /** Address of the platform, such as https://chat.example.com. Without it: the page's own origin. */
  platform?: string | URL;
  chatbotId: string;
  /** Address of the API, ending in /api/v1. Without it: `/api/v1` on the platform. */
  apiBase?: string;
  /** Without it: the page's language, then the chatbot's, then the browser's. */
  lang?: "de" | "en" | "es" | "fr" | "it" | "nl" | "pt" | (string & {});
  theme?: "light" | "dark" | "auto";
  position?: "bottom_right" | "bottom_left";
  /** Pixels between the launcher and the lower edge of the window, and that at its side. */
  offsetBottom?: number;
  offsetSide?: number;
  /** The layer of the chat. Without it: above everything. */
  zIndex?: number;
  /** The nonce of the page's content security policy. */
  nonce?: string;
}

export type EventType = "open" | "close" | "question" | "answer";

/** Never has texts. */
export interface ChatEvent<Type extends EventType = EventType> {
  readonly type: Type;
  readonly chatbotId: string;
}

/** A chat on this page. */
export interface Chat {
  readonly chatbotId: string;
  /** Settles when the launcher is on the page, or when the script cannot be loaded. */
  readonly ready: Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
  toggle(): Promise<void>;
  /** Opens and asks, unless an answer is in progress. */
  ask(question: string): Promise<void>;
  /** Returns a function that stops it. */
  on<Type extends EventType>(type: Type, listener: (event: ChatEvent<Type>) => void): () => void;
  /** Removes the chat from the page, with its listeners. */
  destroy(): void;
}

/** Adds a chat at the end of the document. A chatbot that the page has already keeps its chat. */
export function mount(options: Options): Chat;
/** Adds a chat in an element or a shadow root. */
export function mount(element: Element | ShadowRoot | null | undefined, options: Options): Chat;
