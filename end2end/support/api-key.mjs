// API keys of a tenant.
import assert from "node:assert/strict";

/** A new key of the chatbot's tenant with these scopes. */
export async function apiKey(world, slug, scopes) {
  const { tenant_id } = world.chatbot(slug);
  const owner = world.dev.users.find((user) => user.tenant_id === tenant_id && user.roles.includes("tenant-admin"));
  const created = await world.call(owner.username, "POST", "/api/v1/tenants/me/api-keys", { name: crypto.randomUUID(), scopes });
  assert.equal(created.status, 201, await created.clone().text());
  return (await created.json()).secret;
}
