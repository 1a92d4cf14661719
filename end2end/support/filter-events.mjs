// Creates real events of the output filter: a visitor asks a chatbot whose answers contain an account number and a key.
import { setTimeout } from "node:timers/promises";

const FAQ = [
  { question: "Which account do I pay to?", answer: "Please pay to our account DE89 3704 0044 0532 0130 00." },
  { question: "Which card may I test with?", answer: "Please test with the card number 4111 1111 1111 1111." },
];
const TIMEOUT_MS = 120_000;

/** Makes a chatbot of `username`'s tenant, asks it every question once, and returns its name. */
export async function causeFilterEvents(world, username, slug) {
  const call = async (who, method, path, body) => {
    const answer = await world.call(who, method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const name = `Payments ${slug}`;
  await call("olivia", "POST", "/api/v1/operator/templates", { id: slug, language: "en", name, faq_seed: FAQ });
  const { id } = await call(username, "POST", "/api/v1/tenants/me/chatbots", { slug, name, template_id: slug });
  const end = Date.now() + TIMEOUT_MS;
  while ((await call(username, "GET", `/api/v1/tenants/me/chatbots/${id}`)).provisioning !== "ready") {
    if (Date.now() > end) throw new Error(`the chatbot ${slug} is not ready`);
    await setTimeout(100);
  }
  for (const { question } of FAQ) {
    const body = JSON.stringify({ session_id: null, question });
    const headers = { origin: world.dev.site_url, "content-type": "application/json" };
    const url = `${world.dev.base_url}/api/v1/widget/chatbots/${id}/query`;
    const answer = await fetch(url, { method: "POST", headers, body });
    const text = await answer.text();
    if (!answer.ok || !JSON.parse(text).filtered) throw new Error(`nothing was filtered: ${answer.status} ${text}`);
  }
  return name;
}
