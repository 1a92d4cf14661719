// Creates a chatbot with a history: answers, a question without an answer, feedback, and websites that requested it.

const ANSWERED = ["How do I put the chatbot on my site?", "Which browsers are supported?"];
const UNANSWERED = ["Do you engrave brass compasses?", "Is there a quagga on board?", "do you engrave  brass compasses?"];

/**
 * Makes such a chatbot of `username`'s tenant; returns its `chatbot_id`, the `session_id` of its conversation, and the
 * `document_id` of one of the documents that the chatbot `platform-help` answers from.
 */
export async function causeTalk(world, username, slug) {
  const body = { slug, name: "Harbor desk", template_id: "product-help-en", fallback_message: "I do not know that yet." };
  const made = await json(await world.call(username, "POST", "/api/v1/tenants/me/chatbots", body));
  const origin = world.dev.site_url;
  const send = async (path, body) => {
    const headers = { origin, "content-type": "application/json" };
    return json(await fetch(`${world.dev.base_url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
  };
  let session_id = null;
  const asked = [];
  for (const question of [...ANSWERED, ...UNANSWERED]) {
    const answer = await send(`/widget/chatbots/${made.id}/query`, { session_id, question });
    ({ session_id } = answer);
    asked.push(answer.message_id);
  }
  const rate = (rating, more) => send("/feedback", { chatbot_id: made.id, rating, ...more });
  await rate("up", { session_id, message_id: asked[0], comment: "Exactly what I was looking for." });
  await rate("down", { session_id, message_id: asked[2], category: "incomplete", comment: "I was hoping for a price list." });
  await rate("down", { category: "outdated" });
  for (const [asking, version] of [[origin, "0.0.1"], ["https://refused.example", "0.0.1"]]) {
    await fetch(`${world.dev.base_url}/api/v1/widget/config/${made.id}?v=${version}`, { headers: { origin: asking } });
  }
  const documents = `/api/v1/tenants/me/chatbots/${world.chatbot("platform-help").id}/documents?limit=1`;
  const { items } = await json(await world.call(username, "GET", documents));
  return { chatbot_id: made.id, session_id, document_id: items[0].id };
}

async function json(answer) {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
