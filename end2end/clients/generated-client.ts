// Calls the platform with the generated types, and prints what it got as JSON.
import createClient from "openapi-fetch";
import { readFileSync } from "node:fs";

import type { paths } from "./platform.js";

const given: { base_url: string; api_key: string; question: string } = JSON.parse(readFileSync(0, "utf8"));
const client = createClient<paths>({ baseUrl: given.base_url, headers: { authorization: `Bearer ${given.api_key}` } });

const { data: chatbots } = await client.GET("/api/v1/tenants/me/chatbots", { params: { query: { q: "platform-help" } } });
const chatbot = chatbots!.items[0]!;
const params = { path: { chatbot_id: chatbot.id } };
const path = "/api/v1/tenants/me/chatbots/{chatbot_id}/ask" as const;
const { data: reply } = await client.POST(path, { params, body: { question: given.question, visitor_ref: "typescript" } });
const { error } = await client.POST(path, { params, body: { question: "" } });
// The answer could also stream.
if (!reply || typeof reply === "string") throw new Error("the answer is no JSON");
console.log(JSON.stringify({ slug: chatbot.slug, answer: reply.answer, kind: reply.kind, refused: error!.detail }));
