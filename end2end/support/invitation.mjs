// The dialog of both consoles that invites a person.

/** Fills the dialog that is open in `page`, and sends it. The console suggests the user name. */
export async function fillInvitation(page, { first, last, email, role }) {
  const dialog = page.getByRole("dialog").filter({ has: page.getByLabel("First name") });
  await dialog.getByLabel("First name").fill(first);
  await dialog.getByLabel("Last name").fill(last);
  await dialog.getByLabel("Email address").fill(email);
  await dialog.getByLabel("Role").selectOption(role);
  await dialog.getByRole("button", { name: "Invite" }).click();
}
