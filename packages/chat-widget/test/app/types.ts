// Must compile, and each line below "@ts-expect-error" must not.
import { mount, type Chat } from "chat-widget";
import { ChatWidget } from "chat-widget/react";

const chat: Chat = mount({ chatbotId: "id", platform: new URL("https://chat.example.com"), theme: "auto" });
const stop: () => void = chat.on("answer", (event) => event.type satisfies "answer");
mount(document.body, { chatbotId: "id", lang: "de" }).ask("When?").then(stop);
ChatWidget({ chatbotId: "id", onEvent: (event) => event.chatbotId });
// @ts-expect-error
mount({});
// @ts-expect-error
chat.on("opened", stop);
// @ts-expect-error
mount({ chatbotId: "id", position: "top" });
