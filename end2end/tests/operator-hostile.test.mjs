// Stored texts that contain markup or script are shown as text, in every field.
import assert from "node:assert/strict";
import { test } from "node:test";

import { call, load, page, show } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { hasLoaded } from "../support/layout-shift.mjs";

const TENANTS = "/api/v1/platform/tenants";
const TEMPLATES = "/api/v1/operator/templates";
const MODULES = "/api/v1/platform/modules";
const STRUCK = "window.struck = true";
const PAYLOADS = [
  `<img src=x onerror="${STRUCK}">`,
  `"><script>${STRUCK}</script>`,
  `</textarea></style><svg onload="${STRUCK}">`,
  `javascript:${STRUCK}`,
  "{{constructor.constructor('window.struck=true')()}}",
  "\u202e<b>turned</b>\u202c",
];

const ask = (...request) => call("olivia", ...request);

/** A tenant, its branding, a template and a module whose every text is `payload`; the pages that show them. */
async function plant(payload, number) {
  const { id } = await ask("POST", TENANTS, { slug: `hostile-${number}`, display_name: payload });
  const branding = { display_name: payload, header_title: payload, input_placeholder: payload, custom_css: payload };
  await ask("PATCH", `/api/v1/operator/tenants/${id}/branding`, branding);
  const template = `hostile-${number}-en`;
  await ask("POST", TEMPLATES, {
    id: template,
    language: "en",
    name: payload,
    description: payload,
    suggested_system_prompt: payload,
    welcome_message: payload,
    fallback_message: payload,
    suggested_questions: [payload],
    faq_seed: [{ question: payload, answer: payload }],
    branding_defaults: { header_title: payload },
  });
  const module = { id: `hostile-${number}`, name: payload, description: payload, category: payload };
  await ask("POST", MODULES, module);
  const [row] = (await ask("GET", `/api/v1/platform/audit?entity_id=${template}&limit=1`)).items;
  return [
    `tenants?q=hostile-${number}`,
    `tenants/${id}`,
    `tenants/${id}/branding`,
    `templates?q=hostile-${number}`,
    `templates/${template}`,
    `templates/${template}/edit`,
    `modules?q=hostile-${number}`,
    `audit/${row.id}`,
  ];
}

/** Everything of the page that a person reads, the texts in fields included. */
const readable = () =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll("input, textarea")].map(({ value }) => value);
    return [document.querySelector("main").textContent, ...fields].join("\n");
  });

for (const [number, payload] of PAYLOADS.entries()) {
  test(`every page shows ${JSON.stringify(payload.slice(0, 30))} as text`, async () => {
    const paths = await plant(payload, number);
    await show("olivia", "");
    const wrong = [];
    for (const path of paths) {
      await load("olivia", path);
      await hasLoaded(page);
      await eventuallyEqual(async () => [path, (await readable()).includes(payload)], [path, true]);
      if (await page.evaluate(() => window.struck)) wrong.push(`${path} ran it`);
      if (await page.locator("main :is(script, img[src=x], svg[onload])").count()) wrong.push(`${path} made it markup`);
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual([page.violations, page.errors], [[], []]);
  });
}

test("deletion dialogs and messages show a hostile name as text", async () => {
  const [payload] = PAYLOADS;
  await ask("POST", TENANTS, { slug: "hostile-gone", display_name: payload });
  await show("olivia", "tenants?q=hostile-gone");
  await page.getByRole("button", { name: `Delete ${payload}` }).click();
  const dialog = page.getByRole("dialog", { name: `Delete “${payload}”?` });
  await dialog.getByRole("textbox").fill("hostile-gone");
  await dialog.getByRole("button", { name: "Delete tenant" }).click();
  await page.getByText(`Tenant “${payload}” deleted.`).waitFor();
  assert.equal(await page.evaluate(() => window.struck), undefined);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});
